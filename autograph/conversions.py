"""From a function to the converted function, once for each code object.

What is kept hangs on the code object and goes with it. It is the code, not the function: closures
made by one `def` share it, and every one of them gets a converted function of its own.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from autograph import loading, staging
from autograph.adoption import Adoption
from autograph.code_objects import code_objects
from autograph.errors import (
    AutographError,
    ConversionError,
    NoSourceError,
    StagingError,
    boundary,
)
from autograph.forks import renew_in_child
from autograph.guard import as_written, entry
from autograph.operators.calls import CallConverter, fix, forget, needs_no_conversion
from autograph.operators.namespace import Operators
from autograph.operators.ordering import traced_overload
from autograph.options import ConversionOptions, Feature
from autograph.refusals import StaysPython, remember, remember_function
from autograph.source import FunctionSource, function_source, without_syntax_warnings
from autograph.verbosity import log

if TYPE_CHECKING:
    from autograph.pipeline import Conversion
    from autograph.rewrite.staged import Refusal

ConvertText = Callable[[FunctionSource, FunctionType], "Conversion"]


@dataclass
class Converted:
    """One converted text: where it comes from, and what became of it."""

    source: FunctionSource
    conversion: Conversion
    _code: CodeType | None = None

    def code(self, written: CodeType) -> CodeType | None:
        """The code, compiled when it is first asked for; None where nothing was to be converted.

        Args:
          written: the code of the function as its author wrote it.
        """
        if self._code is None and self.conversion.changed:
            self._code = loading.function_code(self.conversion, self.source, written)
        return self._code


def pipeline_text(source: FunctionSource, function: FunctionType) -> Conversion:
    """Converts the text of one function with the passes of the converter."""
    # The parsers behind it take longer to import than everything else together.
    from autograph import pipeline

    names = function.__globals__
    used = {name for code in code_objects(function.__code__) for name in code.co_names}
    bound = frozenset(name for name in used if name in names)
    return pipeline.convert_text(
        source.text,
        filename=source.filename,
        header=False,
        positions=True,
        enclosing=pipeline.Enclosing(
            free=frozenset(source.free),
            class_name=source.class_name,
            plain=frozenset(name for name in bound if needs_no_conversion(names[name])),
            bound=bound,
        ),
    )


def called_from_outside(target: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Calls converted code; where no other is around it, errors become public at its end.

    A trace of a library that calls `staging.tracing()` has an end of its own.
    """
    if staging.calls.running or staging.active:
        return target(*args, **kwargs)
    values = (*args, *kwargs.values())
    if staging.stages_nothing(values):
        # There may be staged values within the objects.
        with boundary():
            return target(*args, **kwargs)
    staging.calls.running = True
    try:
        with boundary(), staging.around_call(values) as finish:
            result = target(*args, **kwargs)
            return result if finish is None else finish(result)
    finally:
        staging.calls.running = False


class Conversions:
    """All conversions made in this process.

    Args:
      convert_text: from the text of a function, and the function, to the conversion.
    """

    def __init__(self, convert_text: ConvertText = pipeline_text) -> None:
        """Starts without any."""
        self._convert_text = convert_text
        self._found: dict[int, tuple[weakref.ref[CodeType], dict[Any, Converted]]] = {}
        self._operators: dict[ConversionOptions, Operators] = {}
        self.adoption = Adoption(lambda each: self.operators(ConversionOptions()).converted(each))
        self._lock = threading.RLock()
        renew_in_child(self)

    def renew(self) -> None:
        """Takes a new lock: another thread may have held it."""
        self._lock = threading.RLock()

    def operators(self, options: ConversionOptions) -> Operators:
        """The `ag__` of functions that are converted with these options."""
        found = self._operators.get(options)
        if found is not None:
            return found
        with self._lock:
            if options not in self._operators:
                converter = CallConverter(
                    lambda function: self.callee(function, options),
                    options.recursive,
                    self.adoption.adopt,
                    Feature.BUILTIN_FUNCTIONS in options.optional_features,
                    traced_overload,
                )
                self._operators[options] = Operators(
                    converter.converted, (operators_for, (options,))
                )
            return self._operators[options]

    def callee(
        self,
        function: FunctionType,
        options: ConversionOptions,
        make: Callable[[FunctionType, ConversionOptions], FunctionType] | None = None,
    ) -> FunctionType:
        """What converted code calls in place of a function.

        Args:
          function: the function of the user's.
          options: how to convert.
          make: gives what is called; None: `function`.
        Raises: StaleSourceError; in strict mode also NoSourceError and ConversionError.
        """
        try:
            return (make or self.function)(function, options)
        except NoSourceError as error:
            if options.strict:
                raise _for_tracer(error) from error
            remember_function(as_written(function).__code__, str(error))
            return function
        except AutographError as error:
            raise _for_tracer(error) from error

    def function(
        self, function: FunctionType, options: ConversionOptions, supplied: str | None = None
    ) -> FunctionType:
        """The converted function; the function itself where nothing is to be converted.

        Args:
          function: the function of the user's.
          options: how to convert.
          supplied: its source text, where it cannot be found.
        Raises: NoSourceError, StaleSourceError; ConversionError in strict mode.
        """
        found = self.conversion(function, options, supplied)
        if staging.ongoing and options.recursive:
            self.adoption.adopt_names_of(function)
        with self._lock, without_syntax_warnings():
            code = found.code(as_written(function).__code__)
        if code is None:
            return function
        operators = self.operators(options)
        converted = loading.make_function(code, function, {found.conversion.operators: operators})
        forget(converted)
        fix(converted)
        return converted

    def entry(
        self, function: FunctionType, options: ConversionOptions, supplied: str | None = None
    ) -> FunctionType:
        """The converted function as it is called from outside: there errors become public.

        The arguments, and what is raised, are those of `function`.
        """
        converted = self.function(function, options, supplied)
        if converted is function:
            return function
        found = self.conversion(function, options, supplied)
        around = partial(called_from_outside, converted)
        made = entry(converted, as_written(function), found.conversion, found.source, around)
        forget(made)
        fix(made)
        return made

    def conversion(
        self, function: FunctionType, options: ConversionOptions, supplied: str | None = None
    ) -> Converted:
        """The conversion of a function's text, made at the first call."""
        function = as_written(function)
        code = function.__code__
        key = (options.strict, supplied)
        with self._lock:
            entries = self._entries(code)
            if key not in entries:
                with without_syntax_warnings():
                    entries[key] = self._convert(function, options, supplied)
            return entries[key]

    def _entries(self, code: CodeType) -> dict[Any, Converted]:
        # By identity: equal code objects may come from different files.
        found = self._found.get(id(code))
        if found is not None and found[0]() is code:
            return found[1]
        entries: dict[Any, Converted] = {}
        number = id(code)
        self._found[number] = (weakref.ref(code, lambda gone: self._forget(number, gone)), entries)
        return entries

    def _forget(self, number: int, gone: weakref.ref[CodeType]) -> None:
        found = self._found.get(number)
        if found is not None and found[0] is gone:
            del self._found[number]

    def _convert(
        self, function: FunctionType, options: ConversionOptions, supplied: str | None
    ) -> Converted:
        source = function_source(function, supplied)
        name = f'{function.__code__.co_qualname} (File "{source.filename}")'
        try:
            conversion = self._convert_text(source, function)
        except Exception as error:
            error.add_note(
                f"While converting {name}, line {source.first_line}. To have it run as it is, "
                "decorate it with autograph.do_not_convert."
            )
            raise
        for refusal in conversion.refusals:
            if options.strict:
                raise refused(refusal, source)
            log(1, f"stays Python: {refused(refusal, source)}")
            remember(_in_file(refusal, source))
        log(2, f"converted {name}")
        log(3, conversion.text)
        return Converted(source, conversion)


def _for_tracer(error: AutographError) -> BaseException:
    # A traced program may catch exceptions; this one is for whoever started the trace.
    return StagingError(str(error), public=error) if staging.active else error


def _in_file(refusal: Refusal, source: FunctionSource) -> StaysPython:
    return StaysPython(
        source.filename,
        source.place(refusal.line, 0)[0],
        source.place(refusal.end_line, 0)[0],
        refusal.construct,
        refusal.reason,
        refusal.remedy,
    )


def refused(refusal: Refusal, source: FunctionSource) -> ConversionError:
    """The error for something that cannot be converted, at its place in the user's file."""
    line = source.lines[refusal.line - 1]
    end = refusal.end_col if refusal.end_line == refusal.line else len(line)
    return ConversionError(
        f"{refusal.construct} in {source.name} stays Python",
        filename=source.filename,
        lineno=source.place(refusal.line, 0)[0],
        col=refusal.col,
        end_col=end,
        source_line=line,
        reason=refusal.reason,
        remedy=refusal.remedy,
    )


CONVERSIONS = Conversions()


def operators_for(options: ConversionOptions) -> Operators:
    """The `ag__` for some options, the same object each time."""
    return CONVERSIONS.operators(options)

"""The cache of conversions: one conversion per code object.

An entry lives as long as its code object. Closures created by one `def` share the code object and
so the conversion; each closure gets its own converted function.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from autograph import loading, staging
from autograph.adapters.compiling import Compiled
from autograph.boundary import boundary
from autograph.code_objects import code_objects, evaluates_annotations
from autograph.conversion import stored_texts
from autograph.conversion.adoption import Adoption
from autograph.conversion.guard import as_written, entry
from autograph.conversion.libraries import Namespace, is_written_for_tracers
from autograph.conversion.other_modules import partial_elsewhere
from autograph.conversion.refusals import (
    StaysPython,
    remember,
    remember_as_written,
    remember_function,
)
from autograph.conversion.unconverted import Explaining
from autograph.conversion_result import Conversion, Enclosing, Refusal
from autograph.errors import (
    AutographError,
    ConversionError,
    NoSourceError,
    StagingError,
    named_file,
)
from autograph.forks import renew_in_child
from autograph.operators.aliases import check_result
from autograph.operators.calls import needs_no_conversion
from autograph.operators.replacements import fix, forget
from autograph.options import ConversionOptions, Replacements
from autograph.reach.records import assigned_in_blocks
from autograph.source import FunctionSource, function_source, without_syntax_warnings
from autograph.verbosity import log

ConvertText = Callable[..., Conversion]
MakeOperators = Callable[["Conversions", ConversionOptions], Namespace]


@dataclass
class Converted:
    """The source of a function and its conversion."""

    source: FunctionSource
    conversion: Conversion
    _code: CodeType | None = None

    def code(self, written: CodeType) -> CodeType | None:
        """Return the converted code, compiled on first use; None if the text did not change.

        Args:
          written: the original code of the function.
        """
        if self._code is None and self.conversion.changed:
            self._code = loading.function_code(self.conversion, self.source, written)
        return self._code


def pipeline_text(
    source: FunctionSource, function: FunctionType, replacements: Replacements | None = None
) -> Conversion:
    """Convert the text of one function."""
    names = function.__globals__
    used = {name for code in code_objects(function.__code__) for name in code.co_names}
    bound = frozenset(name for name in used if name in names)
    plain = frozenset(name for name in bound if needs_no_conversion(names[name]))
    if replacements is not None:
        plain = frozenset(name for name in plain if not replacements.concern(names[name]))
    enclosing = Enclosing(
        free=frozenset(source.free),
        class_name=source.class_name,
        plain=plain,
        bound=bound,
        partial=source.partial | partial_elsewhere(names),
        annotates=evaluates_annotations(function.__code__),
    )
    return stored_texts.convert(source.text, source.filename, enclosing)


def called_from_outside(
    written: Callable[..., Any], target: Callable[..., Any], /, *args: object, **kwargs: object
) -> Any:
    """Call converted code; at the outermost call, turn StagingError into the public exception.

    During a trace of a library, the boundary of the trace does that.

    Args:
      written: the function as the user wrote it.
      target: the converted one.
      args, kwargs: their arguments.
    """
    if staging.calls.running or staging.active:
        return target(*args, **kwargs)
    values = (*args, *kwargs.values())
    if staging.stages_nothing(values) and staging.library_inside(values) is None:
        # Attributes of the arguments may still be staged values.
        with boundary(), Explaining():
            return target(*args, **kwargs)
    staging.calls.running = True
    try:
        with boundary(), Explaining(), staging.around_call(written, args, kwargs) as finish:
            result = check_result(target(*args, **kwargs))
            return result if finish is None else finish(result)
    finally:
        staging.calls.running = False


class Conversions:
    """The conversions of this process.

    Args:
      make_operators: creates the `ag__` object of converted code for some options.
      convert_text: converts the text of a function.
    """

    def __init__(
        self, make_operators: MakeOperators, convert_text: ConvertText = pipeline_text
    ) -> None:
        """Start with an empty cache."""
        self._make_operators = make_operators
        self._convert_text = convert_text
        self._found: dict[int, tuple[weakref.ref[CodeType], dict[Any, Converted]]] = {}
        self._operators: dict[ConversionOptions, Any] = {}
        self.adoption = Adoption(
            lambda each: self.operators(ConversionOptions()).converted(each),
            lambda each: self.callee(each, ConversionOptions(), self.entry),
        )
        self._lock = threading.RLock()
        renew_in_child(self)

    def renew(self) -> None:
        """Replace the lock after a fork: another thread may have held it."""
        self._lock = threading.RLock()

    def operators(self, options: ConversionOptions) -> Any:
        """Return the `ag__` object for these options."""
        found = self._operators.get(options)
        if found is not None:
            return found
        with self._lock:
            if options not in self._operators:
                self._operators[options] = self._make_operators(self, options)
            return self._operators[options]

    def callee(
        self,
        function: FunctionType,
        options: ConversionOptions,
        make: Callable[[FunctionType, ConversionOptions], FunctionType] | None = None,
    ) -> FunctionType:
        """Return the function that converted code calls in place of `function`.

        Args:
          function: the user's function.
          options: how to convert.
          make: creates the replacement. None: `self.function`.

        Raises:
          StaleSourceError: if the text found is not the code that is running.
          NoSourceError, ConversionError: in strict mode.
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
        """Return the converted function; `function` itself if nothing needs conversion.

        Args:
          function: the user's function.
          options: how to convert.
          supplied: its source text, if it cannot be found.

        Raises:
          NoSourceError: if the function has no source text.
          StaleSourceError: if the text found is not the code that is running.
          ConversionError: in strict mode.
        """
        found = self.conversion(function, options, supplied)
        if staging.ongoing and options.recursive:
            self.adoption.adopt_names_of(function)
        written = as_written(function).__code__
        with self._lock, without_syntax_warnings():
            code = found.code(written)
        if code is None:
            remember_as_written(written)
            return function
        of_tracers = is_written_for_tracers(function.__globals__)
        if of_tracers is not options.of_tracers:  # of the caller
            options = replace(options, of_tracers=of_tracers)
        operators = self.operators(options)
        converted = loading.make_function(code, function, {found.conversion.operators: operators})
        forget(converted)
        fix(converted)
        return converted

    def entry(
        self, function: FunctionType, options: ConversionOptions, supplied: str | None = None
    ) -> FunctionType:
        """Return the converted function for callers outside of converted code.

        It has the signature of `function`, and raises public exceptions.
        """
        converted = self.function(function, options, supplied)
        if converted is function:
            return function
        found = self.conversion(function, options, supplied)
        written = as_written(function)
        around = Compiled(written, partial(called_from_outside, written, converted))
        made = entry(converted, written, found.conversion, found.source, around)
        forget(made)
        fix(made)
        return made

    def conversion(
        self, function: FunctionType, options: ConversionOptions, supplied: str | None = None
    ) -> Converted:
        """Return the conversion of a function's text, from the cache after the first call."""
        function = as_written(function)
        code = function.__code__
        key = (options.strict, supplied, options.replacements)
        with self._lock:
            entries = self._entries(code)
            if key not in entries:
                with without_syntax_warnings():
                    entries[key] = self._convert(function, options, supplied)
            return entries[key]

    def _entries(self, code: CodeType) -> dict[Any, Converted]:
        # Keyed by identity: equal code objects may come from different files.
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
        name = f"{function.__code__.co_qualname} ({named_file(source.filename)})"
        try:
            given = () if options.replacements is None else (options.replacements,)
            conversion = self._convert_text(source, function, *given)
        except Exception as error:
            if isinstance(error, ConversionError) and error.lineno is not None:
                error.lineno = source.place(error.lineno, 0)[0]
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
        module = function.__globals__.get("__name__", "")
        assigned_in_blocks.update((module, each[1:]) for each in source.partial if each[0] == ".")
        return Converted(source, conversion)


def _for_tracer(error: AutographError) -> BaseException:
    # A traced program may catch exceptions; this one must reach the caller of the trace.
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
    """Create the error for a refused statement, with its position in the user's file."""
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

"""String formatting: f-strings, `str.format`, `%`, `str`, `repr`, `format`, `join`.

A library formats its staged values at run time, by Python's rules. Text without staged values is
Python's. Anything else is an error, for instance a container whose `__repr__` is written in C: the
placeholder text of a staged value must not become part of a result.

>>> formatted("{:>4}|{!r}", 7, "a")
"   7|'a'"
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from itertools import count
from types import FunctionType
from typing import Any

from autograph.errors import StagingError
from autograph.operators.frames import leave_out
from autograph.operators.moved import resolve
from autograph.staging import (
    CannotRoll,
    StagingLibrary,
    is_one_of,
    library_among,
    library_of,
    ongoing,
    optional,
    trace,
)
from autograph.values import Value

# ---- operators ----


def formatted(template: str, *args: object, **kwargs: object) -> Any:
    """Return `template.format(*args, **kwargs)`; f-strings use it, too."""
    try:
        if not ongoing or not trace.running:
            return template.format(*args, **kwargs)
        return _whole(_of_fields(template, args, kwargs, count()))
    except BaseException as error:
        leave_out(error)
        raise


def format_map(template: str, mapping: Value, /) -> Any:
    """Return `template.format_map(mapping)`.

    >>> format_map("{a}", {"a": 1})
    '1'
    """
    try:
        if not ongoing or not trace.running:
            return template.format_map(mapping)
        return _whole(_of_fields(template, (), mapping, count()))
    except BaseException as error:
        leave_out(error)
        raise


def percent(template: Value, values: object) -> Any:
    """Return `template % values` for a string `template`.

    >>> percent("%d: %s", (1, "a"))
    '1: a'
    """
    try:
        if not ongoing or not trace.running or not isinstance(template, str):
            return template % values
        return _whole(_of_directives(template, values))
    except BaseException as error:
        leave_out(error)
        raise


def join(separator: str, items: Iterable[Any], /) -> Any:
    """Return `separator.join(items)`.

    >>> join(", ", ["a", "b"])
    'a, b'
    """
    try:
        return _join(separator, items) if ongoing and trace.running else separator.join(items)
    except BaseException as error:
        leave_out(error)
        raise


def _join(separator: str, items: Iterable[Any]) -> Any:
    items = resolve(items)
    library = library_of(items)
    if library is not None:
        text = library.builtin("join", separator, items)
        if text is NotImplemented:
            raise _refusal("the items of `join`", "Join them with an operation of the library.")
        return text
    parts = list(items)
    library = library_among(parts)
    if library is None:
        return separator.join(parts)
    others = [part for part in parts if library_of(part) is None]
    if not all(isinstance(part, str) for part in others):
        return separator.join(others)  # Python's own error
    return _joined(library, [part for item in parts for part in (separator, item)][1:])


def _repr_of(conversion: str) -> Callable[..., Any]:
    def text(original: Callable[..., Any], *args: object, **kwargs: object) -> Any:
        if len(args) != 1 or kwargs:
            return original(*args, **kwargs)
        return _of_value(args[0], conversion, "")

    return text


def _format(original: Callable[..., Any], value: object, spec: object = "", /) -> Any:
    return _of_value(value, "", spec)


_BUILTINS: dict[Any, Callable[..., Any]] = {
    str: _repr_of("s"),
    repr: _repr_of("r"),
    ascii: _repr_of("a"),
    format: _format,
}


def _overload(original: Callable[..., Any], staged: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: object, **kwargs: object) -> Any:
        try:
            if ongoing:
                return staged(original, *args, **kwargs)
            return original(*args, **kwargs) if kwargs else original(*args)
        except BaseException as error:
            leave_out(error)
            raise

    call.__name__ = call.__qualname__ = original.__name__
    return call


OVERLOADS = {original: _overload(original, staged) for original, staged in _BUILTINS.items()}
"""From built-in functions that return text to their replacements."""


def method_overload(method: Any) -> Callable[..., Any] | None:
    """Return the replacement of a string method such as `"...".format`; None if it has none.

    >>> method_overload(", ".join)(["a", "b"])
    'a, b'
    >>> method_overload("a".upper) is None
    True
    """
    text = method.__self__
    if type(text) is not str:
        return None
    if method.__name__ == "format":
        return partial(formatted, text)
    if method.__name__ == "format_map":
        return partial(format_map, text)
    return partial(join, text) if method.__name__ == "join" else None


def refusing_symbols(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a library function that returns text to raise if the text shows a staged value."""

    def call(*args: object, **kwargs: object) -> Any:
        try:
            before = _shown()
            text = function(*args, **kwargs)
            if _shown() != before:
                raise _refusal(f"a value given to `{function.__name__}`", _ONE_BY_ONE)
            return text
        except BaseException as error:
            leave_out(error)
            raise

    return call


# ---- print ----


class Printed:
    """Text that only `print` formats: outside of staged statements it shows Python's text.

    >>> str(Printed("x = {}", (3,)))
    'x = 3'
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, values: tuple[Any, ...]) -> None:
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.template.format(*self.values)


def printed(template: str, *values: object) -> Any:
    """Return `template.format(*values)` as an argument of `print`.

    During a trace `print` formats it, because `print` decides whether to show values at run time or
    placeholders now.

    >>> printed("x = {}", 3)
    'x = 3'
    """
    staged = ongoing or library_among(values) is not None
    return Printed(template, values) if staged else formatted(template, *values)


def print_values(
    *values: Any,
    sep: str | None = None,
    end: str | None = None,
    file: Any = None,
    flush: Any = 0,
    by: Any = None,
) -> None:
    """Do `print` in a staged statement: print each time the statement runs.

    `by` is the library that prints outside of staged statements if no value is staged.
    """
    if trace.rolling:
        raise CannotRoll
    library = trace.block or library_among(_shown_by(values)) or by
    if library is None or optional(library, "print_text") is None:
        options = {"sep": sep, "end": end, "file": file, "flush": flush}
        if library is None or library.builtin("print", *values, **options) is NotImplemented:
            print(*values, **options)
        return
    stream = "stdout" if file is None or file is sys.stdout else "stderr"
    if stream == "stderr" and file is not sys.stderr:
        raise _refusal(f"what `print` writes to a {type(file).__name__}", "Print to `sys.stdout`.")
    separator, last = " " if sep is None else sep, "\n" if end is None else end
    spaced = [part for value in values for part in (separator, _of_printed(value))][1:]
    library.print_text(_joined(library, [*spaced, last]), stream)


def _shown_by(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        # `isinstance` would read the attribute `__class__` of an object of the program.
        yield from value.values if type(value) is Printed else (value,)


def _of_printed(value: object) -> Any:
    if type(value) is Printed:
        return formatted(value.template, *value.values)
    return _of_value(value, "s", "")


def overload_of_print(everywhere: bool) -> Callable[..., None]:
    """Return the replacement of `print`.

    Args:
      everywhere: whether staged values are printed at run time also outside of staged statements
        (`Feature.BUILTIN_FUNCTIONS`).
    """

    def call(*values: Any, **options: Any) -> None:
        try:
            library = library_among(_shown_by(values))
            # A library without staged text decides itself when to print.
            textless = optional(library, "print_text") is None
            own = library is not None and (everywhere or textless)
            if own or trace.block is not None:
                print_values(*values, **options)
            elif trace.alternatives and any(map(_shows_alternatives, values)):
                raise _refusal("a list or dict with a value that is one of several", _ONE_BY_ONE)
            else:
                print(*values, **options)
        except BaseException as error:
            leave_out(error)
            raise

    call.__name__ = call.__qualname__ = "print"
    call.__module__ = print.__module__  # as Python's messages have it
    return call


def _shows_alternatives(value: Value) -> bool:
    """Return whether a list, tuple or dict contains an `Alternatives`."""
    kind = type(value)
    items = value.values() if kind is dict else value if kind in (list, tuple) else ()
    return is_one_of(value) or any(map(_shows_alternatives, items))


# ---- text of several parts ----


def _whole(parts: Iterable[Any]) -> Any:
    found = list(parts)
    library = library_among(found)
    return "".join(found) if library is None else _joined(library, found)


def _shown() -> int:
    """Return the number of placeholder texts that the tracing library has produced."""
    count_of = optional(trace.library, "texts_shown")
    return trace.texts_shown + (0 if count_of is None else int(count_of()))


def _joined(library: StagingLibrary, parts: Sequence[Any]) -> Any:
    return library.join_text([part for part in parts if type(part) is not str or part])


_FIELDS = string.Formatter()


def _of_fields(
    template: str, args: Sequence[Any], kwargs: Mapping[str, Any], numbers: Iterator[int]
) -> Iterator[Any]:
    for literal, name, spec, conversion in _FIELDS.parse(template):
        if literal:
            yield literal
        if name is None:
            continue
        if not name or name[0] in ".[":
            name = f"{next(numbers)}{name}"
        value, _ = _FIELDS.get_field(name, args, kwargs)
        layout = _whole(_of_fields(spec or "", args, kwargs, numbers))
        yield _of_value(value, conversion or "", layout)


_DIRECTIVE = re.compile(r"%(\([^)]*\))?([-+ #0]*(?:\*|\d*)(?:\.(?:\*|\d*))?)[hlL]?(.)", re.DOTALL)
"""`%(key)05.2f`: the key, flags with width and precision, the type."""


def _of_directives(template: str, values: Any) -> Iterator[Any]:
    rest = iter(values if isinstance(values, tuple) else (values,))
    end = 0
    for found in _DIRECTIVE.finditer(template):
        yield template[end : found.start()]
        end = found.end()
        key, layout, kind = found.groups()
        if kind == "%":
            yield "%"
        elif "*" in layout:
            raise _refusal("the values of `%`", "Write the width into the text.")
        else:
            value = next(rest) if key is None else values[key[1:-1]]
            yield _of_directive(layout, kind, value)
    yield template[end:]


def _of_directive(layout: str, kind: str, value: object) -> Any:
    if kind in "sra":
        value, kind = _of_value(value, kind, ""), "s"
    library = library_of(value)
    directive = f"%{layout}{kind}"
    if library is None:
        return directive % (value,)
    return value if directive == "%s" else _staged(library, value, "%", directive)


# ---- text of one value ----

_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"s": str, "r": repr, "a": ascii}


def _of_value(value: Value, conversion: str, spec: Value) -> Any:
    """Return `format(value, spec)` after a conversion, as a Python or staged string."""
    if is_one_of(value):
        return value.__autograph_split__(partial(_of_value, conversion=conversion, spec=spec))
    value = resolve(value)
    library = library_of(value) or library_of(spec)
    if library is not None:
        return _staged(library, value, conversion, spec)
    method = _method(type(value), conversion)
    before = _shown()
    if not isinstance(method, FunctionType) or _is_generated(method):
        text = format(_CONVERSIONS[conversion](value) if conversion else value, spec)
        return text if _shown() == before else _of_parts(value, conversion, spec, method)
    takes_spec = method.__name__ == "__format__"
    text = method(value, spec) if takes_spec else method(value)
    if _shown() != before and library_of(text) is None:
        raise _refusal(f"a {type(value).__name__}", _ONE_BY_ONE)
    return text if takes_spec else _of_value(text, "", spec)


def _is_generated(method: FunctionType) -> bool:
    """Return whether Python generated the method, for a dataclass or a named tuple."""
    return method.__globals__["__name__"] in ("dataclasses", "reprlib", "collections")


_ONE_BY_ONE = "Make text of the values one by one, with f-strings."


def _staged(library: StagingLibrary, value: object, conversion: str, spec: object) -> Any:
    if optional(library, "text") is None:
        raise _refusal(f"a {type(value).__name__}", "Show it by `print`, or return the value.")
    return library.text(value, conversion, spec)


def _of_parts(value: Value, conversion: str, spec: str, method: Callable[..., Any]) -> Any:
    """Return the text of a container with staged values."""
    kind: Any = type(value)
    names = _parts_of(kind, method)
    if names is not None:
        template = ", ".join(f"{name}={{!r}}" for name in names)
        parts: Iterable[Any] = (getattr(value, name) for name in names)
        text = formatted(f"{kind.__qualname__}({template})", *parts)
    elif method is list.__repr__:
        text = formatted(f"[{_fields(len(value))}]", *value)
    elif method is tuple.__repr__:
        comma = "," if len(value) == 1 else ""
        text = formatted(f"({_fields(len(value))}{comma})", *value)
    elif method is dict.__repr__:
        parts = (part for item in value.items() for part in item)
        entries = _fields(len(value), "{!r}: {!r}")
        text = formatted(f"{{{{{entries}}}}}", *parts)
    else:
        raise _refusal(f"a {kind.__name__}", _ONE_BY_ONE)
    return _of_value(text, "", spec) if spec else text


def _fields(number: int, field: str = "{!r}") -> str:
    return ", ".join([field] * number)


def _method(kind: Any, conversion: str) -> Any:
    """Return the method that Python calls for the text of an object."""
    if not conversion and kind.__format__ is not object.__format__:
        return kind.__format__
    if conversion in ("", "s") and kind.__str__ is not object.__str__:
        return kind.__str__
    return kind.__repr__


def _parts_of(kind: Any, method: object) -> Sequence[str] | None:
    """Return the field names in the text of a dataclass or named tuple."""
    if not isinstance(method, FunctionType):
        return None
    if is_dataclass(kind):
        return [field.name for field in fields(kind) if field.repr]
    return kind._fields if issubclass(kind, tuple) else None


def _refusal(what: str, remedy: str) -> StagingError:
    return StagingError(
        f"{what} would become text while the program is traced, but its value is known when the "
        "program runs.",
        remedy=remedy,
    )

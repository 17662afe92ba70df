"""Comparison of code objects: same function, or one rewritten by an import hook."""

from __future__ import annotations
import __future__

import dis
import functools
from collections import Counter
from collections.abc import Iterator
from types import CodeType
from typing import Any

CONVERTED = "autograph: this code is converted"
"""An unused constant that marks the code of converted functions."""

BY_OPERATORS = "autograph: this code tests identity by operators"
"""An unused constant that marks converted code without `is`, `is not` and `match`."""
READ_ONCE = "autograph: read once: "
"""Start of an unused constant that names a variable assigned just for the one loop reading it."""

_FUTURE = functools.reduce(
    lambda flags, name: flags | getattr(__future__, name).compiler_flag,
    # CPython reuses the flag bits of features that are always on.
    [name for name in __future__.all_feature_names if name not in ("nested_scopes", "generators")],
    0,
)


def is_read_once(code: CodeType, name: str) -> bool:
    """Return whether converted code assigns a variable for one loop and reads it nowhere else."""
    return f"{READ_ONCE}{name}" in code.co_consts


def future_flags(code: CodeType) -> int:
    """Return the flags of the `from __future__` features that a code object was compiled with."""
    return code.co_flags & _FUTURE


def evaluates_annotations(code: CodeType) -> bool:
    """Return whether a code object was compiled without `from __future__ import annotations`."""
    return not code.co_flags & __future__.annotations.compiler_flag


def code_objects(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and, recursively, those of its inner functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_objects(constant)


ITERABLE_COROUTINE = 0x100
"""The flag that `types.coroutine` adds to a generator function."""


def is_same(one: CodeType, running: CodeType) -> bool:
    """Return whether `one`, compiled from a text, equals the running code."""
    if running.co_flags & ITERABLE_COROUTINE:
        running = running.replace(co_flags=running.co_flags & ~ITERABLE_COROUTINE)
    if _equal(one, running):
        return True
    # Bytecode may come from a run of Python that keeps no columns.
    return not _has_columns(running) and _equal(_with_places_of(one, running), running)


def _equal(one: CodeType, other: CodeType) -> bool:
    """Return whether two code objects are equal, level by level.

    `==` of code objects compares constants twice: its cost doubles with each level of nesting.
    """
    own, others = inner_codes(one), inner_codes(other)
    return (
        len(own) == len(others)
        and _without_inner(one) == _without_inner(other)
        and all(map(_equal, own, others))
    )


def inner_codes(code: CodeType) -> list[CodeType]:
    """Return the code objects of the functions directly inside a function."""
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def made_codes(code: CodeType) -> list[CodeType]:
    """Return the code objects of the functions that a function makes, in the order of its text.

    Python 3.12 keeps one constant for equal lambdas of one line.

    >>> len(made_codes(compile("a, b = lambda: 1, lambda: 1", "", "exec")))
    2
    """
    return [each.argval for each in dis.get_instructions(code) if isinstance(each.argval, CodeType)]


def _without_inner(code: CodeType) -> CodeType:
    """Return code whose inner functions are replaced by a constant."""
    constants = (... if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def _has_columns(code: CodeType) -> bool:
    return any(column is not None for _, _, column, _ in code.co_positions())


def _with_places_of(one: CodeType, running: CodeType) -> CodeType:
    """Return `one` with the positions of `running`, if they differ in columns only."""
    if _lines(one) != _lines(running) or len(one.co_consts) != len(running.co_consts):
        return one
    constants = tuple(
        _with_places_of(own, other)
        if isinstance(own, CodeType) and isinstance(other, CodeType)
        else own
        for own, other in zip(one.co_consts, running.co_consts, strict=True)
    )
    return one.replace(co_linetable=running.co_linetable, co_consts=constants)


def _lines(code: CodeType) -> list[int | None]:
    return [line for line, _, _, _ in code.co_positions()]


def is_similar(plain: CodeType, running: CodeType) -> bool:
    """Return whether `running` may be `plain` as rewritten by an import hook.

    Such hooks add names and constants to a function and keep the existing ones.
    """
    return (
        plain.co_qualname == running.co_qualname
        and argument_layout(plain) == argument_layout(running)
        and set(plain.co_freevars) <= set(running.co_freevars)
        and _names(plain) <= _names(running)
        and _operators(plain) <= _operators(running)
        and _numbers_and_texts(plain) <= _numbers_and_texts(running)
    )


def argument_layout(code: CodeType) -> tuple[Any, ...]:
    """Return the number of arguments of each kind, and their names."""
    stars = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    count = code.co_argcount + code.co_kwonlyargcount + stars
    return (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_varnames[:count],
    )


def _names(code: CodeType) -> set[str]:
    return {
        name
        for each in code_objects(code)
        for name in (*each.co_names, *each.co_varnames, *each.co_cellvars)
    }


_OPERATORS = frozenset({*"+-*/%@&|^<>", "//", "**", "<<", ">>", "<=", ">=", "==", "!="})


def _operators(code: CodeType) -> Counter[str]:
    """Return how often code has each operator.

    Read from the instructions: a hook such as that of pytest, which rewrites `assert`, has no open
    way to rewrite a text, so the code of its modules cannot be compared as a whole. A changed
    operator in an edited file leaves names and constants as they are.

    >>> sorted(_operators(compile("a += b * c < d * 2", "", "exec")).items())
    [('*', 2), ('+=', 1), ('<', 1)]
    """
    shown = (
        # CPython 3.13 writes a comparison for a condition as `bool(<)`.
        instruction.argrepr.removeprefix("bool(").removesuffix(")")
        for each in code_objects(code)
        for instruction in dis.get_instructions(each)
    )
    return Counter(
        each for each in shown if each.removesuffix("=") in _OPERATORS or each in _OPERATORS
    )


def _numbers_and_texts(code: CodeType) -> set[tuple[type, Any]]:
    return {
        (type(constant), constant)
        for each in code_objects(code)
        for constant in each.co_consts
        if type(constant) in (int, float, complex, str, bytes)
    }


def does_same(one: CodeType, other: CodeType) -> bool:
    """Return whether two code objects are equal except for their positions."""
    own, others = inner_codes(one), inner_codes(other)
    return (
        one.co_code == other.co_code
        and argument_layout(one) == argument_layout(other)
        and one.co_names == other.co_names
        and one.co_freevars == other.co_freevars
        and _constants(one) == _constants(other)
        and len(own) == len(others)
        and all(map(does_same, own, others))
    )


def _constants(code: CodeType) -> list[str]:
    return [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]


@functools.lru_cache(maxsize=1 << 16)
def names_in(code: CodeType) -> tuple[str, ...]:
    """Return every name that code, or code inside it, mentions: globals, attributes, modules.

    >>> names_in(compile("len(self.items)", "", "eval"))
    ('len', 'self', 'items')
    """
    found = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= dict.fromkeys(names_in(constant))
    return tuple(found)


def reads_name(code: CodeType, name: str) -> bool:
    """Return whether code, or code inside it, does more with a global or attribute than assign it.

    A string of that text may be an attribute for `getattr`.

    >>> code = compile("self.last = self.best", "", "exec")
    >>> reads_name(code, "best"), reads_name(code, "last")
    (True, False)
    """
    if name in code.co_consts:
        return True
    if name in code.co_names and any(
        each.argval == name and not each.opname.startswith(("STORE_", "DELETE_"))
        for each in dis.get_instructions(code)
    ):
        return True
    return any(reads_name(inner, name) for inner in inner_codes(code))


@functools.lru_cache(maxsize=1 << 16)
def globals_in(code: CodeType) -> tuple[str, ...]:
    """Return the globals and modules that code, or code inside it, mentions; not attributes.

    Read from the bytes, as `dis` takes a millisecond for a function: code objects keep the names of
    globals and attributes in one place.

    >>> globals_in(compile("len(self.items)", "", "eval"))
    ('len', 'self')
    """
    found: dict[str, None] = {}
    high = 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        number = high | low
        high = number << 8 if operation == dis.EXTENDED_ARG else 0
        if operation in _OF_GLOBALS:
            found[code.co_names[number >> _OF_GLOBALS[operation]]] = None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= dict.fromkeys(globals_in(constant))
    return tuple(found)


_OF_GLOBALS = {
    number: int(dis.opname[number] == "LOAD_GLOBAL")
    for number in dis.hasname
    if "ATTR" not in dis.opname[number] and "METHOD" not in dis.opname[number]
}
"""From an instruction that names a global or module to the number of flag bits in its argument."""

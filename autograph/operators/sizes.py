"""What Python asks of an object by `__len__`, `__bool__` or `__contains__`.

Python takes only an int or a bool as the answer. A method of the program may return a staged
value, such as the length of a list that grows in a branch.
"""

from __future__ import annotations

from operator import index
from types import FunctionType
from typing import Any

from autograph.conversion.class_facts import is_static, look_up
from autograph.conversion.libraries import is_known_library
from autograph.staging import library_of, library_of_class, ongoing, optional


def truth_of(value: object) -> Any:
    """Return the truth of a value: a bool, or a staged one.

    >>> truth_of([])
    False
    """
    library = library_of(value)
    if library is not None:
        return library.not_(library.not_(value))
    found = truth_if_asked(value)
    return bool(found) if library_of(found) is None else found


def truth_if_asked(value: object) -> Any:
    """Return the truth of an object whose class defines it in Python; any other value itself.

    >>> truth_if_asked([])
    []
    """
    if not ongoing:
        return value
    method = program_method(value, "__bool__")
    if method is None:
        length = program_method(value, "__len__")
        if length is None or look_up(type(value), "__bool__") is not None:
            return value
        return _has_items(_length(length(value)))
    answer = method(value)
    if type(answer) is bool:
        return answer
    represents_bool = optional(library_of(answer), "represents_bool")
    if represents_bool is None or represents_bool(answer) is False:
        raise TypeError(f"__bool__ should return bool, returned {_type_name(answer)}")
    return answer


def program_method(value: object, name: str) -> FunctionType | None:
    """Return the function by which the class of a value answers; None unless the program wrote it.

    >>> program_method([], "__len__") is None
    True
    """
    kind = type(value)
    if is_static(kind) or library_of_class(kind) is not None:
        return None
    method = look_up(kind, name)
    if type(method) is not FunctionType or is_known_library(method.__globals__):
        return None
    return method


def length_of(*values: Any) -> Any:
    """Return `len(*values)`, which may be staged.

    >>> length_of("ab")
    2
    """
    method = program_method(values[0], "__len__") if ongoing and len(values) == 1 else None
    return len(*values) if method is None else _length(method(values[0]))


def _length(answer: Any) -> Any:
    """Return the answer of `__len__`, checked as Python checks it."""
    check_length = optional(library_of(answer), "check_length")
    if check_length is not None:
        check_length(answer)
        return answer
    number = index(answer)
    if number < 0:
        raise ValueError("__len__() should return >= 0")
    return number


def _type_name(value: object) -> str:
    """Return what the program calls the type of a value."""
    dtype = getattr(value, "dtype", None) if library_of(value) is not None else None
    return type(value).__name__ if dtype is None else f"a tensor of {getattr(dtype, 'name', dtype)}"


def _has_items(length: Any) -> Any:
    library = library_of(length)
    return length > 0 if library is None else library.not_(library.not_(length))

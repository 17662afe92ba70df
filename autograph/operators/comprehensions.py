"""A list comprehension with a filter that a staged value may decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.control_flow import for_stmt, if_stmt
from autograph.operators.frames import leave_out

_NAMES = ("list comprehension",)


def list_comp(iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any]) -> Any:
    """`[element(x) for x in iterable if condition(x)]`; a staged list where the items are staged.

    >>> list_comp([1, 2, 3], lambda x: x * 2, lambda x: x > 1)
    [4, 6]
    """
    result: list[Any] = []

    def get_state() -> tuple[Any, ...]:
        return (result,)

    def set_state(values: tuple[Any, ...]) -> None:
        nonlocal result
        (result,) = values

    def body(item: Any) -> None:
        try:
            test = condition(item)
            if test is True:
                result.append(element(item))
            elif test is not False:
                if_stmt(test, keep(item), None, get_state, set_state, _NAMES)
        except BaseException as error:
            leave_out(error)
            raise

    def keep(item: Any) -> Callable[[], None]:
        return lambda: result.append(element(item))

    try:
        for_stmt(iterable, body, get_state, set_state, _NAMES)
    except BaseException as error:
        leave_out(error)
        raise
    return result

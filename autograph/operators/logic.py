"""`and`, `or` and conditional expressions.

The first operand is passed as a value, the others as functions, so that they are evaluated only
when Python would evaluate them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from autograph import staging
from autograph.errors import StagingError
from autograph.operators.alternatives import not_, split, truth
from autograph.operators.branches import Changes, unchanging, value_steps
from autograph.operators.frames import leave_out
from autograph.operators.iterators import left_by_break, unmapped
from autograph.operators.sizes import truth_if_asked
from autograph.staging import StagingLibrary, is_one_of, library_of, optional
from autograph.steps import Stepping, run

Operand = Callable[[], Any]
Operands = tuple[Operand, ...]


def and_(first: object, second: Operand, *rest: Operand) -> Any:
    """Return `first and second() and rest[0]() and ...`.

    >>> and_(1, lambda: 0, lambda: print("not reached"))
    0
    """
    try:
        if first is False:
            return first
        if first is True or type(first) in staging.by_python:
            if not first:
                return first
            return _and(second(), rest) if rest else second()
        return _and(first, (second, *rest))
    except BaseException as error:
        leave_out(error)
        raise


def or_(first: object, second: Operand, *rest: Operand) -> Any:
    """Return `first or second() or rest[0]() or ...`.

    >>> or_(0, lambda: "", lambda: 3)
    3
    """
    try:
        if first is True:
            return first
        if first is False or type(first) in staging.by_python:
            if first:
                return first
            return _or(second(), rest) if rest else second()
        return _or(first, (second, *rest))
    except BaseException as error:
        leave_out(error)
        raise


def _and(value: object, operands: Operands, attempt: bool = False) -> Any:
    """Return the value of an `and` chain; let `Changes` pass if `attempt` is set."""
    for position, operand in enumerate(operands):
        if type(value) in staging.by_python:
            if not value:
                return value
            value = operand()
            continue
        if is_one_of(value):
            rest = operands[position:]
            return split(value, partial(_and, operands=rest), rest)
        library = library_of(value)
        if library is not None:
            rest = operands[position:]
            try:
                return library.and_(value, _unchanging(library, _and, rest))
            except RecursionError:
                raise
            except (Changes, Exception):  # an exception of Python's becomes one of the program
                if attempt:
                    raise
            return _with_changes(library, "and", value, value, partial(_rest, _and, rest), rest)
        found = truth_if_asked(value)
        library = None if found is value else library_of(found)
        if library is not None:
            rest = operands[position:]
            _check_result(library, value)
            return _with_changes(library, "and", found, value, partial(_rest, _and, rest), rest)
        if not found:
            return value
        value = operand()
    return value


def _or(value: object, operands: Operands, attempt: bool = False) -> Any:
    """Return the value of an `or` chain, as `_and`."""
    for position, operand in enumerate(operands):
        if type(value) in staging.by_python:
            if value:
                return value
            value = operand()
            continue
        if is_one_of(value):
            rest = operands[position:]
            return split(value, partial(_or, operands=rest), rest)
        library = library_of(value)
        if library is not None:
            rest = operands[position:]
            try:
                return library.or_(value, _unchanging(library, _or, rest))
            except RecursionError:
                raise
            except (Changes, Exception):  # an exception of Python's becomes one of the program
                if attempt:
                    raise
            goes_on = library.not_(value)
            return _with_changes(library, "or", goes_on, value, partial(_rest, _or, rest), rest)
        found = truth_if_asked(value)
        library = None if found is value else library_of(found)
        if library is not None:
            rest = operands[position:]
            _check_result(library, value)
            goes_on = library.not_(found)
            return _with_changes(library, "or", goes_on, value, partial(_rest, _or, rest), rest)
        if found:
            return value
        value = operand()
    return value


def _check_result(library: StagingLibrary, value: object) -> None:
    """Raise StagingError if `library` has no result that may be a tensor or an object.

    The truth of the object `value` is staged: it may be the value of the chain.
    """
    if optional(library, "operands") is None:
        raise StagingError(
            f"the truth of an object of the class {type(value).__name__} is known only when the "
            "graph runs, and the object itself may be the value of this `and` or `or`.",
            public=TypeError,
            remedy="Write `bool(x)` or `len(x) > 0` as the operand.",
        )


def _rest(row: Callable[..., Any], operands: Operands, attempt: bool = False) -> Any:
    return row(operands[0](), operands[1:], attempt)


def _unchanging(library: StagingLibrary, row: Callable[..., Any], operands: Operands) -> Operand:
    """Return the rest of a chain, which raises `Changes` at its first side effect.

    Otherwise each enclosing chain would trace its operands twice: exponential in the depth.
    """
    return unchanging(library, partial(_rest, row, operands, True), *operands)


def _with_changes(
    library: StagingLibrary,
    word: str,
    goes_on: object,
    value: object,
    rest: Operand,
    reached: Operands,
) -> Any:
    """Return the value of the other operands if `goes_on`, else that of the first.

    The library may support a result of two values without a common type.
    """
    operands_of = optional(library, "operands")
    if operands_of is None:
        return run(partial(value_steps, library, goes_on, rest, lambda: value, reached))
    operands = operands_of(word, value, rest)
    branches = operands.second, operands.first
    return operands.result(run(partial(value_steps, library, goes_on, *branches, reached)))


def decided(decides: bool, test: Callable[[Any], Any], iterable: Iterable[Any]) -> Any:
    """Return `any` (if `decides`) or `all` of the tests of items; some may be staged.

    Each test is an operand of `or` or `and`: after a staged test it runs only if that one did not
    decide.
    """
    source, of_item = unmapped(iterable, test)
    items = iter(source)
    result: Any = not decides
    for item in items:
        result = not_(not_(of_item(item)))
        if library_of(result) is not None:
            break
        if result is decides:
            return result
    else:
        return result
    combine = or_ if decides else and_
    where = "an `any`, `all` or `in` that a staged value may end"
    for item in left_by_break(iterable, items, where):
        known: list[bool] = []

        def truth_of_item(item: object = item, known: list[bool] = known) -> Any:
            value = of_item(item)
            found = not_(not_(value))
            known[:] = [] if library_of(value) is not None else [bool(value)]
            return found

        result = combine(result, truth_of_item)
        if known == [decides]:
            return result
    return result


def if_exp(test: object, if_value: Callable[[], Any], else_value: Callable[[], Any]) -> Any:
    """Return `if_value() if test else else_value()`.

    >>> if_exp(False, lambda: 1, lambda: 2)
    2
    """
    try:
        if test is True or test is False or type(test) in staging.by_python:
            return if_value() if test else else_value()
        test = truth(test)
        library = library_of(test)
        if library is None:
            return if_value() if test else else_value()
        stepping = Stepping(value_steps(library, test, if_value, else_value))
        while stepping.goes_on:
            with stepping:
                stepping.value = stepping.function()
        return stepping.result
    except BaseException as error:
        leave_out(error)
        raise

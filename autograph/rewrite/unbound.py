"""Rewrite `x += 1` and `del x` to raise Python's error if `x` is unassigned.

>>> from autograph.rewrite.show import show
>>> show('''
... for x in xs:
...     total += x
... ''', "xs")
total = ag__.undefined('total')
def get_state():
    return (total,)
def set_state(vars_):
    nonlocal total
    (total,) = vars_
def loop_body(x):
    nonlocal total
    ag__.ld(total)
    total += x
ag__.for_stmt(xs, loop_body, get_state, set_state, ('total',))

What is deleted becomes undefined again, where functions that the rewriting adds may read it.
>>> show('''
... del x
... return [1, y and x]
... ''', "x, y")
x = ag__.undefined('x')
return [1, ag__.and_(y, lambda: ag__.ld(x))]

Left alone: a variable that certainly has a value.
>>> show('''
... total = 0
... total += x
... del total
... ''', "x")
total = 0
total += x
del total
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, operator_call


def guarded(
    line: cst.SimpleStatementLine, context: Context, rebound: Set[str]
) -> list[cst.SimpleStatementLine]:
    """Return the lines that replace a line.

    Args:
      line: the line, its expressions rewritten.
      context: knows the names that may have no value where it stands.
      rebound: names that have to be bound whether they have a value or not.
    """
    parts = [list(_parts(part, context, rebound)) for part in line.body]
    if all(new == [old] for new, old in zip(parts, line.body, strict=True)):
        return [line]
    if len(parts) > 1:
        return [line.with_changes(body=[each for group in parts for each in group])]
    lines = [cst.SimpleStatementLine([each]) for each in parts[0]]
    lines[0] = lines[0].with_changes(leading_lines=line.leading_lines)
    lines[-1] = lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    return lines


def _parts(part: object, context: Context, rebound: Set[str]) -> Iterator[Any]:
    if isinstance(part, cst.FlattenSentinel):
        yield from part
    elif isinstance(part, cst.AugAssign) and isinstance(part.target, cst.Name):
        if part.target.value in context.undefined:
            yield cst.Expr(context.rewrite(part.target))
        yield part
    elif isinstance(part, cst.Del) and _names(part) & (context.undefined | rebound):
        yield from _deleted(part, context, rebound)
    else:
        yield part


def _targets(part: cst.Del) -> list[Any]:
    target = part.target
    if isinstance(target, cst.Tuple | cst.List):
        return [element.value for element in target.elements]
    return [target]


def _names(part: cst.Del) -> set[str]:
    return {target.value for target in _targets(part) if isinstance(target, cst.Name)}


def _deleted(part: cst.Del, context: Context, rebound: Set[str]) -> Iterator[Any]:
    """Yield one statement per target; the last one has the semicolon, if any."""
    found: list[Any] = []
    for target in _targets(part):
        name = target.value if isinstance(target, cst.Name) else None
        if name in context.undefined:
            found.append(cst.Expr(context.rewrite(target)))
        if name in rebound:
            nothing = operator_call("undefined", cst.SimpleString(repr(name)))
            found.append(cst.Assign([cst.AssignTarget(cst.Name(target.value))], nothing))
        else:
            found.append(cst.Del(target.with_changes(lpar=[], rpar=[])))
    yield from found[:-1]
    yield found[-1].with_changes(semicolon=part.semicolon)

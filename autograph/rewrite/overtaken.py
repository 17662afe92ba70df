"""Clear the flag of a jump if an error overtakes the jump on its way out of a `with`.

>>> from autograph.rewrite.show import show
>>> show('''
... with suppress(OSError):
...     with connected():
...         if x > 0:
...             return 1
... print(x)
... ''', "x, suppress, connected")
retval_ = ag__.undefined('retval_')
do_return = False
with ag__.converted(suppress)(OSError):
    try:
        retval_ = ag__.undefined('retval_')
        do_return = False
        with ag__.converted(connected)():
            def get_state():
                return (do_return, retval_)
            def set_state(vars_):
                nonlocal do_return, retval_
                (do_return, retval_) = vars_
            def if_body():
                nonlocal retval_, do_return
                retval_ = 1
                do_return = True
            ag__.if_stmt(x > 0, if_body, None, get_state, set_state, ('do_return', 'retval_'))
    except ag__.StagingError:
        raise
    except BaseException:
        retval_ = ag__.undefined('retval_')
        do_return = False
        raise
def else_body():
    ag__.converted(print)(x)
return ag__.if_stmt(do_return, lambda: retval_, else_body)

Left alone where nothing can fail between the jump and the end of the `with`, and for `open`, which
lets every error through.
>>> show('''
... with connected():
...     if x > 0:
...         return 1
... print(x)
... ''', "x, connected")
retval_ = ag__.undefined('retval_')
do_return = False
with ag__.converted(connected)():
    def get_state():
        return (do_return, retval_)
    def set_state(vars_):
        nonlocal do_return, retval_
        (do_return, retval_) = vars_
    def if_body():
        nonlocal retval_, do_return
        retval_ = 1
        do_return = True
    ag__.if_stmt(x > 0, if_body, None, get_state, set_state, ('do_return', 'retval_'))
def else_body():
    ag__.converted(print)(x)
return ag__.if_stmt(do_return, lambda: retval_, else_body)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.conversion_result import Span
from autograph.rewrite.known import IsBuiltin
from autograph.syntax.structure import (
    Block,
    Leaf,
    Region,
    SetFlag,
    inside,
    with_body,
    with_parts,
)

Clear = Callable[[Span], list[SetFlag]]
"""Creates the statements that clear the flags."""


def may_be_overtaken(block: Block, flags: Iterable[str]) -> bool:
    """Return whether code that may raise runs after a flag is set in a block."""
    wanted = set(flags)
    return any(
        _ends_with_code(each) and any(map(wanted.__contains__, _flags_set(each)))
        for each in inside(block.statements)
    )


def _ends_with_code(statement: object) -> bool:
    """Return whether leaving a statement runs code: `__exit__`, or a `finally`."""
    if not isinstance(statement, Region):
        return False
    return isinstance(statement.node, cst.With) or statement.parts[-1][0] == "finally"


def _flags_set(region: Region) -> Iterable[str]:
    return (each.flag for each in inside([region]) if isinstance(each, SetFlag) and each.holds)


def guarded_with(
    region: Region, flags: Iterable[str], clear: Clear, is_builtin: IsBuiltin
) -> Region:
    """A `with` that may swallow an error clears the flags of the jumps that the error overtook.

    Args:
      region: the `with`, its jumps lowered.
      flags: set by jumps that leave it.
      clear: makes what clears them.
      is_builtin: whether a name can only mean the built-in of that name.
    """
    node = region.node
    assert isinstance(node, cst.With)
    block = region.parts[0][2]
    *before, last = [_may_swallow(item, is_builtin) for item in node.items]
    if last and may_be_overtaken(block, flags):
        block.statements = [_clearing(block.statements, region.origin, clear)]
    if not any(before):
        return region
    inner = Region(
        region.effects, region.origin, _of(node, node.items[-1:]), region.parts, with_body
    )
    outer = Block([inner])
    parts = [("body", Effects(), outer)]
    rest = Region(region.effects, region.origin, _of(node, node.items[:-1]), parts, with_body)
    return guarded_with(rest, flags, clear, is_builtin)


def _may_swallow(item: cst.WithItem, is_builtin: IsBuiltin) -> bool:
    call = item.item
    opens = (
        isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value == "open"
    )
    return not (opens and is_builtin("open"))


def _of(node: cst.With, items: Sequence[Any]) -> cst.With:
    """Return a `with` for some of the items."""
    kept = [*items[:-1], items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
    if len(kept) == 1 and kept[0].asname is None and isinstance(kept[0].item, cst.Tuple):
        # In one pair of parentheses, alone, its elements would be the items.
        pair = kept[0].item
        pair = pair.with_changes(
            lpar=[cst.LeftParen(), *pair.lpar], rpar=[*pair.rpar, cst.RightParen()]
        )
        kept = [kept[0].with_changes(item=pair)]
    return node.with_changes(items=kept)


_TRY = "try: pass\nexcept BaseException: pass\n"


def _clearing(statements: list[Any], origin: Span, clear: Clear) -> Region:
    node = cst.parse_statement(_TRY)
    assert isinstance(node, cst.Try)
    again = Leaf(Effects(), origin, cst.SimpleStatementLine([cst.Raise()]))
    parts = [
        ("body", Effects(), Block(statements)),
        ("handler", Effects(), Block([*clear(origin), again])),
    ]
    return Region(Effects(), origin, node, parts, with_parts)

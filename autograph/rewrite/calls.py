"""A call of something that may need conversion goes through `ag__.converted`.

>>> from autograph.rewrite.show import show
>>> show("y = g(x, *rest, key=1)", "x, rest")
y = ag__.converted(g)(x, *rest, key=1)
>>> show("n = len(xs)", "xs")
n = ag__.converted(len)(xs)

So does one that counts frames, because those of the blocks of statements do not count.
>>> show("warnings.warn('old', stacklevel=2)")
ag__.converted(warnings.warn)('old', stacklevel=2)

So does one that `operators/world.py` has an entry for, also of a module that needs no conversion.
>>> show("start = time.time()")
start = ag__.converted(time.time)()

Left alone: functions that are known to need none, and those that look at the frame they are
called from.
>>> show("ok = isinstance(x, int) and super().check(repr(x))", "self, x")
ok = isinstance(x, int) and ag__.converted(super().check)(repr(x))
>>> show('''
... def inner(): return 1
... y = inner() + ', '.join(x)
... ''', "x")
def inner(): return 1
y = inner() + ', '.join(x)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from autograph.analysis.effects import counts_frames, reads_frame
from autograph.operators.builtins import NAMES
from autograph.operators.world import NAMES as EFFECTS
from autograph.rewrite.comprehensions import consumed, is_consumed
from autograph.rewrite.expressions import Context, operator_call, rewrites

_KEYED = frozenset({"get"})
"""Methods of Python's containers whose argument may be a staged value."""
_OVERLOADED = frozenset((*NAMES, "getattr", "hasattr"))
_OF_AN_OBJECT = frozenset({"dir", "vars"})
"""Built-in functions that look at an object, or at the frame if there is no argument."""

_STRINGS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)


@rewrites(cst.Call)
def call(node: cst.Call, context: Context) -> Any:
    """`f(x)` becomes `ag__.converted(f)(x)`."""
    if _is_super(node, context):
        return _explicit_super(node, context)
    if is_consumed(node, context):
        return consumed(node, context)
    changed = context.inside(node)
    if not context.convert_calls or not _may_need_conversion(node, context):
        return changed
    converted = operator_call("converted", changed.func)
    return context.replaced(node, changed.with_changes(func=converted))


def _is_super(node: cst.Call, context: Context) -> bool:
    function = node.func
    return (
        isinstance(function, cst.Name)
        and function.value == "super"
        and not node.args
        and context.is_builtin("super")
    )


def _explicit_super(node: cst.Call, context: Context) -> Any:
    """`super()` looks at its own frame: in an added function it gets its arguments written out."""
    if not context.in_closure or context.first_parameter is None:
        return node
    arguments = [cst.Arg(cst.Name("__class__")), cst.Arg(cst.Name(context.first_parameter))]
    return context.replaced(node, node.with_changes(args=arguments))


def _may_need_conversion(node: cst.Call, context: Context) -> bool:
    function: Any = node.func
    name, owner = _name_and_owner(function)
    if reads_frame(name, owner):
        return counts_frames(name, owner) and _says_how_many(name, node.args)
    if isinstance(function, cst.Name):
        of_object = function.value in _OF_AN_OBJECT and len(node.args) == 1
        return _name_may(function.value, context, of_object)
    if isinstance(function, cst.Attribute):
        return _attribute_may(function, context)
    return not isinstance(function, cst.Lambda)


def _name_and_owner(function: Any) -> tuple[str | None, str | None]:
    if isinstance(function, cst.Attribute):
        owner = function.value
        return function.attr.value, owner.value if isinstance(owner, cst.Name) else None
    return function.value if isinstance(function, cst.Name) else None, None


def _says_how_many(name: str | None, args: Sequence[cst.Arg]) -> bool:
    """Whether a call that counts frames goes beyond the one it stands in."""
    if name != "warn":
        return bool(args)
    return len(args) > 2 or any(arg.star or _is_named(arg, "stacklevel") for arg in args)


def _is_named(arg: cst.Arg, name: str) -> bool:
    return arg.keyword is not None and arg.keyword.value == name


def _name_may(name: str, context: Context, of_object: bool = False) -> bool:
    if context.is_builtin(name):
        return (of_object or name in _OVERLOADED or name in EFFECTS) and not context.quotes
    if name in context.shadowed:
        return True
    scope = context.scope
    if name in scope.local_functions:
        return False
    module = scope.outer
    known = name in module.converted or name in module.plain
    return not (known and scope.is_of_module(name))


def _attribute_may(function: cst.Attribute, context: Context) -> bool:
    if isinstance(function.value, _STRINGS):
        return False
    root: Any = function.value
    if isinstance(root, cst.Name) and root.value in context.scope.containers:
        return root.value in context.shadowed or function.attr.value in _KEYED
    draws = False
    while isinstance(root, cst.Attribute):
        draws |= root.attr.value == "random"
        root = root.value
    if not isinstance(root, cst.Name):
        return True
    scope = context.scope
    hidden = root.value in context.shadowed or not scope.is_of_module(root.value)
    return hidden or root.value not in scope.outer.plain or draws or function.attr.value in EFFECTS

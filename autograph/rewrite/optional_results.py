"""A variable that is tested for None takes a result that only the running program knows to be None.

>>> from autograph.rewrite.show import show
>>> show('''
... y = find(x)
... ok = y is None
... ''', "find, x")
y = ag__.optional(find)(x)
ok = ag__.is_none(y)

Left alone: results of other variables, and of those that end a loop, which reads a file or a queue.
>>> show("y = find(x); ok = y > 0", "find, x")
y = ag__.converted(find)(x); ok = y > 0
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, operator_call, operator_named


def _calls_operator(node: Any, name: str) -> bool:
    return isinstance(node, cst.Call) and node.func.deep_equals(operator_named(name))


def optional_result(node: cst.Assign, changed: Any, context: Context) -> Any:
    """An assignment to a variable that is tested for None: the result may be None, or not."""
    target = node.targets[0].target
    if len(node.targets) > 1 or not isinstance(target, cst.Name):
        return changed
    if not context.staged or not context.is_optional(target.value):
        return changed
    value = changed.value
    if not isinstance(value, cst.Call) or not _calls_operator(value.func, "converted"):
        return changed
    arguments = value.func.args  # type: ignore[attr-defined]
    value = value.with_changes(func=operator_call("optional", *arguments))
    return context.replaced(
        node, changed.with_changes(value=context.replaced(changed.value, value))
    )

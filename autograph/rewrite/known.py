"""Expressions whose value is certainly a Python value, so that no tensor decides.

>>> import libcst as cst
>>> from autograph.analysis.scopes import FunctionScope, ModuleNames
>>> scope = FunctionScope.outside(ModuleNames())
>>> gives_python_value(cst.parse_expression("x is None"), scope)
True
>>> gives_python_value(cst.parse_expression("x > 0"), scope)
False
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import libcst as cst

from autograph.syntax.stack import any_depth

_PREDICATES = frozenset({"isinstance", "issubclass", "callable"})
_LITERALS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.ConcatenatedString,
             cst.FormattedString, cst.Ellipsis, cst.List, cst.Dict, cst.Set, cst.Tuple,
             cst.ListComp, cst.DictComp, cst.SetComp, cst.Lambda)  # fmt: skip
_CONSTANTS = frozenset({"True", "False", "None", "__debug__", "TYPE_CHECKING"})
_STRINGS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)

IsBuiltin = Callable[[str], bool]


class Names(Protocol):
    """Facts about the names in an expression."""

    def is_builtin(self, name: str) -> bool:
        """Return whether a name certainly refers to the built-in."""

    def may_be_none(self, name: str) -> bool:
        """Return whether a test of a variable for None may have to be staged."""

    def ends_loop(self, name: str) -> bool:
        """Return whether a variable ends a loop when it is None."""

    def gains_keys(self, name: str) -> bool:
        """Return whether the keys, or items, of a variable may be decided at run time."""


@any_depth
def gives_python_value(node: cst.BaseExpression, names: Names) -> bool:
    """Return whether the truth value of an expression is Python's for any values of its names."""
    if isinstance(node, cst.Name):
        return node.value in _CONSTANTS
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Not) and gives_python_value(node.expression, names)
    if isinstance(node, cst.BooleanOperation):
        return gives_python_value(node.left, names) and gives_python_value(node.right, names)
    if isinstance(node, cst.Comparison):
        return not _is_staged_question(node, names) and _compares_python_values(node, names)
    if isinstance(node, cst.Call):
        function = node.func
        return (
            isinstance(function, cst.Name)
            and function.value in _PREDICATES
            and names.is_builtin(function.value)
        )
    return isinstance(node, _LITERALS)


def _compares_python_values(node: cst.Comparison, names: Names) -> bool:
    operators = [target.operator for target in node.comparisons]
    if all(isinstance(operator, cst.Is | cst.IsNot) for operator in operators):
        operands = [node.left, *(target.comparator for target in node.comparisons)]
        apart = not compares_identity(node) or any(map(_is_class, operands))
        return apart and not any(map(is_truth, operands))
    single = len(operators) == 1
    looks_up = single and isinstance(operators[0], cst.In | cst.NotIn)
    if not looks_up or not isinstance(node.left, _STRINGS):
        return False
    container = node.comparisons[0].comparator
    return not isinstance(container, cst.Name) or not names.gains_keys(container.value)


def _is_staged_question(node: cst.Comparison, names: Names) -> bool:
    """Return whether a comparison is a test for None that may have to be staged."""
    left = node.left
    if isinstance(left, cst.Name) and names.ends_loop(left.value):
        return False
    return asks_for_none(node, names) or (len(node.comparisons) > 1 and _mentions_none(node))


def _mentions_none(node: cst.Comparison) -> bool:
    return any(map(is_none, (node.left, *(target.comparator for target in node.comparisons))))


def asks_for_none(node: cst.Comparison, names: Names) -> bool:
    """Whether a comparison asks if a value is None, which only the running program may know."""
    if len(node.comparisons) != 1 or not _mentions_none(node):
        return False
    if not isinstance(node.comparisons[0].operator, cst.Is | cst.IsNot):
        return False
    value = beside_none(node)
    if isinstance(value, cst.Name):
        return value.value not in _CONSTANTS and names.may_be_none(value.value)
    return not isinstance(value, (*_LITERALS, cst.Comparison))


def beside_none(node: cst.Comparison) -> cst.BaseExpression:
    """Return the operand that a single comparison compares with None."""
    right = node.comparisons[0].comparator
    return node.left if is_none(right) else right


def is_none(node: cst.BaseExpression) -> bool:
    """Return whether an expression is the literal None."""
    return isinstance(node, cst.Name) and node.value == "None"


def compares_identity(node: cst.Comparison) -> bool:
    """Whether a comparison asks two values for their identity that a tensor may have chosen.

    True and False may be such values, other constants are none. `type(x)` is a class of the program
    also where objects of it are merged.
    """
    if len(node.comparisons) != 1:
        return False
    target = node.comparisons[0]
    if not isinstance(target.operator, cst.Is | cst.IsNot):
        return False
    return not any(map(_is_apart, (node.left, target.comparator)))


def _is_class(node: cst.BaseExpression) -> bool:
    """Return whether an expression is `type(x)`."""
    return (
        isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "type"
    )


def _is_apart(node: cst.BaseExpression) -> bool:
    return is_constant(node) and not is_truth(node)


def is_truth(node: cst.BaseExpression) -> bool:
    """Return whether an expression is True or False."""
    return isinstance(node, cst.Name) and node.value in ("True", "False")


def is_always_true(node: object) -> bool:
    """Return whether a test is True or an integer such as 1, of which a loop never ends."""
    if isinstance(node, cst.Integer):
        return node.evaluated_value != 0
    return isinstance(node, cst.Name) and node.value == "True"


def is_display(node: cst.BaseExpression) -> bool:
    """Return whether an expression is a list, tuple, set or dict display or a string literal."""
    return isinstance(node, (*_STRINGS, cst.List, cst.Tuple, cst.Set, cst.Dict))


def is_simple(node: cst.BaseExpression) -> bool:
    """Return whether an expression is idempotent: a name or a constant."""
    return isinstance(node, cst.Name) or is_constant(node)


def is_constant(node: cst.BaseExpression) -> bool:
    """Return whether an expression is a literal: number, string, `...`, None, True or False."""
    if isinstance(node, cst.Name):
        return node.value in ("None", "True", "False")
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.BaseNumber)
    return isinstance(node, cst.BaseNumber | cst.SimpleString | cst.Ellipsis)


def is_super(node: cst.CSTNode, names: Names) -> bool:
    """Return whether an expression is `super()`, which reads its frame."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value == "super"
        and not node.args
        and names.is_builtin("super")
    )

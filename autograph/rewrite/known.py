"""Expressions that can only give a Python value, so that no tensor decides there.

>>> import libcst as cst
>>> gives_python_value(cst.parse_expression("x is None"), lambda name: True)
True
>>> gives_python_value(cst.parse_expression("x > 0"), lambda name: True)
False
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

_PREDICATES = frozenset({"isinstance", "issubclass", "callable", "hasattr"})
_LITERALS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.ConcatenatedString,
             cst.FormattedString, cst.Ellipsis, cst.List, cst.Dict, cst.Set, cst.Tuple,
             cst.ListComp, cst.DictComp, cst.SetComp, cst.Lambda)  # fmt: skip
_CONSTANTS = frozenset({"True", "False", "None", "__debug__", "TYPE_CHECKING"})
_STRINGS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)

IsBuiltin = Callable[[str], bool]


def gives_python_value(node: cst.BaseExpression, is_builtin: IsBuiltin) -> bool:
    """Whether the truth of an expression is Python's to decide, whatever its names hold."""
    if isinstance(node, cst.Name):
        return node.value in _CONSTANTS
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Not) and gives_python_value(
            node.expression, is_builtin
        )
    if isinstance(node, cst.BooleanOperation):
        return gives_python_value(node.left, is_builtin) and gives_python_value(
            node.right, is_builtin
        )
    if isinstance(node, cst.Comparison):
        return _compares_python_values(node)
    if isinstance(node, cst.Call):
        function = node.func
        return (
            isinstance(function, cst.Name)
            and function.value in _PREDICATES
            and is_builtin(function.value)
        )
    return isinstance(node, _LITERALS)


def _compares_python_values(node: cst.Comparison) -> bool:
    operators = [target.operator for target in node.comparisons]
    if all(isinstance(operator, cst.Is | cst.IsNot) for operator in operators):
        return True
    single = len(operators) == 1
    looks_up = single and isinstance(operators[0], cst.In | cst.NotIn)
    return looks_up and isinstance(node.left, _STRINGS)


def compares_identity(node: cst.Comparison) -> bool:
    """Whether a comparison asks two values, none of them a constant, for their identity.

    What `type(x)` gives is a class, which no tensor chooses.
    """
    if len(node.comparisons) != 1:
        return False
    target = node.comparisons[0]
    if not isinstance(target.operator, cst.Is | cst.IsNot):
        return False
    return not any(map(_is_apart, (node.left, target.comparator)))


def _is_apart(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        return isinstance(node.func, cst.Name) and node.func.value == "type"
    return is_constant(node)


def is_display(node: cst.BaseExpression) -> bool:
    """Whether an expression is a list, tuple, set, dict or string written out."""
    return isinstance(node, (*_STRINGS, cst.List, cst.Tuple, cst.Set, cst.Dict))


def is_simple(node: cst.BaseExpression) -> bool:
    """Whether evaluating an expression twice is the same as once: a name or a constant."""
    return isinstance(node, cst.Name) or is_constant(node)


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether an expression is a number, a string without holes, `...`, None, True or False."""
    if isinstance(node, cst.Name):
        return node.value in ("None", "True", "False")
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.BaseNumber)
    return isinstance(node, cst.BaseNumber | cst.SimpleString | cst.Ellipsis)

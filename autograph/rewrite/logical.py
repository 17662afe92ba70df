"""Rewrite `and`, `or`, `not`, `in` and chained comparisons as calls, so that tensors can decide.

>>> from autograph.rewrite.show import show
>>> show("ok = a > 0 and b", "a, b")
ok = ag__.and_(a > 0, lambda: b)
>>> show("ok = not a or b not in c", "a, b, c")
ok = ag__.or_(ag__.not_(a), lambda: ag__.not_in(b, c))
>>> show("ok = low <= x < high", "low, x, high")
ok = ag__.and_(low <= x, lambda: x < high)
>>> show("ok = a < b.pop() < c", "a, b, c")
ok = ag__.compare(a, '<', ag__.converted(b.pop)(), '<', lambda: c)

A question for None, which the running program may have to decide:
>>> show('''
... best = None
... for x in xs:
...     if best is None or x > best:
...         best = x
... return best
... ''', "xs")
best = None
def get_state():
    return (best,)
def set_state(vars_):
    nonlocal best
    (best,) = vars_
def loop_body(x):
    def if_body():
        nonlocal best
        best = x
    ag__.if_stmt(ag__.or_(ag__.is_none(best), lambda: x > best), if_body, None, get_state,
        set_state, ('best?',))
ag__.for_stmt(xs, loop_body, get_state, set_state, ('best?',))
return best

`==` with a list, tuple, dict or set that is written out or made by a built-in function, or with a
variable that holds a list, dict or tuple, knows lists of which only the running program knows the
length.
>>> show("ok = a == [1, 2]", "a")
ok = ag__.eq(a, [1, 2])
>>> show("ok = tuple(a) == b.items", "a, b")
ok = ag__.eq(tuple(a), b.items)
>>> show("a.append(1); ok = a == b", "a, b")
ag__.converted(a.append)(1); ok = ag__.eq(a, b)

So do `==` and `!=` with an object that a name with a capital letter makes: it may be a named tuple.
>>> show("p = Point(a); ok = p != b", "a, b")
p = ag__.converted(Point)(a); ok = ag__.ne(p, b)

The order of a list or tuple that is written out, or held by a variable, is that of its first items
that differ.
>>> show("ok = (a, b) < c", "a, b, c")
ok = ag__.compare((a, b), '<', c)
>>> show("p = a, b; ok = p < c", "a, b, c")
p = a, b; ok = ag__.compare(p, '<', c)

`is` between two values that a tensor may have chosen is refused there; `is True` is decided.
>>> show("ok = a is b", "a, b")
ok = ag__.is_(a, b)
>>> show("ok = a is True", "a")
ok = ag__.is_(a, True)

Left alone, because Python decides whatever the names hold: operands other than the last that can
only be Python values, such as a question whether a parameter is None; a single comparison; `in`
after a string where no keys are added or deleted.
>>> show("ok = a is None or b", "a, b")
ok = a is None or b
>>> show("ok = not isinstance(a, Dog) and 'k' in b", "a, b")
ok = not isinstance(a, Dog) and 'k' in b

An operand that assigns becomes a function that does.
>>> show("ok = a and (b := a)", "a")
b = ag__.undefined('b')
def operand():
    nonlocal b
    return (b := a)
ok = ag__.and_(a, operand)

Left alone, because it cannot be delayed: an operand with `yield` or `await`.
>>> show("ok = a and (yield a)", "a")
ok = a and (yield a)
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from autograph.analysis.aliases import is_class_name
from autograph.rewrite.environment import is_environment
from autograph.rewrite.expressions import (
    Context,
    bare,
    before_break,
    delayed,
    operator_call,
    rewrites,
)
from autograph.rewrite.known import (
    asks_for_none,
    beside_none,
    compares_identity,
    gives_python_value,
    is_none,
    is_simple,
    is_truth,
)


@rewrites(cst.BooleanOperation)
def boolean_operation(node: cst.BooleanOperation, context: Context) -> Any:
    """Rewrite `a and b and c` as `ag__.and_(a, lambda: b, lambda: c)`."""
    operands, operators = _operands(node, type(node.operator))
    decided = all(_is_decided(operand, context) for operand in operands[:-1])
    if decided or not context.staged or not all(map(context.delayable, operands[1:])):
        return context.inside(node)
    name = "and_" if isinstance(node.operator, cst.And) else "or_"
    arguments = [bare(context.rewrite(operands[0])), *map(context.function_of, operands[1:])]
    for position, operator in enumerate(operators):
        arguments[position] = _before(operator, arguments[position])
    return context.replaced(node, _in_parentheses_of(node, operator_call(name, *arguments)))


def _is_decided(operand: cst.BaseExpression, context: Context) -> bool:
    asks = isinstance(operand, cst.Comparison) and asks_for_none(operand, context)
    return not asks and gives_python_value(operand, context)


def _before(operator: Any, argument: Any) -> Any:
    return before_break(argument, operator.whitespace_before, operator.whitespace_after)


def _operands(node: Any, kind: type) -> tuple[list[Any], list[Any]]:
    """The operands of a row of one operator, and what stands between them.

    Operands in parentheses of their own stay together.
    """
    operands, operators = [node.right], [node.operator]
    left = node.left
    while isinstance(left, cst.BooleanOperation) and isinstance(left.operator, kind):
        if left.lpar:
            break
        operands.append(left.right)
        operators.append(left.operator)
        left = left.left
    return [left, *operands[::-1]], operators[::-1]


def _in_parentheses_of(old: cst.BaseExpression, new: cst.BaseExpression) -> Any:
    """Keep parentheses with line breaks or comments; otherwise the call's own suffice."""
    kept = bare(old)
    return new.with_changes(lpar=old.lpar, rpar=old.rpar) if kept is old and old.lpar else new


@rewrites(cst.UnaryOperation)
def negation(node: cst.UnaryOperation, context: Context) -> Any:
    """Rewrite `not a` as `ag__.not_(a)`."""
    python = not isinstance(node.operator, cst.Not) or not context.staged
    if python or gives_python_value(node.expression, context):
        return context.inside(node)
    operand = bare(context.rewrite(node.expression))
    return context.replaced(node, _in_parentheses_of(node, operator_call("not_", operand)))


@rewrites(cst.Comparison)
def comparison(node: cst.Comparison, context: Context) -> Any:
    """Rewrite `a in b`, and comparisons of more than two operands."""
    if not context.staged:
        return context.inside(node)
    if asks_for_none(node, context):
        return _question_for_none(node, context)
    if compares_identity(node):
        return _call_of_single(node, context)
    single = len(node.comparisons) == 1
    reads = single and is_environment(node.comparisons[0].comparator)
    if gives_python_value(node, context) and not reads:
        return context.inside(node)
    if single:
        return _membership(node, context)
    rest = [target.comparator for target in node.comparisons]
    if not all(map(context.delayable, rest[1:])):
        return context.inside(node)
    middles_simple = all(map(is_simple, rest[:-1])) and context.movable(rest[-1])
    if middles_simple and not _has_operators(node, context):
        return _conjunction(node, context)
    return _chain(node, context)


def _has_operators(node: cst.Comparison, context: Context) -> bool:
    """Whether a chain has parts that are operators alone, too."""
    operators = [target.operator for target in node.comparisons]
    if any(isinstance(operator, cst.In | cst.NotIn) for operator in operators):
        return True
    operands = [node.left, *(target.comparator for target in node.comparisons)]
    by_items = any(isinstance(operator, _EQUALITY + _ORDERS) for operator in operators)
    if by_items and any(_may_be_list(operand, context) for operand in operands):
        return True
    identity = any(isinstance(operator, cst.Is | cst.IsNot) for operator in operators)
    return identity and any(is_truth(each) or is_none(each) for each in operands)


def _membership(node: cst.Comparison, context: Context) -> Any:
    target = node.comparisons[0]
    if isinstance(target.operator, cst.In | cst.NotIn):
        return _call_of_single(node, context)
    operands = (node.left, target.comparator)
    by_items = any(_may_be_list(each, context) for each in operands)
    by_class = by_items or any(_is_made(each, context) for each in operands)
    if isinstance(target.operator, _EQUALITY) and by_class:
        return _call_of_single(node, context)
    if isinstance(target.operator, _ORDERS) and by_items:
        return _chain(node, context)
    if isinstance(target.operator, cst.NotEqual) and any(map(_is_self, operands)):
        return _call_of_single(node, context)
    return context.inside(node)


_EQUALITY = (cst.Equal, cst.NotEqual)
_ORDERS = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual)


def _is_self(node: object) -> bool:
    """Return whether an operand is an object of the program, whose `__eq__` Python negates."""
    return isinstance(node, cst.Name) and node.value == "self"


def _is_made(node: object, context: Context) -> bool:
    """Return whether an operand is an object that a class makes, judging by the text.

    Python negates its `__eq__` for `!=`; it compares named tuples item by item.
    """
    if isinstance(node, cst.Name):
        return context.may_hold_list(f"{node.value}()")
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return is_class_name(node.func.value)
    return False


def _may_be_list(node: object, context: Context) -> bool:
    """Return whether an operand may be a list, tuple, dict or set, judging by the text."""
    if isinstance(node, cst.Name):
        return context.may_hold_list(node.value)
    if isinstance(node, cst.Attribute):
        return context.may_hold_list(f".{node.attr.value}")
    if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Name):
        return context.may_hold_list(f"{node.value.value}[]")
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return node.func.value in _MAKERS and context.is_builtin(node.func.value)
    return isinstance(node, _CONTAINERS)


_MAKERS = frozenset({"list", "tuple", "sorted", "dict"})
_CONTAINERS = (cst.List, cst.Tuple, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)


def _question_for_none(node: Any, context: Context) -> Any:
    target = node.comparisons[0]
    name = "is_none" if isinstance(target.operator, cst.Is) else "not_none"
    call = operator_call(name, bare(context.rewrite(beside_none(node))))
    return context.replaced(node, _in_parentheses_of(node, call))


_OPERATORS: dict[Any, str] = {
    cst.Equal: "eq",
    cst.NotEqual: "ne",
    cst.In: "in_",
    cst.NotIn: "not_in",
    cst.Is: "is_",
    cst.IsNot: "is_not",
}


def _call_of_single(node: cst.Comparison, context: Context) -> Any:
    target = node.comparisons[0]
    name = _OPERATORS[type(target.operator)]
    left = _before(target.operator, bare(context.rewrite(node.left)))
    right = bare(context.rewrite(target.comparator))
    return context.replaced(node, _in_parentheses_of(node, operator_call(name, left, right)))


def _conjunction(node: cst.Comparison, context: Context) -> Any:
    """The middle operands are names or literals: reading one again changes nothing."""
    left = context.rewrite(node.left)
    parts: list[Any] = []
    for position, target in enumerate(node.comparisons):
        closure = context.in_closure
        context.in_closure = closure or position > 0
        operator = target.operator if position == 0 else _on_one_line(target.operator)
        changed = target.with_changes(
            operator=operator, comparator=context.rewrite(target.comparator)
        )
        context.in_closure = closure
        parts.append(cst.Comparison(left, [changed]))
        left = changed.comparator
    arguments = [parts[0], *map(delayed, parts[1:])]
    for position, target in enumerate(node.comparisons[1:]):
        arguments[position] = _before(target.operator, arguments[position])
    call = operator_call("and_", *arguments)
    return context.replaced(node, _in_parentheses_of(node, call))


def _chain(node: cst.Comparison, context: Context) -> Any:
    if context.quotes:
        return context.inside(node)
    arguments: list[Any] = [bare(context.rewrite(node.left))]
    for position, target in enumerate(node.comparisons):
        sign = cst.SimpleString(repr(_sign(target.operator)))
        arguments.append(_before(target.operator, sign))
        if position == 0:
            arguments.append(bare(context.rewrite(target.comparator)))
            continue
        arguments.append(context.function_of(target.comparator))
    return context.replaced(node, _in_parentheses_of(node, operator_call("compare", *arguments)))


def _on_one_line(operator: cst.CSTNode) -> Any:
    blank = cst.SimpleWhitespace(" ")
    return operator.with_changes(whitespace_before=blank, whitespace_after=blank)


def _sign(operator: object) -> str:
    return _SIGNS[type(operator)]


_SIGNS: dict[Any, str] = {
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
}

"""Rewrite comprehensions as calls, so that items and conditions may be staged.

>>> from autograph.rewrite.show import show
>>> show("ys = [x * 2 for x in xs if x > 1]", "xs")
ys = ag__.list_comp(xs, lambda x: x * 2, lambda x: x > 1)
>>> show("ys = [x + y for x, y in pairs]", "pairs")
ys = ag__.list_comp(pairs, lambda x, y: x + y)

A generator expression that a built-in function consumes, such as `any`, `all` and `sum`:
>>> show("ok = all(x < y for x, y in pairs)", "pairs")
ok = ag__.gen_exp(all, pairs, lambda x, y: x < y)
>>> show("total = sum(x * 2 for x in xs if x > 1)", "xs")
total = ag__.gen_exp(sum, xs, lambda x: x * 2, lambda x: x > 1)

>>> show("first = next((x for x in xs if x > 1), 0)", "xs")
first = ag__.gen_exp(next, xs, lambda x: x, lambda x: x > 1, start=0)

Of several loops the last tests may be staged:
>>> show("n = sum(1 for x in xs for y in ys if x > y if y)", "xs, ys")
n = ag__.gen_exp(sum, ((x, y) for x in xs for y in ys), lambda x, y: 1, lambda x,
    y: ag__.and_(x > y, lambda: y))

The iteration begins before the second argument is computed:
>>> show("total = sum((x * 2 for x in xs), f())", "xs, f")
total = ag__.gen_exp(sum, ag__.begin(xs), lambda x: x * 2, start=ag__.converted(f)())

>>> show("least = min(sum(x * y for y in xs) for x in xs)", "xs")
least = ag__.gen_exp(min, xs, lambda x: ag__.gen_exp(sum, xs, lambda y: x * y))

A function with options, or that sorts, gets the items:
>>> show("best = max((x for x in xs if x > 1), default=0)", "xs")
best = ag__.converted(max)(ag__.gen_exp(iter, xs, lambda x: x, lambda x: x > 1), default=0)
>>> show("ys = sorted(x for x in xs if x > 1)", "xs")
ys = ag__.converted(sorted)(ag__.gen_exp(iter, xs, lambda x: x, lambda x: x > 1))

Left as comprehensions: where Python decides, over items of Python without a test, with targets that
are no names or that take several items, and all but lists.
>>> show("ys = [n * 2 for n in (1, x)], [n for n in (1, x) if n > 1]", "x")
ys = [n * 2 for n in (1, x)], ag__.list_comp((1, x), lambda n: n, lambda n: n > 1)
>>> show("ys = [x for x in xs if isinstance(x, Dog)], {x for x in xs if x > 1}", "xs")
ys = [x for x in xs if isinstance(x, Dog)], {x for x in xs if x > 1}
>>> show("ys = [x for x, in xs], [rest for x, *rest in xs]", "xs")
ys = [x for x, in xs], [rest for x, *rest in xs]
>>> show("ys = [not word for word in 'a b'.split()], [x * 2 for x in (1, 2)]")
ys = [ag__.not_(word) for word in 'a b'.split()], [x * 2 for x in (1, 2)]
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import libcst as cst

from autograph.analysis.effects import COMPREHENSIONS_ARE_FUNCTIONS
from autograph.rewrite.expressions import (
    Context,
    bare,
    before_break,
    operator_call,
    rewrites,
    target_names,
)
from autograph.rewrite.known import (
    gives_python_value,
    is_constant,
    is_display,
    is_simple,
    is_super,
)
from autograph.rewrite.spacing import with_parts

_OF_DICTS = frozenset({"items", "keys", "values"})
_OF_TEXTS = frozenset({"split", "splitlines", "readlines"})

CONSUMERS = frozenset({"all", "any", "max", "min", "next", "sum"})
"""Built-in functions that accept a generator expression of staged values."""

_WITH_START = frozenset({"next", "sum"})
"""Those with an optional second argument."""

_READERS = frozenset({"list", "max", "min", "sorted", "tuple"})
"""Built-in functions that read all items of a generator expression before they use them."""

_NO_SPACES = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


@rewrites(cst.ListComp)
def list_comprehension(node: cst.ListComp, context: Context) -> Any:
    """Rewrite `[f(x) for x in xs if p(x)]` as `ag__.list_comp(xs, lambda x: f(x), ...)`."""
    simple = _of_one_loop(node)
    if not context.staged or not _can_be_staged(simple, context):
        return comprehension(node, context)
    return context.replaced(node, operator_call("list_comp", *_as_functions(simple, context)))


def _of_one_loop(node: Any) -> Any:
    """The same comprehension with at most one loop and one test, if variables are all it binds.

    The loops give tuples of their variables, which the tests of the last one choose from.
    """
    loops = [node.for_in]
    while loops[-1].inner_for_in is not None:
        loops.append(loops[-1].inner_for_in)
    last = loops[-1]
    names = [name for loop in loops for name in target_names(loop.target)]
    plain = all(_is_name(part) for loop in loops for part in _parts(loop.target))
    if not plain or len(names) > len(set(names)) or any(loop.asynchronous for loop in loops):
        return node
    if len(loops) == 1 and len(last.ifs) < 2:
        return node
    ifs = [] if not last.ifs else [cst.CompIf(_conjunction([each.test for each in last.ifs]))]
    if len(loops) == 1:
        return with_parts(node, for_in=last.with_changes(ifs=ifs))
    if not ifs and isinstance(node, cst.ListComp):
        return node
    pairs = cst.GeneratorExp(_tuple_of(names), _without_last_tests(node.for_in))
    return with_parts(node, for_in=cst.CompFor(_tuple_of(names, ()), pairs, ifs))


def _conjunction(tests: Sequence[Any]) -> Any:
    first, *rest = [_in_parentheses(test) for test in tests]
    for test in rest:
        first = cst.BooleanOperation(first, cst.And(), test)
    return first


def _in_parentheses(test: cst.MatchPattern) -> Any:
    binds_weaker = (cst.BooleanOperation, cst.IfExp, cst.Lambda, cst.NamedExpr)
    if test.lpar or not isinstance(test, binds_weaker):
        return test
    return test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _tuple_of(names: Sequence[str], parentheses: Sequence[Any] | None = None) -> cst.Tuple:
    elements = [cst.Element(cst.Name(name)) for name in names]
    if parentheses is None:
        return cst.Tuple(elements)
    return cst.Tuple(elements, lpar=parentheses, rpar=parentheses)


def _without_last_tests(loop: cst.CompFor) -> cst.CompFor:
    if loop.inner_for_in is None:
        return with_parts(loop, ifs=[])
    return with_parts(loop, inner_for_in=_without_last_tests(loop.inner_for_in))


def _can_be_staged(node: cst.ListComp | cst.GeneratorExp, context: Context) -> bool:
    loop = node.for_in
    if _is_of_python(loop.iter, _OF_TEXTS) or (
        not loop.ifs and (is_display(loop.iter) or _is_of_python(loop.iter, _OF_DICTS))
    ):
        return False
    with context.hiding(_targets(loop)):
        python = any(gives_python_value(each.test, context) for each in loop.ifs)
    return not python and _can_be_functions(node, context)


def _is_of_python(iterable: cst.BaseExpression, methods: frozenset[str]) -> bool:
    """Return whether an expression calls one of these methods, of dicts or strings."""
    if not isinstance(iterable, cst.Call) or not isinstance(iterable.func, cst.Attribute):
        return False
    return iterable.func.attr.value in methods


def _can_be_functions(node: cst.ListComp | cst.GeneratorExp, context: Context) -> bool:
    """Return whether the element and the filter can be functions of an item."""
    loop = node.for_in
    if loop.inner_for_in is not None or loop.asynchronous is not None or len(loop.ifs) > 1:
        return False
    names = list(target_names(loop.target))
    if not all(map(_is_name, _parts(loop.target))) or not 0 < len(names) == len(set(names)):
        return False
    parts = (node.elt, *(each.test for each in loop.ifs))
    if _has_own_frame(node) and any(_asks_for_super(each, context) for each in parts):
        return False
    later = any(_runs_later(each, context) for each in parts)
    return not later and all(map(context.movable, parts))


def _has_own_frame(node: cst.BaseComp) -> bool:
    return isinstance(node, cst.GeneratorExp) or COMPREHENSIONS_ARE_FUNCTIONS


def _asks_for_super(node: cst.CSTNode, context: Context) -> bool:
    """Return whether `super()` is in an expression: in the frame of a comprehension it fails."""
    return is_super(node, context) or any(_asks_for_super(each, context) for each in node.children)


def is_consumed(node: cst.Call, context: Context) -> bool:
    """Return whether a built-in function consumes a generator expression that may be staged."""
    if not context.staged or not isinstance(node.func, cst.Name) or not node.args:
        return False
    name, given = node.func.value, node.args[0].value
    if name not in (CONSUMERS if len(node.args) == 1 else _WITH_START):
        return False
    if len(node.args) > 2 or node.args[-1].star or not context.is_builtin(name):
        return False
    if not isinstance(given, cst.GeneratorExp) or node.args[0].star:
        return False
    given = _of_one_loop(given)
    if not _can_be_functions(given, context):
        return False
    tests = [each.test for each in given.for_in.ifs] + (
        [given.elt] if name in ("all", "any") else []
    )
    with context.hiding(_targets(given.for_in)):
        python = bool(tests) and all(gives_python_value(test, context) for test in tests)
    return not python


def consumed(node: cst.Call, context: Context) -> Any:
    """Rewrite `any(f(x) for x in xs)` as `ag__.gen_exp(any, xs, lambda x: f(x))`."""
    given = _of_one_loop(node.args[0].value)
    begins = len(node.args) > 1 and not is_simple(node.args[1].value)
    parts = _as_functions(given, context, begins)
    if len(node.args) > 1:
        start = context.rewrite(node.args[1].value)
        parts.append(cst.Arg(start, keyword=cst.Name("start"), equal=_NO_SPACES))
    return context.replaced(node, operator_call("gen_exp", node.func, *parts))


def is_read(node: cst.Call, context: Context) -> bool:
    """Return whether a built-in function reads a generator expression that may be staged."""
    if not context.staged or not isinstance(node.func, cst.Name) or not node.args:
        return False
    first, *options = node.args
    if node.func.value not in _READERS or not context.is_builtin(node.func.value):
        return False
    if not isinstance(first.value, cst.GeneratorExp) or first.star:
        return False
    computed = any(each.keyword is None or not _is_known(each.value, context) for each in options)
    return not computed and _can_be_staged(_of_one_loop(first.value), context)


def _is_known(node: cst.BaseExpression, context: Context) -> bool:
    """Return whether an option may be computed after the items: `-math.inf`, `float("inf")`."""
    if isinstance(node, cst.Attribute):
        return _is_known(node.value, context)
    if isinstance(node, cst.UnaryOperation):
        return _is_known(node.expression, context)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        is_float = node.func.value == "float" and context.is_builtin("float")
        return is_float and all(is_constant(each.value) for each in node.args)
    return isinstance(node, cst.Lambda) or is_simple(node)


def items(node: cst.Arg, context: Context) -> cst.Arg:
    """Rewrite the argument `(f(x) for x in xs)` as `ag__.gen_exp(iter, xs, lambda x: f(x))`."""
    parts = _as_functions(_of_one_loop(node.value), context)
    return node.with_changes(value=operator_call("gen_exp", cst.Name("iter"), *parts))


def _as_functions(
    node: cst.ListComp | cst.GeneratorExp, context: Context, begins: bool = False
) -> list[Any]:
    """Return the iterable, and element and filter as functions of an item.

    begins: whether other code runs between the begin of the iteration and the first item.
    """
    loop = node.for_in
    names = [part.value for part in _parts(loop.target)]
    iterable = bare(context.rewrite(loop.iter))
    if begins:
        iterable = operator_call("begin", iterable)
    with context.hiding(set(names)), context.in_lambda(), _own_frame(node, context):
        parts = [node.elt, *(each.test for each in loop.ifs)]
        functions = [_function_of(names, bare(context.rewrite(part))) for part in parts]
    if loop.ifs:
        functions[0] = before_break(functions[0], loop.whitespace_before)
        iterable = before_break(iterable, loop.ifs[0].whitespace_before)
    return [iterable, *functions]


def _parts(target: object) -> list[Any]:
    """Return the targets of a loop that a function of several parameters unpacks an item into.

    Another target is a single part: a nested one, a tuple of one name, and `*rest`.
    """
    if not isinstance(target, cst.Tuple) or len(target.elements) < 2:
        return [target]
    return [
        each if isinstance(each, cst.StarredElement) else each.value for each in target.elements
    ]


def _is_name(node: object) -> bool:
    return isinstance(node, cst.Name)


def _runs_later(node: cst.CSTNode, context: Context) -> bool:
    """Return whether code in an expression may observe the comprehension variable change."""
    if isinstance(node, cst.Lambda | cst.GeneratorExp):
        return True
    children = node.children
    if isinstance(node, cst.Call) and (is_consumed(node, context) or is_read(node, context)):
        children = [*node.args[0].value.children, *node.args[1:]]
    return any(_runs_later(each, context) for each in children)


def _function_of(names: Sequence[str], body: Any) -> cst.Lambda:
    return cst.Lambda(cst.Parameters([cst.Param(cst.Name(name)) for name in names]), body)


@rewrites(cst.SetComp, cst.GeneratorExp, cst.DictComp)
def comprehension(node: Any, context: Context) -> Any:
    """Rewrite the parts of a comprehension: its targets are local, its first iterable is not."""
    parts = ("key", "value") if isinstance(node, cst.DictComp) else ("elt",)
    first = context.rewrite(node.for_in.iter)
    with context.hiding(_targets(node.for_in)), _own_frame(node, context):
        changes = {name: context.rewrite(getattr(node, name)) for name in parts}
        for_in = _comp_for(node.for_in, first, context)
    changes["for_in"] = for_in
    if all(getattr(node, name) is value for name, value in changes.items()):
        return node
    return context.replaced(node, with_parts(node, **changes))


def _own_frame(node: cst.BaseComp, context: Context) -> AbstractContextManager[None]:
    """Enclose the rewriting of the parts that run in a frame of the comprehension."""
    return context.in_own_frame() if _has_own_frame(node) else nullcontext()


def _comp_for(node: cst.CompFor, iterable: object, context: Context) -> cst.CompFor:
    ifs = [context.rewrite(test) for test in node.ifs]
    inner = node.inner_for_in
    if inner is not None:
        inner = _comp_for(inner, context.rewrite(inner.iter), context)
    same = all(new is old for new, old in zip(ifs, node.ifs, strict=True))
    if iterable is node.iter and inner is node.inner_for_in and same:
        return node
    return with_parts(node, iter=iterable, ifs=ifs, inner_for_in=inner)


def _targets(node: cst.CompFor | None) -> set[str]:
    names: set[str] = set()
    while node is not None:
        names |= set(target_names(node.target))
        node = node.inner_for_in
    return names

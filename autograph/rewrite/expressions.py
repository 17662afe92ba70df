"""Walk an expression and dispatch each node to its rewrite.

A rewrite is a function `(node, context) -> node` registered for a class of libcst nodes. A node
that no rewrite changes stays the same object, and so the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import libcst as cst

from autograph.analysis.scopes import FunctionScope
from autograph.rewrite.spacing import with_parts
from autograph.syntax.names import Names, operators_name
from autograph.syntax.stack import any_depth

Rewrite = Callable[[Any, "Context"], Any]

_rewrites: dict[type, Rewrite] = {}
_target_rewrites: dict[type, Rewrite] = {}

_CHILDREN: dict[type, tuple[str, ...]] = {
    cst.Arg: ("value",),
    cst.AnnAssign: ("target", "value"),
    cst.Assert: ("test", "msg"),
    cst.Assign: ("targets", "value"),
    cst.AssignTarget: ("target",),
    cst.Attribute: ("value",),
    cst.AugAssign: ("target", "value"),
    cst.BinaryOperation: ("left", "right"),
    cst.BooleanOperation: ("left", "right"),
    cst.Call: ("func", "args"),
    cst.Comparison: ("left", "comparisons"),
    cst.ComparisonTarget: ("comparator",),
    cst.CompIf: ("test",),
    cst.ConcatenatedString: ("left", "right"),
    cst.Dict: ("elements",),
    cst.DictElement: ("key", "value"),
    cst.Element: ("value",),
    cst.Expr: ("value",),
    cst.From: ("item",),
    cst.IfExp: ("test", "body", "orelse"),
    cst.Index: ("value",),
    cst.Decorator: ("decorator",),
    cst.List: ("elements",),
    cst.Param: ("annotation", "default"),
    cst.Parameters: ("posonly_params", "params", "star_arg", "kwonly_params", "star_kwarg"),
    cst.Raise: ("exc", "cause"),
    cst.Return: ("value",),
    cst.Set: ("elements",),
    cst.Slice: ("lower", "upper", "step"),
    cst.StarredDictElement: ("value",),
    cst.StarredElement: ("value",),
    cst.Subscript: ("value", "slice"),
    cst.SubscriptElement: ("slice",),
    cst.Tuple: ("elements",),
    cst.TypeParam: ("param", "default"),
    cst.TypeParameters: ("params",),
    cst.TypeVar: ("bound",),
    cst.UnaryOperation: ("expression",),
    cst.FormattedString: ("parts",),
    cst.FormattedStringExpression: ("expression", "format_spec"),
    cst.SimpleStatementLine: ("body",),
}


def rewrites(*kinds: type) -> Callable[[Rewrite], Rewrite]:
    """Register a rewrite for classes of nodes."""

    def register(rewrite: Rewrite) -> Rewrite:
        for kind in kinds:
            _rewrites[kind] = rewrite
        return rewrite

    return register


def rewrites_target(*kinds: type) -> Callable[[Rewrite], Rewrite]:
    """Register a rewrite for classes of nodes in a store or delete context."""

    def register(rewrite: Rewrite) -> Rewrite:
        for kind in kinds:
            _target_rewrites[kind] = rewrite
        return rewrite

    return register


class Obstacle(IntEnum):
    """The reason why an expression cannot become the body of a lambda."""

    NONE = 0
    ASSIGNS = 1
    SUSPENDS = 2


@dataclass(slots=True)
class Context:
    """The context of an expression, for its rewrite.

    undefined: names that may be unassigned here, to be read through `ag__.ld`.
    in_closure: whether the code ends up in a function that the rewriting adds.
    first_parameter: what `super()` would take from the frame.
    staged: whether anything may be staged here; outside functions it is not.
    convert_calls: whether calls are to convert what they call.
    obstacles: what keeps an expression out of a lambda, for the nodes that were asked for.
    definitions: functions to be written before the statement; None where none can be.
    quotes: those of the f-strings around.
    shadowed: names that a lambda or comprehension around binds.
    free: those of the undefined names that live in a function further out.
    deleted: names that are undefined once the function has deleted them.
    displaced: whether a function that the rewriting adds is somewhere around.
    names: gives fresh names; None outside functions.
    handles_attributes: whether an `except AttributeError` handles errors of this place.
    """

    scope: FunctionScope
    origins: dict[int, tuple[Any, Any]]
    undefined: frozenset[str] = frozenset()
    in_closure: bool = False
    first_parameter: str | None = None
    staged: bool = True
    convert_calls: bool = True
    obstacles: dict[int, tuple[Any, Obstacle]] = field(default_factory=dict)
    definitions: list[cst.FunctionDef] | None = None
    quotes: str = ""
    shadowed: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    displaced: bool = False
    names: Names | None = None
    handles_attributes: bool = False

    @any_depth
    def rewrite(self, node: object) -> Any:
        """Rewrite a node and its parts; return the same node if nothing changed."""
        rewrite = _rewrites.get(type(node))
        return self.inside(node) if rewrite is None else rewrite(node, self)

    def inside(self, node: Any) -> Any:
        """Rewrite the parts of a node."""
        changes: dict[str, Any] = {}
        for name in _CHILDREN.get(type(node), ()):
            part = getattr(node, name)
            if part is None:
                continue
            changed: Any
            if isinstance(part, tuple | list):
                changed = [self.rewrite(item) for item in part]
                if all(new is old for new, old in zip(changed, part, strict=True)):
                    continue
            elif isinstance(part, cst.CSTNode):
                changed = self.rewrite(part)
                if changed is part:
                    continue
            else:
                continue
            changes[name] = changed
        return self.replaced(node, with_parts(node, **changes)) if changes else node

    def replaced(self, old: object, new: object) -> Any:
        """Record that a node replaces another."""
        if new is not old:
            self.origins[id(new)] = (new, old)
        return new

    @property
    def free_quote(self) -> str:
        """Return a quote allowed inside the enclosing f-strings; the empty string if none is."""
        return next((quote for quote in "'\"" if quote not in self.quotes), "")

    def is_builtin(self, name: str) -> bool:
        """Return whether a name certainly refers to the built-in here."""
        return name not in self.shadowed and self.scope.is_builtin(name)

    def is_partial(self, name: str) -> bool:
        """Return whether a name refers to a global that a staged statement may not assign."""
        if not self.staged or name in self.shadowed or not self.scope.is_of_module(name):
            return False
        return name in self.scope.outer.partial

    def may_be_none(self, name: str) -> bool:
        """Return whether a test of a variable for None may have to be staged."""
        return name in self.shadowed or self.scope.may_be_none(name)

    def ends_loop(self, name: str) -> bool:
        """Return whether a variable ends a loop when it is None."""
        return name not in self.shadowed and self.scope.ends_loop(name)

    def gains_keys(self, name: str) -> bool:
        """Return whether the keys, or items, of a variable may be decided at run time."""
        return name not in self.shadowed and self.scope.gains_keys(name)

    def may_hold_list(self, name: str) -> bool:
        """Return whether a variable may refer to a list or dict; see the scope."""
        return name not in self.shadowed and self.scope.may_hold_list(name)

    def movable(self, node: object) -> bool:
        """Return whether an expression may become the body of a lambda."""
        return _obstacle(node, self.obstacles) is Obstacle.NONE

    def delayable(self, node: object) -> bool:
        """Return whether an expression may become a function: a lambda, or one that assigns."""
        found = _obstacle(node, self.obstacles)
        return found is Obstacle.NONE or (found is Obstacle.ASSIGNS and self._may_define())

    def _may_define(self) -> bool:
        return self.definitions is not None and not self.shadowed and not self.quotes

    def function_of(self, node: object) -> Any:
        """Return a lambda for an expression, or the name of a function if it assigns."""
        if self.movable(node):
            with self.in_lambda():
                return delayed(self.replaced(node, bare(self.rewrite(node))))
        assert self.names is not None
        assert self.definitions is not None
        name = self.names.fresh("operand")
        before = self.displaced
        self.displaced = True
        with self.in_lambda():
            value = bare(self.rewrite(node))
        self.displaced = before
        lines = [*_declared(sorted(_assigned_names(node)), self.scope), cst.Return(value)]
        body = [self.replaced(node, cst.SimpleStatementLine([line])) for line in lines]
        made = cst.FunctionDef(cst.Name(name), cst.Parameters(), cst.IndentedBlock(body))
        self.definitions.append(self.replaced(node, made))
        return cst.Name(name)

    @contextmanager
    def hiding(self, names: set[str]) -> Iterator[None]:
        """Surround the rewriting inside a lambda or comprehension with its own names."""
        shadowed, undefined = self.shadowed, self.undefined
        self.shadowed, self.undefined = shadowed | names, undefined - names
        yield
        self.shadowed, self.undefined = shadowed, undefined

    @contextmanager
    def in_lambda(self) -> Iterator[None]:
        """Surround the rewriting inside a generated lambda."""
        before = self.in_closure
        self.in_closure = True
        yield
        self.in_closure = before

    @contextmanager
    def in_own_function(self) -> Iterator[None]:
        """Surround the rewriting inside a user's lambda."""
        before = self.in_closure, self.staged, self.convert_calls, self.definitions
        self.in_closure, self.staged, self.convert_calls, self.definitions = False, True, True, None
        with self.reading_from_outside():
            yield
        self.in_closure, self.staged, self.convert_calls, self.definitions = before

    @contextmanager
    def as_written(self) -> Iterator[None]:
        """Surround the rewriting of types: only reads that may have no value change."""
        before = self.staged, self.convert_calls
        self.staged = self.convert_calls = False
        yield
        self.staged, self.convert_calls = before

    @contextmanager
    def in_own_frame(self) -> Iterator[None]:
        """Surround the rewriting inside a comprehension that is a function of its own."""
        before = self.first_parameter
        self.first_parameter = None
        with self.reading_from_outside():
            yield
        self.first_parameter = before

    @contextmanager
    def reading_from_outside(self) -> Iterator[None]:
        """Surround the rewriting inside a user's inner function."""
        before = self.free, self.undefined
        self.undefined = self.undefined | (self.deleted - self.shadowed)
        self.free = self.free | self.undefined
        yield
        self.free, self.undefined = before


def _assigned_names(node: Any) -> set[str]:
    """Return the names that an expression assigns by `:=`, without lambdas in it."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, cst.NamedExpr):
            found.update(target_names(each.target))
        waiting += (each.params if isinstance(each, cst.Lambda) else each).children
    return found


def _declared(names: list[str], scope: FunctionScope) -> Iterator[Any]:
    """Return `nonlocal` and `global` for names that a generated function assigns."""
    of_module = [name for name in names if name in scope.globals]
    outer = [name for name in names if name not in scope.globals]
    for kind, group in ((cst.Nonlocal, outer), (cst.Global, of_module)):
        if group:
            yield kind([cst.NameItem(cst.Name(name)) for name in group])


@any_depth
def _obstacle(node: Any, known: dict[int, tuple[Any, Obstacle]]) -> Obstacle:
    """Return the obstacle of an expression; cached per node."""
    found = known.get(id(node))
    if found is not None:
        return found[1]
    is_async = isinstance(node, cst.CompFor) and node.asynchronous
    if is_async or isinstance(node, cst.Await | cst.Yield):
        worst = Obstacle.SUSPENDS
    else:
        parts = (node.params if isinstance(node, cst.Lambda) else node).children
        own = Obstacle.ASSIGNS if isinstance(node, cst.NamedExpr) else Obstacle.NONE
        worst = max([own, *(_obstacle(part, known) for part in parts)])
    known[id(node)] = node, worst
    return worst


def bare(node: cst.BaseExpression) -> Any:
    """Return an expression without its parentheses, for use as an argument."""
    if isinstance(node, cst.NamedExpr | cst.Yield | cst.Tuple) and not node.lpar:
        return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    if isinstance(node, cst.Tuple | cst.GeneratorExp | cst.NamedExpr | cst.Yield) or not node.lpar:
        return node
    if _breaks_line(node):
        return node
    return node.with_changes(lpar=[], rpar=[])


def _breaks_line(node: cst.BaseExpression) -> bool:
    """Return whether the parentheses contain a line break or a comment."""
    spaces = [entry.whitespace_after for entry in node.lpar]
    spaces += [entry.whitespace_before for entry in node.rpar]
    return any(isinstance(space, cst.ParenthesizedWhitespace) for space in spaces)


def operator_named(name: str) -> cst.Attribute:
    """Return `ag__.name`."""
    return cst.Attribute(cst.Name(operators_name()), cst.Name(name))


def operator_call(name: str, *arguments: Any) -> cst.Call:
    """Return `ag__.name(arguments)`; an argument may be a `cst.Arg` with a comma."""
    return cst.Call(
        operator_named(name),
        [each if isinstance(each, cst.Arg) else cst.Arg(each) for each in arguments],
    )


def before_break(argument: cst.BaseExpression, *spaces: cst.BaseParenthesizableWhitespace) -> Any:
    """Return an argument whose comma keeps the line breaks and comments after it."""
    breaks = [space for space in spaces if isinstance(space, cst.ParenthesizedWhitespace)]
    if not breaks:
        return argument
    if len(breaks) == 1:
        return cst.Arg(argument, comma=cst.Comma(whitespace_after=breaks[0]))
    comma = cst.Comma(whitespace_before=breaks[0], whitespace_after=breaks[1])
    return cst.Arg(argument, comma=comma)


def delayed(node: cst.BaseExpression) -> cst.Lambda:
    """Return `lambda: node`."""
    return cst.Lambda(cst.Parameters(), node, whitespace_after_lambda=cst.MaybeSentinel.DEFAULT)


@rewrites(cst.Name)
def read_name(node: cst.Name, context: Context) -> Any:
    """Rewrite a read of a variable that may be unassigned as `ag__.ld(name)`."""
    name = node.value
    if name not in context.undefined and not context.is_partial(name):
        return node
    if name in context.free:
        return context.replaced(node, operator_call("ld_free", cst.Name(name)))
    value: Any = cst.Name(name)
    quote = context.free_quote
    if context.in_closure and quote and name in context.scope.handler_names:
        # After its handler the name is unbound, so the read must be delayed by a lambda.
        text = cst.SimpleString(f"{quote}{name}{quote}")
        value = operator_call("ldu", delayed(value), text)
    return context.replaced(node, operator_call("ld", value))


@rewrites(cst.AssignTarget)
def assign_target(node: cst.AssignTarget, context: Context) -> Any:
    """Rewrite the parts of a target that are read."""
    target = rewrite_target(node.target, context)
    return node if target is node.target else with_parts(node, target=target)


def rewrite_target(node: object, context: Context) -> Any:
    """Rewrite an assignment target: `x` stays, the parts of `x[f()]` and `f().x` do not."""
    if isinstance(node, cst.Name):
        return node
    if isinstance(node, cst.Tuple | cst.List):
        elements = [
            element.with_changes(value=rewrite_target(element.value, context))
            for element in node.elements
        ]
        same = all(new.value is old.value for new, old in zip(elements, node.elements, strict=True))
        return node if same else context.replaced(node, with_parts(node, elements=elements))
    if isinstance(node, cst.StarredElement):
        return with_parts(node, value=rewrite_target(node.value, context))
    rewrite = _target_rewrites.get(type(node))
    return context.inside(node) if rewrite is None else rewrite(node, context)


def own_target(node: Any, context: Context) -> Any:
    """Rewrite `x += value` and the value of `x: T = value`."""
    target = rewrite_target(node.target, context)
    value = None if node.value is None else context.rewrite(node.value)
    if target is node.target and value is node.value:
        return node
    return context.replaced(node, with_parts(node, target=target, value=value))


@rewrites(cst.AnnAssign)
def annotated_target(node: cst.AnnAssign, context: Context) -> Any:
    """Rewrite `x: T = value`: a class evaluates the annotation, a function does not."""
    changed = own_target(node, context)
    if context.names is not None:
        return changed
    annotation = context.rewrite(node.annotation)
    if annotation is node.annotation:
        return changed
    return context.replaced(node, with_parts(changed, annotation=annotation))


@rewrites(cst.Annotation)
def evaluated_annotation(node: cst.Annotation, context: Context) -> Any:
    """Rewrite the reads in an annotation that may have no value."""
    if not context.undefined or not context.scope.outer.annotates:
        return node
    with context.as_written():
        value = context.rewrite(node.annotation)
    if value is node.annotation:
        return node
    return context.replaced(node, with_parts(node, annotation=value))


@rewrites(cst.TypeAlias)
def type_alias(node: cst.TypeAlias, context: Context) -> Any:
    """Rewrite the reads in `type X = T` that may have no value when it is evaluated, later."""
    with context.as_written(), context.in_own_frame():
        value = context.rewrite(node.value)
    parameters = type_parameters(node.type_parameters, context)
    if value is node.value and parameters is node.type_parameters:
        return node
    return context.replaced(node, with_parts(node, value=value, type_parameters=parameters))


def type_parameters(node: cst.TypeParameters | None, context: Context) -> Any:
    """Rewrite the reads in the bounds of type parameters, which are evaluated later."""
    if node is None:
        return None
    with context.as_written(), context.in_own_frame():
        return context.rewrite(node)


@rewrites(cst.NamedExpr)
def named_expression(node: cst.NamedExpr, context: Context) -> Any:
    """Rewrite `name := value`."""
    value = context.rewrite(node.value)
    return node if value is node.value else context.replaced(node, with_parts(node, value=value))


@rewrites(cst.Await)
def awaited(node: cst.Await, context: Context) -> Any:
    """Rewrite `await value`."""
    value = context.rewrite(node.expression)
    if value is node.expression:
        return node
    return context.replaced(node, with_parts(node, expression=value))


@rewrites(cst.Yield)
def yielded(node: cst.Yield, context: Context) -> Any:
    """Rewrite `yield value` and `yield from value`."""
    if node.value is None:
        return node
    value = context.rewrite(node.value)
    return node if value is node.value else context.replaced(node, with_parts(node, value=value))


@rewrites(cst.Lambda)
def inner_lambda(node: cst.Lambda, context: Context) -> Any:
    """Rewrite a lambda; its defaults belong to the enclosing scope."""
    params = context.rewrite(node.params)
    with context.hiding(set(_parameter_names(node.params))), context.in_own_function():
        body = context.rewrite(node.body)
    if body is node.body and params is node.params:
        return node
    return context.replaced(node, with_parts(node, params=params, body=body))


def _parameter_names(parameters: cst.Parameters) -> Iterator[str]:
    for group in (parameters.posonly_params, parameters.params, parameters.kwonly_params):
        for parameter in group:
            yield parameter.name.value
    for star in (parameters.star_arg, parameters.star_kwarg):
        if isinstance(star, cst.Param):
            yield star.name.value


def target_names(node: object) -> Iterator[str]:
    """Yield the names that a target assigns."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Tuple | cst.List):
        for element in node.elements:
            yield from target_names(element.value)
    elif isinstance(node, cst.StarredElement):
        yield from target_names(node.value)

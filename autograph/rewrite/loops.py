"""`while` and `for` become calls whose bodies are functions.

>>> from autograph.rewrite.show import show
>>> show('''
... while n > 0:
...     n -= step
... return n
... ''', "n, step")
def get_state():
    return (n,)
def set_state(vars_):
    nonlocal n
    (n,) = vars_
def loop_body():
    nonlocal n
    n -= step
ag__.while_stmt(lambda: n > 0, loop_body, get_state, set_state, ('n',))
return n

Left alone where only Python values can decide.
>>> show('''
... for x in [1, 2]:
...     total += x
... return total
... ''', "total")
for x in [1, 2]:
    total += x
return total
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.analysis.plan import Closure
from autograph.rewrite.blocks import BlockWriter, led
from autograph.rewrite.expressions import bare, delayed, operator_call, rewrite_target
from autograph.rewrite.known import is_always_true
from autograph.rewrite.spacing import with_parts
from autograph.rewrite.states import StateWriter
from autograph.syntax.structure import Leaf, Loop, Test

_NO_STATE = [cst.Name("None"), cst.Name("None"), cst.Tuple([])]


class LoopWriter:
    """Writes the loops of one function."""

    def __init__(self, blocks: BlockWriter, states: StateWriter) -> None:
        self._blocks = blocks
        self._plan = blocks.plan
        self._context = blocks.context
        self._names = blocks.names
        self._states = states

    def write(self, loop: Loop) -> list[Any]:
        """A loop, with the definitions that it needs before it."""
        return self._staged(loop) if loop.staged else self._plain(loop)

    def _plain(self, loop: Loop) -> list[Any]:
        """A loop that stays Python."""
        points = self._plan.flow.points(loop)
        test = self._blocks.test(loop.test, points.before)
        old: Any = loop.node
        changes: dict[str, Any] = {"iter" if loop.is_for else "test": test}
        if loop.is_for:
            self._blocks.stand_at(points.blocks[0], loop.target_effects)
            changes["target"] = rewrite_target(loop.target, self._context)
        changes["body"] = self._blocks.suite(loop.body, self._blocks.block(loop.body.statements))
        if old.orelse is not None:
            written = self._blocks.block(loop.orelse.statements)
            suite = self._blocks.inner_suite(loop.orelse, written)
            if suite is not old.orelse.body:
                changes["orelse"] = old.orelse.with_changes(body=suite)
        if all(getattr(old, name) is value for name, value in changes.items()):
            return [old]
        return [self._context.replaced(old, with_parts(old, **changes))]

    def _staged(self, loop: Loop) -> list[Any]:
        options = self._take_options(loop)
        written, state = self._states.state(loop)
        closure = self._plan.closure(loop.body)
        name = self._names.fresh("loop_body")
        if loop.is_for:
            definitions, call = self._for(loop, name, closure, state, options)
        else:
            definitions, call = self._while(loop, name, closure, state, options)
        written += definitions
        written.append(cst.SimpleStatementLine([cst.Expr(call)]))
        for each in written:
            self._blocks.added(loop.origin, each)
        written[0] = led(written[0], loop.node.leading_lines)
        return written

    def _for(
        self, loop: Loop, name: str, closure: Closure, state: Sequence[Any], options: object
    ) -> tuple[list[Any], cst.Call]:
        points = self._plan.flow.points(loop)
        self._blocks.stand_at(points.before, loop.test.effects)
        assert loop.test.expression is not None
        iterable = bare(self._context.rewrite(loop.test.expression))
        parameter, first = self._loop_target(loop, closure)
        definition = self._blocks.definition(name, [parameter], loop.body, closure, first)
        arguments = [iterable, cst.Name(name), *state]
        if loop.break_flags or options is not None:
            arguments += _NO_STATE[: max(0, 5 - len(arguments))]
            arguments += [self._goes_on(loop)] if loop.break_flags else []
        return [definition], _with_options(operator_call("for_stmt", *arguments), options)

    def _loop_target(self, loop: Loop, closure: Closure) -> tuple[str, list[Any]]:
        """The parameter of the body; more than a name of its own is assigned from it."""
        target = loop.target
        assert target is not None
        if isinstance(target, cst.Name) and target.value in closure.local:
            return target.value, []
        item = self._names.fresh("item")
        with self._blocks.inside(closure):
            self._blocks.stand_at(self._plan.flow.points(loop).blocks[0], loop.target_effects)
            assigned = rewrite_target(target, self._context)
        line = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(assigned)], cst.Name(item))])
        return item, [self._blocks.added(loop.origin, line)]

    def _goes_on(self, loop: Loop) -> Any:
        test = Test(None, Effects(), loop.break_flags, unset=True)
        return delayed(self._blocks.test(test, 0))

    def _while(
        self, loop: Loop, name: str, closure: Closure, state: Sequence[Any], options: object
    ) -> tuple[list[Any], cst.Call]:
        expression = loop.test.expression
        assert expression is not None
        definitions: list[Any] = []
        point = self._plan.flow.points(loop).before
        with self._context.in_lambda():
            test = bare(self._blocks.test(loop.test, point))
        if self._context.movable(expression):
            test = delayed(self._tested(loop, delayed(test)))
        else:
            test_name = self._names.fresh("loop_test")
            definitions.append(self._loop_test(loop, test_name, test))
            test = cst.Name(test_name)
            if loop.break_flags:
                test = delayed(self._tested(loop, test))
        definitions.append(self._blocks.definition(name, [], loop.body, closure))
        call = operator_call("while_stmt", test, cst.Name(name), *state)
        if loop.test.effects.writes:
            call = _with_keyword(call, "test_assigns", cst.Name("True"))
        return definitions, _with_options(call, options)

    def _tested(self, loop: Loop, test: Any) -> Any:
        """After a `break` the loop's own test, a function, is not evaluated."""
        if not loop.break_flags:
            return test.body
        goes_on = self._blocks.test(Test(None, Effects(), loop.break_flags, unset=True), 0)
        if is_always_true(loop.test.expression):
            return goes_on
        return operator_call("and_", goes_on, test)

    def _loop_test(self, loop: Loop, name: str, test: cst.BaseExpression) -> cst.FunctionDef:
        """A test that assigns (`while chunk := read():`) needs a function with declarations."""
        lines = self._blocks.declarations(self._plan.closure(loop.test), frozenset())
        lines.append(cst.SimpleStatementLine([cst.Return(test)]))
        for line in lines:
            self._blocks.added(loop.origin, line)
        return cst.FunctionDef(cst.Name(name), cst.Parameters(), cst.IndentedBlock(lines))

    def _take_options(self, loop: Loop) -> Any:
        """Takes `set_loop_options(...)` out of a loop; its arguments as a dict."""
        for position, leaf in enumerate(loop.body.statements):
            call = _loop_options(leaf)
            if call is not None:
                del loop.body.statements[position]
                return cst.Dict(list(map(_option, call.args, _OPTIONS)))
        return None


_OPTIONS = ("parallel_iterations", "swap_memory", "maximum_iterations", "shape_invariants")
"""The parameters of `set_loop_options`, in the order of positional arguments."""


def _option(argument: cst.Arg, name: str) -> cst.BaseDictElement:
    """Return the entry of an argument, which `name` is the name of if it is positional."""
    if argument.star:
        return cst.StarredDictElement(argument.value)
    own = name if argument.keyword is None else argument.keyword.value
    return cst.DictElement(cst.SimpleString(repr(own)), argument.value)


def _with_options(call: cst.Call, options: object) -> cst.Call:
    if options is None:
        return call
    return _with_keyword(call, "options", options)


def _with_keyword(call: cst.Call, keyword: str, value: Any) -> cst.Call:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    argument = cst.Arg(value, keyword=cst.Name(keyword), equal=equal)
    return call.with_changes(args=[*call.args, argument])


def _loop_options(statement: object) -> cst.Call | None:
    if not isinstance(statement, Leaf) or not isinstance(statement.node, cst.SimpleStatementLine):
        return None
    part = statement.node.body[0]
    if not isinstance(part, cst.Expr) or not isinstance(part.value, cst.Call):
        return None
    function = part.value.func
    name = function.attr if isinstance(function, cst.Attribute) else function
    is_options = isinstance(name, cst.Name) and name.value == "set_loop_options"
    return part.value if is_options else None

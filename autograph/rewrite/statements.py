"""Statements become libcst again; the blocks of staged ones become functions.

>>> from autograph.rewrite.show import show
>>> show('''
... if x > 0:
...     y = x
... else:
...     y = -x  # mirrored
... return y
... ''', "x")
y = ag__.undefined('y')
def get_state():
    return (y,)
def set_state(vars_):
    nonlocal y
    (y,) = vars_
def if_body():
    nonlocal y
    y = x
def else_body():
    nonlocal y
    y = -x  # mirrored
ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',))
return y

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

Branches that end in `return` return their values.
>>> show('''
... if x > 0:
...     return x
... return 0
... ''', "x")
return ag__.if_stmt(x > 0, lambda: x, lambda: 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.analysis.plan import Closure, Plan
from autograph.names import Names
from autograph.rewrite.expressions import (
    Context,
    bare,
    delayed,
    operator_call,
    rewrite_target,
)
from autograph.rewrite.templates import GET_STATE, SET_STATE, declaration_rows, definition_of
from autograph.rewrite.unbound import guarded
from autograph.structure import (
    Block,
    If,
    Jump,
    Leaf,
    Loop,
    Region,
    SetFlag,
    Span,
    Test,
    node_of,
)


class InnerDefinitions(Protocol):
    """What converts the functions and classes inside a function."""

    def function(
        self, node: Any, syntax: Any, prefix: str, around: Context, undefined: frozenset[str]
    ) -> Any:
        """An inner `def`."""

    def class_(
        self, node: Any, syntax: Any, prefix: str, around: Context, undefined: frozenset[str]
    ) -> Any:
        """An inner class."""


class StatementWriter:
    """Writes the statements of one function, as its plan says."""

    def __init__(
        self,
        inner: InnerDefinitions,
        plan: Plan,
        context: Context,
        names: Names,
        prefix: str,
        inherited: frozenset[str],
    ) -> None:
        self._inner = inner
        self._plan = plan
        self._context = context
        self._names = names
        self._prefix = prefix
        self._inherited = inherited
        self._closure = plan.root
        self._state_functions: list[dict[Any, tuple[str, str]]] = []

    def function_body(self, body: Block) -> cst.BaseSuite:
        """The suite of the function; the same suite where nothing changed."""
        written = self._block(body.statements)
        undefined = self._undefined(self._plan.root, self._context.scope.parameters)
        if undefined:
            at = 1 if _has_docstring(body) else 0
            written[at:at] = undefined
        return self._suite(body, written)

    def _suite(self, block: Block, written: list[Any]) -> cst.BaseSuite:
        if block.suite is not None and _identical(written, block.nodes) and not block.lead:
            return block.suite
        if isinstance(block.suite, cst.IndentedBlock):
            new = block.suite.with_changes(body=written or [_pass()], footer=block.footer)
            self._context.origins[id(new)] = (new, block.suite)
            return new
        header = block.header or cst.TrailingWhitespace()
        return cst.IndentedBlock(written or [_pass()], header=header, footer=block.footer)

    def _block(self, statements: Sequence[Any]) -> list[Any]:
        self._state_functions.append({})
        written: list[Any] = []
        for statement in statements:
            nodes = self._statement(statement)
            if statement.lead and nodes:
                nodes[0] = _led(nodes[0], statement.lead)
            written += nodes
        self._state_functions.pop()
        return written

    def _statement(self, statement: Any) -> list[Any]:
        point = self._plan.flow.points(statement).before
        if isinstance(statement, Leaf):
            self._stand_at(point, statement.effects)
            return self._leaf(statement)
        if isinstance(statement, Jump):
            self._stand_at(point, statement.effects)
            return [self._jump(statement)]
        if isinstance(statement, SetFlag):
            self._stand_at(point, statement.effects)
            return self._set_flag(statement)
        if isinstance(statement, If):
            return self._staged_if(statement) if statement.staged else self._if(statement)
        if isinstance(statement, Loop):
            return self._staged_loop(statement) if statement.staged else self._loop(statement)
        return self._region(statement)

    def _stand_at(self, point: int, effects: Effects) -> None:
        """Tells the context which of the names that are read may have no value."""
        used = effects.reads | effects.deletes
        names = self._plan.undefined_at(used, point, self._closure)
        self._context.undefined = names | self._inherited

    def _leaf(self, leaf: Leaf) -> list[Any]:
        node = leaf.node
        if isinstance(node, cst.FunctionDef):
            undefined = self._inherited | self._plan.undefined_anywhere()
            around = self._context
            return [self._inner.function(node, leaf.syntax[0], self._prefix, around, undefined)]
        if isinstance(node, cst.ClassDef):
            undefined = self._inherited | self._plan.undefined_anywhere()
            around = self._context
            return [self._inner.class_(node, leaf.syntax[0], self._prefix, around, undefined)]
        assert isinstance(node, cst.SimpleStatementLine)
        if self._closure.parent is not None:
            node = self._without_annotations(node)
        written = self._context.rewrite(node)
        lines = guarded(written, self._context, self._unbindable(leaf))
        if not leaf.syntax or lines != [written]:
            for line in lines:
                self._from(leaf.origin, line)
        return lines

    def _unbindable(self, leaf: Leaf) -> set[str]:
        """Names that it deletes, and that functions which the rewriting adds may read later."""
        closure, inherited = self._closure, self._inherited
        return {
            name
            for name in leaf.effects.deletes
            if name in closure.home(name).undefined or name in inherited
        }

    def _without_annotations(self, line: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
        """A variable declared `nonlocal` cannot be annotated where it is assigned."""
        outer = set(self._closure.outer_names)
        body = [_unannotated(part, outer) for part in line.body]
        if _identical(body, line.body):
            return line
        new = line.with_changes(body=body)
        self._context.origins[id(new)] = (new, line)
        return new

    def _jump(self, jump: Jump) -> Any:
        if jump.line is not None:
            return self._context.rewrite(jump.line)
        parts: dict[str, Any] = {
            "break": cst.Break(),
            "continue": cst.Continue(),
            "return": cst.Return(jump.value),
        }
        return self._from(jump.origin, cst.SimpleStatementLine([parts[jump.kind]]))

    def _set_flag(self, flag: SetFlag) -> list[Any]:
        lines = []
        if flag.retval is not None and not flag.holds:
            nothing = operator_call("undefined", cst.SimpleString(repr(flag.retval)))
            lines.append(_assignment(flag.retval, nothing))
        elif flag.retval is not None:
            value = cst.Name("None") if flag.value is None else self._context.rewrite(flag.value)
            lines.append(_assignment(flag.retval, value))
        lines.append(_assignment(flag.flag, cst.Name(str(flag.holds))))
        if flag.line is not None:
            lines[0] = lines[0].with_changes(leading_lines=flag.line.leading_lines)
            spaces = flag.line.trailing_whitespace
            lines[-1] = lines[-1].with_changes(trailing_whitespace=spaces)
        return [self._from(flag.origin, line) for line in lines]

    def _if(self, node: If) -> list[Any]:
        """An `if` that stays Python."""
        test = self._test(node.test, self._plan.flow.points(node).before)
        body = self._suite(node.body, self._block(node.body.statements))
        orelse = self._else(node)
        old = node.node
        if old is None:
            new = cst.If(test, body, orelse=orelse)
            return [self._from(node.origin, new)]
        if old.test is test and old.body is body and old.orelse is orelse:
            return [old]
        return [self._context.replaced(old, old.with_changes(test=test, body=body, orelse=orelse))]

    def _else(self, node: If) -> Any:
        block = node.orelse
        old = None if node.node is None else node.node.orelse
        if not block.statements:
            return None
        written = self._block(block.statements)
        if isinstance(old, cst.If):
            if len(written) == 1 and isinstance(written[0], cst.If) and not block.suite:
                return written[0]
            return cst.Else(cst.IndentedBlock(written, footer=block.footer))
        suite = self._suite_of_else(block, written)
        if old is None:
            return cst.Else(suite, leading_lines=block.lead)
        return old if old.body is suite else old.with_changes(body=suite)

    def _suite_of_else(self, block: Block, written: list[Any]) -> cst.BaseSuite:
        lead, block.lead = block.lead, ()
        suite = self._suite(block, written)
        block.lead = lead
        return suite

    def _loop(self, loop: Loop) -> list[Any]:
        """A loop that stays Python."""
        points = self._plan.flow.points(loop)
        test = self._test(loop.test, points.before)
        old: Any = loop.node
        changes: dict[str, Any] = {"iter" if loop.is_for else "test": test}
        if loop.is_for:
            self._stand_at(points.blocks[0], loop.target_effects)
            changes["target"] = rewrite_target(loop.target, self._context)
        changes["body"] = self._suite(loop.body, self._block(loop.body.statements))
        if old.orelse is not None:
            written = self._block(loop.orelse.statements)
            suite = self._suite_of_else(loop.orelse, written)
            if suite is not old.orelse.body:
                changes["orelse"] = old.orelse.with_changes(body=suite)
        if all(getattr(old, name) is value for name, value in changes.items()):
            return [old]
        return [self._context.replaced(old, old.with_changes(**changes))]

    def _region(self, region: Region) -> list[Any]:
        point = self._plan.flow.points(region).before
        everything = Effects()
        everything.include(region.effects)
        for _, effects, _ in region.parts:
            everything.include(effects)
        self._stand_at(point, everything)
        node = self._heads(region.node)
        changed = node is not region.node
        suites = []
        for _, _, block in region.parts:
            suite = self._suite_of_else(block, self._block(block.statements))
            changed = changed or suite is not block.suite
            suites.append(suite)
        catches_all = isinstance(node, cst.Try) and any(map(_catches_all, node.handlers))
        if not changed and not catches_all:
            return [region.node]
        new = region.rebuild(node, suites)
        if catches_all:
            new = new.with_changes(handlers=[_staging_errors_pass(), *new.handlers])
        return [self._context.replaced(region.node, new)]

    def _heads(self, node: Any) -> Any:
        """The expressions of a `with`, `match`, `try` or `async for` themselves."""
        if isinstance(node, cst.With):
            old = node.items
            new = [self._with_item(item) for item in old]
            return node if _identical(new, old) else node.with_changes(items=new)
        if isinstance(node, cst.Match):
            subject = self._context.rewrite(node.subject)
            cases = [self._part(case, "guard") for case in node.cases]
            if subject is node.subject and _identical(cases, node.cases):
                return node
            return node.with_changes(subject=subject, cases=cases)
        if isinstance(node, cst.For):
            iterable = self._context.rewrite(node.iter)
            target = rewrite_target(node.target, self._context)
            same = iterable is node.iter and target is node.target
            return node if same else node.with_changes(iter=iterable, target=target)
        if isinstance(node, cst.Try | cst.TryStar):
            handlers = [self._part(handler, "type") for handler in node.handlers]
            same = _identical(handlers, node.handlers)
            return node if same else node.with_changes(handlers=handlers)
        return node

    def _part(self, node: Any, name: str) -> Any:
        """A handler or a case with its own expression rewritten."""
        old = getattr(node, name)
        new = None if old is None else self._context.rewrite(old)
        return node if new is old else node.with_changes(**{name: new})

    def _with_item(self, item: cst.WithItem) -> cst.WithItem:
        value, bound = self._context.rewrite(item.item), item.asname
        if bound is not None:
            target = rewrite_target(bound.name, self._context)
            bound = bound if target is bound.name else bound.with_changes(name=target)
        same = value is item.item and bound is item.asname
        return item if same else item.with_changes(item=value, asname=bound)

    def _test(self, test: Test, point: int) -> Any:
        if test.expression is not None:
            self._stand_at(point, test.effects)
            return self._context.rewrite(test.expression)
        flags: Any = cst.Name(test.flags[0])
        if len(test.flags) > 1:
            rest = [delayed(cst.Name(flag)) for flag in test.flags[1:]]
            flags = operator_call("or_", flags, *rest)
        return operator_call("not_", flags) if test.unset else flags

    def _staged_if(self, node: If) -> list[Any]:
        """`if`: state, branches, and the call; a row of `elif` becomes one call."""
        arms, orelse = self._arms(node)
        for arm in arms[1:]:
            arm.body.lead = (*_comments(arm), *arm.body.lead)
        written, state = self._state(node)
        bodies = []
        for arm in arms:
            body, definitions = self._branch(arm.body, f"{arm.word}_body", arm.returns)
            bodies.append(body)
            written += definitions
        last, definitions = self._branch(orelse, "else_body", node.returns)
        written += definitions
        call = self._if_call(arms, bodies, last, state)
        part = cst.Return(call) if node.returns else cst.Expr(call)
        line = self._from(node.origin, cst.SimpleStatementLine([part]))
        if node.node is not None and not node.body.statements:
            line = _with_comment(line, node.body.header)
        written.append(line)
        for each in written[:-1]:
            self._from(node.origin, each)
        if node.node is not None:
            written[0] = _led(written[0], node.node.leading_lines)
        return written

    def _arms(self, node: If) -> tuple[list[If], Block]:
        arms = [node]
        while len(arms[-1].orelse.statements) == 1:
            following = arms[-1].orelse.statements[0]
            if not self._chains(arms[-1], following, node):
                break
            arms.append(following)
        return arms, arms[-1].orelse

    def _chains(self, before: If, following: Any, first: If) -> bool:
        """Whether an `if` is the whole of the `else` before it, and can be one more arm."""
        if not isinstance(following, If) or not following.staged:
            return False
        block = before.orelse
        if block.footer or following.returns != first.returns:
            return False
        commented = block.lead or (block.header is not None and block.header.comment)
        tests = [each.test for each in (before, following)]
        return not commented and all(map(self._test_movable, tests))

    def _test_movable(self, test: Test) -> bool:
        return test.expression is None or self._context.movable(test.expression)

    def _branch(self, block: Block, wish: str, returns: bool) -> tuple[Any, list[Any]]:
        """What the call gets for a branch, and the definition that has to come before."""
        if not block.statements and not _is_commented(block):
            return cst.Name("None"), []
        closure = self._plan.closure(block)
        value = _only_value(block) if returns and not closure.undefined else None
        if value is not None and self._context.movable(value):
            point = self._plan.flow.points(block.statements[0])
            with self._inside(closure):
                self._stand_at(point.before, block.statements[0].effects)
                return delayed(bare(self._context.rewrite(value))), []
        name = self._names.fresh(wish)
        definition = self._definition(name, [], block, closure)
        return cst.Name(name), [definition]

    @contextmanager
    def _inside(self, closure: Closure) -> Iterator[None]:
        outer, in_closure = self._closure, self._context.in_closure
        self._closure, self._context.in_closure = closure, True
        yield
        self._closure, self._context.in_closure = outer, in_closure

    def _definition(
        self,
        name: str,
        parameters: Sequence[str],
        block: Block,
        closure: Closure,
        first: Iterable[Any] = (),
    ) -> cst.FunctionDef:
        with self._inside(closure):
            written = [*first, *self._block(block.statements)]
        head = self._declarations(closure, parameters) + self._undefined(closure, parameters)
        origin = block.origin or (1, 0, 1, 0)
        for line in head:
            self._from(origin, line)
        header = block.header or cst.TrailingWhitespace()
        lines = [*head, *written] or [_pass()]
        body = cst.IndentedBlock(lines, header=header, footer=block.footer)
        params = cst.Parameters([cst.Param(cst.Name(each)) for each in parameters])
        return cst.FunctionDef(cst.Name(name), params, body, leading_lines=block.lead)

    def _declarations(self, closure: Closure, parameters: Sequence[str]) -> list[Any]:
        names = [name for name in closure.outer_names if name not in parameters]
        scope = self._context.scope
        of_module = [name for name in names if name in scope.globals]
        outer = [name for name in names if name not in scope.globals]
        lines: list[Any] = []
        for kind, group in ((cst.Nonlocal, outer), (cst.Global, of_module)):
            for row in declaration_rows(group):
                items = [cst.NameItem(cst.Name(name)) for name in row]
                lines.append(cst.SimpleStatementLine([kind(items)]))
        return lines

    def _undefined(self, closure: Closure, parameters: Sequence[str]) -> list[Any]:
        names = [name for name in closure.undefined if name not in parameters]
        return [_undefined_line(row) for row in declaration_rows(names)]

    def _state(self, statement: If | Loop) -> tuple[list[Any], list[Any]]:
        """Definitions of `get_state` and `set_state`, and the arguments that pass them on."""
        state = self._plan.state(statement)
        if not state.entries:
            return [], []
        key = (state.entries, tuple(id(self._home(entry)) for entry in state.entries))
        known = next((each[key] for each in self._state_functions if key in each), None)
        written: list[Any] = []
        if known is None:
            known = self._names.fresh("get_state"), self._names.fresh("set_state")
            self._state_functions[-1][key] = known
            written = self._state_definitions(known, state.entries)
        get_state, set_state = known
        names = cst.Tuple([cst.Element(cst.SimpleString(repr(entry))) for entry in state.entries])
        if len(state.entries) == 1:
            comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(""))
            names = names.with_changes(elements=[names.elements[0].with_changes(comma=comma)])
        arguments: list[Any] = [cst.Name(get_state), cst.Name(set_state), names]
        if state.outputs != len(state.entries):
            arguments.append(cst.Integer(str(state.outputs)))
        return written, arguments

    def _home(self, entry: str) -> Closure | None:
        return self._closure.home(entry) if "." not in entry else None

    def _state_definitions(self, names: tuple[str, str], entries: Sequence[str]) -> list[Any]:
        get_state, set_state = names
        variables = [entry for entry in entries if "." not in entry]
        scope = self._context.scope
        of_module = [
            name
            for name in variables
            if name in scope.globals
            or (scope.is_of_module(name) and name not in self._plan.assignable)
        ]
        outer = [name for name in variables if name not in of_module]
        handlers = scope.handler_names
        read = [
            f"ag__.ldu(lambda: {entry}, {entry!r})" if "." in entry or entry in handlers else entry
            for entry in entries
        ]
        return [
            definition_of(GET_STATE, get_state, read),
            definition_of(SET_STATE, set_state, entries, outer=outer, of_module=of_module),
        ]

    def _if_call(
        self, arms: Sequence[If], bodies: Sequence[Any], last: Any, state: Sequence[Any]
    ) -> cst.Call:
        if len(arms) == 1:
            point = self._plan.flow.points(arms[0]).before
            test = bare(self._test(arms[0].test, point))
            arguments = [test, bodies[0], last, *state]
            if not state and _is_none(last):
                arguments = arguments[:2]
            return operator_call("if_stmt", *arguments)
        rows = []
        with self._context.in_lambda():
            for arm, body in zip(arms, bodies, strict=True):
                point = self._plan.flow.points(arm).before
                test = delayed(bare(self._test(arm.test, point)))
                rows.append(cst.Element(cst.Tuple([cst.Element(test), cst.Element(body)])))
        arguments = [cst.Tuple(rows), last, *state]
        if not state and _is_none(last):
            arguments = arguments[:1]
        return operator_call("if_chain", *arguments)

    def _staged_loop(self, loop: Loop) -> list[Any]:
        options = self._take_options(loop)
        written, state = self._state(loop)
        closure = self._plan.closure(loop.body)
        name = self._names.fresh("loop_body")
        if loop.is_for:
            definitions, call = self._for(loop, name, closure, state, options)
        else:
            definitions, call = self._while(loop, name, closure, state, options)
        written += definitions
        written.append(cst.SimpleStatementLine([cst.Expr(call)]))
        for each in written:
            self._from(loop.origin, each)
        written[0] = _led(written[0], loop.node.leading_lines)
        return written

    def _for(
        self, loop: Loop, name: str, closure: Closure, state: Sequence[Any], options: Any
    ) -> tuple[list[Any], cst.Call]:
        points = self._plan.flow.points(loop)
        self._stand_at(points.before, loop.test.effects)
        assert loop.test.expression is not None
        iterable = bare(self._context.rewrite(loop.test.expression))
        parameter, first = self._loop_target(loop, closure)
        definition = self._definition(name, [parameter], loop.body, closure, first)
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
        with self._inside(closure):
            self._stand_at(self._plan.flow.points(loop).blocks[0], loop.target_effects)
            assigned = rewrite_target(target, self._context)
        line = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(assigned)], cst.Name(item))])
        return item, [self._from(loop.origin, line)]

    def _goes_on(self, loop: Loop) -> Any:
        test = Test(None, Effects(), loop.break_flags, unset=True)
        return delayed(self._test(test, 0))

    def _while(
        self, loop: Loop, name: str, closure: Closure, state: Sequence[Any], options: Any
    ) -> tuple[list[Any], cst.Call]:
        expression = loop.test.expression
        assert expression is not None
        definitions: list[Any] = []
        point = self._plan.flow.points(loop).before
        with self._context.in_lambda():
            test = bare(self._test(loop.test, point))
        if self._context.movable(expression):
            test = delayed(self._tested(loop, delayed(test)))
        else:
            test_name = self._names.fresh("loop_test")
            definitions.append(self._loop_test(loop, test_name, test))
            test = cst.Name(test_name)
            if loop.break_flags:
                test = delayed(self._tested(loop, test))
        definitions.append(self._definition(name, [], loop.body, closure))
        call = operator_call("while_stmt", test, cst.Name(name), *state)
        if loop.test.effects.writes:
            call = _with_keyword(call, "test_assigns", cst.Name("True"))
        return definitions, _with_options(call, options)

    def _tested(self, loop: Loop, test: Any) -> Any:
        """After a `break` the loop's own test, a function, is not evaluated."""
        if not loop.break_flags:
            return test.body
        goes_on = self._test(Test(None, Effects(), loop.break_flags, unset=True), 0)
        expression = loop.test.expression
        if isinstance(expression, cst.Name) and expression.value == "True":
            return goes_on
        return operator_call("and_", goes_on, test)

    def _loop_test(self, loop: Loop, name: str, test: Any) -> cst.FunctionDef:
        """A test that assigns (`while chunk := read():`) needs a function with declarations."""
        lines = self._declarations(self._plan.closure(loop.test), ())
        lines.append(cst.SimpleStatementLine([cst.Return(test)]))
        for line in lines:
            self._from(loop.origin, line)
        return cst.FunctionDef(cst.Name(name), cst.Parameters(), cst.IndentedBlock(lines))

    def _take_options(self, loop: Loop) -> Any:
        """Takes `set_loop_options(...)` out of a loop; its arguments as a dict."""
        for position, leaf in enumerate(loop.body.statements):
            call = _loop_options(leaf)
            if call is not None:
                del loop.body.statements[position]
                entries = [
                    cst.DictElement(cst.SimpleString(repr(arg.keyword.value)), arg.value)
                    for arg in call.args
                    if arg.keyword is not None
                ]
                return cst.Dict(entries)
        return None

    def _from(self, origin: Span, node: Any) -> Any:
        """Notes that a statement was added for the user's statement at `origin`."""
        if id(node) not in self._context.origins:
            self._context.origins[id(node)] = (node, origin)
        return node


_NO_STATE = [cst.Name("None"), cst.Name("None"), cst.Tuple([])]


def _with_options(call: cst.Call, options: Any) -> cst.Call:
    if options is None:
        return call
    return _with_keyword(call, "options", options)


def _with_keyword(call: cst.Call, keyword: str, value: Any) -> cst.Call:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    argument = cst.Arg(value, keyword=cst.Name(keyword), equal=equal)
    return call.with_changes(args=[*call.args, argument])


def _loop_options(statement: Any) -> cst.Call | None:
    if not isinstance(statement, Leaf) or not isinstance(statement.node, cst.SimpleStatementLine):
        return None
    part = statement.node.body[0]
    if not isinstance(part, cst.Expr) or not isinstance(part.value, cst.Call):
        return None
    function = part.value.func
    name = function.attr if isinstance(function, cst.Attribute) else function
    is_options = isinstance(name, cst.Name) and name.value == "set_loop_options"
    return part.value if is_options else None


def _catches_all(handler: cst.ExceptHandler) -> bool:
    kind = handler.type
    return kind is None or (isinstance(kind, cst.Name) and kind.value == "BaseException")


def _staging_errors_pass() -> cst.ExceptHandler:
    """What cannot be staged is not an error of the program that the program could handle."""
    statement = cst.parse_statement("try: pass\nexcept ag__.StagingError:\n    raise\n")
    assert isinstance(statement, cst.Try)
    return statement.handlers[0]


def _undefined_line(names: Sequence[str]) -> cst.SimpleStatementLine:
    """`a, b = ag__.undefined('a', 'b')`."""
    call = operator_call("undefined", *[cst.SimpleString(repr(name)) for name in names])
    target: Any = cst.Name(names[0])
    if len(names) > 1:
        target = cst.Tuple([cst.Element(cst.Name(name)) for name in names], lpar=[], rpar=[])
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], call)])


def _identical(new: Sequence[Any], old: Sequence[Any]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def _pass() -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([cst.Pass()])


def _led(node: Any, lines: Sequence[cst.EmptyLine]) -> Any:
    return node.with_changes(leading_lines=[*lines, *node.leading_lines]) if lines else node


def _is_none(node: Any) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def _assignment(name: str, value: Any) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], value)])


def _is_commented(block: Block) -> bool:
    lines = [*block.lead, *block.footer]
    return any(line.comment for line in lines) or bool(block.header and block.header.comment)


def _comments(node: If) -> Sequence[cst.EmptyLine]:
    """The lines before an `if` that becomes an arm of the one before, if they say something."""
    lines = [*node.lead, *(node.node.leading_lines if node.node is not None else ())]
    return lines if any(line.comment for line in lines) else ()


def _with_comment(line: cst.SimpleStatementLine, header: Any) -> cst.SimpleStatementLine:
    return line if header is None else line.with_changes(trailing_whitespace=header)


def _only_value(block: Block) -> Any:
    """The value of a branch that is nothing but `return value`, without comments."""
    if len(block.statements) != 1 or _is_commented(block):
        return None
    jump = block.statements[0]
    if not isinstance(jump, Jump) or jump.value is None or jump.lead:
        return None
    line = jump.line
    if line is not None and (
        line.trailing_whitespace.comment or any(each.comment for each in line.leading_lines)
    ):
        return None
    return jump.value


def _has_docstring(body: Block) -> bool:
    if not body.statements or not isinstance(body.statements[0], Leaf):
        return False
    node = node_of(body.statements[0])
    if not isinstance(node, cst.SimpleStatementLine) or not isinstance(node.body[0], cst.Expr):
        return False
    return isinstance(node.body[0].value, cst.SimpleString | cst.ConcatenatedString)


def _unannotated(part: Any, outer: set[str]) -> Any:
    if not isinstance(part, cst.AnnAssign) or not isinstance(part.target, cst.Name):
        return part
    if part.value is None:
        return cst.Pass(semicolon=part.semicolon)
    if part.target.value not in outer:
        return part
    return cst.Assign([cst.AssignTarget(part.target)], part.value, semicolon=part.semicolon)

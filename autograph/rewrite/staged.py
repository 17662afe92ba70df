"""Decide which statements are staged, and why the others stay Python.

A statement whose test is certainly a Python value stays Python. A statement that cannot become a
function (it yields, awaits, reads its frame or deletes a global variable) stays Python, too, and is
a refusal: with a tensor it fails at the user's line, and in strict mode it is an error.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import gast
import libcst as cst

from autograph.analysis.effects import Effects
from autograph.analysis.scopes import FunctionScope
from autograph.conversion_result import Refusal, Span
from autograph.rewrite.jumps import JumpKinds, always_jumps
from autograph.rewrite.known import gives_python_value, is_display
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import (
    If,
    Jump,
    Leaf,
    Loop,
    Region,
    Statement,
    TotalEffects,
    blocks_of,
    is_loop,
    named_blocks,
)


def _has_elif(node: If) -> bool:
    """Return whether the `else` of an `if` is another arm: an `elif`, or the next `case`."""
    if node.node is not None:
        return isinstance(node.node.orelse, cst.If)
    following = node.orelse.statements
    return len(following) == 1 and isinstance(following[0], If) and following[0].node is None


_YIELDS = (
    "it contains `yield` or `await`, which cannot move into a function",
    "compute what depends on tensors in a plain function, and call that here",
)
_FRAME = (
    "it contains a call that looks at the frame it is called from",
    "move that call out of the statement",
)
_DELETES = (
    "it deletes a variable of another scope",
    "assign None instead of `del`",
)
_CAUGHT = (
    "it raises an error that an `except` around it may catch, which is decided before it runs",
    "test before the `try`, or set a variable and test that after it",
)
_PATTERNS = (
    "its patterns compare what is inside of a value, which Python does at once",
    "compare by `if`, or match items that are written out, as in `match (a, b)`",
)
_LOCALS = (
    "the function calls `locals`, `vars`, `dir`, `eval` or `exec`, which see its variables",
    "move that call into a function of its own",
)
_FINALLY = (
    "a jump out of `finally` leaves it, which discards an error on its way",
    "move the jump after the `try`",
)
_NATIVE_LOOP = (
    "it leaves a loop that stays Python",
    "write the loop so that it can be staged, or use a flag",
)


Obstacle = tuple[str, str] | None
"""Why code cannot move into a function, and the remedy."""


_Around = tuple[tuple[Any, str], ...]
"""The enclosing statements, outer first, each with the role of the enclosing block."""


def _left_through_finally(jump: Jump, around: _Around) -> set[int]:
    """Return the statements that a jump leaves, its target included, after leaving a `finally`."""
    left: set[int] = set()
    in_finally = False
    for statement, name in reversed(around):
        in_finally = in_finally or name == "finally"
        left.add(id(statement))
        if jump.kind != "return" and is_loop(statement) and name != "orelse":
            break
    return left if in_finally else set()


def _compares(match: cst.Match) -> bool:
    """Return whether a `match` that was not lowered may need the truth value of a comparison."""
    guarded = any(case.guard is not None for case in match.cases)
    return guarded or any(_has_value(case.pattern) for case in match.cases)


@any_depth
def _has_value(pattern: cst.CSTNode) -> bool:
    if isinstance(pattern, cst.MatchValue):
        return True
    return any(map(_has_value, pattern.children))


def _handler_types(node: object) -> list[str]:
    """Return the names of the types that a `try` handles; `BaseException` for all."""
    found: list[str] = []
    for handler in getattr(node, "handlers", ()):
        kind = handler.type
        if kind is None:
            found.append("BaseException")
        elif isinstance(kind, cst.Tuple):
            found += [_dotted(element.value) for element in kind.elements]
        else:
            found.append(_dotted(kind))
    return found


def _dotted(node: object) -> str:
    """Return a name; for another expression, a name that matches nothing."""
    return node.value if isinstance(node, cst.Name) else "."


def _raised_name(error: object) -> str | None:
    """Return the class name of a raised error: `E` or `E(...)`."""
    error = error.func if isinstance(error, gast.Call) else error
    return error.id if isinstance(error, gast.Name) else None


class Staging:
    """The decisions for one function."""

    def __init__(self, scope: FunctionScope, refusals: list[Refusal]) -> None:
        self._scope = scope
        self._refusals = refusals
        self._left_by_finally: set[int] = set()
        self._caught: set[int] = set()
        self._total = TotalEffects()
        self._kinds = JumpKinds()

    def function(self, body: Sequence[Any]) -> None:
        """Set `staged` for the statements of a function body."""
        self._note_jumps(body, ())
        self._note_caught(body, (), ())
        self.decide(body)

    def decide(
        self, statements: Sequence[Any], in_native_loop: bool = False, behind: Obstacle = None
    ) -> None:
        """Set `staged`, inner statements first.

        Args:
          statements: of the function, or of a block in it.
          in_native_loop: whether a loop that stays Python is around.
          behind: what keeps the statements after these from moving into a function, as those
            after an early jump do.
        """
        for statement in reversed(statements):
            self._count_items(statement)
            if isinstance(statement, If):
                self._decide_if(statement, in_native_loop, behind)
            elif isinstance(statement, Loop):
                self._decide_loop(statement, in_native_loop, behind)
            elif isinstance(statement, Region):
                if isinstance(statement.node, cst.Match) and _compares(statement.node):
                    self._refuse("match", statement.origin, _PATTERNS)
                native = in_native_loop or statement.parts[0][0] == "loop"
                for name, block in named_blocks(statement):
                    after = self._behind_part(statement, name) or behind
                    self.decide(block.statements, native, after)
            behind = behind or self._obstacle_behind(statement, statement is statements[-1])

    def _obstacle_behind(self, statement: Statement, is_last: bool) -> Obstacle:
        """Return what keeps a statement from moving into the branch of a jump before it."""
        returns = is_last and always_jumps([statement])
        if id(statement) in self._left_by_finally and not returns:
            return _FINALLY
        return self._obstacle_in(self._total.of_statement(statement))

    def _behind_part(self, region: Region, name: str) -> Obstacle:
        """Return the obstacle of the `else` of a `try`, which a jump out of the body skips."""
        if name != "body":
            return None
        rest = [block for other, block in named_blocks(region) if other == "orelse"]
        if not rest:
            return None
        if any(id(statement) in self._left_by_finally for statement in rest[0].statements):
            return _FINALLY
        return self._obstacle_in(self._total.of(rest[0]))

    def _count_items(self, statement: object) -> None:
        """Add `a` to the writes of `a[i] = v`."""
        if isinstance(statement, Leaf):
            names = statement.effects.items.keys() & self._scope.item_names
            statement.effects.writes |= dict.fromkeys(sorted(names))

    @any_depth
    def _decide_if(
        self, node: If, in_native_loop: bool, behind: Obstacle, chained: bool = False
    ) -> None:
        expression = node.test.expression
        assert expression is not None
        python = gives_python_value(expression, self._scope) and not chained
        obstacle = None if python else self._obstacle(node)
        if not python and obstacle is None and self._kinds.of(node) - {"continue"}:
            obstacle = _NATIVE_LOOP if in_native_loop else behind
        if not python and obstacle is None and self._kinds.of(node):
            obstacle = behind
        node.staged = not python and obstacle is None
        if obstacle is not None:
            self._refuse(node.word, node.origin, obstacle)
        self.decide(node.body.statements, in_native_loop, behind)
        orelse = node.orelse.statements
        if node.staged and _has_elif(node):
            self._decide_if(orelse[0], in_native_loop, behind, chained=True)
        else:
            self.decide(orelse, in_native_loop, behind)

    def _decide_loop(self, loop: Loop, in_native_loop: bool, behind: Obstacle) -> None:
        obstacle = self._obstacle(loop)
        if obstacle is None and "return" in self._kinds.of(loop):
            obstacle = behind
        python = self._runs_in_python(loop)
        native = obstacle is not None or (python and not self._has_staged_exit(loop))
        self.decide(loop.body.statements, in_native_loop=native)
        self.decide(loop.orelse.statements, in_native_loop, behind)
        loop.staged = not native
        if obstacle is not None and not python:
            self._refuse("for" if loop.is_for else "while", loop.origin, obstacle)

    def _runs_in_python(self, loop: Loop) -> bool:
        expression = loop.test.expression
        assert expression is not None
        if loop.is_for:
            return is_display(expression)
        return gives_python_value(expression, self._scope)

    def _has_staged_exit(self, loop: Loop) -> bool:
        """Return whether a tensor may decide when control leaves the loop."""
        return self._exits(loop.body.statements, tested=False)[0]

    @any_depth
    def _exits(self, statements: Sequence[Any], tested: bool) -> tuple[bool, bool]:
        """Whether a tensor decides an exit, and whether one decides if the end is reached.

        Args:
          tested: whether a tensor may decide that the statements are run.
        """
        found = False
        for statement in statements:
            if isinstance(statement, Jump):
                return found or (tested and statement.kind != "continue"), tested
            if isinstance(statement, Loop):
                left = "return" in self._kinds.of(statement)
                found = found or (left and (tested or not self._runs_in_python(statement)))
                continue
            inner_tested = tested or self._may_be_staged(statement)
            for block in blocks_of(statement):
                exits, skips = self._exits(block.statements, inner_tested)
                found = found or exits
                tested = tested or (skips and bool(self._kinds.of(statement)))
        return found, tested

    def _may_be_staged(self, statement: object) -> bool:
        if not isinstance(statement, If):
            return False
        assert statement.test.expression is not None
        return not gives_python_value(statement.test.expression, self._scope)

    @any_depth
    def _note_jumps(self, statements: Sequence[Any], around: _Around) -> None:
        """Record the statements that jumps out of `finally` leave, targets included."""
        for statement in statements:
            if isinstance(statement, Jump):
                self._left_by_finally |= _left_through_finally(statement, around)
            for name, block in named_blocks(statement):
                self._note_jumps(block.statements, (*around, (statement, name)))

    @any_depth
    def _note_caught(
        self, statements: Sequence[Any], handled: tuple[Any, ...], inside: tuple[int, ...]
    ) -> None:
        """Record the statements that raise an error which an enclosing `try` may catch.

        Args:
          statements: of a block.
          handled: the types of the handlers around.
          inside: the `if` and loops around, up to the outermost `try`.
        """
        for statement in statements:
            if isinstance(statement, Leaf):
                if handled and self._may_catch(handled, statement):
                    self._caught.update(inside)
                continue
            around = handled and (*inside, id(statement))
            for name, block in named_blocks(statement):
                own = handled
                if name == "body" and isinstance(statement, Region):
                    own = (*handled, *_handler_types(statement.node))
                self._note_caught(block.statements, own, around)

    def _may_catch(self, handled: tuple[Any, ...], leaf: Leaf) -> bool:
        for syntax in leaf.syntax:
            if isinstance(syntax, gast.Raise) and syntax.exc is not None:
                raised = self._builtin_error(_raised_name(syntax.exc))
                for each in handled:
                    caught = self._builtin_error(each)
                    if raised is None or caught is None or issubclass(raised, caught):
                        return True
        return False

    def _builtin_error(self, name: str | None) -> type[BaseException] | None:
        """Return the built-in exception class of a name; None for another name."""
        if name is None or not self._scope.is_builtin(name):
            return None
        found = getattr(builtins, name)
        return found if isinstance(found, type) and issubclass(found, BaseException) else None

    def _obstacle(self, statement: If | Loop) -> Obstacle:
        """Return the obstacle of what a statement moves: its blocks, test or loop target."""
        if self._scope.reads_locals:
            return _LOCALS
        if id(statement) in self._left_by_finally:
            return _FINALLY
        if id(statement) in self._caught:
            return _CAUGHT
        effects = self._total.of(inner for block in blocks_of(statement) for inner in block)
        if isinstance(statement, Loop):
            moved = statement.target_effects if statement.is_for else statement.test.effects
            effects.include(moved)
        if statement.test.effects.reads_frame:
            return _FRAME
        return self._obstacle_in(effects)

    def _obstacle_in(self, effects: Effects) -> Obstacle:
        if effects.suspends:
            return _YIELDS
        if effects.reads_frame:
            return _FRAME
        if effects.deletes & (self._scope.globals | self._scope.nonlocals):
            return _DELETES
        return None

    def _refuse(self, construct: str, origin: Span, why: tuple[str, str]) -> None:
        self._refusals.append(Refusal(*origin, construct, *why))

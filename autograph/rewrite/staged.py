"""Decides which statements are staged, and says of the others why they stay Python.

A statement whose test can only be a Python value stays what it is: nothing could be staged there.
A statement that cannot become a function (it yields, it awaits, it looks at its frame, it deletes
a variable) stays Python too, and is a refusal: with a tensor it fails at the user's line, and in
strict mode it is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.analysis.scopes import FunctionScope
from autograph.rewrite.jumps import jump_kinds
from autograph.rewrite.known import gives_python_value, is_display
from autograph.structure import If, Leaf, Loop, Region, Span, blocks_of, effects_inside


@dataclass(frozen=True, slots=True)
class Refusal:
    """A statement that stays Python although a tensor could reach it."""

    line: int
    col: int
    end_line: int
    end_col: int
    construct: str
    reason: str
    remedy: str


_YIELDS = (
    "it contains `yield` or `await`, which cannot move into a function",
    "compute what depends on tensors in a plain function, and call that here",
)
_FRAME = (
    "it contains a call that looks at the frame it is called from",
    "move that call out of the statement",
)
_DELETES = (
    "it deletes a variable",
    "assign None instead of `del`",
)
_LOCALS = (
    "the function calls `locals`, `vars`, `dir`, `eval` or `exec`, which see its variables",
    "move that call into a function of its own",
)
_NATIVE_LOOP = (
    "it leaves a loop that stays Python",
    "write the loop so that it can be staged, or use a flag",
)


class Staging:
    """The decisions for one function."""

    def __init__(self, scope: FunctionScope, refusals: list[Refusal]) -> None:
        self._scope = scope
        self._refusals = refusals

    def decide(self, statements: Sequence[Any], in_native_loop: bool = False) -> None:
        """Marks the staged statements, inner ones first."""
        for statement in statements:
            self._count_items(statement)
            if isinstance(statement, If):
                self._decide_if(statement, in_native_loop)
            elif isinstance(statement, Loop):
                self._decide_loop(statement)
            elif isinstance(statement, Region):
                loop = statement.parts[0][0] == "loop"
                for block in blocks_of(statement):
                    self.decide(block.statements, in_native_loop or loop)

    def _count_items(self, statement: Any) -> None:
        """`a[i] = v` will assign `a`."""
        if isinstance(statement, Leaf):
            names = statement.effects.items.keys() & self._scope.item_names
            statement.effects.writes |= dict.fromkeys(sorted(names))

    def _decide_if(self, node: If, in_native_loop: bool, chained: bool = False) -> None:
        expression = node.test.expression
        assert expression is not None
        python = gives_python_value(expression, self._scope.is_builtin) and not chained
        obstacle = None if python else self._obstacle(node)
        if not python and obstacle is None and in_native_loop and jump_kinds(node) - {"continue"}:
            obstacle = _NATIVE_LOOP
        node.staged = not python and obstacle is None
        if obstacle is not None:
            self._refuse("if", node.origin, obstacle)
        self.decide(node.body.statements, in_native_loop)
        orelse = node.orelse.statements
        if node.staged and isinstance(node.node and node.node.orelse, cst.If):
            self._decide_if(orelse[0], in_native_loop, chained=True)
        else:
            self.decide(orelse, in_native_loop)

    def _decide_loop(self, loop: Loop) -> None:
        construct = "for" if loop.is_for else "while"
        obstacle = self._obstacle(loop)
        python = self._runs_in_python(loop)
        native = obstacle is not None or (python and not self._has_staged_exit(loop))
        self.decide(loop.body.statements, in_native_loop=native)
        self.decide(loop.orelse.statements)
        loop.staged = not native
        if obstacle is not None and not python:
            self._refuse(construct, loop.origin, obstacle)

    def _runs_in_python(self, loop: Loop) -> bool:
        expression = loop.test.expression
        assert expression is not None
        if loop.is_for:
            return is_display(expression)
        return gives_python_value(expression, self._scope.is_builtin)

    def _has_staged_exit(self, loop: Loop) -> bool:
        """Whether a jump out of the loop stands under a test that a tensor may decide."""
        return any(self._exits_on_tensor(inner, False) for inner in loop.body)

    def _exits_on_tensor(self, statement: Any, tested: bool) -> bool:
        kinds = jump_kinds(statement) - {"continue"}
        if not kinds:
            return False
        if isinstance(statement, If):
            assert statement.test.expression is not None
            tested = tested or not gives_python_value(
                statement.test.expression, self._scope.is_builtin
            )
        elif isinstance(statement, Loop):
            tested = tested or not self._runs_in_python(statement)
        blocks = blocks_of(statement)
        if not blocks:
            return tested
        return any(self._exits_on_tensor(inner, tested) for block in blocks for inner in block)

    def _obstacle(self, statement: If | Loop) -> tuple[str, str] | None:
        effects = Effects()
        effects.include(effects_inside([statement]))
        if isinstance(statement, If):
            effects.suspends = effects_inside(
                [*statement.body.statements, *statement.orelse.statements]
            ).suspends
        elif statement.is_for:
            blocks = [*statement.body.statements, *statement.orelse.statements]
            effects.suspends = effects_inside(blocks).suspends
        if self._scope.reads_locals:
            return _LOCALS
        if effects.suspends:
            return _YIELDS
        if effects.reads_frame:
            return _FRAME
        if effects.deletes:
            return _DELETES
        return None

    def _refuse(self, construct: str, origin: Span, why: tuple[str, str]) -> None:
        self._refusals.append(Refusal(*origin, construct, *why))

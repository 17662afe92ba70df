"""Write state functions, by which operators read and assign the variables of a statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from autograph.rewrite.blocks import BlockWriter
from autograph.rewrite.templates import GET_STATE, SET_STATE, definition_of
from autograph.syntax.names import operators_name
from autograph.syntax.structure import If, Loop


class StateWriter:
    """A writer of `get_state` and `set_state`; statements with equal states share them."""

    def __init__(self, blocks: BlockWriter) -> None:
        self._blocks = blocks
        self._plan = blocks.plan
        self._context = blocks.context
        self._names = blocks.names

    def state(self, statement: If | Loop) -> tuple[list[Any], list[Any]]:
        """Return the definitions of `get_state` and `set_state`, and the call arguments."""
        state = self._plan.state(statement)
        if not state.entries:
            return [], []
        home = self._blocks.closure.home
        key = (state.entries, tuple(id(home(entry)) for entry in state.entries))
        known = next((each[key] for each in self._blocks.state_functions if key in each), None)
        written: list[Any] = []
        if known is None:
            known = self._names.fresh("get_state"), self._names.fresh("set_state")
            self._blocks.state_functions[-1][key] = known
            written = self._state_definitions(known, state.entries)
        get_state, set_state = known
        tested = self._context.scope.tested
        labels = [f"{entry}?" if entry in tested else entry for entry in state.entries]
        names = cst.Tuple([cst.Element(cst.SimpleString(repr(label))) for label in labels])
        if len(state.entries) == 1:
            comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(""))
            names = names.with_changes(elements=[names.elements[0].with_changes(comma=comma)])
        arguments: list[Any] = [cst.Name(get_state), cst.Name(set_state), names]
        if state.outputs != len(state.entries):
            arguments.append(cst.Integer(str(state.outputs)))
        return written, arguments

    def _state_definitions(self, names: tuple[str, str], entries: Sequence[str]) -> list[Any]:
        get_state, set_state = names
        scope = self._context.scope
        of_module = [
            name
            for name in entries
            if name in scope.globals
            or (scope.is_of_module(name) and name not in self._plan.assignable)
        ]
        outer = [name for name in entries if name not in of_module]
        handlers = scope.handler_names
        parameter = self._names.parameter("vars_")
        read = [
            f"{operators_name()}.ldu(lambda: {name}, {name!r})" if name in handlers else name
            for name in entries
        ]
        return [
            definition_of(GET_STATE, get_state, read),
            definition_of(
                SET_STATE, set_state, entries, parameter, outer=outer, of_module=of_module
            ),
        ]

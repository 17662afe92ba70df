"""Map positions in converted text to positions in the original.

Both trees are printed once more, recording the span of every node. A node in both trees, or one
known to replace another, maps its new span to the old one.

libcst has no public way for both the text and the spans of deeply nested code. `Module.code` and
`libcst.metadata.PositionProvider` print by the same `_codegen` on one stack: with Python's limit of
1000 frames the provider fails at a sum of 325 operands (libcst 1.8, measured), which converts here
at 2,000. The provider also needs a tree in which no node occurs twice.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from autograph.conversion_result import Span
from autograph.syntax.stack import calls_on_a_stack, on_own_stack


class _Elsewhere:
    """A mixin for a deeply nested node: prints it on another stack."""

    __slots__ = ()

    def _codegen(self: object, state: CodegenState, **kwargs: object) -> None:
        on_own_stack(super()._codegen, state, **kwargs)  # type: ignore[misc]


@functools.cache
def _elsewhere(kind: type) -> type:
    return type(kind.__name__, (_Elsewhere, kind), {"__slots__": ()})


def _print_parts_elsewhere(parent: cst.CSTNode) -> None:
    for field in dataclasses.fields(parent):
        parts = getattr(parent, field.name)
        for node in parts if isinstance(parts, list | tuple) else (parts,):
            if isinstance(node, cst.CSTNode) and not isinstance(node, _Elsewhere):
                object.__setattr__(node, "__class__", _elsewhere(type(node)))


class _Recording(CodegenState):
    """A printer that records the span of each node, without enclosing parentheses and blanks."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__(
            default_indent=module.default_indent, default_newline=module.default_newline
        )
        self.spans: dict[int, Span] = {}
        self._most = calls_on_a_stack()
        self._line = 1
        self._column = 0
        self._begins: list[tuple[int, int]] = []

    def add_indent_tokens(self) -> None:
        super().add_indent_tokens()
        self._column += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        if value.isprintable():
            self._column += len(value)
        else:
            self._move(value)

    def _move(self, value: str) -> None:
        lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._line += len(lines) - 1
        self._column = len(lines[-1]) + (self._column if len(lines) == 1 else 0)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._begins.append((self._line, self._column))
        if len(self._begins) % self._most == 0:
            _print_parts_elsewhere(node)

    def after_codegen(self, node: cst.CSTNode) -> None:
        begin = self._begins.pop()
        self.spans.setdefault(id(node), (*begin, self._line, self._column))

    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Any:
        return _Syntactic(self, node, start_node, end_node)

    def here(self) -> tuple[int, int]:
        return self._line, self._column


class _Syntactic:
    """A context manager that records the span of a node's own syntax."""

    def __init__(self, state: _Recording, node: object, first: object, last: object) -> None:
        self._state, self._node, self._first, self._last = state, node, first, last

    def __enter__(self) -> None:
        self._begin = self._state.here()

    def __exit__(self, *error: object) -> None:
        spans = self._state.spans
        begin, end = self._begin, self._state.here()
        if self._first is not None and id(self._first) in spans:
            begin = spans[id(self._first)][:2]
        if self._last is not None and id(self._last) in spans:
            end = spans[id(self._last)][2:]
        spans[id(self._node)] = (*begin, *end)


def _recorded(module: cst.Module) -> _Recording:
    state = _Recording(module)
    module._codegen(state)
    return state


def printed(
    original: cst.Module, changed: cst.Module, origins: dict[int, tuple[Any, Any]] | None
) -> tuple[str, dict[Span, Span]]:
    """Return the changed text and a map from its spans to spans of the original.

    Args:
      original: the tree of the original text.
      changed: the converted tree.
      origins: by id of a replacement: the replacement, and the replaced node or a span. None:
        record no spans.
    """
    new = _recorded(changed)
    found: dict[Span, Span] = {}
    if origins is None:
        return "".join(new.tokens), found
    old = _recorded(original).spans
    for key, span in new.spans.items():
        source = _source(key, old, origins)
        if source is not None:
            found[span] = source
    return "".join(new.tokens), found


def _source(key: int, old: dict[int, Span], origins: dict[int, tuple[Any, Any]]) -> Span | None:
    while key not in old:
        if key not in origins:
            return None
        source = origins[key][1]
        if isinstance(source, tuple):
            return source
        key = id(source)
    return old[key]

"""What a conversion takes besides the text, and what it returns; without its parsers."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograph.syntax.names import OPERATORS

Span = tuple[int, int, int, int]
"""Line, column, end line, end column: lines from 1, columns in characters from 0."""


@dataclass(frozen=True)
class Enclosing:
    """The context of a function whose text was extracted from its file.

    Args:
      free: its free variables.
      class_name: the enclosing class.
      plain: names of modules, or of their members, that are never converted.
      bound: names that its module binds.
      partial: globals, and as `.name` attributes, that may be unassigned where they are read.
      annotates: whether it evaluates annotations (not `from __future__ import annotations`).
    """

    free: frozenset[str] = frozenset()
    class_name: str | None = None
    plain: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    partial: frozenset[str] = frozenset()
    annotates: bool = True


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


@dataclass(frozen=True)
class Conversion:
    """The result of one conversion.

    Attributes:
      text: the converted text.
      changed: whether it differs from the original.
      spans: from spans in `text` to their origins in the original.
      refusals: statements that stay Python although a tensor could reach them.
      operators: the name of the operators in `text`.
    """

    text: str
    changed: bool
    spans: dict[Span, Span] = field(default_factory=dict)
    refusals: tuple[Refusal, ...] = ()
    operators: str = OPERATORS[0]

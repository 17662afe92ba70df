"""The snapshot of one object: what all records have, and labels of objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError

if TYPE_CHECKING:
    from autograph.reach.classes import Vocabulary
    from autograph.reach.places import Place

Label = str | tuple["Label", str, Any]
"""The user's name for an object: a variable, or a label with an attribute or key.

Most labels are never shown, so they are formatted lazily.
"""


def text_of(label: Label) -> str:
    """Format a label as a Python expression.

    >>> text_of((("self", ".", "rows"), "[", 2))
    'self.rows[2]'
    """
    ends: list[str] = []
    while isinstance(label, tuple):
        label, sign, key = label
        ends.append(f".{key}" if sign == "." else f"[{key!r}]")
    return label + "".join(reversed(ends))


Change = tuple["Place", Any]
"""A changed place and its previous value."""


def in_place(label: str, kind: str, instead: str = "") -> StagingError:
    """Create the error for a changed object that cannot be state of a staged statement.

    Args:
      label: the user's name for the object.
      kind: what it is, in words.
      instead: what can hold the same content and be state; empty: nothing.
    """
    return StagingError(
        f"`{label}`, {kind}, is changed in place in a staged statement, which is traced whether or "
        "not it will run: the change cannot wait for that.",
        remedy=f"Use {instead}." if instead else "Change it before or after the statement.",
    )


class Record:
    """The snapshot of one object."""

    def changes(self) -> list[Change]:
        """Return the changed places with their previous values.


        Raises:
          StagingError: for a changed object that cannot be state of a statement.
        """
        raise NotImplementedError

    def restore(self) -> None:
        """Restore the snapshot."""
        raise NotImplementedError

    def holders(self, value: object) -> list[Place]:
        """Return the places of the object that held this value (by identity)."""
        return []

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the places that code with these names can read, with their values."""
        return ()


class Sealed(Record):
    """The snapshot of an object that cannot be state: a change is an error.

    Attributes:
      instead: what can hold the same content and be state; empty: nothing.
    """

    instead = ""

    def __init__(self, value: Any, label: Label) -> None:
        self._value = value
        self._label = label
        self._before = self._look()

    @property
    def owner(self) -> Any:
        """Return the object."""
        return self._value

    @property
    def label(self) -> str:
        """Return the user's name for the object."""
        return text_of(self._label)

    def _look(self) -> Any:
        """Return a value that compares equal as long as the object is unchanged."""
        raise NotImplementedError

    def _put_back(self) -> None:
        """Undo the change, if possible."""

    def kind(self) -> str:
        """Return what the object is, in words."""
        return f"of type {type(self._value).__name__}"

    def has_changed(self) -> bool:
        """Return whether the object changed."""
        return bool(self._look() != self._before)

    def changes(self) -> list[Change]:
        """Raise if the object changed; return no changes."""
        if not self.has_changed():
            return []
        self.restore()
        raise in_place(self.label, self.kind(), self.instead)

    def restore(self) -> None:
        """Restore the snapshot."""
        if self.has_changed():
            self._put_back()

"""Collections of a graph: lists of values, keyed by name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


class Collected:
    """Lists of values, keyed by name, which `finalize` makes read-only.

    >>> kept = Collected()
    >>> kept.add_to_collection("losses", 0.5)
    >>> kept.get_collection("losses")
    [0.5]
    """

    def __init__(self) -> None:
        """Create no lists."""
        self.finalized = False
        self._collections: dict[str, list[Any]] = {}

    def finalize(self) -> None:
        """Forbid further changes."""
        self.finalized = True

    def _require_unfinished(self) -> None:
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    def add_to_collection(self, name: str, value: object) -> None:
        """Append a value to the collection `name`.

        Raises:
          RuntimeError: if the graph is finalized.
        """
        self._require_unfinished()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Iterable[str], value: object) -> None:
        """Append a value to several collections; a single string is one name."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """Return the values of a collection; with `scope`, those whose names match it from the
        start.
        """
        values = self._collections.get(name, [])
        if scope is None:
            return list(values)
        pattern = re.compile(scope)
        return [value for value in values if pattern.match(getattr(value, "name", ""))]

    def get_collection_ref(self, name: str) -> list[Any]:
        """Return the list of a collection itself, not a copy."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        """Return the names of the nonempty collections."""
        return [name for name, values in self._collections.items() if values]

    @property
    def collections(self) -> list[str]:
        """Alias of `get_all_collection_keys()`."""
        return self.get_all_collection_keys()

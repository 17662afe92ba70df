"""What a graph keeps besides its operations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


class Collected:
    """Lists of values under names; nothing is added any more once it is finalized.

    >>> kept = Collected()
    >>> kept.add_to_collection("losses", 0.5)
    >>> kept.get_collection("losses")
    [0.5]
    """

    def __init__(self) -> None:
        """Starts with nothing."""
        self.finalized = False
        self._collections: dict[str, list[Any]] = {}

    def finalize(self) -> None:
        """Lets nothing be added any more."""
        self.finalized = True

    def _require_unfinished(self) -> None:
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    def add_to_collection(self, name: str, value: Any) -> None:
        """Keeps a value under a name, beside those that are there.

        Raises: RuntimeError if the graph is finalized.
        """
        self._require_unfinished()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Iterable[str], value: Any) -> None:
        """Keeps a value under several names; a single string is one name."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """The values kept under a name; with `scope` those whose names begin with it."""
        values = self._collections.get(name, [])
        if scope is None:
            return list(values)
        pattern = re.compile(scope)
        return [value for value in values if pattern.match(getattr(value, "name", ""))]

    def get_collection_ref(self, name: str) -> list[Any]:
        """The list itself in which the values are kept under a name."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        """The names under which something is kept."""
        return [name for name, values in self._collections.items() if values]

    @property
    def collections(self) -> list[str]:
        """The same as `get_all_collection_keys()`."""
        return self.get_all_collection_keys()

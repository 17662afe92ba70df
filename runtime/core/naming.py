"""Names of operations, and name scopes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_ROOT = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_NESTED = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")


class Names:
    """The names in use in a graph; case does not matter.

    Attributes:
      scope: the name-scope prefix: empty, or scopes that each end with a slash.

    >>> names = Names()
    >>> [names.unique("add") for _ in range(2)]
    ['add', 'add_1']
    >>> with names.scoped("layer"):
    ...     names.unique("add")
    'layer/add'
    """

    def __init__(self) -> None:
        """Start without names, outside all scopes."""
        self.scope = ""
        self._used: dict[str, int] = {}

    def unique(self, name: str, mark_as_used: bool = True) -> str:
        """Return the name in the current scope, with a suffix `_1`, `_2`, ... if it is taken."""
        full = self.scope + name
        key = base = full.lower()
        count = self._used.get(key, 0)
        if mark_as_used:
            self._used[key] = count + 1
        if not count:
            return full
        while key in self._used:
            key = f"{base}_{count}"
            count += 1
        if mark_as_used:
            self._used[key] = 1
        return f"{full}_{count - 1}"

    def mark(self, name: str) -> None:
        """Reserve a full name, scopes included."""
        key = name.lower()
        self._used[key] = max(self._used.get(key, 0), 1)

    def check(self, name: str) -> None:
        """Raise ValueError if a scope name is invalid here."""
        if self.scope:
            if not _NESTED.match(name):
                raise ValueError(
                    f"'{name}' is not a valid scope name. A scope name has to match the following "
                    f"pattern: {_NESTED.pattern}"
                )
        elif not _ROOT.match(name):
            raise ValueError(
                f"'{name}' is not a valid root scope name. A root scope name has to match the "
                f"following pattern: {_ROOT.pattern}"
            )

    @contextmanager
    def scoped(self, name: str | None) -> Iterator[str]:
        """Enter a name scope, made unique, and yield the name-scope prefix.

        A trailing slash selects exactly this scope, from the root. None or "": no scope.

        Raises: ValueError if the scope name is invalid.
        """
        before = self.scope
        self.scope = self._entered(name)
        try:
            yield self.scope
        finally:
            self.scope = before

    def _entered(self, name: str | None) -> str:
        if not name:
            return ""
        self.check(name)
        return name if name.endswith("/") else f"{self.unique(name)}/"


def check_node(name: str) -> None:
    """Raise ValueError if a full operation name is invalid.

    >>> check_node("layer/_a")
    >>> check_node("_a")
    Traceback (most recent call last):
    ...
    ValueError: `_a` is not a valid node name. Accepted names conform to Regex /...
    """
    if not _ROOT.match(name):
        raise ValueError(
            f"`{name}` is not a valid node name. Accepted names conform to Regex /{_ROOT}/"
        )


def label(text: str) -> str:
    """Return the valid operation name closest to a text.

    >>> label("_a b"), label("x")
    ('arg_a_b', 'x')
    """
    cleaned = re.sub(r"[^A-Za-z0-9_.\\/>-]", "_", text)
    return cleaned if _ROOT.match(cleaned) else f"arg{cleaned}"

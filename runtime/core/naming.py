"""Names of operations, and the scopes that stand before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_ROOT = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_NESTED = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")


class Names:
    """The names that a graph has given away; case does not matter.

    Attributes:
      scope: what stands before each new name: nothing, or scopes that each end with a slash.

    >>> names = Names()
    >>> [names.unique("add") for _ in range(2)]
    ['add', 'add_1']
    >>> with names.scoped("layer"):
    ...     names.unique("add")
    'layer/add'
    """

    def __init__(self) -> None:
        """Starts with no names, outside of all scopes."""
        self.scope = ""
        self._used: dict[str, int] = {}

    def unique(self, name: str, mark_as_used: bool = True) -> str:
        """The name in the present scope, with `_1`, `_2`, ... behind it if it is taken."""
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
        """Says that a whole name, scopes included, is taken."""
        key = name.lower()
        self._used[key] = max(self._used.get(key, 0), 1)

    def check(self, name: str) -> None:
        """Raises ValueError if no scope can be called so here."""
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
        """Puts a scope before the names that are given inside.

        Args:
          name: the scope, made unique; with a slash at its end exactly this one, from the root;
            None or "": no scope.

        Gives: what stands before the names inside.
        Raises: ValueError if it cannot be the name of a scope.
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
    """Raises ValueError if no operation can be called so, with the scopes before its name.

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
    """A name for an operation that is as close to any text as names allow.

    >>> label("_a b"), label("x")
    ('arg_a_b', 'x')
    """
    cleaned = re.sub(r"[^A-Za-z0-9_.\\/>-]", "_", text)
    return cleaned if _ROOT.match(cleaned) else f"arg{cleaned}"

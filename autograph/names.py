"""Names for what the rewriting adds: they read as intended and never meet the user's."""

from __future__ import annotations

from collections.abc import Set


class Names:
    """Gives out names that are free in a text.

    >>> names = Names({"if_body"})
    >>> names.fresh("loop_body"), names.fresh("if_body"), names.fresh("loop_body")
    ('loop_body', 'if_body_1', 'loop_body_1')
    """

    def __init__(self, taken: Set[str]) -> None:
        """Starts with the names that the text uses."""
        self._taken = taken
        self._given: set[str] = set()
        self._next: dict[str, int] = {}

    def anew(self) -> Names:
        """Names for another function of the same text: those given out here do not count."""
        return Names(self._taken)

    def fresh(self, wish: str) -> str:
        """The name wished for, numbered where it is taken."""
        name, number = wish, self._next.get(wish, 0)
        while name in self._taken or name in self._given:
            number += 1
            name = f"{wish}_{number}"
        self._next[wish] = number
        self._given.add(name)
        return name

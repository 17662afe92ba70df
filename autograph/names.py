"""Names for what the rewriting adds: they read as intended and never meet the user's."""

from __future__ import annotations


class Names:
    """Gives out names that are free in a text.

    >>> names = Names({"if_body"})
    >>> names.fresh("loop_body"), names.fresh("if_body"), names.fresh("loop_body")
    ('loop_body', 'if_body_1', 'loop_body_1')
    """

    def __init__(self, taken: set[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """The name wished for, numbered where it is taken."""
        name, number = wish, self._next.get(wish, 0)
        while name in self._taken:
            number += 1
            name = f"{wish}_{number}"
        self._next[wish] = number
        self._taken.add(name)
        return name

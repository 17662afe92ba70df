"""Names for what the rewriting adds: they read as intended and never meet the user's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar

OPERATORS = ("ag__", *(f"ag__{number}" for number in range(1, 10)))
"""Names for the operators; a text gets the first that it does not use."""

_operators = ContextVar("operators", default=OPERATORS[0])


def operators_name() -> str:
    """The name of the operators in the text that is being converted.

    >>> operators_name()
    'ag__'
    """
    return _operators.get()


@contextmanager
def operators_named(name: str) -> Iterator[None]:
    """Has text written with this name of the operators.

    >>> with operators_named("ag__1"):
    ...     print(operators_name())
    ag__1
    """
    token = _operators.set(name)
    try:
        yield
    finally:
        _operators.reset(token)


def words_of(text: str) -> set[str]:
    """The words of a text, and the identifiers that Python takes them for.

    >>> sorted(words_of("f(x)"))
    ['f', 'x']
    """
    words = set(re.findall(r"\w+", text))
    if not text.isascii():
        words |= {unicodedata.normalize("NFKC", word) for word in words}
    return words


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

    def parameter(self, wish: str) -> str:
        """A name for the parameter of a function that otherwise uses names of the text only.

        >>> Names({"vars_"}).parameter("vars_")
        'vars__1'
        """
        name, number = wish, 0
        while name in self._taken:
            number += 1
            name = f"{wish}_{number}"
        return name

    def fresh(self, wish: str) -> str:
        """The name wished for, numbered where it is taken."""
        name, number = wish, self._next.get(wish, 0)
        while name in self._taken or name in self._given:
            number += 1
            name = f"{wish}_{number}"
        self._next[wish] = number
        self._given.add(name)
        return name

"""Fresh names for generated code: readable, and distinct from the user's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar

OPERATORS = ("ag__", *(f"ag__{number}" for number in range(1, 10)))
"""Names of the operators module; a text gets the first one that it does not use."""

_operators = ContextVar("operators", default=OPERATORS[0])


def operators_name() -> str:
    """Return the name of the operators in the text that is being converted.

    >>> operators_name()
    'ag__'
    """
    return _operators.get()


@contextmanager
def operators_named(name: str) -> Iterator[None]:
    """Set the name of the operators inside a `with` block.

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
    """Return the words of a text, and their NFKC-normalized identifiers.

    >>> sorted(words_of("f(x)"))
    ['f', 'x']
    """
    words = set(re.findall(r"\w+", text))
    if not text.isascii():
        words |= {unicodedata.normalize("NFKC", word) for word in words}
    return words


class Names:
    """A generator of names that are fresh in a text.

    >>> names = Names({"if_body"})
    >>> names.fresh("loop_body"), names.fresh("if_body"), names.fresh("loop_body")
    ('loop_body', 'if_body_1', 'loop_body_1')
    """

    def __init__(self, taken: Set[str]) -> None:
        """Start with the names that the text uses."""
        self._taken = taken
        self._given: set[str] = set()
        self._next: dict[str, int] = {}

    def anew(self) -> Names:
        """Return a generator for another function of the text, which may reuse names."""
        return Names(self._taken)

    def parameter(self, wish: str) -> str:
        """Return a name for the parameter of a function that uses only names of the text.

        >>> Names({"vars_"}).parameter("vars_")
        'vars_1'
        """
        name, number = wish, 0
        while name in self._taken:
            number += 1
            name = f"{wish.rstrip('_')}_{number}"
        return name

    def fresh(self, wish: str) -> str:
        """Return the wished name, with a number appended if it is taken."""
        name, number = wish, self._next.get(wish, 0)
        while name in self._taken or name in self._given:
            number += 1
            name = f"{wish.rstrip('_')}_{number}"
        self._next[wish] = number
        self._given.add(name)
        return name

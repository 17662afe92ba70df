"""Random programs about structures that hold mutable values.

Each program has two structures of one kind (a tuple, list, dict, named tuple, dataclass or object)
and one kind of value in them (a list, dict, set, deque, object or list of lists). Staged statements
replace structures by others that may hold the same value, change the values, and read them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Below = Callable[[int], int]
Lines = list[str]

DEEPEST = 2

PRELUDE = """\
import collections
import dataclasses
from typing import Any, NamedTuple


@dataclasses.dataclass
class Record:
    v: Any
    n: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    v: Any
    n: Any


@dataclasses.dataclass(slots=True)
class Slots:
    v: Any
    n: Any


class Pair(NamedTuple):
    v: Any
    n: Any


class Box:
    def __init__(self, v, n):
        self.v, self.n = v, n


class Count:
    def __init__(self, k):
        self.k = k


@dataclasses.dataclass
class Number:
    k: Any


"""


@dataclass(frozen=True)
class Outer:
    """A kind of structure.

    Args:
      made: the expression of a new one.
      value, number: the expressions of its parts.
      assigned: whether its parts can be assigned.
    """

    made: str
    value: str
    number: str
    assigned: bool = False


@dataclass(frozen=True)
class Inner:
    """A kind of mutable value.

    Args:
      made: expressions of new ones.
      changes: statements that change the value I.
      shown: the expression of what it holds.
    """

    made: tuple[str, ...]
    changes: tuple[str, ...]
    shown: str


_OUTER = (
    Outer("(V, N)", "D[0]", "D[1]"),
    Outer("[V, N]", "D[0]", "D[1]", assigned=True),
    Outer("{'v': V, 'n': N}", "D['v']", "D['n']", assigned=True),
    Outer("Record(V, N)", "D.v", "D.n", assigned=True),
    Outer("Frozen(V, N)", "D.v", "D.n"),
    Outer("Slots(V, N)", "D.v", "D.n", assigned=True),
    Outer("Pair(V, N)", "D.v", "D.n"),
    Outer("Box(V, N)", "D.v", "D.n", assigned=True),
)
_INNER = (
    Inner(
        ("[1, 2]", "[4, x]"),
        (
            "I.append(N)", "I[0] = N", "I.pop()", "I.extend([N])", "I[:] = [N, 9]",
            "I.insert(0, N)", "I.reverse()", "del I[0]",
        ),
        "list(I)",
    ),
    Inner(
        ("{'a': 1, 'b': 2}", "{'a': y, 'b': 6}"),
        ("I['a'] = N", "I['c'] = N", "I.update(a=N)", "I.pop('b', 0)", "I.setdefault('a', 3)"),
        "(I['a'], 'c' in I)",
    ),
    Inner(("{1, 2}", "{4, 6}"), ("I.add(5)", "I.discard(1)", "I.add(N)"), "(len(I), 5 in I)"),
    Inner(
        ("collections.deque([1, 2])", "collections.deque([4, x])"),
        ("I.append(N)", "I.appendleft(N)", "I[0] = N", "I.popleft()"),
        "(len(I), I[0])",
    ),
    Inner(("Count(1)", "Count(x)"), ("I.k = N", "I.k += N"), "I.k"),
    Inner(("Number(1)", "Number(x)"), ("I.k = N", "I.k += N"), "I.k"),
    Inner(
        ("[[1], [2]]", "[[4], [x]]"),
        ("I[0].append(N)", "I[0][0] = N", "I[0] = I[1]", "I[1] = [N]", "I.reverse()"),
        "(len(I[0]), I[0][0], I[1][0])",
    ),
)  # fmt: skip
_NUMBERS = ("x", "y", "2", "7", "x + 1", "n")
_TESTS = ("x > 0", "y > 0", "x > y", "n > 1", "xs[0] > 0")


@dataclass
class Writer:
    """Writes one program: `d` and `e` are structures, `w` is a value."""

    below: Below
    outer: Outer = _OUTER[0]
    inner: Inner = _INNER[0]
    loops: int = 0

    def pick(self, options: Sequence[str]) -> str:
        return options[self.below(len(options))]

    def program(self) -> str:
        self.outer = _OUTER[self.below(len(_OUTER))]
        self.inner = _INNER[self.below(len(_INNER))]
        first = [f"w = {self.new()}", f"d = {self.made('w', self.new())}"]
        first.append(f"e = {self.pick(('d', self.made('w', self.of('d'), self.new())))}")
        body = ["if " + self.pick(_TESTS) + ":", *_indented(self.block(1))]
        if self.below(2):
            body += ["else:", *_indented(self.block(1))]
        body += [line for _ in range(self.below(3)) for line in self.statement(0)]
        values = (self.of("d"), self.of("e"), "w")
        shown = [_filled(self.inner.shown, I=each) for each in values]
        shown.insert(self.below(3), _filled(self.outer.number, D="d"))
        lines = [*first, *body, f"return {', '.join(shown[: 2 + self.below(3)])}"]
        return PRELUDE + "\n".join(["def program(x, y, n, xs):", *_indented(lines)]) + "\n"

    def new(self) -> str:
        return self.pick(self.inner.made)

    def of(self, structure: str) -> str:
        """The value that a structure holds."""
        return _filled(self.outer.value, D=structure)

    def made(self, *values: str) -> str:
        return _filled(self.outer.made, V=self.pick(values), N=self.pick(_NUMBERS))

    def block(self, depth: int) -> Lines:
        return [line for _ in range(1 + self.below(3)) for line in self.statement(depth)]

    def statement(self, depth: int) -> Lines:
        simple = (self._replaced, self._replaced, self._changed, self._changed, self._renamed)
        if depth < DEEPEST and not self.below(4):
            return self.compound(depth)
        return [simple[self.below(len(simple))]()]

    def _replaced(self) -> str:
        made = self.made(self.of("d"), self.of("e"), "w", self.new())
        return f"{self.pick(('d', 'd', 'e'))} = {made}"

    def _changed(self) -> str:
        value = self.pick((self.of("d"), self.of("d"), self.of("e"), "w"))
        return _filled(self.pick(self.inner.changes), I=value, N=self.pick(_NUMBERS))

    def _renamed(self) -> str:
        forms = ["d, e = e, d", "e = d", f"w = {self.of('d')}", f"w = {self.new()}"]
        if self.outer.assigned:
            forms += [f"{_filled(self.outer.number, D='d')} = {self.pick(_NUMBERS)}"]
            forms += [f"{self.of('e')} = {self.pick(('w', self.of('d'), self.new()))}"]
        return self.pick(forms)

    def compound(self, depth: int) -> Lines:
        body = _indented(self.block(depth + 1))
        kind = self.below(4)
        if kind == 0:
            return [f"if {self.pick(_TESTS)}:", *body]
        if kind == 1:
            other = _indented(self.block(depth + 1))
            return [f"if {self.pick(_TESTS)}:", *body, "else:", *other]
        self.loops += 1
        name = f"i{self.loops}"
        if kind == 2:
            return [f"for {name} in range(n):", *body]
        return [f"{name} = n", f"while {name} > 0:", *body, f"    {name} -= 1"]


def _filled(form: str, **parts: str) -> str:
    """Replace the names of a form."""
    return re.sub(r"\b[A-Z]\b", lambda found: parts[found[0]], form)


def _indented(lines: Lines) -> Lines:
    return ["    " + line for line in lines]

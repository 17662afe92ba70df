"""Random programs that use one feature of Python in many ways.

A feature is a file of `tools.outcomes.features`: values that programs start with, what they do with
them, and texts of numbers and tests. `Writer(feature, below)` writes a short program around them:
integers in `a`, `b` and `c`, staged branches, staged loops of at most three turns.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tools.outcomes import features
from tools.outcomes.programs import Program

Below = Callable[[int], int]
Form = str | tuple[str, ...]
Lines = list[str]

DEEPEST = 2
CALLS = (
    "(3, -1, 2, (1, -2, 4)), (-3, 4, 0, (-1, -1, 0)), (0, 0, 3, (5, 0, -5)), (7, 2, 1, (2, 2, 2))"
)


@dataclass(frozen=True)
class Feature:
    """A feature of Python and the forms in which programs use it.

    In forms a capital letter is replaced: N by a number, T by a test, V by a variable, W by one to
    assign, A by a result, E and F by fresh names, and others by what `tables` lists for them. In
    compound statements a line B becomes a block, S a simple statement, J a jump out of the loop.

    Args:
      start: lines before the body, each one of several options.
      statements: simple statements, and compound ones as tuples of lines.
      shown: expressions of what the program returns.
      numbers, tests: expressions.
      prelude: the text of functions and classes.
      tables: options for other capital letters.
    """

    start: tuple[tuple[str, ...], ...]
    statements: tuple[Form, ...]
    shown: str
    numbers: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    prelude: str = ""
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def feature_names() -> list[str]:
    """Return the names of all features, in order."""
    return sorted(each.name for each in pkgutil.iter_modules(features.__path__))


def feature_of(name: str) -> Feature:
    """Return the feature that a module describes.

    Raises KeyError if there is no such module.
    """
    if name not in feature_names():
        raise KeyError(name)
    module = importlib.import_module(f"{features.__name__}.{name}")
    return module.FEATURE  # type: ignore[no-any-return]


_NAMES = ("a", "b", "c")
_TABLES: dict[str, tuple[str, ...]] = {
    "N": (
        "V", "V", "V", "1", "2", "-1", "x", "y", "(N + N) % 50", "(N - N)", "(N * 3) % 41",
        "N % 5", "N // 3", "-N", "abs(N)", "max(N, N)", "(N if T else N)", "xs[0]", "xs[N % 3]",
    ),
    "T": (
        "V > 0", "N > N", "N == 1", "N <= N", "(T and T)", "(T or T)", "(not T)", "x > y",
        "xs[1] > 0", "N in (1, 2, 3)",
    ),
}  # fmt: skip
_SIMPLEST = {"N": "a", "T": "x > 0"}
_STATEMENTS: tuple[Form, ...] = (
    "W = N", "W += N", "a, b = b, N", "b, c = c, b",
    ("if T:", "    B"), ("if T:", "    B"), ("if T:", "    B", "else:", "    B"),
    ("if T:", "    B", "elif T:", "    B", "else:", "    B"), ("if T:", "    S"),
    ("for E in range(n):", "    B"), ("for E in xs:", "    W = E", "    B"),
    ("for E in range(n):", "    B", "    J"), ("for E in range(2):", "    B"),
    ("E = 0", "while E < n:", "    E += 1", "    B"),
    ("E = 0", "while E < n and (T):", "    E += 1", "    B", "    J"),
    ("if T:", "    return A"),
)  # fmt: skip
_JUMPS: tuple[Form, ...] = (
    ("if T:", "    break"), ("if T:", "    continue"), ("if T:", "    S", "    break"),
    ("if T:", "    return A"), "W = N",
)  # fmt: skip


@dataclass
class Writer:
    """Writes one program about a feature."""

    feature: Feature
    below: Below
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def program(self) -> str:
        feature = self.feature
        body = [f"{', '.join(_NAMES)} = x, 1, y", *(self.pick(each) for each in feature.start)]
        for _ in range(2 + self.below(5)):
            body += self.statement(0)
        body += [f"return a, b, c, {feature.shown}"]
        lines = [feature.prelude, "", "def program(x, y, n, xs):", *_indented(body)]
        return "\n".join(lines).lstrip("\n") + "\n"

    def pick(self, options: Sequence[str]) -> str:
        return options[self.below(len(options))]

    def statement(self, depth: int) -> Lines:
        """A statement of the feature, two times of three; a simple one in the deepest blocks."""
        forms = _STATEMENTS if self.below(3) == 0 else self.feature.statements
        if depth >= DEEPEST:
            forms = tuple(each for each in forms if isinstance(each, str)) or ("W = N",)
        return self.lines(forms[self.below(len(forms))], depth)

    def lines(self, form: Form, depth: int) -> Lines:
        names = {each: f"{each.lower()}{next(self.fresh)}" for each in "EF"}
        if isinstance(form, str):
            return self.filled(form, names).split("; ")
        found: Lines = []
        for line in form:
            text = line.lstrip()
            margin = " " * (len(line) - len(text))
            found += [margin + each for each in self._part(text, names, depth)]
        return found

    def _part(self, text: str, names: dict[str, str], depth: int) -> Lines:
        """The lines of one line of a compound statement."""
        if text == "B":
            return [line for _ in range(1 + self.below(2)) for line in self.statement(depth + 1)]
        if text == "S":
            return self.statement(DEEPEST)
        if text == "J":
            return self.lines(_JUMPS[self.below(len(_JUMPS))], depth)
        return [self.filled(text, names)]

    def filled(self, form: str, names: dict[str, str], depth: int = 0) -> str:
        """Replace the capital letters of a form."""

        def fill(found: re.Match[str]) -> str:
            letter = found[0]
            if letter in names:
                return names[letter]
            if letter in "VW":
                return self.pick(_NAMES)
            if letter == "A":
                return f"{self.pick(_NAMES)}, b, c, {self.feature.shown}"
            if depth > 2 and letter in _SIMPLEST:
                return _SIMPLEST[letter]
            return self.filled(self.pick(self._options(letter)), names, depth + 1)

        return re.sub(r"\b[A-Z]\b(?!['\"])", fill, form)

    def _options(self, letter: str) -> Sequence[str]:
        own = {"N": self.feature.numbers, "T": self.feature.tests}.get(letter)
        if own and self.below(2):
            return own
        return _TABLES[letter] if letter in _TABLES else self.feature.tables[letter]


def generate(seed: int, name: str, item: str = "random") -> Program:
    """Return the program of a seed about a feature."""
    chance = random.Random(f"{name} {seed}")
    simple = chance.random() / 3

    def below(n: int) -> int:
        return 0 if chance.random() < simple else chance.randrange(n)

    text = Writer(feature_of(name), below).program()
    return Program(f"{item}:{name}", f"seed_{seed}", text, CALLS)


def _indented(lines: Lines) -> Lines:
    return ["    " + line if line else line for line in lines]

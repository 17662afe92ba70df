"""Random programs over two floats and an integer, with mutable state, that end.

`program(seed)` writes one as text. Numbers are dyadic fractions, so that single precision is exact
and tests have one answer. `f(x, y, n)` gives a tuple of floats, or raises.
"""

from __future__ import annotations

import random
from collections.abc import Callable

HEADER = """
class Box:
    def __init__(self, v):
        self.v = v
        self.w = 0.5

    def add(self, k):
        self.v = self.v + k
        return self.v

    def swap(self):
        self.v, self.w = self.w, self.v


def bump(values, k):
    values[1] = values[1] + k
    if k > 0.5:
        values[2] = k


def pick(a, b):
    if a > b:
        return a
    return b - a


def f(x, y, n):
    t = 0.25
    items = [x, 1.0, y]
    other = items
    d = {"a": x, "b": 0.5}
    o = Box(y)
    rows = [[x], [y, 0.0]]

    def inc(k):
        nonlocal t
        t = t + k
        rows[1][1] = rows[1][1] - k
        return t

"""

RESULT = (
    "x",
    "y",
    "t",
    "items[0]",
    "items[1]",
    "items[2]",
    'd["a"]',
    'd["b"]',
    "o.v",
    "o.w",
    "rows[0][0]",
    "rows[1][0]",
    "rows[1][1]",
)
INPUTS = [(1.5, -0.5, 3), (-2.0, 0.75, 2), (0.25, 3.0, 0), (4.0, -1.0, 1)]

_TARGETS = (*RESULT, "other[0]", "other[2]")
_CONSTANTS = ("0.5", "-1.25", "2.0", "0.0", "-0.75")


class _Writer:
    def __init__(self, seed: int, returns: bool, raises: bool, whiles: bool) -> None:
        self._random = random.Random(seed)
        self._returns = returns
        self._raises = raises
        self._whiles = whiles
        self._lines: list[str] = []
        self._labels = 0
        self._budget = 14

    def _one_of(self, options: tuple[str, ...]) -> str:
        return self._random.choice(options)

    def _float(self, depth: int = 1) -> str:
        kind = self._random.randrange(8)
        if depth == 0 or kind < 3:
            return self._one_of((*_TARGETS, *_CONSTANTS))
        if kind < 6:
            operator = self._one_of(("+", "-"))
            return f"{self._float(depth - 1)} {operator} {self._float(0)}"
        if kind == 6:
            return f"({self._float(depth - 1)}) * 0.5"
        return self._one_of((f"pick({self._float(0)}, {self._float(0)})", f"-({self._float(0)})"))

    def _test(self) -> str:
        kind = self._random.randrange(10)
        plain = f"{self._float()} {self._one_of(('<', '>', '<=', '>='))} {self._float(0)}"
        if kind < 6:
            return plain
        if kind == 6:
            return f"n > {self._random.randrange(3)}"
        if kind == 7:
            return f"not {plain}"
        joined = self._one_of(("and", "or"))
        return f"{plain} {joined} {self._float(0)} > {self._float(0)}"

    def _write(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)

    def _block(self, indent: int, in_loop: bool, depth: int) -> None:
        for _ in range(self._random.randrange(1, 4)):
            self._statement(indent, in_loop, depth)

    def _statement(self, indent: int, in_loop: bool, depth: int) -> None:
        self._budget -= 1
        kind = self._random.randrange(20)
        if self._budget > 0 and depth < 3 and kind >= 12:
            if kind >= 16 and depth < 2:
                self._loop(indent, depth)
            else:
                self._if(indent, in_loop, depth)
        elif kind >= 9:
            self._jump(indent, in_loop)
        else:
            self._write(indent, self._change(kind))

    def _change(self, kind: int) -> str:
        if kind < 4:
            return f"{self._one_of(_TARGETS)} = {self._float()}"
        if kind == 4:
            return f"{self._one_of(_TARGETS)} {self._one_of(('+=', '-='))} {self._float(0)}"
        if kind == 5:
            return f"o.add({self._float(0)})"
        if kind == 6:
            return f"bump({self._one_of(('items', 'other'))}, {self._float(0)})"
        if kind == 7:
            return f"{self._one_of(_TARGETS)} = inc({self._float(0)})"
        return self._one_of(("o.swap()", "x, y = y, x", f"t = x if {self._test()} else y"))

    def _jump(self, indent: int, in_loop: bool) -> None:
        kinds = ["pass"]
        if in_loop:
            kinds += ["break", "continue", "break"]
        if self._returns:
            values = [*RESULT[1:], self._float()]
            kinds.append(f"return {', '.join(values)}")
        if self._raises:
            self._labels += 1
            kinds += [
                f'raise ValueError("e{self._labels}")',
                f'assert {self._test()}, "a{self._labels}"',
            ]
        kind = self._one_of(tuple(kinds))
        if kind.startswith("assert"):
            self._write(indent, kind)
            return
        self._write(indent, f"if {self._test()}:")
        if self._random.randrange(2):
            self._write(indent + 1, self._change(self._random.randrange(9)))
        self._write(indent + 1, kind)

    def _if(self, indent: int, in_loop: bool, depth: int) -> None:
        self._write(indent, f"if {self._test()}:")
        self._block(indent + 1, in_loop, depth + 1)
        if self._random.randrange(3) == 0:
            self._write(indent, f"elif {self._test()}:")
            self._block(indent + 1, in_loop, depth + 1)
        if self._random.randrange(2):
            self._write(indent, "else:")
            self._block(indent + 1, in_loop, depth + 1)

    def _loop(self, indent: int, depth: int) -> None:
        self._labels += 1
        counter = f"i{self._labels}"
        kind = self._random.randrange(3 if self._whiles else 1)
        if kind == 0:
            self._write(indent, f"for {counter} in range({self._random.randrange(1, 4)}):")
        elif kind == 1:
            self._write(indent, f"for {counter} in range(n):")
        else:
            self._write(indent, f"{counter} = n")
            self._write(indent, f"while {counter} > 0:")
            self._write(indent + 1, f"{counter} = {counter} - 1")
        self._block(indent + 1, True, depth + 1)
        if self._random.randrange(4) == 0:
            self._write(indent, "else:")
            self._write(indent + 1, self._change(self._random.randrange(9)))

    def text(self) -> str:
        for _ in range(self._random.randrange(2, 5)):
            self._statement(1, False, 0)
        self._write(1, f"return {', '.join(RESULT)}")
        return HEADER + "\n".join(self._lines) + "\n"


def program(seed: int, *, returns: bool = True, raises: bool = True, whiles: bool = True) -> str:
    """The text of a program that defines `f(x, y, n)`.

    Args:
      seed: chooses it.
      returns, raises: whether it may leave early so.
      whiles: whether it has loops of a number of iterations that only the arguments say.
    """
    return _Writer(seed, returns, raises, whiles).text()


def outcome(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    """The values, or how a traceback names the error."""
    try:
        return function(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"

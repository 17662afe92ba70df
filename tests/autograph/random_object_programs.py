"""Random programs over two floats and an integer that choose, alias and change objects, and end.

`program(seed)` writes one as text: lists and records under several names, the smallest of several
lists, branches that bind a name to one of two objects, closures, numbers and arrays in one
variable. `f(x, y, n)` returns a nested structure of floats, or raises. `tensors` adds a vector that
is changed in place, as PyTorch has it.
"""

from __future__ import annotations

import random

HEADER = """
class Box:
    def __init__(self, v):
        self.v = v
        self.w = [0.5, v]

    def add(self, k):
        self.v = self.v + k
        self.w[0] = k
        return self


def change(row, k):
    if k > 0:
        row[1] = row[0] + k
        return row
    row[0] = k
    return [k, row[1]]


def first_above(rows, k):
    for row in rows:
        if row[0] > k:
            return row
    return rows[0]


def f(x, y, n):
    k = 0
    t = 0.25
    a = [x, 1.0]
    b = [y, x]
    c = a
    rows = [a, b, [0.25, y]]
    d = {"x": x, "one": 1.0}
    records = [{"key": x, "v": 1.0}, {"key": y, "v": x}]
    o = Box(x)
    p = Box(0.5)
    m = b
    best = None

    def inc(s):
        nonlocal t, k
        t = t + s
        k += 1
        b[0] = t
        return t

    steps = [inc, lambda s: s * 0.5]
"""
VECTOR = """
    v = torch.stack([x, y, x + y])
    w = v
    u = torch.zeros(3)
"""
HEAD_OF_TENSORS = "import torch\n"

NUMBERS = (
    "x", "y", "t", "k", "a[0]", "a[1]", "b[0]", "c[1]", "m[0]", "m[1]", "o.v", "o.w[0]", "p.v",
    "rows[2][0]", 'd["x"]', 'd["one"]', 'records[0]["v"]', 'records[1]["key"]',
)  # fmt: skip
LISTS = ("a", "b", "c", "m", "rows[0]", "rows[1]", "rows[2]", "o.w", "p.w")
STRUCTURES = (*LISTS, "rows", "d", "records", "[o.v, o.w]", "[p.v, p.w]", "t", "k", "x", "y")
VECTORS = ("v", "w", "u")
_CONSTANTS = ("0.5", "-1.25", "2.0", "0", "3", "-0.75")


class _Writer:
    def __init__(self, seed: int, tensors: bool) -> None:
        self._random = random.Random(seed)
        self._tensors = tensors
        self._lines: list[str] = []
        self._budget = 9
        self._labels = 0

    def _one_of(self, options: tuple[str, ...]) -> str:
        return self._random.choice(options)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _number(self, depth: int = 1) -> str:
        if self._tensors and self._chance(0.2):
            return f"{self._one_of(VECTORS)}{self._one_of(('[0]', '[2]', '.sum()', '[n - n]'))}"
        if depth == 0 or self._chance(0.5):
            return self._one_of((*NUMBERS, *NUMBERS, *_CONSTANTS))
        return self._one_of(
            (
                f"{self._number(0)} + {self._number(0)}",
                f"{self._number(0)} - {self._number(0)}",
                f"{self._number(0)} * 0.5",
                f"max({self._number(0)}, {self._number(0)})",
                f"abs({self._number(0)})",
                f"({self._number(0)} if {self._test()} else {self._number(0)})",
            )
        )

    def _test(self) -> str:
        plain = f"{self._number(0)} {self._one_of(('<', '>', '<=', '>='))} {self._number(0)}"
        return self._one_of(
            (
                plain,
                plain,
                plain,
                f"n > {self._random.randrange(3)}",
                f"not {plain}",
                f"{plain} and {self._number(0)} > 0",
                f"{plain} or {self._number(0)} < 1",
            )
        )

    def _write(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)

    def _change(self) -> str:
        """One line that changes something."""
        if self._tensors and self._chance(0.4):
            return self._tensor_change()
        name = self._one_of(LISTS)
        return self._one_of(
            (
                f"{self._one_of(NUMBERS)} = {self._number()}",
                f"{self._one_of(NUMBERS)} = {self._number()}",
                f"{self._one_of(NUMBERS)} {self._one_of(('+=', '-=', '*='))} {self._number(0)}",
                f"{name}[{self._one_of(('0', '1', '-1'))}] = {self._number()}",
                f"{self._one_of(('a', 'b', 'c', 'm'))} = {name}",
                f"{self._one_of(('m', 'a', 'rows[2]'))} = [{self._number(0)}, {self._number(0)}]",
                f"m = {name} if {self._test()} else {self._one_of(LISTS)}",
                f"m = {self._one_of(('min', 'max'))}([a, b, m], key=lambda r: r[0])",
                f"m = {self._one_of(('min', 'max'))}(rows, key=lambda r: r[{self._one_of('01')}])",
                "best = max(records, key=lambda r: r['key'])['v']; d['one'] = best",
                f"o = o if {self._test()} else p",
                "o, p = p, o",
                f"o.add({self._number(0)})",
                f"p = {self._one_of(('o', 'p'))}.add({self._number(0)})",
                f"{self._one_of('op')}.w = {self._one_of(LISTS)}",
                f"m = change({name}, {self._number(0)})",
                f"m = first_above(rows, {self._number(0)})",
                f"t = steps[{self._one_of('01')}]({self._number(0)})",
                f"inc({self._number(0)})",
                f"d = dict(d, {self._one_of(('x', 'one'))}={self._number(0)})",
                f"rows = [{self._one_of(LISTS)}, {self._one_of(LISTS)}, m]",
                f"a, b = b, {self._one_of('abc')}",
                "records[0], records[1] = records[1], records[0]",
                f"k = {self._one_of(('k + 1', '2', 'int(n) + 1', 'len(rows)'))}",
            )
        )

    def _tensor_change(self) -> str:
        vector = self._one_of(VECTORS)
        return self._one_of(
            (
                f"{vector} += {self._number(0)}",
                f"{vector} *= 0.5",
                f"{vector}[{self._one_of(('0', '1', '-1', 'n - n'))}] = {self._number(0)}",
                f"{vector}[1:] += {self._number(0)}",
                f"{vector} = {self._one_of(VECTORS)}",
                f"{vector} = {self._one_of(VECTORS)} + {self._number(0)}",
                f"{vector} = {self._one_of(VECTORS)} if {self._test()} else u",
                f"{vector}.add_({self._one_of(VECTORS)})",
                f"{self._one_of('ab')}[0] = {vector}.max()",
                f"o.w = [{vector}.sum(), 1.0]",
                f"u = torch.where({vector} > 0, {vector}, {self._number(0)})",
            )
        )

    def _block(self, indent: int, in_loop: bool, depth: int) -> None:
        for _ in range(self._random.randrange(1, 3)):
            self._statement(indent, in_loop, depth)

    def _statement(self, indent: int, in_loop: bool, depth: int) -> None:
        self._budget -= 1
        if self._budget < 0 or depth == 3 or self._chance(0.5):
            self._write(indent, self._change())
        elif self._chance(0.35) and depth < 2:
            self._loop(indent, depth)
        elif self._chance(0.2):
            self._write(indent, f"if {self._test()}:")
            jumps = ("break", "continue") if in_loop and self._chance(0.7) else ("return",)
            if self._chance(0.4):
                self._write(indent + 1, self._change())
            self._write(indent + 1, self._one_of(jumps).replace("return", f"return {RESULT}"))
        else:
            self._write(indent, f"if {self._test()}:")
            self._block(indent + 1, in_loop, depth + 1)
            if self._chance(0.6):
                self._write(indent, "else:")
                self._block(indent + 1, in_loop, depth + 1)

    def _loop(self, indent: int, depth: int) -> None:
        self._labels += 1
        i = f"i{self._labels}"
        head, first = self._random.choice(
            (
                (f"for {i} in range({self._random.randrange(1, 4)}):", ""),
                (f"for {i} in range(n):", f"t = t + {i}"),
                (f"for {i} in rows:", f"{i}[1] = {self._number()}"),
                (f"for {i} in records:", f'{i}["v"] = {i}["key"] + k'),
                (f"for {i}, m in enumerate(rows):", f"m[0] = m[1] + {i}"),
                (f"for {i} in [o, p]:", f"{i}.v = {self._number()}"),
            )
        )
        self._write(indent, head)
        if first:
            self._write(indent + 1, first)
        self._block(indent + 1, True, depth + 1)

    def text(self) -> str:
        header = HEADER
        results = list(STRUCTURES)
        if self._tensors:
            header = HEAD_OF_TENSORS + HEADER + VECTOR
            results += VECTORS
        for _ in range(self._random.randrange(2, 5)):
            self._statement(1, False, 0)
        # Of what one of several objects is only some may be asked; so few are.
        shown = f"[{', '.join(self._random.sample(results, self._random.randrange(1, 5)))}]"
        self._write(1, f"return {shown}")
        return header + "\n".join(self._lines).replace(RESULT, shown) + "\n"


RESULT = "RESULT"


def program(seed: int, *, tensors: bool = False) -> str:
    """Return the text of a program that defines `f(x, y, n)`."""
    return _Writer(seed, tensors).text()

"""Random programs with mutable state, for staging.

`generate(seed)` writes a program over integers, lists, dicts, objects and closures that share
their parts. `Writer(below)` does the same from any source of choices: `below(n)` gives a number in
`range(n)`, and 0 is always the simplest choice. Every program ends: loops count to at most three.
Numbers stay small, so int32 holds them.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tools.outcomes import alias_programs, feature_programs, record_programs
from tools.outcomes.families import FAMILIES, STATEMENTS, Family
from tools.outcomes.programs import Program

Below = Callable[[int], int]
Lines = list[str]

CALLS = (
    "(3, -1, 2, (1, -2, 4)), (-3, 4, 0, (-1, -1, 0)), (0, 0, 3, (5, 0, -5)), (7, 2, 1, (2, 2, 2))"
)
DEEPEST = 3
NUMBERS = ("a", "b", "c")

PRELUDE = """\
COUNTS = [0, 0]
TABLE = {"k": 0, "rows": [[1], [2]]}


class Box:
    kind = 5

    def __init__(self, n):
        self.n = n
        self.row = [n, 0]
        self.sets = 0

    @property
    def level(self):
        return self.n * 2

    @level.setter
    def level(self, value):
        self.sets += 1
        self.n = value

    def add(self, k):
        if k > self.n:
            self.n += k % 5
        return self.n

    def put(self, i, value):
        self.row[i] = value
        return self


class Noted:
    def __init__(self):
        self.__dict__["writes"] = 0
        self.__dict__["m"] = 1

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        self.__dict__["writes"] += 1


class Spare:
    pass


class Square:
    sides = 4

    def __init__(self, n):
        self.n = n

    def area(self):
        return self.n * self.n % 50

    def grown(self, k):
        return Flat(self.n, k % 5) if k > 1 else self

    def shrink(self):
        self.n -= 1
        return self.n


class Flat(Square):
    sides = 2

    def __init__(self, n, high):
        super().__init__(n)
        self.high = high

    def area(self):
        return self.n * self.high

    def grown(self, k):
        if k < 0:
            self.high += 1
            return self
        return Square(k)


class Hue(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

    def after(self):
        if self is Hue.RED:
            return Hue.GREEN
        return Hue.BLUE if self is Hue.GREEN else Hue.RED


SHADES = {Hue.RED: 0, Hue.GREEN: 0, Hue.BLUE: 0}


class Shelf:
    def __init__(self):
        self.items = []

    def put(self, k):
        if k in self:
            self.items.append(k)

    def __len__(self):
        return len(self.items)

    def __contains__(self, k):
        return k % 3 != len(self.items) % 3


def change(row, k):
    if k > 0:
        row[0] = k
    elif k < -2:
        row[0], row[1] = row[1], row[0]
    return row[1]


def first(*, row, k):
    for i in range(2):
        if k > i:
            row[i] += 1


def smaller(k):
    if k < 0:
        return -1
    COUNTS[0] += 1
    return k


def counted(k):
    for i in range(k):
        yield i + 1


def found(k):
    if k > 1:
        return k


def passed(k):
    return found(k)


def size(k):
    if k is None:
        return 9
    return k % 7
"""


@dataclass
class Scope:
    """What a statement may use and do at its place."""

    depth: int = 0
    staged: bool = False  # inside a block that only the running graph decides on
    loop: bool = False
    returns: bool = False
    names: tuple[str, ...] = NUMBERS
    targets: tuple[str, ...] = NUMBERS  # without what counts the turns of a `while`

    def deeper(self, **changes: object) -> Scope:
        return replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]


@dataclass
class Writer:
    """Writes one program."""

    below: Below
    families: tuple[Family, ...] = ()
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def pick(self, options: Sequence[str]) -> str:
        return options[self.below(len(options))]

    # -- expressions: small integers --

    def number(self, scope: Scope, depth: int = 0) -> str:
        if depth >= 2:
            return self.pick(("1", *scope.names))
        return self._filled(self.form(_NUMBERS, "numbers"), scope, depth)

    def test(self, scope: Scope, depth: int = 0) -> str:
        if depth >= 2:
            return f"{self.pick(scope.names)} > 0"
        return self._filled(self.form(_TESTS, "tests"), scope, depth)

    def form(self, common: Sequence[str], kind: str) -> str:
        """A form of every program, or one of the families of this one."""
        own = [form for family in self.families for form in getattr(family, kind)]
        return self.pick(own) if own and self.below(3) == 2 else self.pick(common)

    def _filled(self, form: str, scope: Scope, depth: int) -> str:
        """Replace N, T, R, I, V, W by a number, test, list, index, name, assignable name."""
        fill: dict[str, Callable[[], str]] = {
            "N": lambda: self.number(scope, depth + 1),
            "T": lambda: self.test(scope, depth + 1),
            "R": lambda: self.pick(_ROWS),
            "I": lambda: self.pick(("0", "1", "-1")),
            "V": lambda: self.pick(scope.names),
            "W": lambda: self.pick(scope.targets),
        }
        return re.sub(r"\b[NTRIVW]\b", lambda found: fill[found[0]](), form)

    # -- statements --

    def block(self, scope: Scope, most: int) -> Lines:
        lines: Lines = []
        for _ in range(1 + self.below(most)):
            lines += self.statement(scope)
        return lines

    def inner(self, scope: Scope, **changes: object) -> Lines:
        return _indented(self.block(scope.deeper(**changes), 3))

    def statement(self, scope: Scope) -> Lines:
        simple = (self.write, self.write, self.write, self.write, self.dead_name, self.jump)
        compound = (
            self.if_, self.if_, self.if_, self.python_loop, self.staged_loop, self.staged_loop,
            self.rebind, self.local_function, *([self.compound] * bool(self.families)),
        )  # fmt: skip
        forms = simple if scope.depth >= DEEPEST else (*simple, *compound)
        return forms[self.below(len(forms))](scope)

    def write(self, scope: Scope) -> Lines:
        return [self._filled(self.form(_WRITES, "writes"), scope, 0)]

    def compound(self, scope: Scope) -> Lines:
        """One of the statements that families bring along."""
        name = f"e{next(self.fresh)}"
        form = STATEMENTS[self.below(len(STATEMENTS))]
        bound = any(re.search(r"\b(for|as) E\b", line) for line in form)
        inner = replace(scope, names=(*scope.names, name) if bound else scope.names)
        loop = form[0].startswith(("for", "while"))
        lines = []
        for line in form:
            text = line.lstrip()
            margin = " " * (len(line) - len(text))
            lines += [margin + each for each in self._part(text, inner, loop, name)]
        return lines

    def _part(self, text: str, scope: Scope, loop: bool, name: str) -> Lines:
        """The lines of one line of a compound statement."""
        if text == "B":
            return self.block(scope.deeper(), 2)
        if text == "S":
            return self.write(scope)
        if text == "J":
            return self.jump(replace(scope, loop=loop))
        return [self._filled(re.sub(r"\bE\b", name, text), scope, 0)]

    def dead_name(self, scope: Scope) -> Lines:
        """A name for a part of something, written under a test and not read again."""
        name = f"part{next(self.fresh)}"
        source, write = _PARTS[self.below(len(_PARTS))]
        body = self._filled(write.replace("part", name), scope, 0)
        lines = [f"{name} = {source}"]
        if self.below(3):
            return [*lines, f"if {self.test(scope)}:", *_indented([body])]
        return [*lines, body]

    def jump(self, scope: Scope) -> Lines:
        options = ["return"] * scope.returns + ["break", "continue"] * scope.loop
        if not options:
            return self.write(scope)
        jump = self.pick(options)
        if jump == "return":
            jump = f"return {self.number(scope)}"
        return [f"if {self.test(scope)}:", *_indented([*self.write(scope), jump])]

    def if_(self, scope: Scope) -> Lines:
        lines = [f"if {self.test(scope)}:", *self.inner(scope, staged=True)]
        for _ in range(self.below(2)):
            lines += [f"elif {self.test(scope)}:", *self.inner(scope, staged=True)]
        if self.below(2):
            lines += ["else:", *self.inner(scope, staged=True)]
        return lines

    def python_loop(self, scope: Scope) -> Lines:
        name = f"e{next(self.fresh)}"
        head, body = _PYTHON_LOOPS[self.below(len(_PYTHON_LOOPS))]
        inner = replace(scope, names=(*scope.names, name) if "{e}" not in body else scope.names)
        first = [self._filled(body.format(e=name), scope, 0)] if body else []
        if body and self.below(2):
            first = [f"if {self.test(scope)}:", *_indented(first)]
        return [head.format(e=name), *_indented(first), *self.inner(inner, loop=True)]

    def staged_loop(self, scope: Scope) -> Lines:
        name = f"k{next(self.fresh)}"
        kind = self.below(3)
        inner = replace(scope, names=(*scope.names, name))
        if kind < 2:
            inner.targets = (*scope.targets, name)
        body = self.inner(inner, loop=True, staged=True)
        if kind == 0:
            return [f"for {name} in range(n):", *body]
        if kind == 1:
            return [f"for {name} in xs:", *body]
        head = (
            f"while {name} < n and {self.test(inner)}:" if self.below(2) else f"while {name} < n:"
        )
        return [f"{name} = 0", head, f"    {name} += 1", *body]

    def rebind(self, scope: Scope) -> Lines:
        if scope.staged and self.below(4):
            return self.write(scope)
        return [self._filled(self.pick(_REBINDINGS), scope, 0)]

    def local_function(self, scope: Scope) -> Lines:
        name = f"f{next(self.fresh)}"
        inner = Scope(max(scope.depth + 1, 2), returns=True, names=(*NUMBERS, "p"))
        shared = f"nonlocal {', '.join([*NUMBERS, *self._own_names()])}"
        body = [shared, *self.block(inner, 2), f"return {self.number(inner)}"]
        call = f"a = {name}({self.number(scope)})"
        calls = [f"if {self.test(scope)}:", f"    {call}"] if self.below(2) else [call]
        return [f"def {name}(p):", *_indented(body), *calls]

    def program(self) -> str:
        start = [
            "a, b, c = x, 1, y",
            self.pick(_FIRST_LISTS),
            self.pick(_SECOND_LISTS),
            self.pick(_GRIDS),
            self.pick(_DICTS),
            "o = Box(1)",
            self.pick(("q = Box(2)", "q = o")),
            "s = Noted()",
            "out = []",
            *(f"{family.name} = {family.start}" for family in self.families),
        ]
        scope = Scope(returns=True)
        shared = ", ".join(["nonlocal a, b, c, v, w, g, d, o, q", *self._own_names()])
        first = [*self.if_(scope), *self.staged_loop(scope)] if self.below(3) else []
        body = ["def body():", *_indented([shared, *first, *self.block(scope, 5), "return 0"])]
        outside = PRELUDE.splitlines()
        inside = [] if self.below(4) == 3 else outside
        start = [*(inside or _COUNTED), *start]
        identity = ("same = v is w, o is q, g[0] is v",) if self.below(4) == 3 else ("same = ()",)
        own = ("own = [" + ", ".join(family.shown for family in self.families) + "]",)
        end = (*END[:-1], *identity, *own, END[-1])
        lines = ["def program(x, y, n, xs):", *_indented([*start, *body, *end])]
        return "\n".join([*IMPORTS, "", *(outside if not inside else []), *lines]) + "\n"

    def _own_names(self) -> Lines:
        return [family.name for family in self.families]


IMPORTS = (
    "import argparse", "import contextlib", "import enum", "import functools", "import operator",
    "import weakref",
    "from collections import Counter, defaultdict, deque",
)  # fmt: skip
END = (
    "r = body()",
    "boxes = [(box.n, box.row, box.sets) for box in (o, q)]",
    "return r, a, b, c, v, w, g, d, boxes, s.m, s.writes, out, COUNTS, TABLE, same, own",
)
_COUNTED = (
    "COUNTS[:] = [each + (x - x) for each in COUNTS]",
    'TABLE["k"] += x - x',
    'for row in TABLE["rows"]:',
    "    row[0] += x - x",
)
"""Has globals hold tensors: what a function does to Python values happens while it is traced."""
_FIRST_LISTS = ("v = [1, 2, 3]", "v = [x, 2, 3]")
_SECOND_LISTS = ("w = [4, 5, 6]", "w = v", "w = v[:]")
_GRIDS = ("g = [[1, 2], [3, 4]]", "g = [[1, 2], v]", "g = [[0, 1]] * 2", "g = [v, w]")
_DICTS = ('d = {"p": 1, "r": [5, 6]}', 'd = {"p": 1, "r": v}', 'd = {"p": x, "r": g[0]}')
_ROWS = ("v", "w", "g[0]", "g[1]", 'd["r"]', "o.row", "q.row", "COUNTS")
_NUMBERS = (
    "V", "1", "2", "-1", "(N + N)", "(N - N)", "(N * 3) % 41", "N % 7", "N // 3", "-N",
    "max(N, N)", "abs(N)", "R[I]", "R[0]", "o.n", "q.n", "o.level", "Box.kind", 'd["p"]',
    "(N if T else N)", "len(R)", "change(R, N)", "smaller(N)", "o.add(N % 9)", "sum(R[:2])",
    "max(R[:2])", 'TABLE["k"]', "(lambda z: z + V)(N)", "[z + V for z in R][0]", "s.m",
    "min(xs[0], N)",
)  # fmt: skip
_TESTS = (
    "V > 0", "N > N", "N == 1", "(T and T)", "(T or T)", "(not T)", "x > y", "R[0] < N",
    "o.n > 1", "q.level < N", "0 < N <= 3", "N in (1, 2, 3)", "N in []", "xs[1] > 0", "len(v) > 2",
    'd["p"] != 0', "smaller(N) > 0", "any(z > 1 for z in xs)",
)  # fmt: skip
_WRITES = (
    "W = N", "W = N", "W += N", "a, b = b, N", "R[I] = N", "R[I] = N", "R[0] += N", "R[I] -= 1",
    "R[0], R[1] = R[1], N", 'd["p"] = N', 'd["p"] += 1', "o.n = N", "q.n += 1", "o.level = N",
    "q.level += 1", "o.row = [N, N]", "o.put(0, N).put(1, V)", "o.add(N % 9)", "q.add(2)",
    "change(R, N)", "first(row=R, k=N)", "first(k=N, row=w)", "s.m = N", "setattr(o, 'n', N)",
    "d.update(p=N)", "d |= {'p': N}", "v.reverse()", "R[:2] = [N, N]", "TABLE['k'] = N",
    "TABLE['rows'][1][0] += 1", "COUNTS[1] += N", "a = b = N", "R[0] = W = N", "out.append(N)",
    "v.sort()", "x if T else change(R, V)", "o.__dict__['n'] = N", "operator.setitem(R, 0, N)",
)  # fmt: skip
_PARTS = (
    ("g[0]", "part[1] = N"), ("g[-1]", "part[0] += N"), ("o", "part.n = N"),
    ("q", "part.row[0] = N"), ("o.row", "part[0] = N"), ('d["r"]', "part[1] = N"),
    ("d", 'part["p"] = N'), ("v", "part[:2] = [N, 7]"), ("o.put", "part(1, N)"),
    ("v.__setitem__", "part(0, N)"), ("TABLE['rows'][0]", "part[0] = N"),
    ("lambda k: change(v, k)", "part(N)"), ("[o, q][1]", "part.level = N"),
    ("g[1][:]", "part[0] = N"),
)  # fmt: skip
_PYTHON_LOOPS = (
    ("for {e} in range(2):", ""), ("for {e} in v[:3]:", ""), ("for {e} in (1, a):", ""),
    ("for {e} in g:", "{e}[0] = N"), ("for {e} in (o, q):", "{e}.n += V"),
    ("for {e} in [v, w]:", "{e}[1] += 1"), ("for {e} in [d]:", '{e}["p"] = V'),
    ("for _, {e} in enumerate(g):", "{e}[1] = N"), ("for {e}, _ in zip(g, v):", "{e}[0] -= 1"),
    ("for {e} in TABLE['rows']:", "{e}[0] = N"), ("for {e} in (o, q):", "{e}.level = N"),
)  # fmt: skip
_REBINDINGS = (
    "v = [N, N, 3]", "w = v", "g = [w, v]", "w = [1, 2, N]", "o = q", "q = Box(N)",
    "g = [[N, 1], [2, 3]]", 'd = {"p": N, "r": [1, N]}', "v, w = w, v", "o, q = q, o", "g[0] = w",
    "d['r'] = w", "o.row = w",
)  # fmt: skip


def _indented(lines: Lines) -> Lines:
    return ["    " + line if line else line for line in lines]


def generate(seed: int, item: str = "random") -> Program:
    """Return the program of a seed.

    Every fourth is about a feature of Python, many others about identity or structures.
    """
    if seed % 4 == 3:
        names = feature_programs.feature_names()
        about = feature_programs.generate(seed, names[seed // 4 % len(names)])
        return replace(about, item=item)
    chance = random.Random(seed)
    simple = chance.random() / 3

    def below(n: int) -> int:
        return 0 if chance.random() < simple else chance.randrange(n)

    if seed % 6 == 5:
        return Program(item, f"seed_{seed}", record_programs.Writer(below).program(), CALLS)
    if seed % 3 == 2:
        return Program(item, f"seed_{seed}", alias_programs.Writer(below).program(), CALLS)
    families = tuple(chance.sample(FAMILIES, chance.randrange(3)))
    return Program(item, f"seed_{seed}", Writer(below, families).program(), CALLS)

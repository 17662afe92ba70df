"""Objects of dataclasses with generated `==` and order, and of classes that write their own.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    Kind = Point
    p = Kind(x, 1)
    q = Kind(1, y)
    p = Kind(2, q.n)
    for e3 in range(n):
        p = Kind(p.n + 1, e3)
        if ((p, a % 5) == (p, int(q == p)) or 1 <= c):
            p = q if max(p, q).n in (1, 2, 3) else Kind(2, max(p, q).n)
            break
    return a, b, c, p.n, p.m, q.n, q.m, p == q, p < q
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
import dataclasses
import functools


@dataclasses.dataclass
class Point:
    n: int
    m: int

    def __lt__(self, other):
        return self.n < other.n


@dataclasses.dataclass(order=True)
class Ranked:
    n: int
    m: int = 2


@dataclasses.dataclass(frozen=True, order=True)
class Frozen:
    n: int
    m: int = dataclasses.field(default=3, compare=False)


@functools.total_ordering
class Card:
    def __init__(self, n, m):
        self.n, self.m = n, m

    def __eq__(self, other):
        return isinstance(other, Card) and self.n == other.n

    def __lt__(self, other):
        if self.n == other.n:
            return self.m < other.m
        return self.n < other.n
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("Kind = Point", "Kind = Ranked", "Kind = Card", "Kind = Frozen"),
        ("p = Kind(x, 1)", "p = Kind(1, 2)"), ("q = Kind(1, y)", "q = p", "q = Kind(y, x)"),
    ),
    tables={
        "O": (
            "p", "q", "p", "q", "Kind(N, N)",
        ),
    },
    numbers=(
        "O.n", "O.m", "int(O == O)", "sum([O == p, O == q])", "max(p, q).n", "min(p, q).m",
    ),
    tests=(
        "O == O", "O != O", "O < O", "O > O", "O in [p, q]", "O not in (q, p)", "[O, 1] == [O, 1]",
        "O == 3", "(O, N) == (O, N)", "O is O", "p <= q", "N < O.n",
    ),
    statements=(
        "p = Kind(N, N)", "q = Kind(N, N)", "p, q = q, p", "p = max(p, q)",
        "q = min([p, Kind(N, N)])", "p = O if T else O", "W = O.n",
        "p = max([p, q], key=lambda z: z.m)", "W = [p, q].count(O)", "W = sorted([p, q, O])[0].n",
        ("if O < O:", "    p = Kind(N, N)"), ("if O == O:", "    B", "else:", "    S"),
        ("for E in xs:", "    if Kind(E, 1) < p:", "        p = Kind(E, 1)"),
        ("for E in [p, q]:", "    if E == O:", "        W = E.n"),
        ("for E in range(n):", "    if p == Kind(E, N):", "        W = E", "        break"),
        ("if T:", "    p = q"), ("for E in range(n):", "    p = Kind(p.n + 1, E)", "    J"),
        ("W = [E for E in xs if Kind(E, 1) == p][:1] == []", "W = int(W)"),
    ),
    shown="p.n, p.m, q.n, q.m, p == q, p < q",
)  # fmt: skip

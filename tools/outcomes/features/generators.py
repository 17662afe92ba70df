"""Generators, drained whole and in part.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    v = [x, 1, y]
    it = (z + a for z in v)
    for e1 in up(y):
        b = e1
        if sorted(Rows(abs(a), [z for z in counted(halves(xs))][0])) == [1, 2, 3]:
            break
    if (len([*Rows(a, a)]) in list(counted(halves(xs))) and a % 5 <= sum(up(a))):
        c = next(iter(Rows(max(Rows(a, a)), min(z % 5 for z in up(a)))))
    a = (max(chained(up(a), v)) - b)
    return a, b, c, list(v), a
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
def up(k):
    i = 0
    while i < 3:
        yield i + k
        i += 1


def halves(row):
    for each in row:
        yield each // 2


def pairs(row):
    for i, each in enumerate(row):
        yield i, each


def chained(*rows):
    for row in rows:
        yield from row
    yield 9


def counted(row):
    total = 0
    for each in row:
        if each > 0:
            total += each
        yield total


def echo(k):
    while True:
        k = (yield k) or k + 1


class Rows:
    def __init__(self, *rows):
        self.rows = rows

    def __iter__(self):
        for row in self.rows:
            yield row + 1
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("v = [x, 1, y]", "v = [1, 2]"),
        ("it = up(x)", "it = halves(v)", "it = iter(v)", "it = (z + a for z in v)"),
    ),
    tables={
        "G": (
            "up(N)", "halves(v)", "chained(up(N), v)", "counted(v)", "(z + V for z in v)",
            "counted(halves(xs))", "Rows(N, N)", "v",
        ),
    },
    numbers=(
        "sum(G)", "max(G)", "next(iter(G))", "next(it, N)", "sum(z for z in G if z > N)",
        "list(G)[-1]", "len([*G])", "sum(i * z for i, z in pairs(v)) % 41",
        "min(z % 5 for z in G)", "next(echo(N))", "[z for z in G][0]",
        "sum(1 for z in G if z > N)",
    ),
    tests=(
        "any(z > N for z in G)", "all(z > N for z in G)", "N in list(G)", "next(it, 0) > 1",
        "sum(G) > N", "sorted(G) == [1, 2, 3]",
    ),
    statements=(
        "v = list(G)", "v = [*G]", "W = next(it, N)", "it = up(N)", "W, *_ = G",
        "v = [z for z in G if N > 0]", "v = sorted(G)", "it = iter([*G])", "W = sum(G)",
        "v = v[:3]", "a, b, c = up(N)", "v = list(zip(G, G))[0]",
        "E = echo(1); W = next(E) + E.send(3)", ("for E in G:", "    B"),
        ("for E in G:", "    if T:", "        break", "    S"),
        ("for E, F in pairs(v):", "    W += E * F % 5"), ("for E in G:", "    W = E", "    J"),
        ("for E in it:", "    W += E", "    break"),
        ("for E in G:", "    for F in up(E):", "        W = F"),
        ("def E():", "    for z in v:", "        yield z - V", "W = sum(E())"),
        ("for E, F in zip(G, G):", "    if E > F:", "        W = E"),
        ("if T:", "    W = next(iter(G))"), ("for E in range(n):", "    W = sum(up(E))"),
    ),
    shown="list(v), a",
)  # fmt: skip

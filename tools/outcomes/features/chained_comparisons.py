"""Comparisons in chains, whose operands are computed once.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    COUNT[0] = x - x
    v = [x, 2]
    p, q = Level(x), Level(2)
    for e1 in range(n):
        v = [-1, p.n % 5]
        if (-1 == 1 or a > 0):
            return c, b, c, COUNT[0], v, p.n, q.n
    if int(y < b < (noted(a) if a < noted(a) < a else a)) in (1, 2, 3):
        b = (max((a + a) % 50 // 3, a) < noted(b) < c) + 0
    return a, b, c, COUNT[0], v, p.n, q.n
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
COUNT = [0]


def noted(k):
    COUNT[0] += 1
    return k


class Level:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        COUNT[0] += 2
        return self.n < other.n

    def __eq__(self, other):
        return self.n == other.n
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("COUNT[0] = x - x",), ("v = [x, 2]", "v = [1, y]"),
        ("p, q = Level(x), Level(2)", "p, q = Level(1), Level(y)"),
    ),
    numbers=(
        "noted(N)", "int(N < N < N)", "(N < N <= N) + N", "(noted(N) if N < noted(N) < N else N)",
        "COUNT[0] % 9", "(N < N) - (N > N)", "p.n",
    ),
    tests=(
        "N < N < N", "N <= N < N <= N", "N == N != N", "N < N > N",
        "noted(N) < noted(N) < noted(N)", "1 < N in (1, 2, 3)", "not N < N < N", "N < N == N",
        "(N < N) == (N < N)", "p < q < p", "p == q < p", "N in v in [v]", "v[0] < N < v[1]",
        "p is q is None", "'a' < 'b' < 'c'", "N < N is not None", "N < N / 2 < N",
        "0 < noted(N) <= 3 and T", "N < N < N or noted(N) > 2",
    ),
    statements=(
        "W = int(N < N < N)", "W = noted(N)", "v[0] = N", "p.n = N", "p, q = q, p",
        "W = N < N < N", "a, b = N < N, N <= N < N", "v = [N, N]", "W = sum([N < N < N, p < q])",
        "W = (N < noted(N) < N) + 0",
        ("if N < N < N:", "    B", "elif N <= noted(N) < N:", "    S"),
        ("E = 0", "while E < n > noted(N) - 5:", "    E += 1", "    S"),
        ("for E in xs:", "    if V < E < N:", "        W = E", "        J"),
        ("if p < q < Level(N):", "    p.n += 1"),
        ("E = 0", "while 0 <= E < n:", "    E += 1", "    J"), ("assert N == N or True",),
    ),
    shown="COUNT[0], v, p.n, q.n",
)  # fmt: skip

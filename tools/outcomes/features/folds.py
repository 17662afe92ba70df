"""`functools.reduce`, `itertools`, `map`, `zip`, `enumerate` and `sorted` with keys.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    v = [3, 1, 2]
    u = [y, 1, 4]
    if xs[1] > 0:
        b, c = c, b
    u = [max(z) for z in zip(v, u)]
    for e7, f8 in itertools.pairwise(v):
        a += e7 < f8
    a, b = map(abs, (max(y, x), sum(p * q for p, q in zip(v, u)) % 41 // 3))
    v = list(reversed(v))
    v.sort(key=lambda z: abs(z - abs(x)))
    return a, b, c, v, u
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
import functools
import itertools
import operator
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("v = [x, 2, y]", "v = [3, 1, 2]", "v = list(xs)"),
        ("u = [y, 1, 4]", "u = v[::-1]", "u = [2, 2, 0]"),
    ),
    tables={
        "L": (
            "v", "u", "xs", "[N, N, 1]",
        ),
    },
    numbers=(
        "functools.reduce(lambda p, q: p + q % 5, L, N)", "functools.reduce(max, L)",
        "functools.reduce(operator.add, L)", "sum(map(lambda z: z * N % 7, L))",
        "sum(p * q for p, q in zip(L, L)) % 41", "max(L, key=lambda z: (z - N) % 5)",
        "sorted(L)[0]", "sorted(L, key=lambda z: -z)[1]",
        "sorted(L, key=lambda z: z % 3, reverse=True)[0]", "list(itertools.accumulate(L))[-1]",
        "sum(itertools.chain(L, L))", "sum(i * z for i, z in enumerate(L)) % 41",
        "len(list(filter(lambda z: z > N, v)))", "next((z for z in L if z > N), N)",
        "sum(itertools.islice(L, 2))", "sum(p * q for p, q in itertools.product(L, L)) % 11",
        "sum(itertools.takewhile(lambda z: z > N, v))",
        "sum(p for p, _ in itertools.combinations(L, 2))", "dict(zip('pqr', L))['q']",
        "list(map(max, L, L))[0]", "sum(itertools.starmap(lambda p, q: p - q, zip(L, L)))",
        "min(enumerate(L), key=lambda z: z[1])[0]", "list(reversed(v))[0]",
        "list(itertools.accumulate(L, max))[1]", "sum(map(operator.mul, L, L)) % 41",
        "min(L, default=N)", "max(enumerate(L), key=operator.itemgetter(1))[0]",
        "sum(map(abs, L))", "sum(z for z in itertools.repeat(N, 3))",
        "len(list(itertools.dropwhile(lambda z: z > N, v)))",
        "functools.reduce(lambda p, q: q if q > p else p, L)",
    ),
    tests=(
        "any(map(lambda z: z > N, L))", "all(z > N for z in L)", "sorted(L) == [1, 2, 3]",
        "max(L) > N", "all(p < q for p, q in zip(L, L[1:]))",
        "any(p == q for p, q in itertools.pairwise(v))", "sum(z > N for z in L) > 1",
    ),
    statements=(
        "v = sorted(v)", "v = list(map(lambda z: z + N, v))",
        "v = [q for _, q in sorted(zip(u, v))]", "u = list(itertools.accumulate(v))",
        "v = [p + q for p, q in zip(v, u)]", "v = sorted(v, key=lambda z: (z % 3, z))",
        "v.sort(key=lambda z: abs(z - N))", "v, u = u, v", "u = [*itertools.chain([N], v[1:])]",
        "v = [z for _, z in sorted(enumerate(v), key=lambda z: -z[1])]",
        "a, b, c = sorted((a, b, c))", "v[0] = N", "u = list(map(operator.sub, v, u))",
        "v = list(reversed(v))", "a, b = map(abs, (N, N))", "u = [max(z) for z in zip(v, u)]",
        ("for E, F in zip(v, u):", "    if E > F:", "        W = E"),
        ("for E, F in enumerate(v):", "    v[E] = F + N"),
        ("for E, F in itertools.pairwise(v):", "    W += E < F"),
        ("for E in map(lambda z: z * 2, v):", "    if E > N:", "        W = E", "        break"),
        ("for E in sorted(v, key=lambda z: -z):", "    S", "    J"),
        ("for E, F in itertools.product(range(2), v):", "    W = max(E, F)"),
        ("if T:", "    v = sorted(v)"), ("for E in reversed(range(n)):", "    W = E"),
        ("for E, (F, z) in enumerate(zip(v, u)):", "    W += E * F - z"),
    ),
    shown="v, u",
)  # fmt: skip

"""Iterators with effects, of which a staged value leaves items unread.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    v = [x, 1, y]
    log = []
    note = lambda z: (log.append(z), z)[1]
    if any(z > a for z in map(note, v)):
        b = next((z for z in map(note, xs) if z > 0), a)
    for e1 in map(note, v):
        if e1 > b:
            break
        c += e1
    return a, b, c, log, v
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
import itertools


def up(k, log):
    yield k
    log.append(k)
    yield k + 1


def checked(k):
    if k < -3:
        raise ValueError(k)
    return k
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("v = [x, 1, y]", "v = [1, 2]", "v = list(xs)"),
        ("log = []",),
        ("note = lambda z, *_: (log.append(z), z)[1]",
         "note = lambda z, w=0: (log.append(w), z)[1]"),
        ("it = map(note, v)", "it = iter(v)", "it = zip(v, xs)"),
    ),
    tables={
        "L": ("v", "xs", "[N, N, 1]", "range(n)"),
        "G": (
            "map(note, L)", "map(note, L)", "map(note, L, L)", "map(checked, L)", "up(N, log)",
            "(note(z) for z in L)", "filter(note, L)", "itertools.chain(map(note, L), L)",
            "(p for p, _ in zip(map(note, L), v))", "map(lambda z: note(z) + N, L)",
        ),
    },
    numbers=(
        "next((z for z in G if z > N), N)", "sum(G)", "max(map(note, v))", "next(map(note, v))",
    ),
    tests=(
        "any(z > N for z in G)", "all(z > N for z in G)", "N in G", "N not in G", "any(G)",
        "all(G)", "any(map(lambda z: note(z) > N, L))",
    ),
    statements=(
        "W = N", "log.append(N)", "v[0] = N",
        ("for E in G:", "    W = E", "    J"), ("for E in G:", "    if E > N:", "        break"),
        ("for E, F in enumerate(G):", "    W += F", "    J"),
        ("for E in it:", "    W += 1"), ("if T:", "    S"),
        ("for E in G:", "    if E == N:", "        break", "else:", "    W = -1"),
        ("for E in map(note, v):", "    if E > N:", "        continue", "    B"),
    ),
    shown="log, v",
)  # fmt: skip

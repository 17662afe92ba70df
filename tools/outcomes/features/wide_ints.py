"""Python ints beyond 32 bits that branches and loops merge with int32 tensors.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    w = -sys.maxsize - 1
    u = -(2 ** 31) - 1
    w = w or (int(w > a % 5) + int(w > b)) % 50
    a = xs[(w // 10 ** 11 % 9 - 1) % 3]
    for e5 in range(n):
        w = w // 2
    a = w % 7 if w > 2 ** 40 else 1
    w = min(w, a, (-1 << 40))
    if b > 0:
        w = WIDE
    return a, b, c, w, u, w < u, str(w)
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
import sys

WIDE = 10 ** 12
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("w = sys.maxsize", "w = WIDE", "w = -1 << 40", "w = -sys.maxsize - 1", "w = 2 ** 31",
         "w = 2 ** 20", "w = 10 ** 20"),
        ("u = w", "u = -1 << 40", "u = 2 ** 31 - 1", "u = -(2 ** 31) - 1", "u = 1 << 62", "u = 3"),
    ),
    tables={
        "G": (
            "sys.maxsize", "WIDE", "(-1 << 40)", "2 ** 31", "(2 ** 31 - 1)", "-(2 ** 31)",
            "2 ** 53 + 1", "7",
        ),
    },
    numbers=(
        "w % 7", "w // 10 ** 11 % 9", "int(w > N)", "min(w, N) % 10", "len(str(w))", "int(w == G)",
        "(u >> 40) % 5",
    ),
    tests=(
        "w > N", "w == G", "N < w", "w != u", "w >= 0", "w in (G, N)", "w < u", "N < w < G",
        "max(w, N) == w",
    ),
    statements=(
        "w = N", "w = min(w, N)", "w = max(w, N)", "u, w = w, u", "u = w", "w = G", "w = -w",
        "w = N if T else w", "W = N if w > 2 ** 40 else N", "w += 1", "w -= 1", "w = w // 2",
        "w = abs(w)", "u = G if T else N", "w = min(w, N, G)", "w = w or N",
        ("if N < w:", "    w = N"), ("if T:", "    w = G"),
        ("if T:", "    w = N", "else:", "    w = G"),
        ("for E in xs:", "    if E < w:", "        w = E"),
        ("for E in range(n):", "    w = min(w, E)", "    S"),
        ("for E in xs:", "    if E > u:", "        u = E", "        J"),
        ("E = 0", "while E < n:", "    E += 1", "    u = w", "    S"),
    ),
    shown="w, u, w < u, str(w)",
)  # fmt: skip

"""`try` with `finally` around parts that raise nothing.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    v = [x, 2]
    k = 0
    if v[0] > v[0]:
        v = [(k - xs[abs(a) % 3]), closing(-a % 5, v)]
    else:
        e5 = 0
        while e5 < n:
            e5 += 1
            a += (y if xs[1] > 0 else y)
    k = closing(sum(v), v)
    return a, b, c, v, k
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
NOTES = [0]


def closing(k, row):
    try:
        if k > 1:
            return k
        row[0] += 1
    finally:
        row[1] = k
    return row[0]
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("v = [1, 2]", "v = [x, 2]"), ("k = 0",),
    ),
    numbers=(
        "k", "v[0]", "closing(N, v)", "v[1]", "sum(v)",
    ),
    tests=(
        "k > N", "closing(N, v) > 1", "v[0] > N",
    ),
    statements=(
        "k = N", "v[0] = N", "k = closing(N, v)", "v = [N, N]", "k += 1",
        ("try:", "    B", "finally:", "    S"), ("try:", "    S", "finally:", "    B"),
        ("for E in range(n):", "    try:", "        if T:", "            break", "        S",
         "    finally:", "        k += 1"),
        ("for E in xs:", "    try:", "        if T:", "            continue", "        S",
         "    finally:", "        v[0] += E"),
        ("try:", "    if T:", "        return A", "    S", "finally:", "    S"),
        ("try:", "    for E in range(n):", "        S", "        J", "finally:", "    S"),
        ("try:", "    try:", "        S", "    finally:", "        S", "finally:", "    k = N"),
        ("try:", "    k = N", "except ValueError:", "    k = -1", "else:", "    S", "finally:",
         "    v[1] = k"),
        ("if T:", "    try:", "        k = N", "    finally:", "        v[0] = k"),
        ("def E():", "    z = k", "    try:", "        return z + N", "    finally:",
         "        v[1] = N", "k = E()"),
        ("while k < 2:", "    try:", "        k += 1", "        S", "    finally:",
         "        k = max(k, 2)"),
    ),
    shown="v, k",
)  # fmt: skip

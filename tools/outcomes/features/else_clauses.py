"""`else` of loops, and assignment expressions.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    k = 0
    k += (b if (k := y) > 0 and k < 3 else sum(k := z for z in xs))
    e3 = n
    while (e3 := e3 - 1) > 0:
        if (e5 := x) > 0:
            k = e5
        else:
            k = -e5
    if ((k := a) % 9 if a > 0 else (k := a) % 9) > (k := k) % 9:
        k = abs((c + c) % 50)
    return a, b, c, k
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

FEATURE = Feature(
    start=(
        ("k = 0", "k = x"),
    ),
    numbers=(
        "k", "(k := N) % 9", "sum(k := z for z in xs)", "(k + (k := N))",
    ),
    tests=(
        "k > N", "(k := N) > 1", "any((k := z) > N for z in xs)", "(k := N) > 0 and k < 3",
        "not (k := N)",
    ),
    statements=(
        "k = N", "W = (k := N) + k", "k = len([k for z in xs if (k := z) > 0])",
        "k += (W if T else N)",
        ("for E in range(n):", "    if T:", "        S", "        break", "    S", "else:",
         "    B"),
        ("for E in xs:", "    if E > N:", "        k = E", "        break", "else:", "    k = N"),
        ("E = 0", "while E < n:", "    E += 1", "    if T:", "        break", "    S", "else:",
         "    B"),
        ("E = n", "while (E := E - 1) > 0:", "    B"),
        ("if (E := N) > 0:", "    k = E", "else:", "    k = -E"),
        ("for E in range(3):", "    if T:", "        continue", "    if T:", "        break",
         "else:", "    S"),
        ("for E in xs:", "    for F in range(n):", "        if F > E:", "            break",
         "    else:", "        continue", "    break"),
        ("E = 0", "while True:", "    E += 1", "    if E > n or T:", "        break", "    S",
         "k += E"),
        ("for E in range(n):", "    for F in xs:", "        if F == k:", "            break",
         "    else:", "        k += 1", "else:", "    S"),
        ("for E in range(n):", "    if T:", "        return A", "else:", "    k = 7"),
        ("for E in (1, 2):", "    if (F := E * V) > N:", "        k = F", "        break", "else:",
         "    k = -1"),
        ("E = 3", "while (E := E - 1) > 0:", "    S", "    J", "else:", "    S"),
    ),
    shown="k",
)  # fmt: skip

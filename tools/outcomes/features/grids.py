"""Nested grids, and loops after a staged break.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    g = [[0, 1, 2] for _ in range(3)]
    k = 0
    e1 = 0
    while e1 < n and (g[-1][-1] > sum(g[i][i] for i in range(3)) % 41):
        e1 += 1
        if xs[1] > 0:
            c = [z[0] for z in g][0]
        if (a + a) % 50 // 3 == 1:
            continue
    g[c % 3][0] = g[min(map(min, g)) % 3][1]
    return a, b, c, g, k, g[0] is g[1]
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

FEATURE = Feature(
    start=(
        ("g = [[x, 1, 2], [3, y, 5], [6, 7, 8]]", "g = [[0, 1, 2] for _ in range(3)]",
         "g = [[0] * 3] * 3"),
        ("k = 0",),
    ),
    tables={
        "I": (
            "N % 3", "k % 3", "0", "-1", "1",
        ),
        "R": (
            "g[I]", "g[0]", "g[-1]",
        ),
    },
    numbers=(
        "g[I][I]", "sum(R)", "max(R)", "sum(map(sum, g)) % 41", "max(max(z) for z in g)", "k",
        "[z[0] for z in g][I]", "sum(g[i][i] for i in range(3)) % 41", "min(map(min, g))",
        "len(g)",
    ),
    tests=(
        "g[I][I] > N", "N in R", "any(N in z for z in g)", "R == [N, 1, 2]",
        "all(z > 0 for z in R)", "g[0] is g[1]", "k > N",
    ),
    statements=(
        "g[I][I] = N", "g[I][0] += N", "g[0], g[1] = g[1], g[0]", "g[I] = [N, N, N]",
        "W = g[I][I]", "g = [z[:] for z in g]", "g = [list(z) for z in zip(*g)]", "R.reverse()",
        "g.sort(key=lambda z: z[0])", "k = N", "g = g[::-1]",
        ("for E in range(3):", "    for F in range(3):", "        if g[E][F] > N:",
         "            break", "        g[E][F] += 1", "    k += 1"),
        ("for E in range(n):", "    if T:", "        break", "    g[E % 3][0] = N"),
        ("for E in g:", "    for F in E:", "        if F > N:", "            k = F",
         "            break"),
        ("for E in g:", "    if E[0] > N:", "        break", "    E[1] = N"),
        ("for E in range(3):", "    if g[E][E] > N:", "        break", "    k += 1",
         "for F in range(3):", "    g[F][0] = k"),
        ("for E in range(3):", "    for F in range(E):",
         "        g[E][F], g[F][E] = g[F][E], g[E][F]", "        J"),
        ("E = 0", "while E < 3:", "    if g[E][0] > N:", "        break", "    E += 1", "k = E",
         "for F in g:", "    F[2] = k"),
        ("for E in range(3):", "    for F in range(n):", "        if g[E][F % 3] == k:",
         "            return A", "        k += 1"),
        ("for E in xs:", "    if T:", "        break", "for F in g:", "    for E in F:",
         "        k += E", "        J"),
    ),
    shown="g, k, g[0] is g[1]",
)  # fmt: skip

"""Numbers that are an int on one way and a float on another, their text and type.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    f = 0
    g = 0.5
    h = x
    t = 's'
    if f > g:
        a += int(f // 1) % 5
    for e5 in range(n):
        c = -{'int': 3, 'float': 4, 'bool': 5}[type(f).__name__] // 3
    f = int(f)
    g = pow(f, 2) % 9
    return a, b, c, f, g, h, t
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

FEATURE = Feature(
    start=(
        ("f = 1", "f = 2.5", "f = 0"), ("g = 0.5", "g = 3", "g = -0.0"),
        ("h = x", "h = y / 2", "h = 1"), ("t = 's'",),
    ),
    tables={
        "C": (
            "1", "2.5", "0", "-3", "0.5", "3.0", "True",
        ),
        "P": (
            "f", "g", "f", "g", "h",
        ),
    },
    numbers=(
        "int(P) % 9", "int(P > P)", "round(P) % 5", "len(t)", "(3 if isinstance(f, int) else 4)",
        "int(P * 2) % 7", "int(P // 1) % 5", "{'int': 3, 'float': 4, 'bool': 5}[type(f).__name__]",
    ),
    tests=(
        "P > P", "P == N", "P", "isinstance(f, float)", "P == int(P)", "type(g) is int",
        "f <= N < g", "t == str(P)", "f == g", "isinstance(g, (int, str))", "f in (1, 2.5)",
    ),
    statements=(
        "f = C", "g = C", "h = N", "h = N / 2", "h = float(N)", "f = f * 2 % 50", "f += 1",
        "f = int(f)", "f, g = g, f", "f = f if T else g", "h = f if T else N", "f = round(f)",
        "f = f // 1", "f = max(f, g)", "h = min(P, N)", "f = -f", "f = abs(g)", "t = str(P)",
        "t = f'{P}'", "t = f'{P:.1f}'", "t = repr(P)", "t = f'{P:g}'", "t = type(f).__name__",
        "f = sum([f, g])", "h = sum([P, N])", "f = f ** 2 % 50", "f = divmod(f, 2)[1]",
        "f = f or g", "f = f and g", "f = C if T else C", "g = (1, 2.5)[N % 2]", "f = round(g, 1)",
        "h = sum([P, N, 0.5])", "f = f / 2", "g = pow(f, 2) % 9", "h = max(N, f, g)",
        "g = {0: 1, 1: 0.5}[N % 2]", "h = h + f", "h = [f, g, N][N % 2]", ("if T:", "    f = C"),
        ("if T:", "    f = C", "else:", "    f = C"), ("for E in range(n):", "    f = f / 2"),
        ("if T:", "    h = N / 2"), ("if T:", "    h = f"),
        ("for E in range(n):", "    f += 1", "    J"), ("if T:", "    f = C", "    t = str(f)"),
        ("for E in xs:", "    h = E if E > g else g"),
        ("if isinstance(f, float):", "    S", "else:", "    S"),
        ("match f:", "    case int():", "        S", "    case float():", "        S"),
        ("for E in range(n):", "    if T:", "        f = C"),
        ("E = 0", "while E < n:", "    E += 1", "    g = g + C"),
    ),
    shown="f, g, h, t",
)  # fmt: skip

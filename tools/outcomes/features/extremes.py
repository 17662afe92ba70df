"""Searches for the least and the greatest from `float("inf")`.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    low = float('inf')
    high = float('-inf')
    at = -1
    low = min(low, b) if low is not None else 1
    low = min(low, (1 * 3) % 41) if low is not None else max(1, x)
    for e5 in range(n):
        a, b = b, c
    high = max([high, (5 if at is None else at), int(max(high, -9))])
    return a, b, c, low, high, at, high > 1
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
import math
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("low = float('inf')", "low = math.inf", "low = None"),
        ("high = float('-inf')", "high = -math.inf"), ("at = -1", "at = None"),
    ),
    numbers=(
        "(0 if low == math.inf or low is None else int(low))", "(5 if at is None else at)",
        "int(max(high, -9))", "len(str(high))",
    ),
    tests=(
        "low == float('inf')", "high > N", "high == -math.inf", "math.isinf(high)", "at is None",
        "low is None or low < high", "not math.isinf(high)",
    ),
    statements=(
        "low = min(low, N) if low is not None else N", "high = max(high, N)", "low = float('inf')",
        "W = 0 if high == -math.inf else int(high)", "low = N if low is None or N < low else low",
        "high = float(N)", "low = min(xs)",
        "low = min((z for z in xs if z > N), default=float('inf'))", "high = max([high, N, N])",
        "high = max(high, low) if low is not None else high", "at = N",
        "high = -math.inf if T else N",
        ("for E in xs:", "    if low is None or E < low:", "        low = E"),
        ("for E, F in enumerate(xs):", "    if F > high:", "        high, at = F, E"),
        ("for E in range(n):", "    if E * N % 7 > high:", "        high = E * N % 7",
         "        at = E", "    J"),
        ("for E in xs:", "    high = max(high, E)", "    S"),
        ("E = 0", "while E < n:", "    high = max(high, E - V)", "    E += 1"),
        ("if high == float('-inf'):", "    S", "else:", "    S"),
        ("for E in xs:", "    for F in xs:", "        if E - F > high:",
         "            high, at = E - F, F"),
        ("for E in range(2):", "    low = float('inf')", "    for F in xs:", "        if F > V:",
         "            low = min(low, F)"),
    ),
    shown="low, high, at, high > 1",
)  # fmt: skip

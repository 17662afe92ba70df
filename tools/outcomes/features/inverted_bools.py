"""Truth values that are chosen, inverted by `~` and counted.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    p = chosen(x > 0)
    q = False
    k = 0
    a = (p ^ q)
    p = p == q
    k = ~k
    for e7 in xs:
        k = k + (e7 > (p | (~p * 3) % 41)) if isinstance(k, int) else 1
    return a, b, c, p, q, k, str(p), ~q
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
def chosen(test):
    if test:
        return True
    return False
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("p = chosen(x > 0)", "p = True", "p = False"),
        ("q = chosen(y > 1)", "q = False", "q = p"), ("k = 0",),
    ),
    numbers=(
        "~p", "int(p)", "(p + q)", "~q", "p * N", "(p ^ q)", "(p << 1)", "-p", "+q", "sum([p, q])",
        "[3, 4][p]", "~(p and q)", "~int(p)", "(p | N)", "p % 2",
    ),
    tests=(
        "p", "q", "~p", "p == q", "p != T", "~p == -2", "p > q", "not p", "p ^ q", "p & q",
        "p | q", "bool(k)", "p == 1", "p in (q, 2)", "(p, q) == (True, False)", "any([p, q])",
    ),
    statements=(
        "p = not p", "p = p if T else q", "p = p ^ q", "p |= chosen(T)", "p &= q",
        "p ^= chosen(T)", "k = ~p", "k += p", "p = chosen(T)", "k = p * 3", "p = bool(N)",
        "k = ~N", "k = p if T else N", "p, q = q, p", "p = p == q", "p = p < q",
        "k = sum([p, q, T])", "k = ~chosen(T)", "p = chosen(any([p, q]))",
        "q = chosen(all((p, T)))", "W = p + N", "k = ~k", "k = p", "q = (not q) is p",
        "k = min(p, q)", "k = max(p, N)", "k = p // 1", "k = abs(p)", "k = p / 2", "k = f'{p}'",
        "k = {True: 5, False: 6}[p]", "k = round(p)", ("if ~p:", "    B"),
        ("if p:", "    B", "else:", "    S"), ("if T:", "    p = ~p"),
        ("if T:", "    k = ~p", "else:", "    k = ~q"),
        ("for E in xs:", "    p = p or chosen(E > N)"),
        ("for E in xs:", "    k = k + (E > N) if isinstance(k, int) else 1"),
        ("while p and q:", "    S", "    p = False"),
        ("for E in range(n):", "    p = not p", "    J"),
        ("if T:", "    p = chosen(x > 1)", "else:", "    p = True"),
    ),
    shown="p, q, k, str(p), ~q",
)  # fmt: skip

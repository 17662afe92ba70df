"""Text of numbers that tensors choose.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    t = 's'
    u = 'ab'
    f = x / 2
    for e1 in range(n):
        if (t in ('1', '2') and int(f > 1) in (1, 2, 3)):
            return b, b, c, t, u, f'{f:.2f}', f'{a:>3}'
        t = f'{[b, c]}'
        b = t.count('1')
    t = '{} {!r}'.format(len(t), max(xs[-a % 3], t.count('1')))
    t = t.replace('1', '_')
    return a, b, c, t, u, f'{f:.2f}', f'{a:>3}'
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

FEATURE = Feature(
    start=(
        ("t = 's'", "t = ''"), ("u = 'ab'",), ("f = 0.5", "f = x / 2"),
    ),
    tables={
        "Q": (
            ">5", "<4", "05d", "+", "x", ",", "b", "^7", "d", "o", "3", "_", "02X",
        ),
        "X": (
            "t", "u", "f'{V}'", "str(N)", "'p'",
        ),
    },
    numbers=(
        "len(t)", "int(t == u)", "t.count('1')", "int(f'{V}')", "int(f > 1)", "len(f'{V}')",
        "t.find('1')", "int('1' in t)", "len(t + u)", "ord(str(N)[0]) % 9",
    ),
    tests=(
        "t == 's'", "t == f'{V}'", "t != u", "'1' in t", "t < u", "t", "t.startswith('-')",
        "len(t) > 2", "f'{V}' == f'{V}'", "str(N).isdigit()", "t in ('1', '2')",
    ),
    statements=(
        "t = f'{V:Q}'", "t = '%d %s' % (N, N)", "t = '{} {!r}'.format(N, N)", "t = f'{V!r}'",
        "t = str(N) + u", "t = f'{V / 2:.2f}'", "t = f'{f:.3f}'", "t = f'{V > 1}'",
        "t = f'{[V, V]}'", "t = ', '.join(map(str, [N, N]))", "t = repr(N)", "t = t.upper()",
        "t, u = u, t", "u = X", "t = X + X", "f = N / 4", "t = 'yes' if T else 'no'",
        "t = t.rjust(4)", "t = t * 2", "t = t.replace('1', '_')", "t = f'{t}-{V}'", "t = t[:3]",
        "t = t.strip()", "t = '-'.join([X, X])", "t = f'{(V, V)}'", "t = f'{ {V % 2: 1} }'",
        "t = '%5d|' % N", "t = '%.1f' % (V / 2)", "t = f'{V:>{3}}'", "t = str(N).zfill(3)",
        "t = format(N, '>4')", "t = 'ab'[N % 2]", "t = {0: 'p', 1: 'q'}[N % 2]", "t = f'{V=}'",
        "t = '' or X", "t = t and X", "t = max(X, X)", "t = chr(97 + N % 5)",
        ("if T:", "    t = f'{V}'"), ("if T:", "    t = X", "else:", "    t = f'{V:Q}'"),
        ("for E in range(n):", "    t += str(E)"), ("for E in xs:", "    t = f'{t}{E}'", "    J"),
        ("if t == X:", "    B", "else:", "    S"), ("for E in t[:2]:", "    W += 1"),
        ("for E in range(n):", "    if T:", "        t += 'x'"),
        ("if T:", "    f = N / 2", "    t = f'{f:.1f}'"),
    ),
    shown="t, u, f'{f:.2f}', f'{a:>3}'",
)  # fmt: skip

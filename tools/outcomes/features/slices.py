"""Slices and items of strings, bytes, tuples and lists by tensors.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    s = 'abcdefg'
    z = b'0123456'
    t = (x, 2, y, 4, 5)
    v = [5, 4, 3, 2, 1, 0]
    for e1 in v[-(c % 3) - 1:max(t[a % 3:max(t[a % 3:a % 3 + 2]) % 3 + 2])]:
        b += 1
    if -(a + a) % 50 > len(s[a % 3:]):
        for e5 in range(n):
            a = a
            t = t[:2] + (((a if x > 0 else a) // 3 - v[a % 2 + 1]),) + t[3:]
    return a, b, c, s, t, v, z[1:3]
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

FEATURE = Feature(
    start=(
        ("s = 'abcdefg'", "s = 'aab'"), ("z = b'0123456'",),
        ("t = (1, 2, 3, 4, 5)", "t = (x, 2, y, 4, 5)"),
        ("v = [5, 4, 3, 2, 1, 0]", "v = [x, 1, y, 2]"),
    ),
    tables={
        "I": (
            "N % 3", "N % 2 + 1", "-(N % 3) - 1", "N % 4", "1", "0", "-1",
        ),
        "J": (
            "N % 4 + 1", "-(N % 2) - 1", "3", "N",
        ),
    },
    numbers=(
        "len(s[I:])", "t[I]", "sum(t[I:])", "sum(v[:J])", "len(t[I:J])", "z[I]", "len(z[I:J])",
        "v[I]", "max(t[N % 3:N % 3 + 2])", "s.index('b')", "len(v[::N % 2 + 1])", "t[::-1][I]",
    ),
    tests=(
        "s[N % 3] == 'b'", "s[N % 3:] == 'cdefg'", "'b' in s[N % 3:]", "t[N % 3:] == (3, 4, 5)",
        "s.startswith('ab')", "s < 'b'", "N in t[I:]", "v[I] > N", "z[N % 3:N % 3 + 1] == b'1'",
        "t[I:J]", "s[0] == s[-1]",
    ),
    statements=(
        "W = t[I]", "W = sum(v[I:])", "W = len(s[I:J])", "s = s[::-1]", "W = z[I]", "t = t[::-1]",
        "s = s[N % 3] + s[1:]", "v[I] = N", "v[0:2] = [N, N]", "t = t[:2] + (N,) + t[3:]",
        "s = 'xyz' if T else 'abc'", "t = (N, N, 3)", "v = v[1:] + v[:1]",
        "W = int(s[N % 2] == 'a')", "W = max(t[N % 2:])", "W = ord(s[N % 3])", "s = s[N % 3:]",
        "v = v[N % 2:]", "t = t[N % 2:]", "s = s[1:] + s[0]", "a, b = t[N % 2:N % 2 + 2]",
        ("if s[N % 3] == 'b':", "    B"), ("for E in range(n):", "    W += t[E % 3]"),
        ("for E in range(n):", "    v[E] = N", "    J"),
        ("for E in t[I:]:", "    if E > N:", "        W = E"),
        ("for E in range(n):", "    if s[E % 3] == 'a':", "        S"),
        ("for E in v[I:J]:", "    W += 1"),
    ),
    shown="s, t, v, z[1:3]",
)  # fmt: skip

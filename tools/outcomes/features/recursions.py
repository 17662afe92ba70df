"""Recursive functions that change objects.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    v, w, box = [x, 1, y], [0, 1, 2], Box(1)
    def f(k):
        v[0] += k
        if k > 0:
            box.v = box.v * 2 + v[1]
            f(k - 1)
            v[k % 3] -= 1
    f(n)
    return a, b, c, v, w, box.v
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
class Box:
    def __init__(self, v):
        self.v = v

    def down(self, k):
        self.v += k
        return self.down(k - 1) + self.v if k > 0 else self.v


def sink(v, w, k):
    if k > 0:
        v[k % 3] += w[0]
        sink(w, v, k - 1)
        w[1] -= k


def root(p, k):
    if p[k] != k:
        p[k] = root(p, p[k])
    return p[k]
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("v = [x, 1, y]", "v = [1, 2, 3]", "v = [0.5, x, 1.0]"),
        ("w = [0, 1, 2]", "w = v", "w = v[:]"),
        ("box = Box(x)", "box = Box(1)"),
        ("total = [0]", "total = [y]"),
    ),
    tables={
        "K": ("k", "n", "n + 1", "n - 2", "min(k, n)"),
        "I": ("0", "1", "k % 3", "n % 3", "2"),
        "M": (
            "v[I] += k", "v[I] = N", "w[I] = v[I] + k", "box.v += k", "box.v = v[I]", "pass",
            "v[0], v[1] = v[1], v[0]", "box.last = k", "w[I] *= 2", "total[0] += box.v",
            "box.v, w[0] = w[1], k",
        ),
        "C": ("k > 0", "k > 1 and v[I] < 40", "k > N", "v[0] < 20 and k > 0", "0 < k < 9"),
    },
    numbers=(
        "box.down(n)", "root([0, 0, 1], n % 3)", "root(w, 1)", "sink(v, w, n) or 1", "v[0]",
        "total[0]", "box.v",
    ),
    tests=("v[0] > w[0]", "v is w", "total[0] > N", "hasattr(box, 'last')"),
    statements=(
        ("def f(k):", "    M", "    if C:", "        M", "        f(k - 1)", "        M", "f(n)"),
        ("def f(k):", "    if C:", "        M", "        return f(k - 1) + k", "    M",
         "    return k", "W = f(n)"),
        ("def f(k):", "    if C:", "        M", "        g(k - 1)", "def g(k):", "    M",
         "    if C:", "        f(k - 2)", "        M", "f(n + 1)"),
        ("def f(k, v):", "    M", "    if C:", "        f(k - 1, w)", "    M", "f(n, v)"),
        ("def f(k):", "    M", "    return f(k - 1) + f(k - 2) if C else k", "W = f(3)"),
        ("def f(k):", "    M", "    for e in range(2):", "        if C and k < 4:",
         "            f(k - 1)", "    M", "f(2)"),
        "W = box.down(n)", "sink(v, w, n)", "W = N", "v[0] = N", "W = root(w, n % 3)",
        ("if T:", "    S"), ("if T:", "    S", "else:", "    S"),
    ),
    shown="v, w, box.v, total, v is w",
)  # fmt: skip

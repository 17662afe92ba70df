"""Closures that loops and functions make.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    fs = [lambda z: z + 1]
    add = make(1)
    other = add
    read, write = reader([x])
    a, b = b, (lambda *z: z[0] - z[-1])(read(), (a + sum(f(a) for f in fs) % 41) % 50)
    for e3 in fs:
        c = e3(xs[0])
    for e5 in (1, 2):
        fs = [*fs[-1:], lambda z: z + e5]
    add(twice(lambda z: z - b)((lambda *z: z[0] - z[-1])(a, a) // 3))
    return a, b, c, fs[0](1), fs[-1](2), add(0), other(0), read()
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
def make(k):
    def add(z):
        nonlocal k
        if z > 0:
            k += z
        return k

    return add


def twice(f):
    return lambda z: f(f(z))


def reader(row):
    def read():
        return row[0]

    def write(k):
        row[0] = k

    return read, write
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("fs = [lambda z: z + 1]", "fs = [lambda z, k=x: z - k, lambda z: z + a]"),
        ("add = make(x)", "add = make(1)"), ("other = add", "other = make(y)"),
        ("read, write = reader([x])", "read, write = reader(list(xs))"),
    ),
    numbers=(
        "fs[0](N)", "fs[-1](N)", "add(N)", "other(N)", "sum(f(N) for f in fs) % 41",
        "(lambda z: z + V)(N)", "(lambda *z: z[0] - z[-1])(N, N)", "twice(fs[0])(N)", "read()",
        "twice(lambda z: z - V)(N)",
    ),
    tests=(
        "add(N) > 3", "fs[0](N) > N", "read() > N", "(lambda z: z > V)(N)", "add is other",
    ),
    statements=(
        "fs = [lambda z: z + V]", "add = make(N)", "add, other = other, add", "write(N)",
        "W = add(N)", "add(N)", "fs = [*fs[-1:], lambda z, k=N: z * k % 7]", "W = fs[-1](N)",
        "read, write = reader([N])", "fs = fs[:1] * 2", "add = add if T else other",
        "fs[0] = twice(fs[0])", "add = other",
        ("fs = []", "for E in range(2):", "    fs.append(lambda z, k=E: z + k)"),
        ("for E in (1, 2):", "    fs = [*fs[-1:], lambda z: z + E]"),
        ("def E(z):", "    z -= 1", "    if z > N:", "        return z", "    return V",
         "W = E(N)"),
        ("if T:", "    add(N)"), ("for E in fs:", "    W = E(N)"),
        ("fs = [(lambda k: lambda z: z - k)(E) for E in range(2)]", "W = fs[1](N)"),
        ("for E in range(n):", "    write(E)", "    J"),
        ("if T:", "    write(N)", "else:", "    add(N)"),
        ("for E in xs:", "    fs = [lambda z: z + E]", "W = fs[0](N)"),
        ("E = [make(F) for F in (1, x)]", "W = E[0](N) + E[1](N)"),
        ("def E():", "    return V + N", "a = N", "W = E()"),
        ("if T:", "    E = lambda z: z + 1", "else:", "    E = lambda z: z - V", "W = E(N)"),
    ),
    shown="fs[0](1), fs[-1](2), add(0), other(0), read()",
)  # fmt: skip

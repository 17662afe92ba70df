"""Default, starred and keyword arguments.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    v = [x, 2, 3]
    d = {'k': 2, 'z': 1}
    call = Called()
    for e1 in xs:
        a = e1
        e3 = dict(p=a, q=max(full(-a), max(kept(a), (a if x > 0 else a))))
        c = fixed(xs[abs(full(*v)) % 3], q=e3['p'], r=e3['q'])
    a = fixed(abs((xs[0] - full(a, a, a, a))), q=full(*v, **d))
    c += call.of(full(max(a, a), z=call.of(a, a)), full(2, z=y))
    d = {**d, 'z': Called.both(q=call.of(a, a), p=ends(a, *v)) % 5}
    return a, b, c, d, list(v), kept(0)
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
def full(p, q=2, *rest, k=1, **more):
    total = p - q
    for each in rest:
        if each > 1:
            total += each
    if k > 2:
        total += k
    return total + more.get('z', 0)


def kept(k, seen=[0]):
    if k > seen[0]:
        seen[0] = k
    return seen[0]


def ends(first, *middle, last=0):
    if len(middle) > 1:
        return middle[-1] - first
    return last


def fixed(p, /, q, *, r=3):
    return p * 2 - q if r > p else r


class Called:
    def __call__(self, *args, **named):
        return sum(args) + len(named)

    @classmethod
    def of(cls, p, *q):
        return p if p > 0 else len(q)

    @staticmethod
    def both(p, q=4):
        return p - q
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("v = [x, 2, 3]", "v = (1, y)"), ("d = {'z': x}", "d = {'k': 2, 'z': 1}"),
        ("call = Called()",),
    ),
    numbers=(
        "full(N)", "full(N, N)", "full(N, N, N, N)", "full(N, k=N)", "full(*v)", "full(N, z=N)",
        "full(N, **d)", "kept(N)", "ends(N, *v)", "ends(*v, last=N)", "fixed(N, N)",
        "fixed(N, q=N, r=N)", "call(N, *v, z=1)", "call.of(N, N)", "Called.both(q=N, p=N)",
        "max(*v, N)", "full(*v, **d)", "(lambda p, q=V: p - q)(N)",
        "(lambda *z, k=1: len(z) + k)(*v)", "call.both(N)",
    ),
    tests=(
        "kept(N) > 1", "full(*v) > N", "ends(N, N) > N", "call.of(N) > 0", "'k' in d",
    ),
    statements=(
        "d = dict(k=N, z=N)", "d = {**d, 'z': N}", "v = [N, N]", "v = (N, *v[:2])",
        "W = full(v[0], *v[1:], **{'k': N})", "W = kept(N)", "W = kept(N, [N])", "W = ends(*v, N)",
        "first, *rest = v; W = len(rest)", "a, *_, b = *v, N", "W = fixed(N, q=N)", "d['z'] = N",
        ("def E(p, q=N, *r):", "    if p > q:", "        return p", "    return len(r)",
         "W = E(N)", "b = E(N, N, *v)"),
        ("def E(**z):", "    return z['p'] - z.get('q', V)", "W = E(p=N)"),
        ("if T:", "    W = full(N, *v)", "else:", "    W = kept(N)"),
        ("for E in range(n):", "    W = kept(E)", "    J"),
        ("for E in xs:", "    W = full(E, k=E)"),
        ("def E(p=a, *, q=V):", "    return p - q", "a = N", "W = E()"),
        ("E = dict(p=N, q=N)", "W = fixed(N, q=E['p'], r=E['q'])"),
    ),
    shown="d, list(v), kept(0)",
)  # fmt: skip

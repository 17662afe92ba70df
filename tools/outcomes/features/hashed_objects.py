"""Objects with their own `__hash__` as members of sets and keys of dicts.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    d = {ONE: x, TWO: 2}
    s = {ONE, Key('z')}
    k = Tag('p')
    d[k] = max(-d.get(k, 3), y)
    a = TABLE.get(Alike('q'), TABLE.get(Key('z'), d.get(Key('z'), 3)))
    d[Key('p')] = sum(d.values())
    d[Tag('q')] = hash(k)
    for e9, f10 in d.items():
        if f10 > TABLE.get(ONE, 2):
            d[e9] = TABLE.get(TWO, d.get(TWO, 3))
    return a, b, c, [(z.name, d[z]) for z in d], len(s), ONE in s, TABLE[ONE], ONE.n
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
import dataclasses


class Key:
    def __init__(self, name, n=0):
        self.name, self.n = name, n

    def __hash__(self):
        return ord(self.name)

    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name


@dataclasses.dataclass(frozen=True)
class Tag:
    name: str
    k: int = 1


class Alike(Key):
    def __hash__(self):
        return 7


ONE, TWO = Key('p'), Alike('q')
TABLE = {ONE: 1, TWO: 2}
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("d = {ONE: x, TWO: 2}", "d = {Key('p'): 1, Key('q'): y}",
         "d = {Tag('p'): x, Tag('q'): 2}", "d = {Alike('p'): 1, Alike('q'): 2, ONE: x}"),
        ("s = {ONE, Key('z')}", "s = set(d)", "s = {Tag('z', 2)}"),
        ("k = ONE", "k = Key('p')", "k = Tag('p')", "k = Alike('p')"),
    ),
    tables={
        "K": (
            "k", "ONE", "TWO", "Key('p')", "Tag('q')", "Alike('q')", "Key('z')",
        ),
    },
    numbers=(
        "d.get(K, 3)", "len(d)", "len(s)", "sum(d.values())", "hash(k)", "TABLE.get(K, N)",
        "(1 if K in s else N)", "len({K, K})", "{K: N}.get(K, 4)", "ONE.n", "max(d.values())",
    ),
    tests=(
        "K in d", "K in s", "K == K", "K in d and T", "K not in TABLE", "d.get(K, 0) > N",
        "{K} == {K}", "s", "d[next(iter(d))] > N",
    ),
    statements=(
        "d[K] = N", "d[next(iter(d))] += N", "s.add(K)", "s.discard(K)", "k = K",
        "d.setdefault(K, N)", "ONE.n = N", "TABLE[ONE] = N", "TABLE[TWO] += 1", "d.pop(K, None)",
        "d.update({K: N})", "s |= {K}", "W = d.get(K, N)", "d = {K: N}", "s = {K, K}",
        "s = s - {K}", "W = len(s & set(d))", "d = {z: N for z in d}",
        ("for E in d:", "    W += d[E]"),
        ("for E, F in d.items():", "    if F > N:", "        d[E] = N"),
        ("if K in d:", "    B", "else:", "    d[K] = N"), ("if T:", "    d[next(iter(d))] = N"),
        ("for E in range(n):", "    d[next(iter(d))] += E", "    J"), ("if T:", "    d[K] = N"),
        ("for E in s:", "    if E in d:", "        W = d[E]"),
        ("if T:", "    s.add(K)", "else:", "    s.discard(K)"),
        ("for E in (ONE, TWO):", "    TABLE[E] = N"),
    ),
    shown="[(z.name, d[z]) for z in d], len(s), ONE in s, TABLE[ONE], ONE.n",
)  # fmt: skip

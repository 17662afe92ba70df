"""Augmented assignment of attributes, items, slices and properties.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    box = Box(x)
    d = {'k': 1, 'r': [y, 2]}
    v = [x, 2, y]
    held = Held(box)
    if b > 0:
        if box.n > len(box.text):
            box.inner += -1
    box.level = a
    b = len(box.row)
    d['k'] = box.n
    b, c = c, b
    d['r'][-1] += -1
    return a, b, c, box.n, box.row, box.sets, box.inner.n, box.text, d, v, held.box is box
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
class Sum:
    def __init__(self, n):
        self.n = n

    def __iadd__(self, k):
        self.n += k
        return self

    def __isub__(self, k):
        return Sum(self.n - k)

    def __getitem__(self, i):
        return self.n + i

    def __setitem__(self, i, k):
        self.n = k - i


class Box:
    __slots__ = ("n", "row", "sets", "inner", "text")

    def __init__(self, n):
        self.n, self.row, self.sets, self.inner, self.text = n, [n, 1], 0, Sum(n), 's'

    @property
    def level(self):
        return self.n * 2 % 50

    @level.setter
    def level(self, k):
        self.sets += 1
        self.n = k


class Held:
    shared = 1

    def __init__(self, box):
        self.box = box
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("box = Box(x)", "box = Box(1)"),
        ("d = {'k': 1, 'r': [y, 2]}", "d = {'k': x, 'r': box.row}"),
        ("v = [1, 2, 3]", "v = [x, 2, y]"), ("held = Held(box)",),
    ),
    tables={
        "P": (
            "box.n", "box.level", "box.row[0]", "d['k']", "v[1]", "v[N % 3]", "d['r'][-1]",
            "held.box.n", "box.inner.n", "held.shared", "box.inner[1]", "v[-1]", "held.box.level",
        ),
    },
    numbers=(
        "P", "P", "box.sets", "len(box.text)", "sum(v) % 41", "len(box.row)",
    ),
    tests=(
        "P > N", "P == 1", "box.text == 's'", "box.row is d['r']",
    ),
    statements=(
        "P += N", "P -= N", "P = N", "P *= 2; P %= 41", "P //= 2", "P %= 7", "P |= 3", "P &= 7",
        "P ^= 1", "P += P", "box.inner += N", "box.inner -= N", "box.text += 'x'",
        "box.row += [N]", "box.text += f'{V}'", "v[:2] += [N] if T else []", "v *= 1",
        "P, W = N, P", "held.box = box", "d['k'] = P", "box = Box(N)", "d |= {'k': N}", "v += [P]",
        "v[0], P = P, N", "P <<= 1; P %= 41", "P >>= 1", "P = abs(P) % 9; P **= 2",
        ("if T:", "    P += N"), ("if T:", "    P -= N", "else:", "    P = N"),
        ("for E in range(n):", "    P += E", "    J"), ("for E in xs:", "    P = max(P, E)"),
        ("for E in v:", "    P += E"), ("E = box.row", "E[0] += N", "box.row += [1]"),
        ("E = d", "E['k'] -= N"), ("if T:", "    box.inner += N"), ("for box.n in xs:", "    S"),
        ("E = held.box", "if T:", "    E.level += N"),
    ),
    shown="box.n, box.row, box.sets, box.inner.n, box.text, d, v, held.box is box",
)  # fmt: skip

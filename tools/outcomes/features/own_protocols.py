"""Classes with their own `__contains__`, `__len__`, `__bool__`, `__iter__`, `__call__`.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    bag = Bag(1, 2)
    gate = Gate(1)
    span = Span(1, 4)
    room = Room(y)
    if ((a + a) % 50 // 3 * 3) % 41 in bag:
        a = bag[((a * 3) % 41 - 2) % 2]
        if len(bag) > max(bag):
            bag = Bag(a, max(xs[0], abs(a % 5)))
    c = sum(bag)
    return a, b, c, bag.items, gate.n, span.low, span.high, 1 in bag, bool(gate)
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
class Bag:
    def __init__(self, *items):
        self.items = list(items)

    def __contains__(self, k):
        for each in self.items:
            if each == k:
                return True
        return False

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Gate:
    def __init__(self, n):
        self.n = n

    def __bool__(self):
        if self.n > 2:
            return False
        return self.n > 0

    def __call__(self, k):
        return k + 1 if self.n > 0 else k

    def __int__(self):
        return self.n


class Span:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __contains__(self, k):
        return self.low <= k < self.high

    def __iter__(self):
        k = self.low
        while k < self.high and k < self.low + 3:
            yield k
            k += 1


class Room:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return 0 if self.n < 0 else 3
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("bag = Bag(x, 1, y)", "bag = Bag(1, 2)"), ("gate = Gate(x)", "gate = Gate(1)"),
        ("span = Span(0, x)", "span = Span(1, 4)"), ("room = Room(y)",),
    ),
    numbers=(
        "len(bag)", "sum(bag)", "max(bag)", "(N if gate else N)", "bag[0]", "list(bag)[-1]",
        "gate(N)", "(1 if N in span else N)", "bag[N % 2]", "(N if room else 2)", "len(room)",
    ),
    tests=(
        "N in bag", "N not in bag", "gate", "not gate", "N in span", "bag", "gate and T",
        "N in span or gate", "all(bag)", "bool(gate)", "room", "gate(N) > 1", "not room",
    ),
    statements=(
        "bag.items[0] = N", "gate.n = N", "gate = Gate(N)", "W = len(bag)", "span = Span(N, N)",
        "span.low = N", "bag = Bag(N, N)", "room.n = N", "gate = Gate(N) if T else gate",
        "W = sum(bag)", "a, b, *_ = [*bag, 1]", "gate = gate or Gate(1)", "bag.items.append(N)",
        "W = gate(N)", "W = int(gate)", ("if gate:", "    B", "else:", "    S"),
        ("for E in bag:", "    W += E"),
        ("for E in bag:", "    if E in span:", "        W = E", "        J"),
        ("while gate:", "    gate.n -= 1", "    S"), ("if N in bag:", "    B"),
        ("for E in range(n):", "    if E in span:", "        S"),
        ("for E in Span(0, 3):", "    if T:", "        W = E"),
    ),
    shown="bag.items, gate.n, span.low, span.high, 1 in bag, bool(gate)",
)  # fmt: skip

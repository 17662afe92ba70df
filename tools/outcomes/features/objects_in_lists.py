"""`in`, `index`, `count` and `remove` of lists of objects with their own `==`.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    rows = [Item(1), Item(2)]
    o = Loose(2)
    rows = [Item(2), Item(xs[0])]
    while rows[0] in rows and len(rows) > 1:
        rows.pop()
    if len(rows) <= abs((a * 3) % 41):
        b = rows.count(rows[0])
    a = rows.index(o) if rows[1] in rows else sum(z == o for z in rows)
    rows[0].n = (rows.index(Item((a + a) % 50)) if rows[0] in rows else 1 // 3)
    rows[0].n = xs[len(rows) % 3]
    return a, b, c, [(z.n, z.m) for z in rows], o.n, o in rows
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
class Item:
    def __init__(self, n, m=0):
        self.n, self.m = n, m

    def __eq__(self, other):
        return isinstance(other, Item) and self.n == other.n

    __hash__ = None


class Loose:
    def __init__(self, n, m=0):
        self.n, self.m = n, m

    def __eq__(self, other):
        return self.n == other
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("rows = [Item(x), Item(1), Item(y)]", "rows = [Item(1), Item(2)]",
         "rows = [Loose(1), Loose(x)]"),
        ("o = Item(x)", "o = rows[0]", "o = Loose(2)"),
    ),
    tables={
        "O": (
            "o", "rows[0]", "rows[1]", "Item(N)", "Item(2)",
        ),
    },
    numbers=(
        "O.n", "len(rows)", "sum(z == O for z in rows)", "[z.n for z in rows][-1]",
        "int(O in rows)",
    ),
    tests=(
        "O in rows", "O == O", "O not in rows", "rows == [O, O]", "any(z == O for z in rows)",
        "(O, 1) == (O, 1)", "O != O", "N in rows", "O in (o, 3)", "o is rows[0]",
    ),
    statements=(
        "rows[0].n = N", "rows[1] = Item(N)", "W = rows.count(O)",
        "W = rows.index(O) if O in rows else N", "rows.reverse()", "o = Item(N)", "o.n = N",
        "o.m = N", "rows[0].m += 1", "o = rows[1]", "rows = [Item(N), Item(N)]",
        "W = int(O in rows)", "rows[0], rows[1] = rows[1], rows[0]",
        "W = len([z for z in rows if z == O])", "rows.append(Item(3))",
        ("if O in rows:", "    B", "else:", "    S"),
        ("for E in rows:", "    if E == O:", "        W = E.n"),
        ("for E in rows:", "    if E == O:", "        E.m += 1", "        break"),
        ("if O in rows:", "    rows[0].n = N"),
        ("for E in xs:", "    if Item(E) in rows:", "        S"), ("if T:", "    rows[0].n = N"),
        ("while O in rows and len(rows) > 1:", "    rows.pop()"),
    ),
    shown="[(z.n, z.m) for z in rows], o.n, o in rows",
)  # fmt: skip

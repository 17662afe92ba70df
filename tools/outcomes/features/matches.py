"""`match` statements over numbers, tuples, lists, dicts, objects and text.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    p = Point(0, y)
    t = 'p'
    v = [x, 2]
    d = {'k': x}
    h = Hue.RED
    if part(p) > (kind(a) if kind(a) > 1 else a):
        a = kind(xs[(a if x > 0 else a) % 3])
    p = Point(kind((x if kind(a) > 1 else part(p))), len(v))
    return a, b, c, p.n, p.m, t, v, d, h.value
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
import dataclasses
import enum


@dataclasses.dataclass
class Point:
    n: int
    m: int


class Hue(enum.Enum):
    RED = 1
    BLUE = 2


def kind(k):
    match k:
        case 0:
            return 5
        case 1 | 2:
            return 6
        case z if z > 3:
            return z
    return -1


def part(p):
    match p:
        case Point(n=k, m=z) if k == 0:
            return z
        case Point(n=z) if z > 1:
            return z + 1
        case Point():
            return 7
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("p = Point(x, 1)", "p = Point(0, y)"), ("t = 'p'", "t = ''"),
        ("v = [x, 2]", "v = [1, 2, 3]"), ("d = {'k': x}", "d = {}"), ("h = Hue.RED",),
    ),
    numbers=(
        "kind(N)", "part(p)", "part(Point(N, N))", "p.n", "len(v)", "len(t)", "d.get('k', 3)",
    ),
    tests=(
        "kind(N) > 1", "part(p) > N", "h is Hue.RED", "t == 'p'",
    ),
    statements=(
        "p = Point(N, N)", "p.n = N", "t = 'q' if T else 'p'", "v = [N, N]", "v[0] = N",
        "d['k'] = N", "h = Hue.BLUE", "h = Hue.RED if T else Hue.BLUE", "W = kind(N)",
        "d = {'j': N, 'k': N}", "W = part(p)", "t = 'p'",
        ("match N % 3:", "    case 0:", "        B", "    case 1 if T:", "        S",
         "    case _:", "        S"),
        ("match (N, N):", "    case (0, z):", "        W = z", "    case (z, 1 | 2):",
         "        W = z", "    case (z, k) if z > k:", "        W = z - k"),
        ("match v:", "    case [z, k] if k > 1:", "        W = z", "    case [z, *_]:",
         "        W = -z"),
        ("match d:", "    case {'k': z, **rest}:", "        W = z + len(rest)", "    case _:",
         "        S"),
        ("match p:", "    case Point(n=0):", "        S", "    case _:", "        S"),
        ("match p:", "    case Point(m=z) if z < 2:", "        S",
         "    case Point(n=z, m=k) if z > k:", "        W = z", "    case _:", "        S"),
        ("match t:", "    case 'p':", "        S", "    case '' | 'q':", "        S"),
        ("match h:", "    case Hue.RED:", "        S", "    case Hue.BLUE:", "        S"),
        ("match N:", "    case 1 as z:", "        W = z", "    case z:", "        W = z + 1"),
        ("for E in xs:", "    match E:", "        case 2:", "            S",
         "        case z if z < 0:", "            W = z"),
        ("for E in range(n):", "    match E % 3:", "        case 1:", "            continue",
         "        case 2:", "            break", "    S"),
        ("match N:", "    case -1:", "        return A", "    case _:", "        S"),
        ("match [N, N, *v]:", "    case [k, *z] if k > 0:", "        W = len(z)",
         "    case [_, z, *_]:", "        W = z"),
        ("match (N > 0, N > 1):", "    case (True, False):", "        S", "    case (z, _):",
         "        W = int(z)"),
        ("match p.n, t:", "    case z, 'p':", "        W = z", "    case _:", "        S"),
        ("if T:", "    match N:", "        case 0:", "            S", "        case _:",
         "            S"),
    ),
    shown="p.n, p.m, t, v, d, h.value",
)  # fmt: skip

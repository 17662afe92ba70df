"""Random programs about identity: several names, items and attributes that refer to one object.

Each program is short. It has three lists, a dict, a grid, a tuple and two objects that share their
parts, chooses among them by tensors, changes one through a name and reads it through another.
Every program ends: loops count to at most three.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

Below = Callable[[int], int]
Lines = list[str]

DEEPEST = 2

PRELUDE = """\
import contextlib
import dataclasses
import functools

ROW = [7, 8]
SPARE = [9, 0]
HELD = {"r": ROW, "s": [3, 3]}


CLASS
    def get(self):
        return self.row

    def put(self, k):
        self.row[0] = k

    def take(self, row):
        self.row = row
        return self


KEPT = Box(ROW, 0)
BOXES = [KEPT, Box(SPARE, 1)]


def either(k, one, other):
    if k > 0:
        return one
    return other


def touched(row, k):
    if k > 1:
        row[0] += k
    return row


def kept(k, row=SPARE):
    if k > 0:
        row[1] = k
    return row


def found(rows, k):
    for row in rows:
        if row[0] > k:
            return row
    return rows[0]


"""

_ATTRIBUTES = "    row: list\n    n: int\n"
_CLASSES = (
    "class Box:\n    def __init__(self, row, n):\n        self.row, self.n = row, n\n",
    "@dataclasses.dataclass(eq=False)\nclass Box:\n" + _ATTRIBUTES,
    "@dataclasses.dataclass\nclass Box:\n" + _ATTRIBUTES,
)
_SHOWN = ("(O.n, O.row)", "O", "O")
"""What a program returns of an object of each class: graphs return dataclasses as they are."""
_STARTS = (
    ("p = [1, 2]", "p = [x, 2]", "p = ROW"),
    ("q = [3, 4]", "q = p", "q = [y, 4]", "q = SPARE"),
    ("r = [5, 6]", "r = q", "r = p"),
    ('d = {"a": p, "b": q}', 'd = {"a": p, "b": p}', 'd = {"a": [0, x], "b": r}',
     "d = HELD | {'a': p, 'b': q}"),
    ("g = [p, q]", "g = [p, p]", "g = [[1, 1], r]", "g = [ROW, q]"),
    ("t = (p, q)", "t = (q, r, [8, 8])", "t = (ROW, p)"),
    ("o = Box(p, 1)", "o = KEPT", "o = Box(ROW, x)"),
    ("u = Box(q, 2)", "u = o", "u = Box(p, 2)", "u = BOXES[1]"),
    ("", "ROW[0] += x - x; SPARE[1] += y - y; KEPT.n += x - x"),
    ("b = [o, u]", "b = [u, o]", "b = BOXES"),
    ("e = {'o': o, 'u': u}", "e = {'o': o, 'u': o}"),
)  # fmt: skip
_ROWS = (
    "P", "P", "P", "P", "P", "(L if T else L)", "(L if T else L)", "either(N, L, L)",
    "touched(L, N)", "O.get()", "t[0]", "t[1]", "found(g, N)", "kept(N)", "kept(N, L)",
    "(lambda: L)()", "[L, L][1]", "dict(z=L)['z']", "e['o'].row",
)  # fmt: skip
"""References to a list: P an assignable place, O an object."""
_PLACES = (
    "p", "p", "q", "q", "r", 'd["a"]', 'd["b"]', "g[0]", "g[1]", "o.row", "u.row", "HELD['r']",
    "e['u'].row", "b[0].row", "KEPT.row",
)  # fmt: skip
_OBJECTS = (
    "o", "o", "u", "u", "b[0]", "b[1]", "(O if T else O)", "(O if T else O)", "either(N, O, O)",
    "e['o']", "e['u']", "KEPT", "O.take(L)", "Box(L, N)", "Box(L, N)",
)  # fmt: skip
_OBJECT_PLACES = ("o", "o", "u", "u", "b[0]", "b[1]", "e['o']", "e['u']")
_NUMBERS = (
    "x", "y", "1", "2", "-1", "L[0]", "L[1]", "L[-1]", "O.n", "O.row[0]", "len(L)", "sum(L) % 9",
    "(N + N)", "(N - N)", "n", "int(L is L)", "V", "V", "sum(z is L for z in g)",
)  # fmt: skip
_TESTS = (
    "x > 0", "y > 0", "x > y", "n > 1", "N > N", "N > N", "xs[0] > 0", "x > 0", "y > 0", "V > 0",
    "L is L", "O is O", "O in b", "L is not L", "(not T)", "(T and T)",
    "any(z is L for z in g)", "O.row is L", "not any(z is L for z in t)",
)  # fmt: skip
_WRITES = (
    "L[0] = N", "L[0] = N", "L[1] = N", "L[1] += N", "L[0] += 1", "O.n = N", "O.n += 1",
    "O.row[1] = N", "O.put(N)", "L[0], L[1] = L[1], N", "touched(L, N)", "c = N", "a = N",
    "L[:] = [N, N]", "L[:] = L", "functools.partial(touched, L)(N)", "L[c % 2] = N",
)  # fmt: skip
_REBINDINGS = (
    "P = L", "P = L", "P = L", "P = L", "P, P = P, P", "p, q = q, p", "q, r = r, q", "P = [N, N]",
    "P = [*L]", "Q = O", "Q = O", "o, u = u, o", "Q = Box(L, N)", "Q.row = L", "O.row = L",
    "O.take(L)", "P = P2 = L", "g = [L, L]", "t = (L, L)", 'd = {"a": L, "b": L}', "b = [O, O]",
    "g[0], g[1] = g[1], g[0]", "b.reverse()", "g.reverse()", "d['a'], d['b'] = d['b'], d['a']",
    "d.update(a=L)", "d |= {'b': L}", "setattr(O, 'row', L)", "(p, q) = t[:2]", "p, q = g",
    "P = d.get('a', L)", "p, *_ = (L, L)", "d['a'] = d.pop('b', L); d['b'] = L",
    "g[:] = [L, L]", "p = d.setdefault('a', L)",
)  # fmt: skip
_SIZES = (
    "L.append(N)", "L.append(N)", "P += [N]", "P += [N]", "del L[0]", "L.pop()", "L.pop(0)",
    "L.insert(0, N)", "L.extend(L)", "g.append(L)", "b.append(O)", "g.pop()", "L.clear()",
    "g.remove(L)", "L.sort()", "L.reverse()", "c = L.pop()", "p = g.pop()", "d['c'] = L",
    "P *= 2", "out.append(L)", "out.append(O)", "out.append(L)", "out.insert(0, L)",
)  # fmt: skip
_BLOCKS = (
    ("if T:", "    B"), ("if T:", "    B"), ("if T:", "    B", "else:", "    B"),
    ("if T:", "    B", "else:", "    B"), ("if T:", "    B", "elif T:", "    B"),
    ("if T:", "    R", "else:", "    R"), ("if T:", "    P = L", "else:", "    P = L"),
    ("if T:", "    E = L", "else:", "    E = L", "E[0] = N"),
    ("if T:", "    E = O", "else:", "    E = O", "E.n = N"),
    ("if T:", "    E = O", "else:", "    E = O", "E.row = L"),
    ("E = L if T else L", "E[1] = N", "P = E"),
    ("E = O if T else O", "E.put(N)", "Q = E"),
    ("for E in range(n):", "    B"), ("for E in range(n):", "    R"), ("for E in xs:", "    B"),
    ("for E in range(n):", "    if T:", "        R", "    W"),
    ("for E in (L, L):", "    E[0] += N", "    B"), ("for E in g:", "    E[1] = N"),
    ("for E in (O, O):", "    if T:", "        E.n += 1", "    B"),
    ("for E in b:", "    E.row[0] += 1"),
    ("for E in (L, L):", "    if T:", "        break", "E[0] = N"),
    ("for p in (L, L):", "    if T:", "        break"), ("for g[0] in (L, L):", "    W"),
    ("for o in (O, O):", "    if T:", "        break"), ("for o.row in (L, L):", "    W"),
    ("for E, F in zip(g, (L, L)):", "    if E is F:", "        E[0] = N"),
    ("for _, E in enumerate(t):", "    if T:", "        P = E"),
    ("E = 0", "while E < n:", "    E += 1", "    B"),
    ("E = 0", "while E < n:", "    E += 1", "    R", "    if T:", "        break"),
    ("try:", "    B", "finally:", "    B"),
    ("try:", "    if T:", "        P = L", "finally:", "    P = L"),
    ("with contextlib.nullcontext(L) as E:", "    B", "    E[0] = N"),
    ("with contextlib.nullcontext(L) as p:", "    B"),
    ("def E(row=L):", "    row[0] += N", "    return row", "B", "P = E()"),
    ("def E():", "    nonlocal p, q, r, o, u, c, a", "    B", "    return L", "P = E()"),
    ("def E():", "    nonlocal p, q, r, o, u, c, a", "    B", "if T:", "    E()"),
    ("E = L.append", "B", "E(N)"), ("E = O.put", "B", "E(N)"), ("E = O.get", "B", "P = E()"),
    ("E = functools.partial(touched, L)", "B", "E(N)"), ("E = L", "B", "E[0] = N"),
    ("E = O", "B", "E.n += N"), ("E = O.row", "B", "E[1] = N"), ("E = (L, L)", "B", "P = E[0]"),
    ("E = {'z': L}", "if T:", "    E['z'] = L", "E['z'][0] = N"),
    ("E = [L]", "if T:", "    E[0] = L", "E[0][1] = N"),
    ("E = Box(L, N)", "if T:", "    E.row = L", "E.row[1] = N"),
    ("match N:", "    case 0:", "        R", "    case 1:", "        B",
     "    case _:", "        R"),
    ("if (E := L) is L:", "    B", "E[0] = N"),
    ("E = L", "if T:", "    E = L", "    E[0] = N", "P = E"),
    ("E = None", "if T:", "    E = L", "if E is not None:", "    E[0] = N"),
    ("E = None", "for F in g:", "    if F[0] > N:", "        E = F", "if E is not None:",
     "    E[0] = N"),
    ("E = O", "for F in b:", "    if F.n > E.n:", "        E = F", "E.n = N"),
    ("E = L", "for F in range(n):", "    E, P = P, E", "E[0] = N"),
    ("if T:", "    return A"), ("if T:", "    W", "    return A"),
    ("for E in range(n):", "    W", "    if T:", "        return A"),
)  # fmt: skip
"""Compound statements. B: a block, W: a write, R: a rebinding, E, F: fresh names, A: a result."""
_RESULTS = (
    "L", "(L, L)", "[L, L]", "{'y': L, 'z': L}", "S", "(S, L)", "[S, S]", "(L is L)",
    "(S, S)", "(O.row, L)", "[[L], L]", "{'y': [L], 'z': S}",
)  # fmt: skip
_ENDS = (
    "p, q, r, d, g, t", "p, q, g", "p is q, q is r, g[0] is p, o is u, p, q",
    "d, p, q", "g, t", "A, A", "A, p, q", "p, p", "o.row, p", "S, S", "d, o.row", "t, r",
    "L, p, q, r",
    "S, [o.n, u.row]", "c, a", "[z is p for z in g], o.row is p, p, S", "(p if x > 0 else q), p",
    "S, S, b[0] is o, b[1] is u, e['o'] is u", "{'z': L, 'p': p}", "g, g", "[g, p], q", "S, p, q",
    "[z.row for z in b], o.row, p", "S, S, S",
)  # fmt: skip


@dataclass
class Writer:
    """Writes one program."""

    below: Below
    shown: str = ""
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def pick(self, options: Sequence[str]) -> str:
        return options[self.below(len(options))]

    def program(self) -> str:
        kind = self.below(3)
        self.shown = _SHOWN[kind]
        start = [line for options in _STARTS for line in self.pick(options).split("; ")]
        body = [line for _ in range(1 + self.below(5)) for line in self.statement(0)]
        end = [f"return r_, {self.filled(self.pick(_ENDS))}, c, out"]
        inner = ["def body():", *_indented(["nonlocal p, q, r, d, g, t, o, u, b, e, c, a", *body])]
        if any("return" in line for line in body):
            first, last = inner, ["r_ = body()"]
        else:
            first, last = body, ["r_ = 0"]
        lines = [*start, "c, a, out = 1, y, []", *first, *last, *end]
        outside = PRELUDE.replace("CLASS\n", _CLASSES[kind] + "\n")
        return outside + "\n".join(["def program(x, y, n, xs):", *_indented(lines)]) + "\n"

    def block(self, depth: int) -> Lines:
        return [line for _ in range(1 + self.below(2)) for line in self.statement(depth)]

    def statement(self, depth: int) -> Lines:
        kinds = (_WRITES, _REBINDINGS, _REBINDINGS, _SIZES)
        if depth < DEEPEST and self.below(2):
            return self.compound(_BLOCKS[self.below(len(_BLOCKS))], depth)
        forms = kinds[self.below(4)]
        if forms is _SIZES and self.below(3):
            forms = _REBINDINGS
        return self.filled(self.pick(forms)).split("; ")

    def compound(self, form: Lines | tuple[str, ...], depth: int) -> Lines:
        names = {name: f"{name.lower()}{next(self.fresh)}" for name in "EF"}
        lines: Lines = []
        for line in form:
            text = line.lstrip()
            margin = " " * (len(line) - len(text))
            if text == "B":
                inner = self.block(depth + 1)
            elif text in ("R", "W"):
                inner = self.filled(self.pick(_REBINDINGS if text == "R" else _WRITES)).split("; ")
            else:
                inner = [self.filled(re.sub(r"\b[EF]\b", lambda each: names[each[0]], text))]
            lines += [margin + each for each in inner]
        return lines

    def filled(self, form: str, depth: int = 0) -> str:
        """Replace L, P, O, Q, N, T, A by a list, place, object, number, test, result."""
        tables = {
            "L": _ROWS, "P": _PLACES, "P2": ("p", "q", "r"), "O": _OBJECTS, "Q": _OBJECT_PLACES,
            "N": _NUMBERS, "T": _TESTS, "A": _RESULTS, "V": ("c", "a"), "S": (self.shown,),
        }  # fmt: skip
        simple = {"L": "p", "O": "o", "N": "x", "T": "x > 0"}

        def fill(found: re.Match[str]) -> str:
            name = found[0]
            if depth > 2 and name in simple:
                return simple[name]
            return self.filled(self.pick(tables[name]), depth + 1)

        return re.sub(r"\b(?:P2|[LPOQNTAVS])\b", fill, form)


def _indented(lines: Lines) -> Lines:
    return ["    " + line if line else line for line in lines]

"""Families of features that a random program may draw on, beside those that every program has.

Forms are texts in which the writer replaces N by a number, T by a test, R by a list, I by an index,
V by a name and W by an assignable name.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """A value that a program starts with, and what programs do with it.

    Args:
      name: the variable, which is also a result of the program.
      start: the expression of its first value.
      writes: statements that change it.
      numbers: expressions of integers.
      tests: expressions of booleans.
      result: the expression that shows the value at the end; empty: the variable.
    """

    name: str
    start: str
    writes: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    result: str = ""

    @property
    def shown(self) -> str:
        return self.result or self.name


FAMILIES = (
    Family(
        "m", "[1, 2]",
        (
            "m.append(N)", "m.append(N)", "m.extend(R)", "m += [N]", "m.insert(0, N)",
            "m[-1] = N", "del m[0]", "m.remove(N) if len(m) > 4 else None", "m.clear()",
            "W = m.pop() if len(m) > 1 else N", "m = m + [N]", "m = m[1:]", "m.reverse()",
            "m.sort()", "m.sort(key=abs)", "m.sort(key=lambda z: (z % 2, -z))",
        ),
        ("len(m)", "sum(m)", "(m[-1] if m else 3)", "sum(z for z in m if z > 0)", "m.count(1)",
         "max((z for z in m if z > N), default=4)", "sorted(z for z in m if z != N)[:1] == [3]"),
        ("len(m) > 2", "N in m", "m", "(not m)"),
    ),
    Family(
        "t", "[0, 1, 0, 2, 0, 3]",
        (
            "t[N % 6] = N", "t[N % 6] += 1", "t[a % 6], t[b % 6] = t[b % 6], t[a % 6]",
            "t[abs(N)] = 1", "t[a % 3:] = [N] * len(t[a % 3:])",
            "t.sort(key=lambda z: (z - N) % 5)", "t.sort(reverse=True)",
        ),
        ("t[N % 6]", "t[t[N % 6] % 6]", "{0: 3, 1: 5}[N % 2]", "(3, 1, 4)[N % 3]", "t.index(3)"),
        ("t[N % 6] > 0", "N in t", "N in {1: 2, 3: 4}"),
    ),
    Family(
        "rows", "[[0, 1, 2], [3, 4, 5], [6, 7, 8]]",
        (
            "rows[N % 3][N % 3] = N", "rows[0][N % 3] += N", "rows[N % 3] = [N, N, N]",
            "rows[1], rows[2] = rows[2], rows[1]", "rows.sort(key=lambda z: z[0])",
        ),
        ("rows[N % 3][N % 3]", "sum(rows[N % 3])", "max(max(z) for z in rows)", "rows[-1][0]",
         "sorted(rows, key=sum)[0][1]"),
        ("rows[N % 3][0] > N",),
    ),
    Family(
        "bump", "functools.partial(change, v)",
        (
            "bump(N)", "bump(k=N)", "functools.partial(first, row=w)(k=N)",
            "bump = functools.partial(change, w)", "bump = functools.partial(change, R, N % 3)",
        ),
        ("(N if bump.args[1:] else bump(N))", "functools.partial(max, 2)(N)"),
        (),
        "len(bump.args)",
    ),
    Family(
        "h", "{}",
        (
            "h['z'] = N", "h.setdefault('y', N)", "h.pop('z', None)", "h.update(z=N, w=1)",
            "h['z'] = h.get('z', 0) + 1", "h |= {'y': N}", "h.clear()",
        ),
        ("h.get('z', 3)", "len(h)", "sum(h.values())", "(h['y'] if 'y' in h else N)"),
        ("'z' in h", "'y' not in h", "h", "h.get('z') is None"),
    ),
    Family(
        "shape", "Square(x)",
        (
            "shape = Flat(N, 2)", "shape = Square(N)", "shape.n = N", "shape.n += 1",
            "shape = shape.grown(N)", "shape.shrink()", "shape = (shape if T else Flat(2, N))",
        ),
        ("shape.area()", "shape.n", "shape.sides", "shape.shrink()", "shape.grown(N).n"),
        ("shape.area() > N", "shape.n > 0"),
        "(shape.n, shape.area(), shape.sides)",
    ),
    Family(
        "hue", "Hue.RED",
        (
            "hue = Hue.GREEN", "hue = Hue.BLUE", "hue = hue.after()", "SHADES[hue] += N",
            "SHADES[hue] = N", "hue = (hue if T else Hue.BLUE)",
        ),
        ("hue.value", "SHADES[hue]", "{Hue.RED: 5, Hue.GREEN: 6, Hue.BLUE: 7}[hue]",
         "hue.after().value"),
        ("hue is Hue.RED", "hue == Hue.BLUE", "hue in (Hue.RED, Hue.GREEN)"),
        "(hue.value, list(SHADES.values()))",
    ),
    Family(
        "spare", "Spare()",
        (
            "spare.z = N", "spare.z = N", "setattr(spare, 'z', N)", "keep = spare.z",
            "spare.z = R[0]", "first(row=[spare.z, 1], k=N)", "spare.y = getattr(spare, 'z', N)",
        ),
        ("getattr(spare, 'z', 3)", "(spare.z if hasattr(spare, 'z') else N)"),
        ("hasattr(spare, 'z')", "hasattr(spare, 'y')", "[getattr(spare, 'z', 1)]"),
        "[getattr(spare, 'z', None), getattr(spare, 'y', None)]",
    ),
    Family(
        "tally", "Counter()",
        ("tally[N % 3] += 1", "tally[1] += N", "tally.update([1, 2])", "tally[2] = N"),
        ("tally[N % 3]", "tally[5]", "len(tally)"),
        ("tally[1] > N", "1 in tally"),
        "[tally[z] for z in range(3)]",
    ),
    Family(
        "groups", "{}",
        (
            "groups.setdefault('p', []).append(N)", "groups.setdefault('q', [1]).append(N)",
            "groups['p'] = [N]", "groups['q'] = groups.get('q', []) + [N]",
            "groups.setdefault('p', []).extend(R)",
        ),
        ("len(groups.get('p', []))", "sum(groups.get('q', [2]))", "len(groups)"),
        ("'p' in groups", "len(groups.get('q', [])) > 1"),
    ),
    Family(
        "lots", "defaultdict(list)",
        (
            "lots['p'].append(N)", "lots['q'].append(N)", "lots['p'] = [N, N]", "lots['q'] += [N]",
            "lots['p'].insert(0, N)",
        ),
        ("len(lots['p'])", "sum(lots['q'])", "len(lots)"),
        ("'p' in lots", "lots['p']", "len(lots['q']) > 1"),
        "[lots['p'], lots['q']]",
    ),
    Family(
        "queue", "deque([1, 2])",
        (
            "queue.append(N)", "queue.append(N)", "queue.appendleft(N)", "queue.rotate(1)",
            "W = queue.popleft() if len(queue) > 1 else N", "queue[0] = N", "queue.extend(R)",
            "W = queue.pop() if queue else N", "queue.clear()",
        ),
        ("len(queue)", "sum(queue)", "(queue[0] if queue else 3)", "max(queue, default=2)"),
        ("len(queue) > 2", "N in queue", "queue"),
        "list(queue)",
    ),
    Family(
        "seen", "{1, 'k'}",
        (
            "seen.add(2)", "seen.add('z')", "seen.discard(1)", "seen |= {3, 1}", "seen -= {2}",
            "seen.update([4], [1])", "seen.clear()", "seen.difference_update({'k'})",
        ),
        ("len(seen)", "(4 if 2 in seen else N)", "len(seen | {7})"),
        ("1 in seen", "'z' not in seen", "seen"),
        "[1 in seen, 2 in seen, 3 in seen, 4 in seen, len(seen)]",
    ),
    Family(
        "best", "None",
        (
            "best = N", "best = N", "best = None", "best = N if best is None else max(best, N)",
            "best = N if best is None or best < N else best",
        ),
        ("(0 if best is None else best)", "(best or 4)"),
        ("best is None", "best is not None and best > 1"),
    ),
    Family(
        "got", "None",
        (
            "got = found(N)", "got = passed(N)", "got = N if T else None", "got = got and N",
            "got = found(N) or found(N)", "got, = [found(N)]", "W = size(got)",
            "got = N or None", "got = found(N) or None", "got = T and None", "W = size(N or None)",
        ),
        (
            "(0 if got is None else got)", "(got or 4)", "(3 if not got else got)", "size(got)",
            "size(found(N))", "(passed(N) or 2)", "size(N if T else None)",
        ),
        ("got is None", "got is not None and got > N", "not got", "got == N", "found(N) is None"),
    ),
    Family(
        "slot", "{'k': None, 'j': 2}",
        (
            "slot['k'] = found(N)", "slot['k'] = N", "slot['k'] = None", "slot['k'] = slot['j']",
            "slot['j'] = found(N)", "o.row[1] = size(slot['j'])",
        ),
        ("(0 if slot['k'] is None else slot['k'])", "size(slot['j'])", "(slot['k'] or N)"),
        ("slot['k'] is None", "slot['j']", "slot['k'] == slot['j']", "None in slot.values()"),
    ),
    Family(
        "op", "smaller",
        (
            "op = abs", "op = smaller", "op = abs if T else smaller", "op = smaller if T else None",
            "op = op or abs", "op = lambda z: z + 1",
        ),
        ("(op(N) if op is not None else N)", "(op or abs)(N)"),
        ("op is abs", "op is None", "op"),
        "op is smaller",
    ),
    Family(
        "label", "'s'",
        (
            "label += f'-{V}'", "label = 'p' if T else 'n'", "label = f'{V}:{V:>3}'",
            "label += str(N)", "label = 'ab' * 2",
        ),
        ("len(label)", "int(label == 'p')"),
        ("label == 'p'", "label != f'{V}'"),
    ),
    Family(
        "fl", "1.5",
        ("fl = fl / 2 + N", "fl -= 0.25", "fl = -fl", "fl = max(fl, 0.5)", "fl = float(N)"),
        ("int(fl) % 9", "round(fl) % 9", "int(fl > 1)"),
        ("fl > 1.0", "fl == 1.5", "fl < N"),
    ),
    Family(
        "pair", "(1, 2)",
        (
            "pair = (N, N)", "pair = pair[::-1]", "a, b = pair", "pair = (pair[1], N)",
            "*_, c = pair",
        ),
        ("pair[0]", "pair[1]", "sum(pair)", "max(pair)"),
        ("pair[0] < pair[1]", "pair == (1, 2)", "N in pair"),
    ),
    Family(
        "shelf", "Shelf()",
        (
            "shelf.put(N)", "shelf.items.append(N)", "shelf.items.clear()",
            "W = shelf.items.pop() if len(shelf) > 1 else N", "shelf = Shelf()",
            "shelf.items.extend(R)", "W = len(shelf) if shelf else N",
        ),
        ("len(shelf)", "(len(shelf) or 4)", "sum(z for z in shelf.items)"),
        ("shelf", "(not shelf)", "bool(shelf)", "len(shelf) > 1", "N in shelf", "N not in shelf"),
        "shelf.items",
    ),
    Family(
        "kinds", "Box",
        ("kinds.kind = N", "kinds.kind += 1", "type(o).kind = N"),
        ("kinds.kind", "o.kind", "kinds(N).n"),
        ("q.kind > 5",),
        "kinds.kind",
    ),
    Family(
        "ns", "argparse.Namespace(k=1, row=[1, 2], box=o)",
        (
            "ns.k = N", "ns.k += 1", "ns.row[0] = N", "ns.row = [N, 1]", "setattr(ns, 'k', N)",
            "ns.box.n = N", "vars(ns)['k'] = N", "ns.z = N", "ns.box.put(1, N)",
        ),
        ("ns.k", "sum(ns.row)", "ns.box.n", "getattr(ns, 'z', 3)"),
        ("ns.k > N", "hasattr(ns, 'z')", "ns.row[0] < N"),
        "[ns.k, ns.row, ns.box.n, getattr(ns, 'z', None)]",
    ),
    Family(
        "weak", "(weakref.ref(o), weakref.proxy(q), o, q)",
        (
            "weak[0]().n = N", "weak[0]().row[1] = N", "weak[1].n = N", "weak[1].put(0, N)",
            "weak[0]().level = N", "weak[1].add(N % 9)", "weak[1].row = [N, N]",
        ),
        ("weak[0]().n", "weak[1].n", "sum(weak[1].row)", "weak[0]().add(1)"),
        ("weak[0]().n > N", "weak[0]() is o"),
        "[weak[0]().n, weak[1].row]",
    ),
    Family(
        "keyed", "{o: [1], (1, q): [2]}",
        (
            "next(iter(keyed)).n = N", "[*keyed][1][1].row[0] = N", "keyed[o][0] = N",
            "next(iter(keyed)).put(0, N)", "[*keyed.values()][1][0] = N",
        ),
        ("next(iter(keyed)).n", "sum(z[0] for z in keyed.values())", "[*keyed][1][1].n"),
        ("next(iter(keyed)).n > N", "o in keyed"),
        "[next(iter(keyed)).n, *keyed.values()]",
    ),
    Family(
        "error", "ValueError([1, 2], o)",
        (
            "error.args[0][0] = N", "error.args[1].n = N", "error.code = N",
            "error.args[0][1] += 1",
        ),
        ("error.args[0][0]", "error.args[1].n", "getattr(error, 'code', 2)"),
        ("error.args[0][1] > N", "hasattr(error, 'code')"),
        "[error.args[0], error.args[1].n, getattr(error, 'code', None)]",
    ),
)  # fmt: skip


STATEMENTS = (
    ("try:", "    B", "finally:", "    S"),
    ("try:", "    S", "finally:", "    B"),
    ("for E in range(2):", "    B", "else:", "    S"),
    ("for E in v[:2]:", "    J", "else:", "    B"),
    ("for E in range(n):", "    J", "else:", "    S"),
    ("match N % 3:", "    case 0:", "        B", "    case 1 if T:", "        B",
     "    case _:", "        S"),
    ("with contextlib.nullcontext(N) as E:", "    B"),
    ("if (W := N) > 0:", "    B", "else:", "    S"),
    ("W = sum(z for z in counted(2) if z > N)",),
    ("for E in counted(3):", "    B"),
    ("assert T or True",),
    ("E = N", "del E", "S"),
    ("E, *_ = R", "W = E"),
    ("W = [z * 2 for z in R if z > N][:1] == [2]", "W = int(W)"),
    ("while W > 9:", "    W //= 2", "    J", "else:", "    S"),
)  # fmt: skip
"""Compound statements: B is a block, S a write, J a write that may jump, E a fresh name."""

"""Random programs that read objects outside, which change between calls."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as tf

PRELUDE = """
import collections, dataclasses, enum, functools, types
import numpy as np
import runtime as tf

class Color(enum.Enum):
    RED = 1
    BLUE = 2

@dataclasses.dataclass
class Record:
    a: object
    b: object

class Point(collections.namedtuple("Point", "x y")):
    pass

class Base:
    scale = 2
    def __init__(self, v):
        self.v = v
        self.items = [v, v + 1]
    def get(self):
        return self.v
    @property
    def twice(self):
        return self.v * 2
    def __len__(self):
        return len(self.items)
    def __getitem__(self, i):
        return self.items[i]
    def __call__(self, q):
        return q + self.v * self.scale

class Child(Base):
    def get(self):
        return super().get() + 10

class Computing:
    def __getattr__(self, name):
        if name.startswith("computed"):
            return table[name]
        raise AttributeError(name)

class Growing(dict):
    def __missing__(self, key):
        return len(self)

def helper(q):
    return q * 2

def reads_rows(q):
    return q + len(rows)

def with_default(q, held=[1, 2]):
    return q + held[-1]

def makes_closures():
    c = 1
    box = [1]
    def read():
        return c * 100 + box[0]
    def change():
        nonlocal c
        c += 1
        box[0] += 5
    return read, change

def attempt(holder):
    try:
        return holder.late
    except AttributeError:
        return -1

table = {"computed": 3}
number, text, nothing, flag, color = 3, "abc", None, True, Color.RED
rows, nested, pair = [1, 2, 3], [[1], [2, 3]], (1, 2)
entries, deep = {"a": 1, "b": 2}, {"a": {"k": 1}}
members, queue = {1, 5}, collections.deque([1, 2])
counter, growing = collections.Counter("aab"), Growing(a=1)
base, child, record, point = Base(4), Child(2), Record(1, [2]), Point(1, 2)
computing, space, module = Computing(), types.SimpleNamespace(v=2), types.ModuleType("m")
array = np.array([1, 2, 3])
partial, functions, method = functools.partial(lambda a, b: a * b, 3), [helper], base.get
read, change = makes_closures()
variable, tensor, tensors = tf.Variable(2), tf.constant(5), [tf.constant(1)]
"""

READS = {
    "number": ("number += 1", "number = -2"),
    "len(text)": ("text += 'a'", "text = ''"),
    "(0 if nothing is None else nothing)": ("nothing = 5", "nothing = None"),
    "(1 if flag else 2)": ("flag = not flag",),
    "color.value": ("color = Color.BLUE",),
    "sum(rows)": ("rows.append(4)", "rows[0] += 1", "rows = [9]", "rows.clear()"),
    "len(rows)": ("rows.insert(0, 7)", "del rows[:1]"),
    "(rows == [1, 2, 3])": ("rows = [1, 2, 3]", "rows[-1:] = [3]"),
    "(rows is nested)": ("nested = rows",),
    "nested[0][0]": ("nested[0][0] += 1", "nested[0] = [8]", "nested = [[3]]"),
    "sum(a * b for a, b in zip(rows, pair))": ("pair = (4, 4)", "rows = [2, 2]"),
    "entries['a']": ("entries['a'] += 1", "entries = {'a': 6}", "entries |= {'a': 4}"),
    "entries.get('c', 0)": ("entries['c'] = 5", "entries.pop('c', None)"),
    "next(iter(entries.values()))": ("entries = {'x': 5, 'a': 1}",),
    "deep['a']['k']": ("deep['a']['k'] += 1", "deep['a'] = {'k': 5}"),
    "max(members)": ("members.add(9)", "members.discard(5)"),
    "queue[0]": ("queue.appendleft(8)", "queue.rotate()"),
    "counter['z']": ("counter['z'] += 1", "counter = collections.Counter('zz')"),
    "growing['absent']": ("growing['k'] = 1", "growing['absent'] = 6"),
    "base.v": ("base.v += 1", "base = Base(7)", "vars(base)['v'] = 2"),
    "base.get()": ("base.get = lambda: 55", "Base.get = lambda self: self.v + 1000"),
    "base.twice": ("base.v += 2", "Base.twice = property(lambda s: s.v * 3)"),
    "len(base)": ("base.items.append(3)", "base.items = [1]"),
    "base[0]": ("base.items[0] = 77",),
    "base(1)": ("Base.scale += 1", "base.scale = 5"),
    "isinstance(base, Child)": ("base = Child(1)", "base.__class__ = Child"),
    "getattr(base, 'extra', 0)": ("base.extra = 4", "Base.extra = 6"),
    "attempt(base)": ("base.late = 5", "Base.late = 7"),
    "attempt(space)": ("space.late = 5",),
    "attempt(module)": ("module.late = 5",),
    "attempt(helper)": ("helper.late = 5",),
    "child.get()": ("child.v += 1", "Child.get = lambda self: self.v * 3", "Base.get = len"),
    "record.a + record.b[0]": ("record.a += 1", "record.b[0] = 9", "record = Record(2, [3])"),
    "point.x": ("point = Point(5, 6)",),
    "computing.computed": ("table['computed'] += 1", "computing.computed = 66"),
    "space.v": ("space.v += 1",),
    "int(array.sum())": ("array[0] += 1", "array = np.array([5])", "array.fill(3)"),
    "helper(2)": ("helper = lambda q: q + 50",),
    "reads_rows(1)": ("reads_rows.__code__ = (lambda q: q - len(rows)).__code__", "rows = [1]"),
    "with_default(1)": (
        "with_default.__defaults__ = ([7],)",
        "with_default.__defaults__ = ([8],)",
    ),
    "partial(2)": ("partial = functools.partial(lambda a, b: a - b, 9)",),
    "sum(f(2) for f in functions)": ("functions.append(base)", "functions[0] = reads_rows"),
    "method()": ("method = child.get", "base.v += 5"),
    "read()": ("change()", "read, change = makes_closures()"),
    "variable": ("variable.assign_add(1)", "variable = tf.Variable(9)"),
    "tensor": ("tensor = tf.constant(8)", "tensor = 3"),
    "sum(tensors)": ("tensors.append(tf.constant(1))", "tensors[-1] = 6"),
}

FORMS = (
    "r = r + {read}",
    "if x > 1:\n    r = r + {read}",
    "if x > 1:\n    r = r + {read}\nelse:\n    r = r - {read}",
    "for _ in tf.range(2):\n    r = r + {read}",
    "t = {read}\nif t:\n    r = r * 2 + t",
    "k = tf.constant(0)\nwhile k < 2:\n    r += {read}\n    k += 1",
    "def inner():\n    return {read}\nr = r + inner()",
    "r = tf.cond(x > 1, lambda: r + {read}, lambda: r)",
)


@st.composite
def worlds(draw: Any) -> tuple[str, list[str]]:
    """A program and the steps that call it and change what it reads."""
    reads = draw(st.lists(st.sampled_from(sorted(READS)), min_size=1, max_size=4))
    body = "\n".join(draw(st.sampled_from(FORMS)).format(read=each) for each in reads)
    body = textwrap.indent(f"r = tf.constant(0)\n{body}\nreturn r", "    ")
    changes = st.sampled_from([change for each in reads for change in READS[each]])
    calls = st.integers(0, 3).map("results.append(int(program(tf.constant({}))))".format)
    steps = draw(st.lists(st.one_of(changes, calls), min_size=4, max_size=9))
    return f"{PRELUDE}\n@decorator\ndef program(x):\n{body}\n", [*steps, draw(calls)]


def results_of(path: Path, steps: list[str], decorator: Callable[[Any], Any]) -> list[Any]:
    """Run the program and the steps; an exception counts by its type."""
    results: list[Any] = []
    names: dict[str, Any] = {"__name__": "world", "decorator": decorator, "results": results}
    exec(compile(path.read_text(), path, "exec", dont_inherit=True), names)
    for step in steps:
        try:
            exec(step, names)
        except Exception as error:
            results.append(type(error))
    return results


@given(worlds())
def test_a_program_sees_what_changed_outside(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[str, list[str]]
) -> None:
    source, steps = world
    path = tmp_path_factory.mktemp("worlds") / "world.py"
    path.write_text(source)
    assert results_of(path, steps, tf.function) == results_of(path, steps, lambda f: f)

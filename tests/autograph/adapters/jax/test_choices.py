"""A list, dict or object that a traced value chooses, then read, changed, returned and compared.

JAX, PyTorch and the example library give a copy. So what the program does to one of the objects
afterwards has the answer of plain Python, or is refused.
"""

import dataclasses
import itertools

import numpy as np
import pytest

import autograph
from fixtures.staging import lazy_arrays

jax = pytest.importorskip("jax")

SETUP = """
import dataclasses, functools, jax

class Box:
    def __init__(self, k, v):
        self.k = k
        self.v = v

@functools.partial(jax.tree_util.register_dataclass, data_fields=["k", "v"], meta_fields=[])
@dataclasses.dataclass
class Tree:
    k: object
    v: object

def pick(a, b, first):
    if first:
        return a
    return b

def parts(a):
    return a if type(a) in (list, dict) else [a.k, a.v]

def change(m):
    MV = 10.0

def f(x):
    a = NEW(x, 1.0)
    b = NEW(2 * x - 1, 2.0)
    WAY
    USE
"""

KINDS = {
    "list": ("[{}, {}]", "{}[0]", "{}[1]"),
    "dict": ("dict(k={}, v={})", "{}['k']", "{}['v']"),
    "object": ("Box({}, {})", "{}.k", "{}.v"),
    "tree": ("Tree({}, {})", "{}.k", "{}.v"),
}

WAYS = {
    "conditional expression": "m = a if x < 2 else b",
    "both branches": "if x < 2:\n        m = a\n    else:\n        m = b",
    "one branch": "m = a\n    if x > 2:\n        m = b",
    "min": "m = min([a, b], key=lambda r: RK)",
    "max of arguments": "m = max(a, b, key=lambda r: RK)",
    "sorted": "m = sorted([a, b], key=lambda r: RK)[0]",
    "reduce": "m = functools.reduce(lambda p, q: p if PK < QK else q, [a, b])",
    "loop": "m = a\n    for r in [a, b]:\n        if RK < MK:\n            m = r",
    "function": "m = pick(a, b, x < 2)",
    "item": "m = [a, b][0 if x < 2 else 1]",
}

READS = ["return MV", "return MV + MK", "AV = 10.0\n    return AV", "return parts(m)"]

CHANGES = [
    *(f"MV = 10.0\n    return {result}" for result in ("MV", "AV, BV", "parts(a), parts(b)")),
    "pass; MV = 10.0; return AV, BV",
    "MV += 10.0\n    return AV, MV",
    "MV, BV = 7.0, 8.0\n    return AV, BV",
    "for MV in [3.0, 4.0]:\n        pass\n    return AV",
    "AV = 10.0\n    return MV",
    "try:\n        AV = 10.0\n    finally:\n        pass\n    return MV",
    "def inner():\n        AV = 10.0\n    inner()\n    return MV",
    "change(m)\n    return AV, BV",
    "if x > 1:\n        MV = 10.0\n    return AV, BV, MV",
    "i = 0\n    while i < x:\n        MV += 1.0\n        i += 1\n    return AV, BV",
    "pair = [m, a]\n    pair[0] = change(pair[0])\n    return AV, BV",
    "o = b if x < 2 else a\n    MV, OV = OV, MV\n    return AV, BV",
    "return parts(m), parts(m), parts(a)",
    "return 1.0 if m is a else 0.0",
    "return 1.0 if any(m is r for r in [b]) else 2.0",
]

ONLY = {
    "list": [
        "m.append(3.0)\n    return len(a), len(b), x",
        "a.append(3.0)\n    return len(m), len(b), x",
        "m.pop()\n    return len(a), len(b), x",
        "MV = 10.0\n    p, q = a\n    return q",
        "a += [4.0]\n    return len(m), x",
        "m.sort()\n    return a, b",
        "a[:] = [8.0, 9.0]\n    return m, b",
        "del m[0]\n    return a, b",
    ],
    "dict": [
        "m['z'] = 3.0\n    return len(a), len(b), x",
        "a.update(k=9.0)\n    return MK",
        "m.setdefault('z', 1.0)\n    return len(a), x",
        "del m['v']\n    return a, b",
    ],
}

REFUSED = (
    "only the running program knows",
    "known only when the program runs",
    "after the `if` branch and",
    "`sorted` of staged values cannot be recorded",
)


def program(kind, way, use):
    new, *items = KINDS[kind]
    text = SETUP.replace("WAY", WAYS[way]).replace("USE", use)
    text = text.replace("NEW(x, 1.0)", new.format("x", "1.0"))
    text = text.replace("NEW(2 * x - 1, 2.0)", new.format("2 * x - 1", "2.0"))
    for name, (letter, item) in itertools.product("abmopqr", zip("KV", items, strict=True)):
        text = text.replace(name.upper() + letter, item.format(name))
    return autograph.exec(text)["f"]


def by_jax(function, x):
    return jax.jit(autograph.convert()(function))(x)


def by_example(function, x):
    return lazy_arrays.run(autograph.convert()(function), x)


def by_torch(function, x):
    torch = pytest.importorskip("torch")

    class Module(torch.nn.Module):
        def forward(self, x):
            return function(x)

    exported = torch.export.export(autograph.convert(Module()), (torch.tensor(x),))
    return exported.module()(torch.tensor(x))


def agrees(stage, function):
    """Return whether both answers are those of plain Python; False if they are refused."""
    for x in (0.0, 3.0):
        try:
            actual = stage(function, x)
        except Exception as error:
            assert any(words in str(error) for words in REFUSED), repr(error)
            return False
        np.testing.assert_array_equal(jax.tree.leaves(actual), jax.tree.leaves(function(x)))
    return True


CASES = [*(("list", way) for way in WAYS), *((kind, "both branches") for kind in KINDS)]


@pytest.mark.parametrize(("kind", "way"), [*CASES, ("dict", "min"), ("tree", "min")])
def test_chosen_object_is_that_of_python_or_refused(kind, way):
    for use in (*READS, *CHANGES, *ONLY.get(kind, ())):
        agrees(by_jax, program(kind, way, use))


@pytest.mark.parametrize("stage", [by_torch, by_example])
@pytest.mark.parametrize("kind", ["list", "dict"])
def test_other_libraries_refuse_it_too(stage, kind):
    for use in (*READS, *CHANGES, *ONLY[kind]):
        agrees(stage, program(kind, "min", use))


@pytest.mark.parametrize("stage", [by_jax, by_torch, by_example])
@pytest.mark.parametrize("way", ["conditional expression", "both branches", "min", "reduce"])
@pytest.mark.parametrize("use", READS)
def test_chosen_list_that_is_read_is_staged(stage, way, use):
    assert agrees(stage, program("list", way, use))


@pytest.mark.parametrize("use", ["MV = 10.0\n    return MV", "m.append(1.0)\n    return m"])
def test_chosen_list_is_changed_where_the_others_are_not_used(use):
    assert agrees(by_jax, program("list", "min", use))


def ball_after_steps(register):
    @dataclasses.dataclass(frozen=True)
    class Ball:
        height: object
        bounces: object = 0

    def program(x):
        ball = Ball(x)
        for _ in range(3):
            if ball.height < 2:
                ball = dataclasses.replace(ball, height=5 - ball.height, bounces=ball.bounces + 1)
            else:
                ball = dataclasses.replace(ball, height=ball.height - 1)
        return ball.height, ball.bounces

    register(Ball)
    return program


@pytest.mark.parametrize("stage", [by_jax, by_torch])
def test_object_that_a_branch_replaces_is_a_structure_of_the_library(stage):
    remedy = "Make Ball a named tuple, register it as a pytree, or assign attributes"
    with pytest.raises(TypeError, match=remedy):
        stage(ball_after_steps(lambda kind: None), 3.0)
    register = jax.tree_util.register_dataclass
    if stage is by_torch:
        register = pytest.importorskip("torch").export.register_dataclass
    assert agrees(stage, ball_after_steps(register))


def matched(x):
    match bool(x > 0):
        case True:
            return x
    return -x


def chosen_flag(x):
    found = False
    if x > 0:
        found = True
    return x if found is True else -x


@pytest.mark.parametrize("stage", [by_jax, by_torch, by_example])
@pytest.mark.parametrize("function", [matched, chosen_flag])
def test_identity_of_a_truth_value_is_refused(stage, function):
    with pytest.raises(TypeError, match="asks for the identity of a truth value"):
        stage(function, 3.0)


@pytest.mark.parametrize("stage", [by_jax, by_torch, by_example])
def test_an_array_is_no_truth_value(stage):
    assert agrees(stage, lambda x, mask=True: x * 2 if x is not True and mask is True else x)


def test_list_of_one_name_is_changed_after_a_branch_makes_another():
    def program(x):
        row = [0.0, x]
        if x > 0:
            row = [x, 1.0]
        row[1] += 5.0
        return row

    converted = jax.jit(autograph.convert()(program))
    for x in (-1.0, 2.0):
        np.testing.assert_array_equal(converted(x), program(x))


def test_pop_takes_the_last_of_traced_items():
    def program(x, stack):
        stack.append(2 * x)
        top = stack.pop()
        return top - stack.pop(0), len(stack)

    assert jax.jit(autograph.convert()(program))(3.0, [1.0, 5.0]) == (5.0, 1)

"""Globals, attributes and structures that only a staged statement assigns."""

from typing import Any

import pytest

import autograph
import runtime as tf

BRANCH = "def f(x):\n    global g\n    if x > 0:\n        g = {value}\n    return {result}\n"
BOTH = """
def f(x):
    global g
    if x > 0:
        g = x
    else:
        g = -x
    return g
"""
NESTED = """
def f(x):
    global g
    if x > 0:
        if x > 5:
            g = x + 1
    return x
"""
LOOP = """
def f(x):
    global g
    while x > 0:
        g = x
        x = x - 2
    return x
"""
PYTHON_LOOP = """
def f(x):
    global g
    for i in range(3):
        if x > i:
            g = x + i
    return x
"""
ROLLED_FOR = """
def f(x):
    global g
    for i in range(200):
        g = x + i
        x = x + 1.0
    return x
"""
ROLLED_WHILE = """
def f(x):
    global g
    i = 0
    while i < 200:
        g = x + i
        x = x + 1.0
        i += 1
    return x
"""
TEXTS = {
    "tensor": BRANCH.format(value="x + 1", result="x"),
    "number": BRANCH.format(value="1", result="x"),
    "read": BRANCH.format(value="x + 1", result="g * 2"),
    "both": BOTH,
    "nested": NESTED,
    "loop": LOOP,
    "Python loop": PYTHON_LOOP,
    "rolled for": ROLLED_FOR,
    "rolled while": ROLLED_WHILE,
}


def outcome(function: Any, argument: Any, space: dict[str, Any]) -> Any:
    try:
        result = float(function(argument))
    except NameError:
        result = "NameError"
    return result, float(space["g"]) if "g" in space else "no global"


@pytest.mark.parametrize("kind", TEXTS)
def test_a_global_that_a_staged_statement_creates_is_there_where_python_has_it(kind):
    plain, staged = autograph.exec(TEXTS[kind]), autograph.exec(TEXTS[kind])
    function = tf.function(staged["f"])
    for x in (-1.0, 7.0, -2.0, 3.0):
        expected = outcome(plain["f"], x, plain)
        assert outcome(function, tf.constant(x), staged) == expected


@pytest.mark.parametrize("value", ["[x]", "(x, 1)", "{'a': x}", "[]", "{}", "None"])
def test_a_structure_that_one_branch_leaves_in_a_new_global_is_refused(value):
    space = autograph.exec(BRANCH.format(value=value, result="x"))
    with pytest.raises(TypeError, match="`g`"):
        tf.function(space["f"])(tf.constant(-1.0))
    assert "g" not in space


def test_a_branch_that_fails_leaves_no_global():
    space = autograph.exec(BRANCH.format(value="x.no_attribute", result="x"))
    with pytest.raises(AttributeError):
        tf.function(space["f"])(tf.constant(1.0))
    assert "g" not in space


MADE_OR_READ = """
class Holder:
    pass

holder = Holder()
table = {"other": 0}

def attribute(x):
    if x > 0:
        holder.g = 1
        return 1
    return holder.g

def key(x):
    if x > 0:
        table["g"] = 2
        return 1
    return table["g"]

def variable(x):
    global g
    if x > 0:
        g = 3
        return 1
    return g

def state():
    return getattr(holder, "g", None), table.get("g"), globals().get("g")
"""


@pytest.mark.parametrize("calls", [(1, -1), (-1, 1, -1), (1, -1, 1, -1), (-1, -1, 1, 1)])
@pytest.mark.parametrize("name", ["attribute", "key", "variable"])
@pytest.mark.parametrize("nested", [False, True], ids=["", "nested"])
def test_a_place_that_one_branch_makes_and_the_other_reads_is_there_where_python_has_it(
    name, calls, nested
):
    plain, staged = autograph.exec(MADE_OR_READ), autograph.exec(MADE_OR_READ)
    inner = tf.function(staged[name])
    function = tf.function(lambda x: inner(x)) if nested else inner
    for x in calls:
        try:
            expected = plain[name](x)
        except (AttributeError, KeyError, NameError) as error:
            with pytest.raises(type(error)):
                function(tf.constant(x))
        else:
            assert int(function(tf.constant(x))) == expected
        assert staged["state"]() == plain["state"]()


def test_the_caller_reads_an_attribute_that_a_function_that_may_raise_makes():
    space = autograph.exec(MADE_OR_READ)
    inner = tf.function(space["attribute"])
    outer = tf.function(lambda x: (inner(x), space["holder"].g + 1))
    for x in (1, -1, 1):
        assert list(map(int, outer(tf.constant(x)))) == [1, 2]


def test_an_attribute_that_every_run_makes_is_no_reason_to_trace_again():
    space = autograph.exec(
        "traces = []\n"
        "def f(x):\n    traces.append(1)\n    assert x > 0\n    f.known = True\n    return x\n"
    )
    function = tf.function(space["f"])
    for x in (1, 2, 3, 4):
        function(tf.constant(x))
    assert len(space["traces"]) <= 2


LENGTH = "def f(x):\n    if x > 0:\n        y = {value}\n    return len(y)\n"


@pytest.mark.parametrize("value", ["[x]", "(x, x)", "{'a': x}", "[(x, 1)]"])
def test_length_of_a_structure_of_one_branch_is_unbound_where_the_other_ran(value):
    space = autograph.exec(LENGTH.format(value=value))
    function = tf.function(space["f"])
    assert int(function(tf.constant(1.0))) == space["f"](1.0)
    with pytest.raises(UnboundLocalError, match="'y'"):
        function(tf.constant(-1.0))


def test_an_empty_list_of_one_branch_is_refused():
    space = autograph.exec(LENGTH.format(value="[]"))
    with pytest.raises(TypeError, match="`y` has no value after the `else` branch"):
        tf.function(space["f"])(tf.constant(-1.0))


ATTRIBUTE = """
class Model:
    pass

m = Model()

def f(x):
    if x > 0:
        m.v = {value}
    return {result}
"""


@pytest.mark.parametrize("result", ["len(m.v)", "m.v == (1, 2)", "[1 for _ in m.v]"])
def test_a_structure_of_one_branch_in_an_attribute_is_refused_where_it_is_read(result):
    space = autograph.exec(ATTRIBUTE.format(value="(x, x + 1)", result=result), filename="new.py")
    with pytest.raises(TypeError, match=r"(?s)whether `m.v` is assigned.*\"new.py\", line 10"):
        tf.function(space["f"])(tf.constant(-1.0))


def test_a_tensor_of_one_branch_in_an_attribute_is_read_where_the_branch_ran():
    space = autograph.exec(ATTRIBUTE.format(value="x + 1", result="m.v"))
    function = tf.function(space["f"])
    with pytest.raises((AttributeError, NameError)):
        function(tf.constant(-1.0))
    assert float(function(tf.constant(1.0))) == 2.0


class Holder:
    pass


def of_a_callee(holder, decorate):
    @decorate
    def inner(x):
        if x > 0:
            holder.u = 1
            holder.w = x
        return x

    @decorate
    def outer(x):
        y = inner(x)
        return y + (holder.u if hasattr(holder, "u") else 50)

    return outer


@pytest.mark.parametrize("arguments", [(3, -3), (-3, 3, -3)])
def test_attributes_that_a_callee_may_assign(arguments):
    held, expected = Holder(), Holder()
    staged, plain = of_a_callee(held, tf.function), of_a_callee(expected, lambda f: f)
    for argument in arguments:
        assert int(staged(tf.constant(argument))) == plain(argument)
        assert {name: int(value) for name, value in vars(held).items()} == vars(expected)


def bytes_and_text(holder, x):
    holder.kept = b"a"
    if x > 0:
        holder.kept = b"b"
        holder.made = b"c"
        holder.text = "d"
    return x


@pytest.mark.parametrize("x", [3, -3])
def test_bytes_stay_bytes_and_texts_texts(x):
    held, expected = Holder(), Holder()
    tf.function(lambda x: bytes_and_text(held, x))(tf.constant(x))
    bytes_and_text(expected, x)
    assert vars(held) == vars(expected)

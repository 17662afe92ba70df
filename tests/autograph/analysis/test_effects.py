"""Effects of code on the names of its scope."""

import gast
import pytest

from autograph.analysis.effects import effects_of, parameters


def of(text):
    return effects_of(*gast.parse(text).body)


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("y = x", {"x"}, {"y"}),
        ("y += x", {"x", "y"}, {"y"}),
        ("a, (b, *c) = x", {"x"}, {"a", "b", "c"}),
        ("x[i] = v", {"x", "i", "v"}, set()),
        ("x.a = v", {"x", "v"}, set()),
        ("del x", set(), {"x"}),
        ("import a.b, c as d", set(), {"a", "d"}),
        ("f(n := x)", {"f", "x"}, {"n"}),
        ("[i + x for i in xs if i]", {"x", "xs"}, set()),
        ("for i in xs: pass", {"xs"}, {"i"}),
    ],
)
def test_names_are_read_and_written(text, reads, writes):
    effects = of(text)
    assert effects.reads == reads
    assert set(effects.writes) == writes


def test_a_function_inside_takes_its_free_variables_with_it():
    effects = of("def g(a):\n    nonlocal n\n    n = a + x\n    local = 1\n    return local")
    assert set(effects.writes) == {"g"}
    assert {"x", "n"} <= effects.captured
    assert effects.rebound_by_calls == {"n"}
    assert not {"a", "local"} & (effects.reads | effects.captured)


def test_what_an_operand_assigns_is_conditional():
    assert of("a or (b := c)").conditional == {"b"}
    assert of("(b := c) or a").conditional == set()


def test_changes_of_length_are_told_from_those_of_an_item():
    assert of("x[i] = v").resized == set()
    assert of("x[i] = v").items.keys() == {"x"}
    assert of("del x[i]").resized == of("x += v").resized == {"x"}


@pytest.mark.parametrize("call", ["locals()", "eval('x')", "vars()"])
def test_calls_that_read_the_variables_of_their_caller_are_known(call):
    effects = of(call)
    assert effects.reads_locals or effects.reads_frame
    assert not of("locals = 1\nself.locals()").reads_locals


def test_parameters_come_in_the_order_of_the_signature():
    function = gast.parse("def f(a, /, b, *c, d, **e): pass").body[0]
    assert parameters(function.args) == ["a", "b", "c", "d", "e"]

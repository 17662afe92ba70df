"""Patterns of operations, and rules that replace them."""

import pytest

import runtime as tf
from runtime.core.errors import InternalError
from runtime.passes.identities import simplify
from runtime.passes.pattern import Filled, Library, Rule, node
from runtime.passes.prune import prune


def graph_of(case):
    function, *specs = case
    return prune(tf.function(function, autograph=False).get_concrete_function(*specs).graph)


def test_rules_that_undo_one_another_are_named():
    def becomes(name):
        return lambda match: match.add(name, match["x"], match["y"])

    rules = (
        Rule("there", "x + y = x - y", node("AddV2", "x", "y"), becomes("Sub")),
        Rule("back", "x - y = x + y", node("Sub", "x", "y"), becomes("AddV2")),
    )
    spec = tf.TensorSpec([], tf.float32)
    graph = graph_of((lambda x, y: x + y, spec, spec))
    with pytest.raises(InternalError, match="the rules there, back do not settle at add"):
        simplify(graph, Library(rules))


SPEC = tf.TensorSpec([2], tf.float32)


def replaced(rule, function, *specs):
    graph = simplify(graph_of((function, *(specs or (SPEC, SPEC)))), Library((rule,)))
    return [op.type for op in graph.operations if op.type != "Placeholder"]


def test_operands_of_a_commutative_op_match_in_either_order():
    rule = Rule("", "", node("AddV2", "x", node("Neg", "y")), lambda match: match["x"])
    assert replaced(rule, lambda x, y: -y + x) == []
    assert replaced(rule, lambda x, y: x + -y) == []


def test_equal_names_match_the_same_tensor():
    rule = Rule("", "", node("Sub", "x", "x"), lambda match: match.add("Neg", match["x"]))
    assert replaced(rule, lambda x, y: x - x) == ["Neg"]
    assert replaced(rule, lambda x, y: x - y) == ["Sub"]


def test_a_constant_of_equal_elements_matches_its_number_with_its_sign():
    rule = Rule("", "", node("Mul", "x", Filled(0.0)), lambda match: match["x"])
    assert replaced(rule, lambda x, y: x * tf.zeros([2])) == []
    assert "Mul" in replaced(rule, lambda x, y: x * tf.constant([-0.0, 0.0]))


def test_a_replacement_of_another_shape_is_not_taken():
    rule = Rule("", "", node("AddV2", "x", "y"), lambda match: match["x"])
    assert replaced(rule, lambda x, y: x + y) == []
    wide = tf.TensorSpec([3, 2], tf.float32)
    assert replaced(rule, lambda x, y: x + y, SPEC, wide) == ["AddV2"]

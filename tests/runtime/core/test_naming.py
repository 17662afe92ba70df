"""Names of operations, and scopes of names."""

import pytest

import runtime as tf
from runtime.core.graph import Graph


def test_names_are_unique_without_regard_to_case():
    graph = Graph()
    assert [graph.unique_name(name) for name in ("add", "add", "Add", "add_1", "mul")] == [
        "add",
        "add_1",
        "Add_2",
        "add_1_1",
        "mul",
    ]


def test_operands_are_named_after_the_operation_that_reads_them():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        _ = 2.0 * (x + 1.0) + 3.0
        tf.concat([[x], [1.0]], 0)
    names = [op.name for op in graph.get_operations()]
    assert names[:7] == ["Const", "add/y", "add", "mul/x", "mul", "add_1/y", "add_1"]
    assert names[-1] == "concat"


def test_name_scopes_nest_repeat_and_are_entered_again():
    with tf.Graph().as_default() as graph:
        with tf.name_scope("a") as first:
            with tf.name_scope("b") as inner:
                assert (first, inner) == ("a/", "a/b/")
                assert tf.constant(1, name="x").name == "a/b/x:0"
                assert graph.get_name_scope() == "a/b"
            with tf.name_scope("/".join(["c", "d"])) as both:
                assert both == "a/c/d/"
        with tf.name_scope("a") as second:
            assert second == "a_1/"
        with tf.name_scope(first) as again:
            assert again == "a/"
            assert tf.constant(1, name="x").name == "a/x:0"
            with tf.name_scope("") as outside:
                assert outside == ""
                assert tf.constant(1, name="x").name == "x:0"


def test_name_scopes_outside_of_graphs_do_not_become_unique():
    for _ in range(2):
        with tf.name_scope("a") as outer, tf.name_scope("b") as inner:
            assert (outer, inner) == ("a/", "a/b/")


def test_names_that_are_refused():
    with tf.Graph().as_default():
        for name in ("a b", "_a", "-a", "/", "_/"):
            with pytest.raises(ValueError, match="is not a valid root scope name"):
                tf.identity(1.0, name=name)
            with pytest.raises(ValueError, match="is not a valid node name"):
                tf.constant(1.0, name=name)
            with pytest.raises(ValueError, match="is not a valid root"), tf.name_scope(name):
                pass
        with tf.name_scope("a"), tf.name_scope("_b") as scope:
            assert scope == "a/_b/"
            assert tf.constant(1.0, name="_c").name == "a/_b/_c:0"
            with pytest.raises(ValueError, match="'a b' is not a valid scope name"):
                tf.identity(1.0, name="a b")
            with pytest.raises(ValueError, match="`a/_b/a b` is not a valid node name"):
                tf.constant(1.0, name="a b")
    with pytest.raises(ValueError, match="must be a string"):
        tf.name_scope(None)


def test_unique_name_can_leave_the_name_free():
    graph = tf.Graph()
    assert graph.unique_name("x", mark_as_used=False) == "x"
    assert [graph.unique_name("x"), graph.unique_name("X")] == ["x", "X_1"]


def test_names_of_operations_are_known_as_they_come():
    graph = tf.Graph()
    with graph.as_default():
        for number in range(3):
            made = tf.constant(number, name=f"number{number}")
            assert graph.get_operation_by_name(f"number{number}") is made.op
            with pytest.raises(KeyError, match="not in the graph"):
                graph.get_operation_by_name(f"number{number + 1}")
    assert graph.get_operation_by_name("number0") is graph.get_operations()[0]

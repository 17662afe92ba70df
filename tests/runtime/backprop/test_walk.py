"""The walk over a graph: what meets, what is left out, and what has no rule."""

import numpy as np
import pytest

import runtime as tf
from runtime.backprop.walk import gradients, walk_back
from runtime.core.dispatch import Ran
from runtime.core.opdef import FLOAT, PASSED_ON, OpDef
from runtime.engines import interpreter
from runtime.ops.base import rules
from runtime.ops.base.define import Op


def gradient_of(program, *values):
    """The gradients of the only result of a program by its arguments, as arrays or None."""
    function = tf.function(program, autograph=False)
    concrete = function.get_concrete_function(*(tf.constant(value) for value in values))
    graph = concrete.graph
    made = gradients(graph.outputs[:1], graph.inputs)
    graph.outputs = [each for each in made if each is not None]
    arrays = [np.asarray(value, np.float32) for value in values]
    computed = iter(interpreter.executable(graph)(*arrays))
    return [None if each is None else next(computed).tolist() for each in made]


def test_ways_to_one_input_are_added():
    assert gradient_of(lambda x: x * x + 3.0 * x, 5.0) == [13.0]


def test_an_input_that_does_not_matter_has_none():
    assert gradient_of(lambda x, y: x + 0.0 * tf.stop_gradient(y), 1.0, 2.0) == [1.0, None]


def test_integers_carry_no_gradient():
    assert gradient_of(lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), 2.5) == [None]


def test_what_was_broadcast_is_summed():
    assert gradient_of(lambda x, y: tf.reduce_sum(x + y), [1.0, 2.0], [[1.0], [1.0]]) == [
        [2.0, 2.0],
        [[2.0], [2.0]],
    ]


def test_outputs_that_nothing_depends_on_count_as_zeros():
    def program(x):
        first, _, last = tf.split(x, 3)
        return tf.reduce_sum(first * 2.0 + last)

    assert gradient_of(program, [1.0, 2.0, 3.0]) == [[2.0, 0.0, 1.0]]


def test_lists_of_tensors_carry_those_of_their_entries():
    def program(x):
        rows = tf.TensorArray(tf.float32, 3)
        for i in range(3):
            rows = rows.write(i, x * float(i + 1))
        return tf.reduce_sum(rows.stack()) + rows.read(1)

    assert gradient_of(program, 1.0) == [8.0]


def test_an_op_without_a_rule_is_named_with_its_line():
    same = Op(OpDef("WithoutRule", {"x": FLOAT}, rules.same, lambda xp, x: x))

    def program(x):
        return same(x)

    with pytest.raises(tf.errors.UnimplementedError, match=r"WithoutRule(.|\n)*test_walk.py"):
        gradient_of(program, 1.0)


# ---- a toy set of ops, of which the walk knows nothing ----


def toy(name, grad=None, backward=None, outputs=1):
    """An op type that nothing computes: the walk only asks for its rule."""
    return OpDef(name, {}, None, None, outputs, grad=grad, backward=backward)


SCALE = toy("Scale", lambda g, y, x, by: (by * g,))
JOIN = toy("Join", lambda g, y, a, b: (g, 10.0 * g))
SPLIT = toy("Split", lambda g, y, x: (g[0] + 100.0 * g[1],), outputs=2)
SILENT = toy("Silent")
ASKED = []


def note_and_pass(step, gradients, wanted):
    ASKED.append((gradients, list(wanted)))
    return [gradients[0] if flag else None for flag in wanted]


CARRIER = toy("Carrier", backward=note_and_pass, outputs=2)


def number(value=0.0):
    return tf.constant(value)


def ran(op, inputs, outputs, **attrs):
    return Ran(op, tuple(inputs), attrs, tuple(outputs))


def slopes(steps, outputs, inputs, **options):
    found = walk_back(steps, outputs, [number(1.0) for _ in outputs], inputs, **options)
    return [each if each is None else float(each) for each in found]


def test_the_walk_applies_each_rule_once_and_backwards():
    x, a, b, y = (number() for _ in range(4))
    steps = [ran(SCALE, [x], [a], by=2.0), ran(SCALE, [a], [b], by=3.0), ran(JOIN, [a, b], [y])]
    assert slopes(steps, [y], [x, a, b]) == [62.0, 31.0, 10.0]


def test_what_leads_nowhere_is_not_asked_for_a_rule():
    x, a, b, y = (number() for _ in range(4))
    steps = [ran(SILENT, [x], [a]), ran(SCALE, [x], [y], by=2.0), ran(SILENT, [b], [number()])]
    assert slopes(steps, [y], [x]) == [2.0]
    with pytest.raises(tf.errors.UnimplementedError, match="Silent"):
        slopes(steps, [a], [x])


def test_outputs_without_a_gradient_count_as_zeros_for_plain_rules():
    x, a, b = (number() for _ in range(3))
    assert slopes([ran(SPLIT, [x], [a, b])], [b], [x]) == [100.0]


def test_ops_that_carry_graphs_learn_what_is_received_and_wanted():
    x, y, a, b = (number() for _ in range(4))
    ASKED.clear()
    assert slopes([ran(CARRIER, [x, y], [a, b])], [a], [y]) == [1.0]
    ((received, wanted),) = ASKED
    assert [each is not None for each in received] == [True, False]
    assert wanted == [False, True]


def test_no_gradient_flows_behind_a_constant():
    x, a, y = (number() for _ in range(3))
    steps = [ran(SCALE, [x], [a], by=2.0), ran(JOIN, [a, x], [y])]
    assert slopes(steps, [y], [x]) == [12.0]
    assert slopes(steps, [y], [x, a], constant=[a]) == [10.0, 1.0]


def test_rows_are_joined_and_passed_on_as_they_are():
    rows = lambda g, y, x, at: (tf.IndexedSlices(g[None], tf.constant([at]), tf.constant([3])),)  # noqa: E731
    take, same = toy("Take", rows), toy("Same", PASSED_ON)
    x, held, a, b = tf.zeros([3]), tf.zeros([3]), number(), number()
    steps = [ran(same, [x], [held]), ran(take, [held], [a], at=2), ran(take, [held], [b], at=0)]
    (found,) = walk_back(steps, [a, b], [number(1.0), number(5.0)], [x])
    assert isinstance(found, tf.IndexedSlices)
    assert tf.convert_to_tensor(found).numpy().tolist() == [5.0, 0.0, 1.0]


@pytest.mark.parametrize("stage", [tf.function, lambda f: f], ids=["graph", "eager"])
def test_rows_at_indices_of_two_dtypes_are_joined(stage):
    table = tf.Variable([1.0, 2.0, 3.0])

    @stage
    def slope():
        with tf.GradientTape() as tape:
            total = tf.gather(table, tf.constant([2], tf.int64)) + tf.gather(table, [0])
        return tape.gradient(total, table)

    assert slope().indices.dtype == tf.int64
    assert tf.convert_to_tensor(slope()).numpy().tolist() == [1.0, 0.0, 1.0]

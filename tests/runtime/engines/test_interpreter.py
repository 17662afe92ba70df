"""Values of the interpreter, with which the plan agrees."""

import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.engines.engine import get_engine, set_engine

STRING_PROGRAMS = {
    "a sum": lambda s, v: s + s,
    "a sum that is shaped": lambda s, v: tf.reshape(s + s, [1]),
    "a sum that is sliced": lambda s, v: (s + s)[tf.newaxis],
    "an element": lambda s, v: v[1] + s,
    "an element somewhere": lambda s, v: v[tf.strings.length(s)],
    "a row of elements": lambda s, v: tuple(tf.unstack(v)),
    "a loop": lambda s, v: tf.while_loop(
        lambda i, t: i < 3, lambda i, t: (i + 1, t + s), (tf.constant(0), s)
    )[1],
    "a branch": lambda s, v: tf.cond(s == "a", lambda: s + s, lambda: s),
    "constants": lambda s, v: tf.constant("a") + tf.constant(["b", "c"])[0],
}


@pytest.mark.parametrize("program", STRING_PROGRAMS.values(), ids=list(STRING_PROGRAMS))
@pytest.mark.parametrize("engine", ["plan", "interpreter"])
def test_a_single_string_that_a_graph_computes_is_a_tensor(program, engine):
    before = get_engine()
    set_engine(engine)
    try:
        arguments = tf.constant("a"), tf.constant(["b", "c"])
        wanted, got = program(*arguments), tf.function(program)(*arguments)
    finally:
        set_engine(before)
    for one, other in zip(tf.nest.flatten(wanted), tf.nest.flatten(got), strict=True):
        assert (other.dtype, other.shape) == (tf.string, one.shape)
        assert repr(other) == repr(one)

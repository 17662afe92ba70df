"""Effects happen in the order written, in graphs as at once: random programs of effects."""

import contextlib
import io

import hypothesis.strategies as st
import pytest
from hypothesis import given

import runtime as tf

NAMES = ("a", "b")

values = st.one_of(
    st.sampled_from(NAMES).map(lambda name: ("read", name)),
    st.integers(-3, 3).map(lambda number: ("number", number)),
)
simple = st.one_of(
    st.tuples(st.sampled_from(["assign", "add", "sub"]), st.sampled_from(NAMES), values),
    st.tuples(st.just("print"), values),
    st.tuples(st.just("python"), values),
    st.tuples(st.just("assert"), st.sampled_from(NAMES), st.integers(-40, 4)),
    st.tuples(st.just("push"), values),
)


def compound(statements):
    bodies = st.lists(statements, max_size=3)
    return st.one_of(
        st.tuples(st.just("if"), st.sampled_from(NAMES), bodies, bodies),
        st.tuples(st.just("loop"), st.integers(0, 3), bodies),
        st.tuples(st.just("call"), bodies),
    )


programs = st.lists(st.recursive(simple, compound, max_leaves=12), min_size=1, max_size=5)


class Machine:
    """Runs programs on state of its own; the same code at once and while it is recorded."""

    def __init__(self):
        self.variables = {name: tf.Variable(index) for index, name in enumerate(NAMES)}
        self.log = []

    def value(self, expression):
        if expression[0] == "read":
            return self.variables[expression[1]].read_value()
        return tf.constant(expression[1])

    def noted(self, x):
        self.log.append(int(x))
        return x

    def run(self, program, pushed):
        for statement in program:
            pushed = self.step(statement, pushed)
        return pushed

    def step(self, statement, pushed):
        kind, *rest = statement
        if kind in ("assign", "add", "sub"):
            change = {"assign": "assign", "add": "assign_add", "sub": "assign_sub"}[kind]
            getattr(self.variables[rest[0]], change)(self.value(rest[1]))
        elif kind == "print":
            tf.print("value", self.value(rest[0]))
        elif kind == "python":
            tf.py_function(self.noted, [self.value(rest[0])], tf.int32)
        elif kind == "assert":
            tf.debugging.Assert(self.variables[rest[0]] >= rest[1], ["too small"])
        elif kind == "push":
            return pushed.write(pushed.size(), self.value(rest[0]))
        elif kind == "if":
            test = self.variables[rest[0]] > 1
            return tf.cond(
                test, lambda: self.run(rest[1], pushed), lambda: self.run(rest[2], pushed)
            )
        elif kind == "loop":
            return tf.while_loop(
                lambda i, pushed: i < rest[0],
                lambda i, pushed: (i + 1, self.run(rest[1], pushed)),
                (tf.constant(0), pushed),
            )[1]
        else:
            inner = tf.function(lambda pushed: self.run(rest[0], pushed), autograph=False)
            return inner(pushed)
        return pushed

    def outcome(self, run):
        """Everything that can be seen of a run."""
        text = io.StringIO()
        with contextlib.redirect_stderr(text):
            try:
                result = run().numpy().tolist()
            except tf.errors.InvalidArgumentError as error:
                result = type(error).__name__, "too small" in str(error)
        left = {name: int(variable) for name, variable in self.variables.items()}
        return result, left, self.log, text.getvalue()


def results(program, wrap):
    machine = Machine()

    def main():
        empty = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
        return machine.run(program, empty).stack()

    return machine.outcome(wrap(main))


@given(programs)
def test_same_effects_as_at_once(program):
    tf.config.run_functions_eagerly(True)
    try:
        wanted = results(program, lambda main: main)
    finally:
        tf.config.run_functions_eagerly(False)
    assert results(program, lambda main: tf.function(main, autograph=False)) == wanted


@pytest.mark.parametrize(
    "program",
    [
        [("add", "a", ("number", 2)), ("print", ("read", "a")), ("assign", "a", ("read", "b"))],
        [("if", "b", [("print", ("read", "b"))], [("add", "b", ("number", 3))])],
        [("loop", 3, [("add", "a", ("number", 1)), ("push", ("read", "a"))])],
        [
            ("call", [("python", ("read", "b")), ("add", "b", ("number", 1))]),
            ("python", ("read", "b")),
        ],
        [("add", "a", ("number", 1)), ("assert", "a", 4), ("add", "a", ("number", 1))],
    ],
)
def test_examples(program):
    wanted = results(program, lambda main: main)
    assert results(program, lambda main: tf.function(main, autograph=False)) == wanted


def test_a_failed_assertion_stops_what_comes_after_it_and_nothing_before():
    v = tf.Variable(0)

    @tf.function
    def f(x):
        v.assign_add(1)
        assert x > 0
        v.assign_add(10)

    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(-1))
    assert int(v) == 1
    f(tf.constant(1))
    assert int(v) == 12

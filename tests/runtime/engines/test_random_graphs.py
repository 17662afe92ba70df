"""Random programs give the same eagerly and by every engine, after every pass and after all."""

import contextlib
import io
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
from runtime.core.verify import verify
from runtime.engines import fused, interpreter, plan
from runtime.passes import fuse
from runtime.passes.pipeline import PASSES, optimize
from tests.runtime.engines import random_programs
from tests.runtime.engines.random_programs import inputs, programs

MORE = settings(max_examples=3 * settings().max_examples)
SINGLE = {stage.run.__name__: stage.run for stage in PASSES if stage.default}


class Outcome:
    """What a run did: its values, or its error, and what it printed."""

    def __init__(self, run, variable):
        variable.assign(0.0)
        self.values, self.error = (), None
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            try:
                self.values = [np.asarray(value) for value in run()]
            except tf.errors.InvalidArgumentError as error:
                self.error = error
        self.shown = shown.getvalue()
        self.left = variable.numpy()

    def check(self, other, same_error=True):
        assert (self.error is None) == (other.error is None), (self.error, other.error)
        if self.error is not None:
            if same_error:
                assert type(self.error) is type(other.error)
                assert str(self.error) == str(other.error)
            return
        assert self.shown == other.shown
        np.testing.assert_array_equal(self.left, other.left)
        for one, two in zip(self.values, other.values, strict=True):
            assert one.dtype == two.dtype
            assert one.shape == two.shape
            np.testing.assert_array_equal(one, two)
            if one.dtype.kind == "f":
                known = ~np.isnan(one)
                np.testing.assert_array_equal(np.signbit(one)[known], np.signbit(two)[known])


def traced(program, arrays, unknown):
    variable = tf.Variable(0.0)
    specs = [
        tf.TensorSpec([None] * a.ndim if unknown else a.shape, tf.as_dtype(a.dtype)) for a in arrays
    ]
    function = tf.function(lambda *given: program.run(variable, given), autograph=False)
    return variable, function.get_concrete_function(*specs)


def runs(concrete, graph, engine, arrays):
    executable = engine.executable(graph)
    captured = [tensor.array for tensor in concrete.graph.captures]
    return lambda: executable(*arrays, *captured)


@MORE
@given(programs(), inputs(), st.booleans())
def test_engines_agree_with_eager(program, arrays, unknown):
    try:
        variable, concrete = traced(program, arrays, unknown)
    except tf.errors.InvalidArgumentError:
        return  # what cannot fit is refused while it is recorded
    verify(concrete.graph)
    expected = Outcome(runs(concrete, concrete.graph, interpreter, arrays), variable)
    tensors = [tf.constant(array) for array in arrays]
    eager = Outcome(lambda: [v.numpy() for v in program.run(variable, tensors)], variable)
    expected.check(eager, same_error=False)
    expected.check(Outcome(runs(concrete, concrete.graph, plan, arrays), variable))
    optimized = optimize(concrete.graph, verified=True)
    again = Outcome(runs(concrete, optimized, interpreter, arrays), variable)
    expected.check(again, same_error=False)
    again.check(Outcome(runs(concrete, optimized, plan, arrays), variable))


@MORE
@given(programs(), inputs(), st.booleans())
def test_groups_of_small_blocks_agree(program, arrays, unknown):
    try:
        variable, concrete = traced(program, arrays, unknown)
    except tf.errors.InvalidArgumentError:
        return
    with mock.patch.object(fuse, "LARGE", 1), mock.patch.object(fused, "BLOCK", 1):
        grouped = fuse.fuse(concrete.graph)
        verify(grouped)
        expected = Outcome(runs(concrete, concrete.graph, interpreter, arrays), variable)
        expected.check(
            Outcome(runs(concrete, grouped, interpreter, arrays), variable), same_error=False
        )
        expected.check(Outcome(runs(concrete, grouped, plan, arrays), variable), same_error=False)


@contextlib.contextmanager
def exact_functions():
    """Leave out functions and products whose last bits differ from NumPy's in machine code."""
    exact = [tf.negative, tf.square, tf.abs, tf.sign, tf.sqrt, tf.math.reciprocal]
    steps = {"matmul": random_programs.reduce}

    def following(value, i):
        if value.dtype.kind == "f":
            return value * 0.5 + tf.cast(i, value.dtype)
        return before(value, i)

    before = random_programs._next
    with (
        mock.patch.dict(random_programs.UNARY, {"f": exact}),
        mock.patch.dict(random_programs.STEPS, steps),
        mock.patch.object(random_programs, "_next", following),
    ):
        yield


@MORE
@given(programs(), inputs(), st.booleans())
def test_exact_parts_give_the_bits_of_the_plan(program, arrays, unknown):
    pytest.importorskip("llvmlite")
    from runtime.engines.native import plan as native

    try:
        variable, concrete = traced(program, arrays, unknown)
    except tf.errors.InvalidArgumentError:
        return
    optimized = optimize(concrete.graph)
    expected = Outcome(runs(concrete, optimized, plan, arrays), variable)
    exact = mock.Mock(executable=native.with_exact_parts)
    expected.check(Outcome(runs(concrete, optimized, exact, arrays), variable))


@MORE
@given(programs(), inputs(), st.booleans())
def test_machine_code_agrees(program, arrays, unknown):
    pytest.importorskip("llvmlite")
    from runtime.engines.native import plan as native

    with exact_functions():
        try:
            variable, concrete = traced(program, arrays, unknown)
        except tf.errors.InvalidArgumentError:
            return
    optimized = optimize(concrete.graph)
    expected = Outcome(runs(concrete, optimized, interpreter, arrays), variable)
    expected.check(Outcome(runs(concrete, optimized, native, arrays), variable))


@pytest.mark.parametrize("name", SINGLE)
@given(program=programs(), arrays=inputs(), unknown=st.booleans())
def test_each_pass_alone_keeps_the_meaning(name, program, arrays, unknown):
    try:
        variable, concrete = traced(program, arrays, unknown)
    except tf.errors.InvalidArgumentError:
        return
    before = [op.name for op in concrete.graph.operations]
    changed = SINGLE[name](concrete.graph)
    verify(changed)
    assert [op.name for op in concrete.graph.operations] == before
    expected = Outcome(runs(concrete, concrete.graph, interpreter, arrays), variable)
    expected.check(
        Outcome(runs(concrete, changed, interpreter, arrays), variable), same_error=False
    )
    expected.check(Outcome(runs(concrete, changed, plan, arrays), variable), same_error=False)

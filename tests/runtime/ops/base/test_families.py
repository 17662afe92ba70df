"""An op is one row, elementwise, reducing or random: nothing else has to know of it."""

import inspect

import numpy as np
import pytest

import runtime as tf
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.core.verify import verify
from runtime.engines import interpreter, plan
from runtime.ops.base.families import Elementwise
from runtime.ops.random import distributions
from runtime.ops.random.sampling import location_scale
from runtime.passes.fuse import LARGE, fuse
from runtime.passes.loops import move_out_of_loops
from runtime.passes.pipeline import optimize
from runtime.passes.prune import prune


@pytest.fixture(scope="module")
def cube(registry):
    return Elementwise(__name__).unary(
        "cube",
        lambda xp, x: x * x * x,
        lambda x, y: 3.0 * x * x,
        "Cube of `x`.",
        "[2.0, 3.0] -> [ 8. 27.]",
    )


@pytest.fixture(scope="module")
def laplace(registry):
    def fill(stream, shape, dtype):
        u = distributions.uniform(stream, shape, np.float64) - 0.5
        return (-np.sign(u) * np.log1p(-2 * np.abs(u))).astype(dtype)

    return location_scale(
        __name__,
        "laplace",
        "RandomLaplace",
        fill,
        "Draw samples from a Laplace distribution.",
        "[2], mean=3.0, stddev=0.0 -> [3. 3.]",
    )


def types(graph):
    return [op.type for op in graph.operations]


def test_eager_and_traced_results_agree(cube):
    x = tf.constant([2.0, -3.0])
    np.testing.assert_array_equal(cube(x).numpy(), [8.0, -27.0])
    np.testing.assert_array_equal(tf.function(cube)(x).numpy(), [8.0, -27.0])
    np.testing.assert_array_equal(tf.function(lambda: cube([2, 3.0]))().numpy(), [8.0, 27.0])


def test_it_is_fused_and_the_plan_computes_it_in_blocks(cube):
    x = np.linspace(-2, 2, LARGE + 3).astype(np.float32)
    graph = Graph("large")
    argument = graph.add_input(tf.TensorSpec(x.shape, tf.float32), "x")
    with recording(graph):
        graph.outputs = [cube(argument * 2.0) + 1.0]
    fused = fuse(graph)
    verify(fused)
    (call,) = [op for op in fused.operations if op.type == "PartitionedCall"]
    assert "Cube" in types(call.attrs["f"])
    wanted = interpreter.executable(graph)(x)[0]
    np.testing.assert_array_equal(plan.executable(fused)(x)[0], wanted)
    assert "cube" in plan.source(fused)


def test_a_dead_one_is_pruned_and_an_invariant_one_is_hoisted(cube):
    @tf.function
    def power(x):
        total, _ = x, cube(x)
        for _ in tf.range(3):
            total = total + cube(x)
        return total

    graph = power.get_concrete_function(tf.TensorSpec([2], tf.float32)).graph
    assert types(prune(graph)).count("Cube") == 0
    assert types(move_out_of_loops(graph)).count("Cube") == 1
    np.testing.assert_array_equal(power(tf.constant([1.0, 2.0])).numpy(), [4.0, 26.0])


def test_constant_arguments_are_folded_and_equal_calls_shared(cube):
    graph = Graph("g")
    x = graph.add_input(tf.TensorSpec([2], tf.float32), "x")
    with recording(graph):
        graph.outputs = [cube(x) * cube(x) + cube(tf.constant(2.0))]
    optimized = optimize(graph, verified=True)
    assert types(optimized).count("Cube") == 1
    (eight,) = [op.attrs["value"] for op in optimized.operations if op.type == "Const"]
    assert eight == 8.0


@pytest.mark.parametrize("traced", [False, True])
def test_derivatives_to_second_order(cube, traced):
    def second(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = cube(x)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    run = tf.function(second) if traced else second
    first, slope = run(tf.constant([2.0, -3.0]))
    np.testing.assert_allclose(first.numpy(), [12.0, 27.0])
    np.testing.assert_allclose(slope.numpy(), [12.0, -18.0])


def test_a_graph_def_holds_it(cube):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [2], "x")
        cube(x, name="out")
    message = graph.as_graph_def()
    (node,) = [node for node in message.node if node.op == "Cube"]
    assert (list(node.input), node.attr["T"].type) == (["x"], tf.float32.as_datatype_enum)


def test_it_is_documented(cube):
    assert inspect.getdoc(cube).splitlines()[0] == "Cube of `x`."
    for part in ("Args:\n  x: ", "Returns:", ">>> print(cube("):
        assert part in cube.__doc__
    assert (cube.__name__, cube.__module__) == ("cube", __name__)


def test_samples_differ_between_calls_and_agree_for_equal_seeds(laplace):
    run = tf.function(lambda: laplace([50_000], mean=1.0, stddev=2.0, seed=4))
    for draw in (lambda: laplace([50_000], mean=1.0, stddev=2.0, seed=4), run):
        tf.random.set_seed(3)
        first, second = draw().numpy(), draw().numpy()
        assert not np.array_equal(first, second)
        # A Laplace distribution of scale b has the variance 2 * b ** 2; four standard errors.
        assert abs(first.mean() - 1.0) < 0.06
        assert abs(first.std() - 2 * np.sqrt(2)) < 0.12


def test_draws_are_neither_folded_nor_shared_nor_pruned(laplace):
    graph = Graph("g")
    with recording(graph):
        laplace([2])
        graph.outputs = [laplace([2]) - laplace([2])]
    optimized = optimize(graph, verified=True)
    assert types(optimized).count("RandomLaplace") == 3


def test_samples_have_gradients_by_mean_and_deviation(laplace):
    mean, scale = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([mean, scale])
        samples = laplace([4], mean, scale)
    by_mean, by_scale = tape.gradient(samples, [mean, scale])
    assert by_mean.numpy() == 4.0
    wanted = ((samples.numpy() - 1.0) / 2.0).sum()
    np.testing.assert_allclose(by_scale.numpy(), wanted, rtol=1e-5)


def test_a_graph_def_holds_a_draw(laplace):
    with tf.Graph().as_default() as graph:
        laplace([3], name="out")
    message = graph.as_graph_def()
    (node,) = [node for node in message.node if node.op == "RandomLaplace"]
    assert node.attr["dtype"].type == tf.float32.as_datatype_enum


def test_a_saved_model_holds_rows_of_all_families(cube, energy, laplace, tmp_path):
    module = tf.Module()
    module.run = tf.function(
        lambda x: cube(energy(x) + laplace([], stddev=0.0)),
        input_signature=[tf.TensorSpec([None], tf.float32)],
    )
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.run(tf.constant([1.0, 1.0])).numpy() == 8.0


def test_reductions_and_distributions_are_documented(energy, laplace):
    for function, argument in ((energy, "axis: the axes to reduce"), (laplace, "seed: with the")):
        text = inspect.getdoc(function)
        for part in ("Args:", argument, "Returns:", "Raises:", f">>> print({function.__name__}("):
            assert part in text
    assert inspect.getdoc(energy).splitlines()[0] == "Sum of squares along axes."

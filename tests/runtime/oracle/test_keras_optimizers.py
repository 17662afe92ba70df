"""Optimizers and schedules take the steps that Keras takes."""

import numpy as np
import pytest

import runtime
from runtime.keras import optimizers as own

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

OPTIONS = {
    "SGD": [{}, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}],
    "Adam": [{}, {"beta_1": 0.5, "beta_2": 0.7, "epsilon": 0.1}],
    "Nadam": [{}, {"beta_1": 0.5}],
    "RMSprop": [{}, {"rho": 0.5}],
}
SHARED = [
    {"clipnorm": 0.5},
    {"clipvalue": 0.2},
    {"global_clipnorm": 0.5},
    {"weight_decay": 0.3},
]
CASES = [(name, options) for name, rows in OPTIONS.items() for options in rows]
CASES += [(name, options) for name in ("SGD", "Adam") for options in SHARED]

SCHEDULES = [
    ("ExponentialDecay", (0.1, 5, 0.5), {}),
    ("ExponentialDecay", (0.1, 5, 0.5), {"staircase": True}),
]


def steps(tensors, optimizer, dtype, compiled, sparse=False):
    """The values of two variables after each of 20 steps with the same gradients."""
    numbers = np.random.default_rng(0)
    start = [numbers.normal(size=(4, 3)).astype(dtype), numbers.normal(size=3).astype(dtype)]
    variables = [tensors.Variable(value, name=f"v{i}") for i, value in enumerate(start)]
    optimizer.build(variables)

    def step(grads):
        if sparse:
            rows = tensors.IndexedSlices(
                grads[0][:2], tensors.constant([2, 0]), tensors.constant([4, 3])
            )
            grads = [rows, grads[1]]
        optimizer.apply_gradients(zip(grads, variables, strict=True))

    take = tensors.function(step) if compiled else step
    taken = []
    for _ in range(20):
        grads = [tensors.constant(numbers.normal(size=v.shape).astype(dtype)) for v in start]
        take(grads)
        taken.append([variable.numpy() for variable in variables])
    return [*taken, [variable.numpy() for variable in variables]]


def assert_same_steps(name, options, dtype="float32", compiled=True, sparse=False):
    tolerance = {"float32": 3e-5, "float64": 1e-9}[dtype]
    mine = getattr(own, name)(0.1, **options)
    theirs = getattr(keras.optimizers, name)(0.1, **options)
    ours = steps(runtime, mine, dtype, compiled, sparse)
    for i, (here, there) in enumerate(
        zip(ours, steps(tf, theirs, dtype, compiled, sparse), strict=True)
    ):
        for a, b in zip(here, there, strict=True):
            np.testing.assert_allclose(a, b, tolerance, tolerance, err_msg=f"step {i}")


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_compiled_steps_are_those_of_keras(name, options):
    assert_same_steps(name, options)


@pytest.mark.parametrize("name", OPTIONS)
def test_eager_steps_are_those_of_keras(name):
    assert_same_steps(name, {}, compiled=False)


@pytest.mark.parametrize("name", ["SGD", "Adam", "RMSprop"])
def test_steps_in_float64_are_those_of_keras(name):
    assert_same_steps(name, {}, "float64")


@pytest.mark.parametrize(
    ("name", "options"),
    [("SGD", {}), ("SGD", {"momentum": 0.9}), ("Adam", {})],
    ids=str,
)
def test_steps_with_sparse_gradients_are_those_of_keras(name, options):
    assert_same_steps(name, options, sparse=True)


@pytest.mark.parametrize(("name", "arguments", "options"), SCHEDULES, ids=str)
def test_schedules_are_those_of_keras(name, arguments, options):
    mine = getattr(own.schedules, name)(*arguments, **options)
    theirs = getattr(keras.optimizers.schedules, name)(*arguments, **options)
    rates = [[float(schedule(step)) for step in range(25)] for schedule in (mine, theirs)]
    np.testing.assert_allclose(*rates, rtol=2e-5, atol=1e-8)
    assert mine.get_config() == theirs.get_config()


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_configs_are_those_of_keras(name, options):
    mine = getattr(own, name)(**options).get_config()
    theirs = getattr(keras.optimizers, name)(**options).get_config()
    del mine["name"]
    assert mine.items() <= theirs.items()

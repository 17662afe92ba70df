"""Random programs with mutable state, staged by JAX and PyTorch, compared with plain Python."""

import traceback

import numpy as np
import pytest

import autograph
from tests.autograph import random_object_programs
from tests.autograph.random_array_programs import INPUTS, outcome, program

FEW = range(4)
MANY = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 300)]


def defined(text):
    plain = {}
    exec(text, plain)
    return plain["f"], autograph.to_graph(autograph.exec(text)["f"])


def floats(values):
    return [float(value.detach() if hasattr(value, "detach") else value) for value in values]


def agree(want, got):
    if isinstance(want, str):
        assert isinstance(got, str) and want in got
    else:
        np.testing.assert_allclose(floats(got), floats(want), rtol=1e-4)


@pytest.mark.parametrize("seed", [*FEW, *MANY])
def test_jax(seed):
    jax = pytest.importorskip("jax")
    plain, converted = defined(program(seed))

    def derivative(function, x, y, n):
        return jax.jvp(lambda x, y: function(x, y, n), (x, y), (1.0, 0.5))

    run = jax.jit(converted)
    run_derivative = jax.jit(lambda *arguments: derivative(converted, *arguments))
    for arguments in INPUTS:
        want = outcome(plain, arguments)
        try:
            got = run(*arguments)
        except jax.errors.JaxRuntimeError as error:
            got = str(error)
        agree(want, got)
        if not isinstance(want, str):
            slopes = derivative(plain, *arguments)[1]
            for one, other in zip(slopes, run_derivative(*arguments)[1], strict=True):
                if np.asarray(one).dtype.kind == "f":
                    np.testing.assert_allclose(other, one, rtol=1e-3)


@pytest.mark.parametrize("seed", [*FEW, *MANY])
def test_torch(seed):
    torch = pytest.importorskip("torch")
    proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")
    plain, converted = defined(program(seed))

    def inputs(x, y, n):
        leaves = [torch.tensor(x, requires_grad=True), torch.tensor(y, requires_grad=True)]
        # The program may change its arguments in place, which no leaf may be.
        return leaves, (leaves[0] * 1, leaves[1] * 1, torch.tensor(n))

    def slopes(leaves, values):
        total = 0 * sum(leaves)
        for weight, value in enumerate(values, 1):
            if isinstance(value, torch.Tensor) and value.requires_grad:
                total = total + weight * value
        return floats(torch.autograd.grad(total, leaves))

    try:
        trace = proxy_tensor.make_fx(converted, tracing_mode="fake")
        run = trace(*map(torch.tensor, INPUTS[0]))
    except TypeError as refusal:
        # PyTorch may not change a tensor in place that has another name in one branch only.
        assert "is changed in place" in str(refusal)
        return
    for arguments in INPUTS:
        leaves, given = inputs(*arguments)
        want = outcome(plain, given)
        other_leaves, given = inputs(*arguments)
        try:
            got = run(*given)
        except RuntimeError as error:
            got = str(error)
        agree(want, got)
        if not isinstance(want, str):
            np.testing.assert_allclose(
                slopes(other_leaves, got), slopes(leaves, want), rtol=1e-3, atol=1e-6
            )


# ---- programs with objects: the answer of plain Python, or an error at a line of the program ----


def leaves(value):
    """The numbers in nested lists and dicts, with the lengths of the lists."""
    if isinstance(value, list):
        return [len(value), *(leaf for each in value for leaf in leaves(each))]
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    return np.asarray(value, float).ravel().tolist()


def names_a_line(error):
    last = traceback.extract_tb(error.__traceback__)[-1]
    return last.filename.startswith("<autograph") or 'File "<autograph' in str(error)


def staged(library, converted, arrays):
    """The program for other arguments, and a function that makes arrays; None: refused."""
    if library == "jax":
        jax = pytest.importorskip("jax")
        run, array = jax.jit(converted), jax.numpy.asarray
        stage = lambda: run.lower(*map(array, arrays)) and run  # noqa: E731
    else:
        array = pytest.importorskip("torch").tensor
        make_fx = pytest.importorskip("torch.fx.experimental.proxy_tensor").make_fx
        stage = lambda: make_fx(converted, tracing_mode="fake")(*map(array, arrays))  # noqa: E731
    try:
        return stage(), array
    except Exception as error:
        assert names_a_line(error)
        return None, array


@pytest.mark.parametrize("seed", [*FEW, *MANY])
@pytest.mark.parametrize("library", ["jax", "torch"])
def test_objects(library, seed):
    pytest.importorskip(library)
    text = random_object_programs.program(seed, tensors=library == "torch" and seed % 2 == 1)
    plain, converted = defined(text)
    run, array = staged(library, converted, INPUTS[0])
    if run is not None:
        for arguments in INPUTS:
            want = plain(*map(array, arguments))
            np.testing.assert_allclose(
                leaves(run(*map(array, arguments))), leaves(want), rtol=1e-4, atol=1e-6
            )

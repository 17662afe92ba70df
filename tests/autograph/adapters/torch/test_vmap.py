"""Converted functions inside of `torch.func.vmap`."""

import pytest

import autograph
from tests.autograph.adapters.torch.exports import exported
from tests.autograph.adapters.torch.nets import compiled

torch = pytest.importorskip("torch")

T = torch.tensor


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()


def squared_error(weight, x, y):
    return ((x @ weight - y) ** 2).sum()


def clipped_per_sample(weight, xs, ys):
    def one(x, y):
        gradient = torch.func.grad(squared_error)(weight, x, y)
        if gradient.norm() > 1:
            gradient = gradient / gradient.norm()
        return gradient

    return torch.func.vmap(one)(xs, ys).mean(0)


def clipped_per_sample_in_place(weight, xs, ys):
    def one(x, y):
        gradient = torch.func.grad(squared_error)(weight, x, y)
        if gradient.norm() > 1:
            gradient.div_(gradient.norm())
        return gradient

    return torch.func.vmap(one)(xs, ys).mean(0)


def clipped_after_vmap(weight, xs, ys):
    gradients = torch.func.vmap(torch.func.grad(squared_error), (None, 0, 0))(weight, xs, ys)
    total = torch.zeros_like(weight)
    for each in gradients:
        if each.norm() > 1:
            each = each / each.norm()
        total = total + each
    return total / len(xs)


SAMPLES = (T([1.0, -2.0]), T([[1.0, 2.0], [0.1, 0.0], [3.0, 1.0]]), T([0.5, 0.1, 2.0]))


@pytest.mark.parametrize("program", [clipped_per_sample, clipped_after_vmap])
def test_gradients_per_sample_that_a_branch_clips(program):
    """PyTorch itself refuses the `if` inside of `vmap`."""
    run = compiled(autograph.convert()(program))
    torch.testing.assert_close(run(*SAMPLES), clipped_after_vmap(*SAMPLES))


@pytest.mark.parametrize(
    "program", [clipped_per_sample, clipped_per_sample_in_place, clipped_after_vmap]
)
def test_an_exported_gradient_inside_of_vmap_is_refused_at_its_line(program):
    with pytest.raises(RuntimeError, match=r"exported program calls a .*(?s:.*) in (one|clipped)"):
        exported(program, SAMPLES)


def test_a_change_in_place_in_a_branch_inside_of_vmap_is_refused():
    run = compiled(autograph.convert()(clipped_per_sample_in_place))
    with pytest.raises(RuntimeError, match=r"inside of torch.func.vmap changes .*(?s:.*) in one"):
        run(*SAMPLES)


def test_a_branch_inside_of_vmap_that_is_not_compiled_names_its_line_and_the_remedy():
    def one(x):
        if x > 0:
            return 2 * x
        return -x

    xs = T([1.0, -2.0, 3.0])
    with pytest.raises(RuntimeError, match="data-dependent control flow") as raised:
        autograph.convert()(torch.func.vmap(one))(xs)
    [note] = raised.value.__notes__
    assert "torch.compile(autograph.convert()(f))" in note
    assert raised.traceback[-1].name == "one"
    assert raised.traceback[-1].lineno == one.__code__.co_firstlineno
    run = compiled(autograph.convert()(torch.func.vmap(one)))
    torch.testing.assert_close(run(xs), T([2.0, 2.0, 6.0]))

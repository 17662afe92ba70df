"""Programs of PyTorch's users in every mode: each agrees with plain Python."""

import copy
import importlib

import pytest

import autograph

torch = pytest.importorskip("torch")
pytree = pytest.importorskip("torch.utils._pytree")

from tools.modes.with_torch import MODULES  # noqa: E402

PROGRAMS = [each for name in MODULES for each in importlib.import_module(name).PROGRAMS]
NAMES = [each.name for each in PROGRAMS]


def converted(entity):
    return autograph.convert()(copy.deepcopy(entity))


def parameters(entity):
    return list(entity.parameters()) if isinstance(entity, torch.nn.Module) else []


def arguments(program, grad=False):
    found = [each.clone() for each in program.args]
    for each in found:
        if grad and each.dtype.is_floating_point:
            each.requires_grad_()
    return found


def outcome(entity, program, grad=False):
    """What a call returns, what it leaves in its arguments, and the gradients."""
    args = arguments(program, grad)
    result = entity(*args)
    leaves = [torch.as_tensor(each).detach() for each in pytree.tree_leaves(result)]
    if not grad:
        return leaves, [each.detach() for each in args]
    first = pytree.tree_leaves(result)[0]
    inputs = [*(each for each in args if each.requires_grad), *parameters(entity)]
    found = torch.autograd.grad(first.sum(), inputs, allow_unused=True)
    zeros = [
        torch.zeros_like(each) if gradient is None else gradient
        for each, gradient in zip(inputs, found, strict=True)
    ]
    return leaves, zeros


def assert_same(actual, expected):
    for mine, other in zip(actual, expected, strict=True):
        assert len(mine) == len(other)
        for a, b in zip(mine, other, strict=True):
            assert a.shape == b.shape
            torch.testing.assert_close(a.to(b.dtype), b, rtol=1e-5, atol=1e-5)


class Holder(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def exported(entity, program):
    held = entity if isinstance(entity, torch.nn.Module) else Holder(entity)
    made = torch.export.export(held, tuple(arguments(program)), strict=False).module()
    if isinstance(entity, torch.nn.Module):
        known = dict(made.named_parameters())
        made.parameters = lambda: [known[name] for name, _ in entity.named_parameters()]
    return made


def compiled(entity, backend):
    torch.compiler.reset()
    return torch.compile(entity, fullgraph=True, backend=backend)


CASES = [
    pytest.param(each, id=each.name, marks=[pytest.mark.sample] * (number % 40 == 7))
    for number, each in enumerate(PROGRAMS)
]


@pytest.fixture(params=CASES)
def program(request):
    return request.param


def test_converted_program_in_eager_mode(program):
    assert_same(outcome(converted(program.function), program), outcome(program.function, program))


def test_exported_program_with_its_gradient(program):
    made = exported(converted(program.function), program)
    expected = outcome(program.function, program, program.gradient)
    assert_same(outcome(made, program, program.gradient), expected)


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled_program_with_its_gradient(program, backend):
    made = compiled(converted(program.function), backend)
    expected = outcome(program.function, program, program.gradient)
    assert_same(outcome(made, program, program.gradient), expected)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS[::24], ids=NAMES[::24], indirect=True)
def test_inductor_with_its_gradient(program):
    made = compiled(converted(program.function), "inductor")
    expected = outcome(program.function, program, program.gradient)
    assert_same(outcome(made, program, program.gradient), expected)

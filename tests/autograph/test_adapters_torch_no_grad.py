"""PyTorch: `no_grad` in and around staged statements, which the graphs of PyTorch forget."""

import pytest

import autograph

torch = pytest.importorskip("torch")
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402


def in_a_branch(x):
    y = x * 1
    if x > 0:
        with torch.no_grad():
            y = x * x
    return y * 3


def in_a_loop(x):
    y = x * 1
    while y < 20:
        with torch.no_grad():
            y = y * x
        y = y + x
    return y


def part_of_a_branch(x):
    y = x * 1
    if x > 0:
        with torch.no_grad():
            z = x * x
        y = y * z
    return y * 3


def changed_in_place(x):
    y = x * 1
    if x > 0:
        with torch.no_grad():
            w = x * x
            w += x
        y = y * w
    return y


@torch.no_grad()
def square(x):
    return x * x


def in_a_decorated_function(x):
    y = x * 1
    if x > 0:
        y = square(x) * x
    return y


def switched_on_again(x):
    y = x * 1
    if x > 0:
        with torch.no_grad(), torch.enable_grad():
            y = x * x
    return y * 3


def around_a_branch(x):
    y = x * 1
    with torch.no_grad():
        if x > 0:
            y = x * x
    return y * 3


def before_a_branch(x):
    with torch.no_grad():
        y = x * x
    if x > 0:
        y = y * x
    return y


def switched_by_hand(x):
    y = x * 1
    if x > 0:
        torch.set_grad_enabled(False)
        w = x * x
        torch.set_grad_enabled(True)
        y = y * w
    return y


PROGRAMS = [
    in_a_branch,
    in_a_loop,
    part_of_a_branch,
    changed_in_place,
    in_a_decorated_function,
    switched_on_again,
    around_a_branch,
    before_a_branch,
    switched_by_hand,
]


class Module(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def traced(function):
    return make_fx(function)(torch.tensor(1.0))


def exported(function):
    module = Module(function)
    return torch.export.export(module, (torch.tensor(1.0),), strict=False).module()


def gradient(function, number):
    x = torch.tensor(number, requires_grad=True)
    result = function(x)
    if not result.requires_grad:
        return result.item(), 0.0
    result.backward()
    return result.item(), 0.0 if x.grad is None else x.grad.item()


@pytest.mark.parametrize("number", [3.0, -3.0])
@pytest.mark.parametrize("way", [traced, exported], ids=lambda each: each.__name__)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_no_gradient_goes_through_no_grad(program, way, number):
    staged = way(autograph.to_graph(program))
    assert gradient(staged, number) == gradient(program, number)


@pytest.mark.parametrize("number", [3.0, -3.0])
def test_a_trace_of_a_tensor_that_requires_a_gradient(number):
    def way(function):
        return make_fx(function)(torch.tensor(1.0, requires_grad=True))

    for program in (in_a_branch, part_of_a_branch, switched_on_again, around_a_branch):
        assert gradient(way(autograph.to_graph(program)), number) == gradient(program, number)

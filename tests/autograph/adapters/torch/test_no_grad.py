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


@torch.no_grad()
def chosen(x):
    if x > 0:
        return x * x
    return -x


def by_a_decorated_function_that_branches(x):
    return chosen(x) * x + chosen(x - 100)


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


def around_nested_statements(x):
    y = x * 1
    with torch.no_grad():
        for _ in range(5):
            z = y + x
            if z > 9:
                if z > 12:
                    z = z - 1
                break
            y = z
    return y * x


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
    by_a_decorated_function_that_branches,
    switched_on_again,
    around_a_branch,
    around_nested_statements,
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
@pytest.mark.parametrize("way", ["eager", "exported", "compiled"])
def test_convert_above_no_grad_converts_the_function_inside(way, number):
    staged = autograph.convert()(chosen)
    if way == "exported":
        staged = exported(staged)
    elif way == "compiled":
        torch.compiler.reset()
        staged = torch.compile(staged, fullgraph=True, backend="eager")
    assert gradient(staged, number) == gradient(chosen, number) == (9.0 if number > 0 else 3.0, 0.0)


def traced_with_gradients(function):
    return make_fx(function)(torch.tensor(1.0, requires_grad=True))


def repeated(x):
    while x < 20:
        x = x * x + 1
    return x


def limited(x):
    for _ in range(3):
        x = x * x
        if x > 20:
            break
    return x


@pytest.mark.parametrize("number", [3.0, -3.0])
@pytest.mark.parametrize("program", [*PROGRAMS, repeated, limited], ids=lambda each: each.__name__)
def test_a_trace_of_a_tensor_that_requires_a_gradient(program, number):
    staged = traced_with_gradients(autograph.to_graph(program))
    assert gradient(staged, number) == gradient(program, number)


@pytest.mark.parametrize("mode", ["fake", "symbolic"])
def test_a_program_that_takes_the_gradient_of_a_loop_itself(mode):
    def slope(x):
        y = x * 1
        while y < 20:
            y = y * x + 1
        return torch.autograd.grad(y, x)[0]

    x = torch.tensor(1.5, requires_grad=True)
    staged = make_fx(autograph.to_graph(slope), tracing_mode=mode)(x)
    for number in (3.0, 1.25):
        x = torch.tensor(number, requires_grad=True)
        torch.testing.assert_close(staged(x).detach(), slope(x))


# ---- inference_mode ----


def inference_in_a_branch(x):
    y = x * 1
    if x > 0:
        with torch.inference_mode():
            y = x * x
    return y


def inference_in_a_loop(x):
    while x < 30:
        with torch.inference_mode():
            s = torch.abs(x) * 2
        x = x + s.clone() + 1
    return x


@torch.inference_mode()
def square_without_version(x):
    return x * x


def inference_in_a_decorated_function(x):
    y = x * 1
    if x > 0:
        y = square_without_version(x).clone() + x
    return y


def inference_around_a_branch(x):
    y = x * 1
    with torch.inference_mode():
        if x > 0:
            y = x * x
    return y


def inference_around_a_loop(x):
    with torch.inference_mode():
        while x < 30:
            x = x * x + 1
    return x


def inference_before_a_branch(x):
    with torch.inference_mode():
        y = x * x
    if x > 0:
        y = y + x
    return y


def inference_for_a_number(x):
    if x > 0:
        with torch.inference_mode():
            n = x.dim() + 2
        x = x * n
    return x


def inference_switched_off(x):
    with torch.inference_mode(False):
        if x > 0:
            x = x * x
    return x * 3


def inference_in_branches_of_a_loop(x):
    for i in range(3):
        if x > i:
            with torch.inference_mode():
                y = x * 2
            x = x + y
        else:
            x = x - 1
    return x


INFERENCE = [
    inference_in_a_branch, inference_in_a_loop, inference_in_a_decorated_function,
    inference_around_a_branch, inference_around_a_loop, inference_before_a_branch,
    inference_for_a_number, inference_switched_off, inference_in_branches_of_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("number", [3.0, -3.0])
@pytest.mark.parametrize("way", [traced, traced_with_gradients, exported])
@pytest.mark.parametrize("program", INFERENCE, ids=lambda each: each.__name__)
def test_inference_mode_is_no_grad_in_a_graph(program, way, number):
    staged = way(autograph.to_graph(program))
    assert gradient(staged, number) == gradient(program, number)

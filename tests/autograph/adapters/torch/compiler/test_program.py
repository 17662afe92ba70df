"""Converted functions under `torch.compile`: what is read anew, what is refused, what stays."""

import collections
import inspect
import os
import random
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import autograph
from tests.autograph.adapters.torch.nets import Net, X, compiled, staged

torch = pytest.importorskip("torch")

from autograph.adapters.torch.compiler import program  # noqa: E402

OWN_FILES = str(Path(autograph.__file__).parent) + os.sep

pytestmark = pytest.mark.sample

STATE = {"calls": 0}


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()


def test_function_without_staged_statements_compiles_as_it_is_written():
    @autograph.convert()
    def plain(x, flag, *, n=2):
        if flag:
            for _ in range(n):
                x = x + 1
        return {"x": x, "n": n}

    assert plain(Fraction(1), True) == {"x": 3, "n": 2}  # from now on its class needs no trace
    made = compiled(plain)
    assert made(torch.zeros(2), True)["x"].tolist() == [2, 2]
    assert made(torch.zeros(2), False, n=3)["x"].tolist() == [0, 0]


def test_function_without_staged_statements_returns_and_reads_what_pytorch_compiles():
    rows = np.arange(3.0)

    @autograph.convert()
    def plain(x):
        return {1, 2}, x + torch.from_numpy(rows)

    numbers, found = compiled(plain)(X)
    assert numbers == {1, 2}
    assert found.tolist() == [1, -1, 2.5]


def test_values_that_no_graph_has_are_refused_at_the_function():
    rows, settings = np.arange(3.0), {"k": np.float32(0.5)}

    def makes_a_set(x):
        return {1, 2}, (x if x.sum() > 0 else -x)

    def reads_an_array(x):
        return (x if x.sum() > 0 else -x) + torch.from_numpy(rows)

    def reads_a_number(x):
        return (x if x.sum() > 0 else -x) * float(settings["k"])

    for function, text in (
        (makes_a_set, "returns a set"),
        (reads_an_array, r"an object of NumPy \(ndarray\)(.|\n)*torch.as_tensor"),
        (reads_a_number, r"a number of NumPy \(float32\)(.|\n)*method item\(\)"),
    ):
        with pytest.raises(TypeError, match=text) as caught:
            compiled(autograph.convert()(function))(X)
        line = function.__code__.co_firstlineno
        assert f'File "{__file__}", line {line}, in {function.__name__}' in str(caught.value)


class Convolutions(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.first = torch.nn.Conv2d(1, 2, size, padding=1)
        self.second = torch.nn.Conv2d(2, 2, 3, padding=1)

    def forward(self, x):
        x = self.first(x).relu()
        if x.mean() > 0.1:
            x = self.second(x).relu() + x
        return x.sum((1, 2, 3))


def test_shapes_of_other_calls_do_not_matter():
    """TorchDynamo makes symbols of the sizes that were others before."""
    for size, shape in ((3, (1, 1, 8, 8)), (2, (4, 1, 4, 4)), (3, (2, 1, 16, 2))):
        gate = Convolutions(size)
        x = torch.sin(torch.arange(64.0)).reshape(shape)
        torch.testing.assert_close(compiled(autograph.convert(gate))(x), gate(x))


def test_result_of_to_graph_compiles():
    def halved(x):
        while x > 1:
            x = x / 2
        return x

    assert float(compiled(autograph.to_graph(halved))(torch.tensor(8.0))) == 1


def test_gradients_reach_the_weights():
    module = autograph.convert(Net()).eval()
    module(X).sum().backward()
    expected = [each.grad.clone() for each in module.parameters()]
    module.zero_grad()
    compiled(module, "aot_eager")(X).sum().backward()
    for parameter, gradient in zip(module.parameters(), expected, strict=True):
        torch.testing.assert_close(parameter.grad, gradient)


def test_identity_of_arguments_and_changes_in_place_stay():
    @autograph.convert()
    def add(x, table):
        row = table[0]
        while x.sum() < 10:
            x = x * 2
            table[1] += x
        row += 1
        return row, table

    plain, mine = torch.zeros(2, 2), torch.zeros(2, 2)
    add(torch.ones(2), plain)
    row, table = compiled(add, "aot_eager")(torch.ones(2), mine)
    assert table is mine
    torch.testing.assert_close(mine, plain)
    torch.testing.assert_close(row, plain[0])


class Pair(NamedTuple):
    x: torch.Tensor
    n: int


def test_named_tuples_go_in_and_out():
    @autograph.convert()
    def grown(pair, factors):
        x = pair.x
        while x.sum() < 10:
            x = x * factors["by"][0]
        return Pair(x, pair.n)

    result = compiled(grown)(Pair(torch.ones(2), 3), {"by": [2, 5]})
    assert type(result) is Pair
    assert result.x.tolist() == [8, 8]
    assert result.n == 3


def test_change_of_a_python_object_is_refused_at_the_function():
    @autograph.convert()
    def counting(x):
        STATE["calls"] += 1
        while x.sum() < 10:
            x = x * 2
        return x

    with pytest.raises(TypeError, match=r"(?s)`STATE` is changed by.*test_program"):
        compiled(counting)(torch.ones(2))
    assert STATE == {"calls": 0}


class Settings:
    rate = 2.0


SETTINGS = Settings()


def test_change_before_the_call_in_the_same_program_is_refused():
    @autograph.convert()
    def reading(x):
        while x.sum() < 10:
            x = x * SETTINGS.rate
        return x

    def outer(x):
        SETTINGS.rate = SETTINGS.rate + 1
        return reading(x)

    with pytest.raises(TypeError, match="is changed in the same compiled program"):
        compiled(outer)(torch.ones(2))


def test_list_argument_that_changes_is_refused():
    @autograph.convert()
    def appending(x, out):
        while x.sum() < 10:
            x = x * 2
        out.append(x)
        return x

    with pytest.raises(TypeError, match="list or dict among the arguments"):
        compiled(appending)(torch.ones(2), [])


def test_refusal_names_the_line_and_no_file_of_ours():
    @autograph.convert()
    def printing(x):
        if x.sum() > 0:
            print(x)  # refused
        return x

    with pytest.raises(TypeError, match="would become text") as caught:
        compiled(printing)(torch.ones(2))
    assert "test_program.py" in str(caught.value)
    assert OWN_FILES not in str(caught.value)


# ---- values of tensors, masks, transformations ----


def item_in_a_branch(x):
    if x.sum() > 0:
        return x * x.max().item()
    return x


def item_tested(x):
    if x.sum().item() > 0:
        return x * 2
    return x


def item_in_a_loop(x):
    n = abs(x).max().item()
    while n > 0.5:
        n = n / 2
        x = x * n
    return x


def int_of_a_tensor(x):
    n = int(x.sum())
    while n > -3:
        n -= 1
        x = x + 1
    return x


def assignment_by_a_mask(x):
    y = x.clone()
    if x.sum() > 0:
        y[x > 0] = 0
    return y


def check_in_a_branch(x):
    if x.sum() > 0:
        assert x.max() < 100, "too large"
        x = x * 2
    return x


def gradient_inside(x):
    y = x.detach().requires_grad_()
    loss = (y**3).sum() if x.sum() > 0 else y.sum()
    return torch.autograd.grad(loss, y)[0]


VALUES = [
    item_in_a_branch, item_tested, item_in_a_loop, int_of_a_tensor, assignment_by_a_mask,
    check_in_a_branch, gradient_inside,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["export", "compile"])
@pytest.mark.parametrize("function", VALUES, ids=lambda each: each.__name__)
def test_values_of_tensors_agree_with_plain_python(function, mode):
    made = staged(function, mode)
    for x in (X, -X):
        torch.testing.assert_close(made(x), function(x))


def mask_in_a_branch(x):
    if x.sum() > 0:
        return x[x > 0].sum()  # refused
    return x.sum()


def print_in_a_branch(x):
    if x.sum() > 0:
        print("positive")  # refused
    return x


def gradient_of_a_branch(x):
    def loss(y):
        if y.sum() > 0:  # refused
            return (y * y).sum()
        return y.sum()

    return torch.func.grad(loss)(x)


REFUSED = [
    (mask_in_a_branch, "a boolean mask in a staged statement"),
    (print_in_a_branch, "`print` is in a staged branch"),
    (gradient_of_a_branch, "is traced inside of torch.func.grad"),
]


@pytest.mark.parametrize("mode", ["export", "compile"])
@pytest.mark.parametrize(("function", "text"), REFUSED, ids=lambda each: str(each)[:20])
def test_values_that_no_operator_gives_are_refused_at_the_line(function, text, mode):
    with pytest.raises((TypeError, RuntimeError), match=text) as caught:
        staged(function, mode)(X)
    lines, first = inspect.getsourcelines(function)
    line = next(number for number, each in enumerate(lines, first) if "# refused" in each)
    assert f'{__file__}", line {line}' in str(caught.value)


def array_of_numpy(x):
    if x.sum() > 0:
        x = x + 1
    return x.numpy()  # refused


def random_outside_of_a_branch(x):
    x = x + random.random()  # refused
    return x + 1 if x.sum() > 0 else x


def random_in_a_branch(x):
    if x.sum() > 0:
        x = x + random.random()  # refused
    return x


def other_error(x):
    x = x + 1 if x.sum() > 0 else x
    raise KeyError("name")  # refused


@pytest.mark.parametrize(
    "function",
    [array_of_numpy, random_in_a_branch, random_outside_of_a_branch, other_error],
)
def test_error_in_a_compiled_function_names_its_line(function):
    with pytest.raises((TypeError, RuntimeError, KeyError)) as caught:
        compiled(autograph.convert()(function))(X)
    lines, first = inspect.getsourcelines(function)
    line = next(number for number, each in enumerate(lines, first) if "# refused" in each)
    assert f'{__file__}", line {line}' in str(caught.value)


def test_random_numbers_of_python_have_a_remedy():
    for mode in ("export", "compile"):
        with pytest.raises(TypeError, match=r"`random` is changed by (?s:.*)such as torch.rand"):
            staged(random_outside_of_a_branch, mode)(X)


def test_vmap_around_a_converted_function_compiles():
    @autograph.convert()
    def one(v):
        if v > 0:
            return v * 2
        return v - 1

    made = compiled(lambda xs: torch.func.vmap(one)(xs), "aot_eager")
    torch.testing.assert_close(made(X), torch.where(X > 0, X * 2, X - 1))


def test_vmap_inside_of_a_converted_function_compiles():
    @autograph.convert()
    def mapped(xs):
        def one(v):
            if v > 0:
                return v * 2
            return v - 1

        return torch.func.vmap(one)(xs)

    made = compiled(mapped, "aot_eager")
    torch.testing.assert_close(made(X), torch.where(X > 0, X * 2, X - 1))


@pytest.mark.parametrize("mode", ["export", "compile"])
@pytest.mark.parametrize("number", [float, torch.Tensor.item])
def test_a_number_of_python_has_no_gradient(number, mode):
    def scaled(x):
        if x.sum() > 0:
            return x * number(x.max())
        return x

    x = X.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(staged(scaled, mode)(x).sum(), x)
    torch.testing.assert_close(gradient, x.max().detach().expand(X.shape))


def test_gradient_by_torch_func_decides_a_branch_of_a_compiled_function():
    def descended(x):
        gradient = torch.func.grad(lambda y: (y * y).sum())(x)
        if gradient.sum() > 0:
            return x - gradient
        return x + gradient

    made = staged(descended, "compile")
    for x in (X, -X):
        torch.testing.assert_close(made(x), descended(x))


# ---- gradients ----


def loop_that_may_not_run(x):
    while x < 1:
        x = x * x + 0.5
    return x * 3


def carry_that_starts_without_gradient(x):
    total = torch.zeros(())
    steps = 0
    while steps < 3:
        total = total + x * steps
        steps += 1
    return total


def branch_with_a_flag(x):
    if x > 0:
        y, flag = x * 2, True
    else:
        y, flag = x, False
    return y * 3 if flag else y


def branch_without_gradient(x):
    with torch.no_grad():
        scale = x * 2 if x > 0 else -x
    return x * scale


def part_of_a_loop_without_gradient(x):
    y = x
    while y < 10:
        with torch.no_grad():
            factor = y + 1
        y = y * factor
    return y


def branches_whose_outputs_have_one_gradient(x):
    y, z = x, 3 * x
    if x > 1:
        y, z = 2 * y, 2 * z
    return y + z


DIFFERENTIATED = [
    loop_that_may_not_run, carry_that_starts_without_gradient, branch_with_a_flag,
    branch_without_gradient, part_of_a_loop_without_gradient,
    branches_whose_outputs_have_one_gradient,
]  # fmt: skip


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("function", DIFFERENTIATED, ids=lambda each: each.__name__)
def test_gradients_agree_with_plain_python(function, backend):
    made = compiled(autograph.convert()(function), backend)
    for start in (0.5, 2.0):
        x, mine = (torch.tensor(start, requires_grad=True) for _ in range(2))
        expected = function(x)
        actual = made(mine)
        torch.testing.assert_close(actual, expected)
        (gradient,) = torch.autograd.grad(expected, x)
        (own,) = torch.autograd.grad(actual, mine)
        torch.testing.assert_close(own, gradient)


def test_error_of_a_function_that_is_not_converted_names_it():
    @autograph.do_not_convert
    def helper(x):
        return x * 2 if x.sum() > 0 else x

    @autograph.convert()
    def calling(x):
        x = helper(x)
        while x.sum() < 10:
            x = x + 1
        return x

    with pytest.raises(RuntimeError, match="helper") as caught:
        compiled(calling)(torch.ones(2))
    assert OWN_FILES not in str(caught.value)


FACTOR = 1.0
WEIGHTS = torch.ones(3)


@autograph.convert()
def scaled(x):
    if x.sum() > 0:
        return x * FACTOR
    return x


@autograph.convert()
def weighted(x):
    if x.sum() > 0:
        return x * WEIGHTS
    return x


def test_global_tensor_assigned_in_the_same_program_is_the_new_one(monkeypatch):
    def program(x):
        global WEIGHTS
        WEIGHTS = WEIGHTS + 1
        return weighted(x)

    monkeypatch.setitem(globals(), "WEIGHTS", torch.ones(3))
    torch.compiler.reset()
    compiled = torch.compile(program, fullgraph=True, backend="eager")
    assert torch.equal(compiled(torch.ones(3)), torch.full((3,), 2.0))
    assert torch.equal(compiled(torch.ones(3)), torch.full((3,), 3.0))


def test_global_number_assigned_in_the_same_program_is_refused(monkeypatch):
    def program(x):
        global FACTOR
        FACTOR = 3.0
        return scaled(x)

    monkeypatch.setitem(globals(), "FACTOR", 1.0)
    torch.compiler.reset()
    with pytest.raises(TypeError, match=r"`FACTOR` is changed in the same(?s:.*)in scaled"):
        torch.compile(program, fullgraph=True, backend="eager")(torch.ones(3))


# ---- Inductor ----


@autograph.convert()
def pair(x, y):
    while x * x + y * y < 100:
        x, y = x + y, y * 1.1
    return x


@autograph.convert()
def checked(x):
    assert x < 1000, 'neither "small"\nor \\ large'
    while x < 100:
        x = x * 2
    return x


@autograph.convert()
def fixed_point(x, weight):
    z = torch.zeros_like(x)
    for _ in range(50):
        new = torch.tanh(weight * z + x)
        if abs(new - z) < 1e-4:
            return new
        z = new
    return z


@pytest.mark.slow
@pytest.mark.parametrize("program", [pair, fixed_point])
def test_inductor_keeps_the_gradient_of_a_loop(program):
    x, y = torch.tensor(1.0, requires_grad=True), torch.tensor(0.5, requires_grad=True)
    expected = torch.autograd.grad(program(x, y), (x, y))
    torch.compiler.reset()
    compiled = torch.compile(program, fullgraph=True, backend="inductor")
    torch.testing.assert_close(torch.autograd.grad(compiled(x, y), (x, y)), expected)


def test_numbers_among_the_arguments_change_and_gradients_agree():
    def decay(y, until, step):
        time = 0.0
        while time < until:
            new = y - min(step, until - time) * y
            if (new - y).abs().max() < 0.2:
                y, time, step = new, time + step, step * 1.2
            else:
                step /= 2
        return y

    compiled = torch.compile(autograph.convert()(decay), fullgraph=True, backend="aot_eager")
    y = torch.tensor([1.0, 2.0], requires_grad=True)
    for numbers in ((0.5, 0.1), (0.7, 0.2)):
        found, expected = compiled(y, *numbers), decay(y, *numbers)
        torch.testing.assert_close(found, expected)
        gradients = [torch.autograd.grad(each.sum(), y) for each in (found, expected)]
        torch.testing.assert_close(*gradients)


def test_gradient_of_a_product_with_a_number_is_part_of_a_program():
    @autograph.convert()
    def descended(x):
        for _ in range(3):
            x = x - 0.1 * torch.func.grad(lambda v: (v * v * 2).sum())(x)
        return -x if x.sum() > 0 else x

    x = torch.tensor([1.0, 2.0])
    made = torch.compile(descended, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(made(x), descended(x))


@pytest.mark.slow
def test_inductor_compiles_any_text_of_a_check():
    compiled = torch.compile(checked, fullgraph=True, backend="inductor")
    assert compiled(torch.tensor(1.0)) == 128
    with pytest.raises(RuntimeError, match="AssertionError: neither 'small' or / large"):
        compiled(torch.tensor(2000.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    "same",
    [
        lambda row: row,
        lambda row: row.clone(),
        pytest.param(
            lambda row: row * 1,
            marks=pytest.mark.xfail(
                torch.__version__ >= (2, 14),
                strict=True,
                reason="Inductor drops the product, and so refuses branches of `torch.cond` itself",
            ),
        ),
    ],
)
def test_inductor_takes_branches_that_choose_rows_at_different_offsets(same):
    def program(x):
        order = x.argsort()
        best, value = order[0], x[0]
        if value < 2:
            best, value = order[1], same(x[2])
        return best, value

    compiled = torch.compile(autograph.convert()(program), fullgraph=True, backend="inductor")
    for x in (torch.tensor([1.0, 3.0, 2.0]), torch.tensor([5.0, 3.0, 2.0])):
        x.requires_grad_()
        (best, value), (expected_best, expected) = compiled(x), program(x)
        assert (best, value) == (expected_best, expected)
        gradients = torch.autograd.grad(value, x), torch.autograd.grad(expected, x)
        assert torch.equal(*(gradient for (gradient,) in gradients))


@pytest.mark.slow
def test_inductor_takes_branches_whose_gradients_have_different_offsets():
    @autograph.convert()
    def program(x):
        y = x.clone()
        for i in range(2):
            v = y[i:]
            if v.sum() > 4:
                v.mul_(0.5)
            else:
                v[0] = 1.0
        return y

    compiled = torch.compile(program, fullgraph=True, backend="inductor")
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (found,), (expected,) = (torch.autograd.grad(f(x).sum(), x) for f in (compiled, program))
    assert torch.equal(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_slices_between_tensors_are_views_with_gradients(backend):
    @autograph.convert()
    def program(x):
        n = 0
        while x[n] > 0:
            n += 1
        y = x * 2
        y[:n].mul_(3)
        return y[-n:].sum() - y[1:n].sum(), torch.stack([y, -y])[:, n:]

    compiled = torch.compile(program, fullgraph=True, backend=backend)
    for values in ([1.0, 2.0, 3.0, -1.0, 2.0], [-1.0, 2.0, 3.0, 1.0, -2.0]):
        x = torch.tensor(values, requires_grad=True)
        found, expected = compiled(x), program(x)
        torch.testing.assert_close(found, expected)
        gradients = [torch.autograd.grad(a + (b * b).sum(), x) for a, b in (found, expected)]
        torch.testing.assert_close(*gradients)


def test_modules_inside_of_one_that_stages_nothing_are_not_traced_again(monkeypatch):
    traced = []
    trace = program._trace
    monkeypatch.setattr(
        program, "_trace", lambda function, *rest: traced.append(function) or trace(function, *rest)
    )
    module = autograph.convert(Around(Around(Plain(), Plain()), Plain()))
    assert compiled(module)(X).tolist() == (X + 3).tolist()
    assert len(traced) == 1
    with pytest.raises(ValueError, match="no"):
        compiled(autograph.convert(Failing()))(X)
    branches = autograph.convert()(lambda x: x + 1 if x.sum() > 0 else x - 1)
    assert compiled(branches)(-X.abs()).tolist() == (-X.abs() - 1).tolist()  # the error is over


class Around(torch.nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = torch.nn.Sequential(*parts)

    def forward(self, x):
        return self.parts(x)


class Plain(torch.nn.Module):
    def forward(self, x):
        return x + 1


class Failing(torch.nn.Module):
    def forward(self, x):
        raise ValueError("no")


def test_a_deque_among_the_arguments_is_refused_at_the_function():
    @autograph.convert()
    def f(x, queue):
        return x * queue.maxlen if x.sum() > 0 else x

    with pytest.raises(TypeError, match=r"(?s)takes a deque.*, in f\nPass a list"):
        compiled(f)(X, collections.deque([1.0], 3))

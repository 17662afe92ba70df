"""Converted functions in exported PyTorch programs, compared with the plain Python program."""

import numpy as np
import pytest

import autograph
from tests.autograph.array_programs import (
    CASES,
    ON_ARRAYS,
    REFUSED,
    collatz,
    newton,
    none_or,
    while_else_return,
)
from tests.autograph.checked_programs import CHECKED, outcome, shown, step_of_range

torch = pytest.importorskip("torch")

proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")

pytree = pytest.importorskip("torch.utils._pytree")

GLOBAL = torch.tensor([1.0, 2.0, 3.0])

# ---- programs ----


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(3, 3)
        self.scale = torch.tensor(2.0)
        torch.manual_seed(0)

    def forward(self, x):
        if x.sum() > 0:
            y = self.lin(x) * self.scale
            if y[0] > 0:
                y = y + GLOBAL
        else:
            y = x - GLOBAL
        return y


def made(x):
    if x.sum() > 0:
        y = x * 2
        z = y
        y += 1
        y[0] = 7
        return y + z
    return x


def set_rows(out, n):
    for i in range(n):
        out[i] = i * 2
        out[i] += 1
        out[0] += 1
    return out


def nested_fn(x, k):
    def scale(v):
        return v * k if v.sum() > 0 else v - k

    while x.sum() < 10:
        x = scale(x) + 1
    return x


def early(x):
    for r in x:
        if r > 2:
            return r * 10
    return x.sum()


def printed(x):
    if x > 0:
        print("positive")
    return x


def printed_value(x):
    while x > 1:
        print(x)
        x = x / 2
    return x


def named(x):
    if x > 0:
        raise ValueError(f"above: {x}")
    return x


OWN = [
    (made, [([1.0, 1.0],), ([-1.0, -1.0],)]),
    (set_rows, [([0.0] * 4, 3), ([0.0] * 4, 4)]),
    (nested_fn, [([1.0, 1.0], 2.0), ([0.5, 0.5], 3.0)]),
    (early, [([1.0, 1.0, 1.0],), ([1.0, 5.0, 7.0],)]),
]
EACH = [
    pytest.param(function, inputs, on_tensors, id=function.__name__)
    for on_tensors, cases in ((False, CASES), (True, ON_ARRAYS + OWN))
    for function, inputs in cases
]


def exported(function, arguments, **options):
    converted = autograph.to_graph(function)

    class Program(torch.nn.Module):
        def forward(self, *args):
            return converted(*args)

    return torch.export.export(Program(), arguments, strict=False, **options).module()


def tensors(arguments):
    return tuple(map(torch.tensor, arguments))


def same(expected, actual):
    wanted, got = pytree.tree_leaves(expected), pytree.tree_leaves(actual)
    for want, each in zip(wanted, got, strict=True):
        np.testing.assert_allclose(np.asarray(each), np.asarray(want), rtol=1e-4)


@pytest.mark.parametrize(("function", "inputs", "on_tensors"), EACH)
def test_exported_once_it_runs_on_other_inputs(function, inputs, on_tensors):
    program = exported(function, tensors(inputs[0]))
    for arguments in inputs:
        expected = function(*(tensors(arguments) if on_tensors else arguments))
        same(expected, program(*tensors(arguments)))


@pytest.mark.parametrize("mode", ["real", "fake", "symbolic"])
@pytest.mark.parametrize("function", [newton, collatz, while_else_return])
def test_make_fx(function, mode):
    traced = proxy_tensor.make_fx(autograph.to_graph(function), tracing_mode=mode)
    program = traced(torch.tensor(12.0))
    for x in (12.0, 8.0, 2.0):
        same(function(x), program(torch.tensor(x)))


def test_module_with_parameters_attributes_and_globals():
    plain = Net()
    converted = autograph.to_graph(Net)()
    converted.load_state_dict(plain.state_dict())
    program = torch.export.export(converted, (torch.ones(3),)).module()
    for x in (torch.ones(3), -torch.ones(3), torch.tensor([5.0, -3.0, 9.0])):
        torch.testing.assert_close(program(x), plain(x))


def test_tensors_with_values_take_the_python_path():
    assert isinstance(autograph.to_graph(collatz)(torch.tensor(6)), int)


CHECKS = [pytest.param(function, inputs, id=function.__name__) for function, inputs in CHECKED]


@pytest.mark.parametrize(("function", "inputs"), CHECKS)
def test_checks_raise_the_users_error_at_the_users_line(function, inputs):
    program = exported(function, tensors(inputs[0]))
    for arguments in inputs:
        value, failure = outcome(function, arguments)
        if failure is None:
            same(value, program(*tensors(arguments)))
            continue
        error, line = failure
        with pytest.raises(RuntimeError) as raised:
            program(*tensors(arguments))
        assert shown(error) in str(raised.value)
        assert f"File '{function.__code__.co_filename}', line {line}, in " in str(raised.value)


def unrolled_iteration_raises(xs):
    kept = []
    for x in xs:
        kept.append(x)
        if len(kept) == 3:
            raise ValueError("third")
    return kept


OWN_REFUSED = [
    (unrolled_iteration_raises, ([1.0, 2.0, 3.0],), TypeError, "ValueError: third"),
    (printed, (1.0,), TypeError, "`print` is in a staged branch or loop"),
    (printed_value, (1.0,), TypeError, "tensors would become text"),
    (named, (1.0,), TypeError, "tensors would become text"),
    (step_of_range, (0, 9, 2), TypeError, "the step of a range is a tensor"),
]


@pytest.mark.parametrize(("function", "arguments", "public", "text"), REFUSED + OWN_REFUSED)
def test_what_cannot_be_exported_is_named(function, arguments, public, text):
    with pytest.raises(public, match=text) as raised:
        exported(function, tensors(arguments))
    assert f'File "{function.__code__.co_filename}", line ' in str(raised.value)
    assert f"in {function.__name__}\n" in str(raised.value)


class Swallowing(torch.nn.Module):
    def forward(self, x):
        try:
            return none_or(x)
        except TypeError:
            return x


@autograph.convert(recursive=True)
def decorated(x):
    try:
        return none_or(x)
    except TypeError:
        return x


def test_refusals_become_public_behind_the_program_only():
    class Around(torch.nn.Module):
        def forward(self, x):
            try:
                return decorated(x)
            except TypeError as error:
                assert "`y` is None" in str(error)
                return x * 2

    assert torch.export.export(Around(), (torch.tensor(1.0),)).module()(torch.tensor(3.0)) == 6
    converted = autograph.to_graph(Swallowing)()
    with pytest.raises(TypeError, match="`y` is None"):
        torch.export.export(converted, (torch.tensor(1.0),))


def seeded(x):
    noise = torch.rand(3, generator=torch.Generator().manual_seed(0))
    if x.sum() > 0:
        x = x + noise
    return x


def seeded_in_a_branch(x):
    if x.sum() > 0:
        x = x + torch.rand(3, generator=torch.Generator().manual_seed(0))
    return x


@pytest.mark.parametrize("function", [seeded, seeded_in_a_branch])
def test_numbers_of_a_generator_are_refused(function):
    """The graph has the generator, but not its seed: a second call would draw others."""
    x = torch.ones(3)
    converted = autograph.convert()(function)
    compiled = torch.compile(converted, fullgraph=True, backend="eager")
    for run in (lambda: exported(function, (x,)), lambda: compiled(x)):
        with pytest.raises(RuntimeError, match="draws from a") as raised:
            run()
        assert f"in {function.__name__}\n" in str(raised.value)
    assert torch.equal(converted(x), function(x))


LINEAR = torch.nn.Linear(3, 1)


def descent(x):
    for _ in range(5):
        loss = (LINEAR(x) ** 2).sum()
        if loss < 1e-3:
            break
        loss.backward()
        with torch.no_grad():
            LINEAR.weight -= 0.1 * LINEAR.weight.grad
        LINEAR.weight.grad = None
    return loss


def backward_before_a_branch(x):
    loss = (LINEAR(x) ** 2).sum()
    loss.backward()
    if loss > 0:
        loss = loss * 2
    return loss


def assigned_gradient(x):
    loss = (LINEAR(x) ** 2).sum()
    (LINEAR.weight.grad,) = torch.autograd.grad(loss, [LINEAR.weight])
    if loss > 0:
        loss = loss * 2
    return loss


def no_gradient(x):
    if x.sum() > 0:
        x = x * 2
    LINEAR.weight.grad = None
    return x


def clipped(x):
    gradient = LINEAR.weight.grad
    if gradient.norm() > 1:
        gradient.mul_(1 / gradient.norm())
    return x


def accumulated(x):
    loss = (LINEAR(x) ** 2).sum()
    torch.autograd.backward(loss)
    if loss > 0:
        loss = loss * 2
    return loss


def accumulated_in_a_branch(x):
    loss = (LINEAR(x) ** 2).sum()
    if loss > 0:
        torch.autograd.backward([loss * 2], inputs=[LINEAR.weight])
    return loss


def read_after_backward(x):
    loss = (LINEAR(x) ** 2).sum()
    torch.autograd.backward(loss)
    if loss > 0:
        loss = loss + LINEAR.weight.grad.sum()
    return loss


ON_GRADIENTS = [
    (descent, "calls `backward`"),
    (backward_before_a_branch, "calls `backward`"),
    (accumulated, "calls `backward`"),
    (accumulated_in_a_branch, "calls `backward`"),
    (read_after_backward, "calls `backward`"),
    (assigned_gradient, "uses `.grad` of a tensor"),
    (no_gradient, "uses `.grad` of a tensor"),
    (clipped, "uses `.grad` of a tensor"),
]


@pytest.mark.parametrize(("function", "text"), ON_GRADIENTS)
def test_gradients_that_tensors_keep_are_no_part_of_a_graph(function, text):
    x = torch.ones(3)
    compiled = torch.compile(autograph.convert()(function), fullgraph=True, backend="eager")
    for run in (lambda: exported(function, (x,)), lambda: compiled(x)):
        LINEAR.weight.grad = torch.ones(1, 3)
        with pytest.raises(RuntimeError, match=text) as raised:
            run()
        assert f"in {function.__name__}\n" in str(raised.value)
        assert torch.equal(LINEAR.weight.grad, torch.ones(1, 3))


def test_gradients_that_tensors_keep_are_those_of_python_in_eager_mode():
    def outcome(function):
        with torch.no_grad():
            LINEAR.weight.fill_(0.5)
        LINEAR.weight.grad = torch.full((1, 3), 3.0)
        result = function(torch.ones(3)).detach()
        gradient = LINEAR.weight.grad
        return result, LINEAR.weight.detach(), 0 if gradient is None else gradient

    for function, _ in ON_GRADIENTS:
        same(outcome(function), outcome(autograph.convert()(function)))


def test_gradients_that_tensors_keep_compile_without_a_staged_statement():
    def halved(x):
        return LINEAR.weight.grad / 2 + x

    LINEAR.weight.grad = torch.ones(1, 3)
    compiled = torch.compile(autograph.convert()(halved), fullgraph=True, backend="eager")
    assert torch.equal(compiled(torch.ones(3)), torch.full((1, 3), 1.5))


def test_gradients_that_a_program_takes_are_part_of_a_graph():
    def descent(weight, x):
        for _ in range(5):
            weight = weight.detach().requires_grad_()
            loss = ((weight * x) ** 2).sum()
            (gradient,) = torch.autograd.grad(loss, [weight])
            if loss < 2.0:
                break
            weight = weight - 0.1 * gradient
        return weight

    weight, x = torch.tensor([1.0, -2.0], requires_grad=True), torch.tensor([1.0, 0.5])
    compiled = torch.compile(autograph.convert()(descent), fullgraph=True, backend="eager")
    for run in (exported(descent, (weight, x)), compiled):
        same(descent(weight, x).detach(), run(weight, x).detach())


REDUCED = [
    ("sum(x)", [100, 100, 1], torch.int8),
    ("sum(x, 1.5)", [100, 100, 1], torch.int8),
    ("sum(x)", [True, True], torch.bool),
    ("sum(x)", [[1, 2], [3, 4]], torch.uint8),
    ("max(x)", [0.0, -0.0], torch.float32),
    ("min(x)", [-0.0, 0.0], torch.float32),
    ("max(x)", [False, True], torch.bool),
    ("min(x)", [2.0, torch.nan, 1.0], torch.float16),
    ("max(x)", [torch.nan, 1.0], torch.float32),
    ("sorted(x, reverse=True)", [0.0, -0.0, 2.0], torch.float32),
]


@pytest.mark.parametrize(("text", "values", "dtype"), REDUCED)
def test_reductions_of_python_keep_dtype_and_order(text, values, dtype):
    function = autograph.exec(f"def f(x):\n    return {text}\n")["f"]
    x = torch.tensor(values, dtype=dtype)
    # The text of a tensor shows its dtype and the sign of a zero.
    assert repr(proxy_tensor.make_fx(autograph.to_graph(function))(x)(x)) == repr(function(x))

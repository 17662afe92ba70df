"""Refusals of PyTorch's programs name the line and what works."""

import pytest

import autograph
from tests.autograph.adapters.torch.nets import X, compiled, staged

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.sample


def slice_in_a_loop(x):
    i = 0
    while x.sum() > i:
        x = x + x[i : i + 1]
        i += 1
    return x


def slice_after_a_break(x):
    i, total = 0, torch.zeros(1)
    while i < len(x):
        if x.sum() < i:
            break
        total = total + x[i : i + 1]
        i += 1
    return total


def slice_assigned_in_a_loop(x):
    flags, prime = torch.ones(10, dtype=torch.bool), 2
    while prime * prime <= x.sum():
        if flags[prime]:
            flags[prime * prime :: prime] = False
        prime += 1
    return flags


@pytest.mark.parametrize("mode", ["export", "compile"])
def test_assigning_to_a_slice_between_tensors_in_a_loop_is_refused_with_what_works(mode):
    with pytest.raises(TypeError, match="a slice between tensors") as caught:
        staged(slice_assigned_in_a_loop, mode)(X)
    assert "in slice_assigned_in_a_loop" in str(caught.value)

    def sieve(x):
        flags, prime, places = torch.ones(10, dtype=torch.bool), 2, torch.arange(10)
        while prime * prime <= x.sum():
            if flags[prime]:
                flags = flags & ((places < prime * prime) | (places % prime != 0))
            prime += 1
        return flags

    x = torch.tensor([9.0, 1.0, 0.0])
    assert torch.equal(staged(sieve, mode)(x), sieve(x))


@pytest.mark.parametrize("mode", ["export", "compile"])
def test_a_slice_between_tensors_of_known_values_is_assigned_in_a_loop(mode):
    def function(x):
        stop = torch.tensor(2)
        flags = torch.zeros(3)
        while flags.sum() < x.sum():
            flags[:stop] = flags[:stop] + 1
        return flags

    x = torch.tensor([5.0, 1.0, 0.0])
    assert torch.equal(staged(function, mode)(x), function(x))


def test_a_slice_between_tensors_in_a_loop_is_refused_with_what_works():
    for function in (slice_in_a_loop, slice_after_a_break):
        with pytest.raises(TypeError, match="a slice between tensors") as caught:
            staged(function, "export")(X)
        text = str(caught.value)
        assert "Index by `i + torch.arange(n)`, or choose by torch.where" in text
        assert "`torch.where(torch.arange(4) < n, 0, x)`" in text

    def windows(x):
        i = 0
        while x.sum() < 12:
            x = x + x[i + torch.arange(1)]
            i += 1
        return x

    def prefixes(x):
        i, total = 0, torch.zeros(())
        while total < 2:
            i += 1
            total = torch.where(torch.arange(3) < i, x, 0.0).sum()
        return total

    x = torch.tensor([1.0, 2.0, -1.0])
    for function in (windows, prefixes):
        torch.testing.assert_close(staged(function, "export")(x), function(x))


@pytest.mark.parametrize("mode", ["export", "compile"])
def test_a_transformation_in_a_branch_is_refused_at_the_line(mode):
    def descended(x):
        if x.sum() > 0:
            x = x - torch.func.grad(lambda y: (y * y).sum())(x)
        return x

    with pytest.raises(RuntimeError, match="calls a transformation of") as raised:
        staged(descended, mode)(X)
    assert "Take the gradient of `x.detach().requires_grad_()` by" in str(raised.value)
    assert f'File "{__file__}", line {descended.__code__.co_firstlineno + 2}, in ' in str(
        raised.value
    )


class Mixture(torch.nn.Module):
    def __init__(self, items):
        super().__init__()
        torch.manual_seed(0)
        self.experts = items(torch.nn.Linear(3, 3) for _ in range(3))

    def forward(self, x):
        return self.experts[x.argmax()](x)


class Loop(Mixture):
    def forward(self, x):
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            if i == x.argmax():
                out = expert(x)
        return out


@pytest.mark.parametrize("items", [torch.nn.ModuleList, lambda each: torch.nn.Sequential(*each)])
def test_a_module_chosen_by_a_tensor_is_refused_with_what_works(items):
    def exported(network):
        return torch.export.export(autograph.convert(network), (X,), strict=False).module()

    with pytest.raises(TypeError, match=r"an item of a .* is chosen by a tensor") as raised:
        exported(Mixture(items))
    line = Mixture.forward.__code__.co_firstlineno + 1
    assert f'File "{__file__}", line {line}, in forward' in str(raised.value)
    with pytest.raises(TypeError, match="is chosen by a tensor"):
        compiled(autograph.convert(Mixture(items)))(X)
    torch.testing.assert_close(exported(Loop(items))(X), Mixture(items)(X))


def test_a_derivative_by_jvp_in_a_compiled_program_is_refused_with_what_works():
    def doubled(x):
        while x < 100:
            x = x * 2
        return x

    converted = autograph.convert()(doubled)
    x = torch.tensor(3.0)
    with pytest.raises(RuntimeError, match=r"inside of torch\.func\.jvp") as raised:
        compiled(lambda x: torch.func.jvp(converted, (x,), (x,)))(x)
    assert f'File "{__file__}", line {doubled.__code__.co_firstlineno}' in str(raised.value)
    assert torch.func.jvp(converted, (x,), (x,)) == (192.0, 192.0)


def test_a_gradient_by_torch_func_is_refused_in_an_exported_program():
    """PyTorch exports a tensor of its trace in place of the gradient."""

    def descended(x):
        return x - torch.func.grad(lambda y: (y * y).sum())(x)

    with pytest.raises(RuntimeError, match="an exported program calls a transformation"):
        staged(descended, "export")


def size_decides(x):
    positive = x[x > 0]
    return positive.mean() if len(positive) > 1 else x.mean()


def size_decides_a_loop(x):
    while x[x > 0].numel() > 1 and x.sum() > 0:
        x = x - 1
    return x


@pytest.mark.parametrize("function", [size_decides, size_decides_a_loop])
@pytest.mark.parametrize("mode", ["export", "compile"])
def test_size_of_a_boolean_mask_that_decides_is_refused_at_the_line(function, mode):
    with pytest.raises((RuntimeError, TypeError), match=r"depends? on values") as caught:
        staged(function, mode)(X)
    assert f"in {function.__name__}" in str(caught.value)


def stops_early(x):
    w = torch.zeros(3)
    for _ in range(9):
        w = w.detach().requires_grad_()
        loss = (w - x).square().sum()
        if loss < 0.5:
            break
        (gradient,) = torch.autograd.grad(loss, w)
        w = w - 0.1 * gradient
    return w


@pytest.mark.parametrize("mode", ["export", "compile"])
def test_gradient_of_a_tensor_from_before_the_statement_is_refused_with_what_works(mode):
    with pytest.raises(RuntimeError, match="computed before it") as caught:
        staged(stops_early, mode)(X)
    assert "in stops_early" in str(caught.value)

    def takes_it_before(x):
        w = torch.zeros(3)
        for _ in range(9):
            w = w.detach().requires_grad_()
            loss = (w - x).square().sum()
            (gradient,) = torch.autograd.grad(loss, w)
            if loss < 0.5:
                break
            w = w - 0.1 * gradient
        return w

    torch.testing.assert_close(staged(takes_it_before, mode)(X), takes_it_before(X))


def test_assigning_to_a_slice_between_tensors_does_not_compile():
    def cleared(x):
        n = (x > 0).sum()
        x = x.clone()
        x[:n] = 0
        return x

    with pytest.raises(RuntimeError, match="a slice between tensors is assigned") as caught:
        staged(cleared, "compile")(X)
    assert "in cleared" in str(caught.value)
    assert torch.equal(staged(cleared, "export")(X), cleared(X))


def test_tensors_on_two_devices_are_refused_with_both():
    def moved(x):
        return x.to("meta") if x.sum() > 0 else x

    with pytest.raises(TypeError, match="they are on meta and cpu"):
        staged(moved, "export")(X)


def transformed_in_a_branch(x):
    if x.sum() > 1:
        x = torch.func.vmap(torch.sin)(x) - 0.5  # refused
    return x


def transformed_in_a_loop(x):
    while x.sum() > 1:
        x = torch.func.vmap(torch.sin)(x) - 0.5  # refused
    return x


@pytest.mark.parametrize("mode", ["export", "compile"])
@pytest.mark.parametrize("function", [transformed_in_a_branch, transformed_in_a_loop])
def test_a_transformation_in_a_staged_statement_is_refused_at_its_line(function, mode):
    with pytest.raises(RuntimeError, match=r"calls a transformation of `torch.func`") as caught:
        staged(function, mode)(X)
    assert f"line {function.__code__.co_firstlineno + 2}, in {function.__name__}" in str(
        caught.value
    )

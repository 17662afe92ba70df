"""Functions of PyTorch that give values of Python: tensors represent these."""

import pytest

import autograph
from tests.autograph.adapters.torch.exports import exported
from tests.autograph.adapters.torch.nets import compiled

torch = pytest.importorskip("torch")


def items(x):
    return x.max().item() + 300, -x[0].item(), x[1].item() / 3


def comparisons(x):
    y = x.clone()
    return torch.equal(x, y), x.equal(y + 1), torch.allclose(x, y), torch.equal(x, y[:1])


@pytest.mark.parametrize("function", [items, comparisons])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32])
def test_values_are_those_of_python(function, dtype):
    x = torch.tensor([200, 7], dtype=dtype)
    program = exported(function, (x,))
    assert [float(each) for each in program(x)] == [float(each) for each in function(x)]


def solved(x):
    a = torch.outer(x, x) + torch.eye(3)
    if x.sum() > 0:
        return torch.linalg.solve(a, x)
    return x


def inverted(x):
    a = torch.outer(x, x) + torch.eye(3)
    while x.norm() > 0.5:
        x = (a.inverse() + torch.linalg.inv(a) + torch.inverse(a)) @ x / 3
    return x


def factored(x):
    a = torch.outer(x, x) + torch.eye(3)
    for _ in range(2):
        if x.sum() > 0:
            x = torch.linalg.cholesky(a, upper=True) @ x
    return x


@pytest.mark.parametrize(
    ("function", "backend"),
    [(solved, "inductor"), (solved, "eager"), (inverted, "aot_eager"), (factored, "aot_eager")],
)
def test_linear_systems_in_staged_statements_have_gradients(function, backend):
    gradients = []
    for called in (function, compiled(autograph.convert()(function), backend)):
        x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
        called(x).sum().backward()
        gradients.append(x.grad)
    torch.testing.assert_close(*gradients)


def singular(x):
    a = x * torch.zeros(3, 3)
    if x.sum() > 0:
        return torch.linalg.solve(a, x)
    return x


def indefinite(x):
    while x.sum() > 0:
        x = torch.linalg.cholesky(-torch.diag(x)) @ x
    return x


@pytest.mark.parametrize("function", [singular, indefinite])
@pytest.mark.parametrize("mode", ["export", "eager", "aot_eager"])
def test_matrix_that_cannot_be_inverted_is_an_error_where_python_has_one(function, mode):
    x = torch.ones(3)
    made = autograph.convert()(function)
    program = exported(function, (x,)) if mode == "export" else compiled(made, mode)
    with pytest.raises(torch.linalg.LinAlgError):
        function(x)
    with pytest.raises(RuntimeError, match=rf"LinAlgError: .*in {function.__name__}"):
        program(x)
    assert program(-x).equal(-x)

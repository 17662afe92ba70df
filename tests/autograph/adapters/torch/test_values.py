"""Functions of PyTorch that give values of Python: tensors represent these."""

import pytest

from tests.autograph.adapters.torch.exports import exported

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

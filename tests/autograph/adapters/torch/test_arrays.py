"""Tensors that a program changes in place, in its graph."""

import pytest

from tests.autograph.adapters.torch.exports import INPUTS, agree, exported, fake, tensors, traced

torch = pytest.importorskip("torch")

proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")


def second_name(x, c):
    y = x
    if c > 0:
        x += 1
    return x, y


def number_of_an_argument(x, c):
    number = float(c)
    whole, flag = int(c), bool(c > 0)
    if c > 0:
        number -= 1
        whole += 3
    number, flag = number * 2, not flag
    number -= 2
    whole -= 1
    return x * number + whole * flag, c


def copy_of_a_view_by_branch(x, c):
    x = x.clone()
    y = x[0] if c > 0 else x[1]
    y += 1
    return y


def largest_into_the_same_table(x, c):
    for i in range(1, len(x)):
        if c > 0:
            x[i] = max(x[i - 1], x[i])
        else:
            x[i] = min(x[i - 1], x[0]) + 1
    return x


@pytest.mark.parametrize("trace", [exported, traced, fake])
@pytest.mark.parametrize(
    "function", [number_of_an_argument, copy_of_a_view_by_branch, largest_into_the_same_table]
)
def test_changes_that_no_other_name_sees(function, trace):
    agree(function, trace(function, tensors(*INPUTS[0])))


def test_a_leaf_of_the_gradient_is_an_error_as_in_python():
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Variable"):
        second_name(x, torch.tensor(1.0))
    with pytest.raises(RuntimeError, match="leaf Variable"):
        traced(second_name, (x, torch.tensor(1.0)))

"""Items of Python's containers at an index that is a tensor of an exported PyTorch program."""

import pytest

import autograph
from tests.autograph.item_programs import CASES, REFUSED, outcome

torch = pytest.importorskip("torch")

proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")


def traced(function, arguments):
    return proxy_tensor.make_fx(autograph.to_graph(function))(*map(torch.tensor, arguments))


def exported(function, arguments):
    converted = autograph.to_graph(function)

    class Program(torch.nn.Module):
        def forward(self, *args):
            return converted(*args)

    tensors = tuple(map(torch.tensor, arguments))
    return torch.export.export(Program(), tensors, strict=False).module()


def run(program, arguments):
    try:
        return program(*map(torch.tensor, arguments)).item()
    except RuntimeError as error:
        return str(error)


@pytest.mark.parametrize("trace", [traced, exported])
@pytest.mark.parametrize(("function", "cases"), CASES)
def test_items_of_containers(trace, function, cases):
    program = trace(function, cases[0])
    for arguments in cases:
        expected, actual = outcome(function, arguments), run(program, arguments)
        if isinstance(expected, tuple):
            assert all(part in str(actual) for part in expected), arguments
        else:
            assert actual == expected, arguments


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSED)
def test_items_that_cannot_be_chosen_among(function, arguments, message):
    with pytest.raises(TypeError, match=message) as caught:
        traced(function, arguments)
    assert "item_programs.py" in str(caught.value)


def row_changed(x, i):
    row = [x * 1, x + 1][i]
    row += 1
    return row


def other_name_changed(x, i):
    rows = [x * 1, x + 1]
    row = rows[i]
    rows[0] += 1
    return row


def assigned_then_changed(x, i):
    rows = [x * 1, x + 1]
    y = x + 5
    rows[i] = y
    y += 1
    return rows[0]


@pytest.mark.parametrize("function", [row_changed, other_name_changed, assigned_then_changed])
def test_changing_a_tensor_that_may_have_another_name_is_refused(function):
    tensors = torch.tensor([1.0, 2.0]), torch.tensor(0)
    with pytest.raises(TypeError, match="is a copy, and is changed in place"):
        proxy_tensor.make_fx(autograph.to_graph(function))(*tensors)


# ---- numbers that a tensor chose, and what is computed from them ----

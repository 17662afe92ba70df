"""Programs exported and traced by PyTorch, compared with Python."""

import pytest

import autograph

torch = pytest.importorskip("torch")

proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")

INPUTS = [([1.0, -2.0, 3.0], 1.0), ([1.0, -2.0, 3.0], -1.0), ([4.0, 5.0, -6.0], 2.0)]


def tensors(values, c):
    return torch.tensor(values), torch.tensor(c)


def exported(function, arguments):
    converted = autograph.to_graph(function)

    class Program(torch.nn.Module):
        def forward(self, *args):
            return converted(*args)

    return torch.export.export(Program(), arguments, strict=False).module()


def traced(function, arguments, mode="real"):
    return proxy_tensor.make_fx(autograph.to_graph(function), tracing_mode=mode)(*arguments)


def fake(function, arguments):
    return traced(function, arguments, "fake")


def agree(function, program):
    for values in INPUTS:
        expected, actual = tensors(*values), tensors(*values)
        wanted, got = function(*expected), program(*actual)
        torch.testing.assert_close(got, wanted, check_dtype=False, check_stride=False)
        torch.testing.assert_close(actual, expected)

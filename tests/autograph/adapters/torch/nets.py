"""Modules of PyTorch, and the compiler that tests use."""

import pytest

import autograph

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.sample

X = torch.tensor([1.0, -2.0, 0.5])


def compiled(function, backend="eager"):
    return torch.compile(function, fullgraph=True, backend=backend)


class Gate(torch.nn.Module):
    def forward(self, x):
        if x.mean() > 0:
            return x * 2
        return x / 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.body = torch.nn.Sequential(torch.nn.Linear(3, 3), Gate(), torch.nn.Dropout(0.5))
        self.scale = 1.5

    def forward(self, x):
        y = self.body(x) * self.scale
        return y if y.sum() > 0 else -y


class Holder(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def staged(function, mode):
    made = autograph.convert()(function)
    if mode == "compile":
        return compiled(made, "aot_eager")
    return torch.export.export(Holder(made), (X,), strict=False).module()

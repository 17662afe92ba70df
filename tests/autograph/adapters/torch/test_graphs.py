# ruff: noqa: SIM108 - programs as people write them

"""User code runs once while a program is traced, however deep its branches and loops are nested."""

from collections import Counter

import pytest

import autograph

torch = pytest.importorskip("torch")

make_fx = pytest.importorskip("torch.fx.experimental.proxy_tensor").make_fx

overrides = pytest.importorskip("torch.overrides")


class Calls(overrides.TorchFunctionMode):
    """Counts what the program calls; what a graph calls has other names."""

    def __init__(self):
        super().__init__()
        self.counts = Counter()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.counts[getattr(func, "__name__", "")] += 1
        return func(*args, **(kwargs or {}))


def branches(x):
    if x.sum() > 0:
        x = torch.sin(x)
        if x.sum() > 1:
            x = torch.cos(x)
            if x.sum() > 2:
                x = torch.tan(x)
            else:
                x = torch.asin(x)
        else:
            x = torch.acos(x)
    else:
        x = torch.atan(x)
    return x


def loops(x):
    while x.sum() < 100:
        x = torch.sin(x)
        for row in x:
            x = torch.cos(x) + row
            if row > 3:
                x = torch.tan(x)
                while x.sum() < 50:
                    x = torch.atan(x) + 30
        x = abs(x) + 100
    return x


def exported(function, x):
    class Program(torch.nn.Module):
        def forward(self, x):
            return function(x)

    return torch.export.export(Program(), (x,), strict=False)


def fake(function, x):
    return make_fx(function, tracing_mode="fake")(x)


def recorded(function, x):
    return make_fx(function)(x)


@pytest.mark.parametrize("trace", [exported, recorded, fake])
@pytest.mark.parametrize(
    ("function", "names"),
    [
        (branches, ["sin", "cos", "tan", "asin", "acos", "atan"]),
        (loops, ["sin", "cos", "tan", "atan"]),
    ],
)
def test_each_line_runs_once(trace, function, names):
    with Calls() as calls:
        trace(autograph.to_graph(function), torch.ones(3))
    assert {name: calls.counts[name] for name in names} == dict.fromkeys(names, 1)


def test_a_loop_whose_variable_becomes_a_float_runs_again():
    def program(x):
        total = 0
        for row in x:
            total = total + torch.sin(row)
        return total

    with Calls() as calls:
        exported(autograph.to_graph(program), torch.ones(3))
    assert calls.counts["sin"] == 2

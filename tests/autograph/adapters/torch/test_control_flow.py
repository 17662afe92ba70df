"""Branches and loops that PyTorch stages."""

import pytest

import autograph

torch = pytest.importorskip("torch")


def early(x):
    for r in x:
        if r > 2:
            return r * 10
    return x.sum()


def test_dimension_known_when_the_program_runs():
    converted = autograph.to_graph(early)
    dimensions = ({0: torch.export.Dim("rows")},)

    class Program(torch.nn.Module):
        def forward(self, x):
            return converted(x)

    program = torch.export.export(Program(), (torch.ones(4),), dynamic_shapes=dimensions)
    for values in ([1.0, 5.0], [1.0] * 7):
        x = torch.tensor(values)
        torch.testing.assert_close(program.module()(x), early(x))

"""Branches and loops that PyTorch stages."""

import pytest

import autograph
from tests.autograph.adapters.torch.exports import exported

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


def product_of_other_sizes(x):
    return x @ torch.ones(3) if x.sum() > 0 else x.sum()


def test_operation_that_fails_in_a_branch_is_an_error_where_the_branch_runs():
    x = torch.ones(5)
    compiled = torch.compile(
        autograph.convert()(product_of_other_sizes), fullgraph=True, backend="eager"
    )
    for program in (compiled, exported(product_of_other_sizes, (x,))):
        assert program(-x) == -5
        with pytest.raises(RuntimeError, match=r"inconsistent tensor size.*product_of_other_sizes"):
            program(x)

"""`==`, `in` and the order of lists and tuples that hold values of JAX or PyTorch."""

import pytest

import autograph
from tests.runtime.control_flow.test_compared_structures import NUMBERS, PROGRAMS

programs = pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)


def results(program, *arguments):
    found = program(*arguments)
    return [int(each) for each in found] if isinstance(found, list) else int(found)


@programs
def test_jit_agrees_with_python(program):
    jax = pytest.importorskip("jax")
    staged = jax.jit(autograph.convert(program))
    for (x,) in NUMBERS:
        assert results(staged, jax.numpy.int32(x)) == results(program, x)


@programs
def test_an_exported_program_agrees_with_python(program):
    torch = pytest.importorskip("torch")
    converted = autograph.convert(program)

    class Module(torch.nn.Module):
        def forward(self, x):
            return converted(x)

    exported = torch.export.export(Module(), (torch.tensor(1),)).module()
    for (x,) in NUMBERS:
        assert results(exported, torch.tensor(x)) == results(program, x)

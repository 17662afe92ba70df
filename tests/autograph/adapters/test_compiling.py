"""Conversion while another compiler runs is refused with the order that works."""

import pytest

import autograph
from tests.autograph.adapters.torch.nets import Gate

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.sample


@autograph.convert()
def doubled(x):
    while x.sum() < 10:
        x = x * 2
    return x


@pytest.mark.parametrize("entity", [doubled, Gate()], ids=["function", "module"])
def test_conversion_of_what_is_compiled_already_says_how_to_write_it(entity):
    with pytest.raises(TypeError, match=r"convert\(\) below @torch.compile"):
        autograph.convert()(torch.compile(entity))


def gated(x):
    return (x * 2).sum() if x.sum() > 0 else x.sum()


@pytest.mark.parametrize(
    "program",
    [
        lambda x: torch.func.grad(autograph.convert()(gated))(x),
        lambda x: torch.func.vmap(autograph.to_graph(gated))(x),
        lambda x: autograph.convert(gated)(x),
    ],
)
def test_converting_in_a_compiled_program_is_refused_at_its_line(program):
    torch.compiler.reset()
    with pytest.raises(TypeError, match=r"convert it outside(.|\n)*test_compiling.py"):
        torch.compile(program, fullgraph=True, backend="eager")(torch.ones(2, 3))


def absolute(x):
    if x > 0:
        return x
    return -x


def test_convert_above_torch_compile_says_the_order():
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match=r"below @torch.compile"):
        autograph.convert()(torch.compile(absolute))

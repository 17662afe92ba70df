"""Decorators above and below `convert`: they work in both orders, or the error says which."""

import functools

import pytest

import autograph
from fixtures.staging.lazy_arrays import run


def absolute(x):
    if x > 0:
        return x
    return -x


@pytest.mark.parametrize("kind", [property, functools.cached_property])
def test_convert_above_a_property_says_the_order(kind):
    expected = f"write @{kind.__name__} above @autograph.convert"
    with pytest.raises(TypeError, match=expected):
        autograph.convert()(kind(absolute))


@pytest.mark.parametrize("cached", [functools.lru_cache, functools.cache])
def test_convert_above_a_cache_says_the_order_and_the_line(cached):
    with pytest.raises(TypeError, match=r"cached by functools(?s:.*)in absolute(?s:.*)above"):
        autograph.convert()(cached(absolute))


@pytest.mark.parametrize("kind", [staticmethod, classmethod])
def test_convert_above_and_below_a_method_decorator(kind):
    def method(*args):
        return absolute(args[-1])

    class Both:
        above = autograph.convert()(kind(method))
        below = kind(autograph.convert()(method))

    assert run(Both.above, -2.0) == run(Both.below, -2.0) == 2.0


def jax_orders():
    jax = pytest.importorskip("jax")
    convert = autograph.convert()
    yield from (
        jax.jit(convert(absolute)),
        convert(jax.jit(absolute)),
        jax.jit(convert(jax.checkpoint(absolute))),
        jax.checkpoint(convert(absolute)),
        jax.jit(jax.named_call(convert(absolute), name="absolute")),
    )


def test_decorators_of_jax_in_both_orders():
    for program in jax_orders():
        assert program(-2.0) == 2.0


def test_vmap_and_grad_of_jax_in_both_orders():
    jax = pytest.importorskip("jax")
    convert = autograph.convert()
    values = jax.numpy.array([-1.0, 2.0])
    for program in (jax.vmap(convert(absolute)), convert(jax.vmap(absolute))):
        assert list(jax.jit(program)(values)) == [1.0, 2.0]
    for program in (jax.grad(convert(absolute)), convert(jax.grad(absolute))):
        assert jax.jit(program)(-2.0) == -1.0


def test_decorators_of_torch_in_both_orders():
    torch = pytest.importorskip("torch")
    from torch.fx.experimental.proxy_tensor import make_fx

    convert = autograph.convert()
    x = torch.tensor(-2.0)
    for program in (
        convert(torch.no_grad()(absolute)),
        torch.no_grad()(convert(absolute)),
        torch.compiler.disable(convert(absolute)),
    ):
        assert make_fx(program)(x)(-x) == 2.0


def test_object_with_a_getattribute_of_its_own():
    class Module:
        def __init__(self, scale):
            self.scale = scale

        def __getattribute__(self, name):
            return object.__getattribute__(self, name)

        def __call__(self, x):
            if x > 0:
                return x * self.scale
            return x

    module = Module(3.0)
    assert run(autograph.convert()(lambda x: module(x)), 2.0) == 6.0

"""Functions that converted programs hand to JAX's transformations, and wrappers made before."""

# The programs are written as users write them.
# ruff: noqa: SIM108

import dataclasses
import functools

import numpy as np
import pytest

import autograph

jax = pytest.importorskip("jax")

pytestmark = pytest.mark.sample
jnp = jax.numpy
lax = jax.lax


def magnitude(x):
    if x > 0:
        return x
    return -x


def scaled(x, factor):
    if factor == "double":
        factor = 2.0
    if x > 0:
        return x * factor
    return -x


def add_positive(total, x):
    if x > 0:
        total = total + x
    return total, total


JITTED = jax.jit(magnitude)
STATIC = jax.jit(scaled, static_argnames="factor")
BATCHED = jax.vmap(magnitude)
SLOPE = jax.grad(magnitude)
RECOMPUTED = jax.checkpoint(magnitude)
BOTH = jax.jit(jax.vmap(magnitude))
PARTIAL = jax.jit(functools.partial(scaled, factor="double"))


@jax.custom_jvp
def relu(x):
    if x > 0:
        return x
    return 0.0 * x


@relu.defjvp
def relu_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    if x > 0:
        slope = 10.0
    else:
        slope = 20.0
    return relu(x), slope * t


@jax.custom_vjp
def clipped(x):
    if x > 1:
        return x * 0 + 1
    return x


def clipped_fwd(x):
    return clipped(x), x


def clipped_bwd(x, cotangent):
    if x > 1:
        return (cotangent * 7.0,)
    return (cotangent * 3.0,)


clipped.defvjp(clipped_fwd, clipped_bwd)


@jax.custom_vjp
def bounded(x):
    return x


def bounded_bwd(_, cotangent):
    if abs(cotangent) > 1:
        return (cotangent / abs(cotangent),)
    return (cotangent,)


bounded.defvjp(lambda x: (bounded(x), None), bounded_bwd)


class Model:
    def __init__(self, weight):
        self.weight = weight

    @functools.partial(jax.jit, static_argnums=0)
    def loss(self, x):
        if x > 0:
            return self.weight * x
        return x

    def slope(self, x):
        return jax.grad(self.loss)(x)


class Doubling:
    def __call__(self, x):
        if x > 0:
            return 2 * x
        return x


DOUBLING = jax.jit(Doubling())


def by_vmap(x):
    return jax.vmap(magnitude)(jnp.stack([x, -x])).sum()


def by_grad(x):
    return jax.grad(magnitude)(x)


def by_value_and_grad(x):
    value, slope = jax.value_and_grad(magnitude)(x)
    return value + slope


def by_scan(x):
    return lax.scan(add_positive, 0.0, jnp.stack([x, -x, x]))[0]


def by_local(x):
    def local(y):
        if y > x:
            return y
        return -y

    return jax.jit(jax.vmap(local))(jnp.array([-3.0, 0.0, 3.0])).sum()


def by_lambda(x):
    return jax.vmap(lambda y: y if y > 0 else -y)(jnp.stack([x, 2 * x])).sum()


def by_jitted(x):
    return JITTED(x)


def by_static(x):
    return STATIC(x, "double")


def by_batched(x):
    return BATCHED(jnp.stack([x, -x])).sum()


def by_slope(x):
    return SLOPE(x)


def by_recomputed(x):
    return jax.grad(RECOMPUTED)(x)


def by_both(x):
    return BOTH(jnp.stack([x, -x])).sum()


def by_partial(x):
    return PARTIAL(x)


def by_custom_jvp(x):
    return relu(x) + jax.grad(relu)(x)


def by_custom_vjp(x):
    return clipped(x) + jax.grad(clipped)(x)


def by_method(x):
    return Model(3.0).slope(x)


def by_object(x):
    return DOUBLING(x)


def by_map(x):
    return lax.map(magnitude, jnp.stack([x, -x])).sum()


def by_fori_loop(x):
    return lax.fori_loop(0, 3, lambda i, y: y + i if y > 0 else y - i, x)


def by_tree_map(x):
    return jax.tree.map(magnitude, {"a": x, "b": -x})["b"]


def by_callee(x):
    return by_vmap(x) + by_jitted(x)


EXPECTED = {
    by_vmap: lambda x: 2 * abs(x),
    by_grad: lambda x: 1.0 if x > 0 else -1.0,
    by_value_and_grad: lambda x: abs(x) + (1.0 if x > 0 else -1.0),
    by_scan: lambda x: sum(each for each in (x, -x, x) if each > 0),
    by_local: lambda x: sum(y if y > x else -y for y in (-3.0, 0.0, 3.0)),
    by_lambda: lambda x: 3 * abs(x),
    by_jitted: abs,
    by_static: lambda x: 2 * x if x > 0 else -x,
    by_batched: lambda x: 2 * abs(x),
    by_slope: lambda x: 1.0 if x > 0 else -1.0,
    by_recomputed: lambda x: 1.0 if x > 0 else -1.0,
    by_both: lambda x: 2 * abs(x),
    by_partial: lambda x: 2 * x if x > 0 else -x,
    by_custom_jvp: lambda x: x + 10 if x > 0 else 20.0,
    by_custom_vjp: lambda x: 1.0 + 7.0 if x > 1 else x + 3.0,
    by_method: lambda x: 3.0 if x > 0 else 1.0,
    by_object: lambda x: 2 * x if x > 0 else x,
    by_map: lambda x: 2 * abs(x),
    by_fori_loop: lambda x: x + 3 if x > 0 else x - 3,
    by_tree_map: abs,
    by_callee: lambda x: 3 * abs(x),
}
NUMBERS = (-2.5, 0.5, 2.0)


@pytest.mark.parametrize("program", EXPECTED, ids=lambda each: each.__name__)
def test_functions_handed_over_are_converted(program):
    decorated = autograph.convert()(program)
    outside = [float(decorated(number)) for number in NUMBERS]
    traced = [float(jax.jit(decorated)(number)) for number in NUMBERS]
    batched = jax.vmap(decorated)(jnp.array(NUMBERS))
    expected = [EXPECTED[program](number) for number in NUMBERS]
    np.testing.assert_allclose(outside, expected)
    np.testing.assert_allclose(traced, expected)
    np.testing.assert_allclose(batched, expected)


def test_a_wrapper_given_to_convert_stays_itself_and_runs_converted():
    @autograph.convert()
    @functools.partial(jax.jit, static_argnames="factor")
    def program(x, factor):
        if factor > 1 and x > 0:
            return x * factor
        return -x

    assert type(program) is type(jax.jit(magnitude))
    assert program(3.0, factor=2) == 6
    assert program.lower(3.0, factor=2).compile()(-3.0) == 3


def test_a_function_without_transforms_runs_as_written_outside_of_traces():
    def program(x):
        raise_here = x > 0
        if raise_here:
            return autograph_is_running()
        return None

    def autograph_is_running():
        return bool(autograph.staging.ongoing)

    assert autograph.convert()(program)(3.0) is False


def test_a_function_that_do_not_convert_marks_stays_python_in_a_wrapper():
    inner = jax.jit(autograph.do_not_convert(lambda x: x if x > 0 else -x))
    with pytest.raises(jax.errors.TracerBoolConversionError):
        autograph.convert()(lambda x: inner(x))(1.0)


# ---- functions that stay Python ----


def note_of(program, *args):
    with pytest.raises(jax.errors.TracerBoolConversionError) as caught:
        jax.jit(program)(*args)
    (note,) = (each for each in caught.value.__notes__ if each.startswith("autograph did not"))
    assert f'File "{__file__}", line ' in note
    return note


def test_an_error_of_jax_names_the_function_that_was_not_converted():
    unconverted = autograph.do_not_convert(magnitude)
    note = note_of(autograph.convert()(lambda x: unconverted(x)), 1.0)
    assert "convert `magnitude`" in note
    assert "do_not_convert" in note


def test_an_error_of_jax_in_a_callee_that_is_not_converted_says_so():
    def inner(x):
        if x > 0:
            return x
        return -x

    def outer(x):
        return made[0](x)

    made = [inner]
    note = note_of(autograph.convert(recursive=False)(outer), 1.0)
    assert "inner`" in note
    assert "recursive=False" in note


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Line:
    slope: object
    offset: object

    def shown(self):
        if self.slope > 0:
            return 2 * self.slope
        return self.offset


@autograph.convert()
def loss(line):
    if line.slope > line.offset:
        return line.slope
    return line.shown()


def test_tracers_inside_an_object_lead_to_its_conversion():
    assert jax.jit(loss)(Line(1.0, 2.0)) == 2
    slopes = jax.jit(jax.grad(loss))(Line(1.0, 2.0))
    assert (slopes.slope, slopes.offset) == (2.0, 0.0)


def test_rule_that_a_gradient_calls_after_the_trace_is_converted():
    @autograph.convert()
    def program(x):
        return bounded(x) ** 3

    for x, slope in ((2.0, 1.0), (0.5, 0.75)):
        assert jax.grad(program)(x) == slope
        assert jax.jit(jax.grad(program))(x) == slope

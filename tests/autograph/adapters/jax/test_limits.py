"""What JAX cannot do is refused at the user's line; its own checks of programs hold."""

import os
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph
from tests.autograph.adapters.jax.loops import bounded, doubled

jax = pytest.importorskip("jax")

jnp = jax.numpy


@autograph.convert()
def branched(x):
    y = 0.0
    if x > 1:
        y = x
        if y > 3:
            return y
        z = 2 * y
    else:
        z = y
    return z


@autograph.convert()
def stopped(x):
    for _ in range(1000):
        x = x + 1.0
        if x > 50:
            break
    return x


@autograph.convert()
def collected(x):
    found = []
    for each in jnp.stack([x, -x]):
        if each > 1:
            found.append(each)
        else:
            found.append(-each)
    return jnp.stack(found).sum()


@autograph.convert()
def checked(x):
    assert x > 0, f"bad {x}"
    while x < 10:
        x = x + 1
        if x == 7:
            raise ValueError("seven")
    return x


class Counter:
    def __init__(self):
        self.value = 0.0

    def add(self, x):
        if x > 0:
            self.value = x
        else:
            self.value = self.value - x


@autograph.convert()
def stored(x):
    counter = Counter()
    counter.add(x)
    return counter.value


# ---- gradients ----


# ---- recursion ----


# ---- checks of JAX ----


@autograph.convert()
def bounded_by_argument(x, most):
    i = 0
    while i < most:
        autograph.set_loop_options(maximum_iterations=4)
        x = x * 2
        i += 1
    return x


@autograph.convert()
def kept_in_dict(x):
    state = {"value": x, "scale": jnp.ones(3)}
    while state["value"] < 10:
        autograph.set_loop_options(maximum_iterations=10)
        state["value"] = state["value"] + state["scale"].sum()
    return state["value"]


@autograph.convert()
def left_a_generator(x):
    total = 0.0
    for each in (x * scale for scale in (1.0, 2.0, 3.0)):
        if each > 6:
            break
        total = total + each
    return total


@autograph.convert()
def left_a_list(x):
    total = 0.0
    for number, (each, scale) in enumerate(zip([x, x + 1, x + 2], (1, 2, 3), strict=True)):
        if each > 4:
            break
        total = total + number * each * scale
    return total


@autograph.convert()
def grew_before_a_break(x):
    found, last = [x], []
    for each in [x, x + 1, x + 2]:
        if each > 4:
            break
        last = found
        last[0] = last[0] + each
    return found[0]


@autograph.convert()
def list_of_an_iteration(x):
    while x < 20:
        found = []
        for each in (1.0, 2.0):
            if x > each:
                found.append(x * each)
            else:
                found.append(x)
        x = found[0] + found[1]
    return x


class Estimate(NamedTuple):
    mean: Any
    count: Any


@autograph.convert()
def objects_of_an_iteration(x):
    estimate = Estimate([x], 0)
    for each in jnp.array([1.0, 9.0, 2.0]):
        guess = Estimate([estimate.mean[0] + 1], estimate.count)
        if each > 5:
            estimate = guess
            continue
        estimate = Estimate([guess.mean[0] * each], guess.count + 1)
    return estimate.mean[0] + estimate.count


@autograph.convert()
def dicts_of_a_scan(x):
    def step(state, each):
        if state["total"] > 4:
            return state, each
        return {"total": state["total"] + each}, each

    state, _ = jax.lax.scan(step, {"total": x}, jnp.arange(4.0))
    return state["total"]


@autograph.convert()
def gradients_in_an_iteration(x):
    def cost(y):
        parts = []
        for each in jnp.arange(2.0):
            if y > each:
                parts.append(y * each)
            else:
                parts.append(y)
        return sum(parts)

    for _ in range(3):
        x = x - 0.5 * jax.grad(cost)(x)
        if x < 2:
            break
    return x


@autograph.convert()
def trains_a_callable(x):
    model = jax.tree_util.Partial(jnp.multiply, x)
    for _ in range(3):
        slope = jax.grad(jax.tree_util.Partial.__call__)(model, x)
        model = jax.tree.map(lambda a, b: a - 0.5 * b, model, slope)
        if model(x) < 3:
            break
    return model(x)


@autograph.convert()
def items_of_any(x):
    found = any(each > 2 for each in [x - 1, x, x + 1])
    return x if found and all(each > 0 for each in (x, 1.0)) else -x


@pytest.mark.parametrize(
    "program",
    [
        doubled,
        branched,
        stopped,
        collected,
        checked,
        stored,
        kept_in_dict,
        left_a_generator,
        left_a_list,
        grew_before_a_break,
        list_of_an_iteration,
        objects_of_an_iteration,
        dicts_of_a_scan,
        items_of_any,
        gradients_in_an_iteration,
        trains_a_callable,
    ],
)
def test_no_tracer_leaks(program):
    expected = program(2.5)
    with jax.checking_leaks():
        assert jax.jit(program)(2.5) == expected


def test_an_argument_that_bounds_a_loop_does_not_leak():
    with jax.checking_leaks():
        assert jax.jit(bounded_by_argument)(2.5, 3) == 20
        assert jax.jit(jax.grad(bounded_by_argument))(2.5, 3) == 8


@pytest.mark.parametrize("program", [doubled, branched, stopped, bounded])
def test_shard_map_checks_what_differs_between_devices(program):
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("i",))
    spec = jax.sharding.PartitionSpec("i")
    function = jax.shard_map(
        lambda x: program(x.sum() + 2.5) + x, mesh=mesh, in_specs=spec, out_specs=spec
    )
    np.testing.assert_array_equal(jax.jit(function)(jnp.zeros(1)), [program(2.5)])


def on_one_device(function):
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("i",))
    spec = jax.sharding.PartitionSpec("i")
    mapped = jax.shard_map(
        lambda xs: function(xs[0])[None], mesh=mesh, in_specs=spec, out_specs=spec
    )
    return jax.jit(mapped)(jnp.array([2.5]))


@autograph.convert()
def exchanged_in_a_loop(x):
    while x < 10:
        x = x + jax.lax.psum(x, "i")
    return x


@autograph.convert()
def exchanged_before_a_break(x):
    for _ in range(5):
        x = x + jax.lax.pmax(x, "i")
        if x > 12:
            break
    return x


@autograph.convert()
def exchanged_in_a_branch(x):
    if x > 2:
        x = jax.grad(lambda w: (w * x) ** 2)(jnp.ones(()))
    return x


@autograph.convert()
def exchanged_if_all_decide_alike(x):
    total = jax.lax.psum(x, "i")
    while total < 10:
        total = total + jax.lax.psum(x, "i")
    return total + x


@pytest.mark.parametrize(
    "program", [exchanged_in_a_loop, exchanged_before_a_break, exchanged_in_a_branch]
)
def test_devices_that_would_wait_for_one_another_are_refused(program):
    with pytest.raises(RuntimeError, match="devices along i decide for themselves") as caught:
        on_one_device(program)
    assert f"in {program.__name__}" in str(caught.value)


def test_devices_exchange_values_in_a_loop_that_all_run_alike():
    assert on_one_device(exchanged_if_all_decide_alike) == 12.5


PRINTS_ON_DEVICES = """
import jax, jax.numpy as jnp, numpy as np
import autograph

@autograph.convert()
def f(x):
    if x.sum() > 0:
        SHOW("sum", x.sum())
    return x + 1

mesh = jax.sharding.Mesh(np.array(jax.devices()), ("i",))
spec = jax.sharding.PartitionSpec("i")
try:
    print(jax.jit(jax.shard_map(f, mesh=mesh, in_specs=spec, out_specs=spec))(jnp.zeros(4)))
except TypeError as error:
    print(error)
"""


@pytest.mark.parametrize(("show", "shown"), [("print", "line 8, in f"), ("str", "[1. 1. 1. 1.]")])
def test_print_on_several_devices_is_refused_at_the_line(tmp_path, show, shown):
    program = tmp_path / "prints.py"
    program.write_text(PRINTS_ON_DEVICES.replace('SHOW("sum", x.sum())', f'{show}("sum")'))
    flags = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    run = subprocess.run(
        [sys.executable, program], env=flags, capture_output=True, text=True, check=True
    )
    assert shown in run.stdout


@autograph.convert()
def raises_always(x):
    if x > 0:
        raise ValueError("positive")
    else:
        raise TypeError("not positive")


@autograph.convert()
def raises_in_a_branch(x):
    if x > 0:
        if x > 5:
            raise ValueError("above five")
        else:
            raise TypeError("below five")
    return -x


def test_a_function_that_always_raises_one_of_two_errors_is_refused():
    with pytest.raises(TypeError, match="both branches raise, `ValueError` and `TypeError`"):
        jax.jit(raises_always)(jnp.int32(3))


@autograph.convert()
def handles_its_own_error(x):
    if x > 0:
        raise ValueError("positive")
    try:
        raise TypeError("not positive")
    except TypeError:
        return -x


def test_an_error_after_a_check_is_no_refusal_where_the_program_handles_it():
    assert jax.jit(handles_its_own_error)(jnp.int32(-3)) == 3


@pytest.mark.parametrize(("x", "error"), [(9, "ValueError: above"), (2, "TypeError: below")])
def test_a_branch_that_always_raises_raises_its_own_error(x, error):
    assert jax.jit(raises_in_a_branch)(jnp.int32(-3)) == 3
    with pytest.raises(jax.errors.JaxRuntimeError, match=error):
        jax.block_until_ready(jax.jit(raises_in_a_branch)(jnp.int32(x)))


sourceless = {}
exec("def helper(x):\n    return x + 1 if x > 3 else x + 2\n", sourceless)
helper = sourceless["helper"]


@autograph.convert()
def calls_in_a_loop(x):
    while x < 10:
        x = helper(x)
    return x


@autograph.convert()
def calls_in_a_branch(x):
    if x < 10:
        x = helper(x)
    return x


@pytest.mark.parametrize("program", [calls_in_a_loop, calls_in_a_branch])
def test_a_note_names_the_function_in_a_staged_statement_that_was_not_converted(program):
    with pytest.raises(jax.errors.TracerBoolConversionError) as caught:
        jax.jit(program)(1.0)
    notes = [each for each in caught.value.__notes__ if "did not convert `helper`" in each]
    assert len(notes) == 1


def test_a_second_loop_over_a_zip_is_refused():
    @jax.jit
    @autograph.convert()
    def program(xs, n):
        pairs, total, step = zip(xs, xs, strict=True), 0, 0
        while step < n:
            step += 1
            for x, _ in pairs:
                total += x
        return total

    with pytest.raises(TypeError, match="this `zip` may have been read before"):
        program(jnp.arange(3), 2)

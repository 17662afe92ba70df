"""Programs of the users of JAX under `jit`, `vmap`, `grad`, `checking_leaks` and `shard_map`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import autograph
from tools.modes.verdicts import Differs, Verdict, judge

MODULES: tuple[str, ...] = (
    "tests.autograph.jax_programs",
    "tests.autograph.jax_programs_more",
    "tests.autograph.jax_programs_third",
    "tests.autograph.jax_programs_simulations",
    "tests.autograph.jax_programs_algorithms",
)
if all(map(find_spec, ("equinox", "flax", "optax"))):
    MODULES += ("tests.autograph.jax_programs_libraries",)


def in_jit(program: Any) -> Verdict:
    """Compare the compiled program."""
    return _judged(
        program,
        lambda: program.plain(*program.args),
        lambda: jax.jit(autograph.convert()(program.function))(*program.args),
    )


def in_vmap(program: Any) -> Verdict:
    """Compare three calls at once, which differ in the first argument."""
    first, *rest = program.args
    firsts = [jnp.asarray(first) * scale for scale in (1.0, 0.8, 1.15)]

    def batched() -> list[Any]:
        axes = (0, *(None for _ in rest))
        mapped = jax.vmap(autograph.convert()(program.function), in_axes=axes)
        found = mapped(jnp.stack(firsts), *rest)
        return [jax.tree.map(lambda leaf, n=n: leaf[n], found) for n in range(len(firsts))]

    return _judged(program, lambda: [program.plain(each, *rest) for each in firsts], batched)


def in_grad(program: Any) -> Verdict:
    """Compare the gradient of the first output's sum with respect to the first argument."""
    args = (jnp.asarray(program.args[0]), *program.args[1:])
    return _judged(
        program,
        lambda: jax.grad(_first_of(program.plain))(*args),
        lambda: jax.jit(jax.grad(_first_of(autograph.convert()(program.function))))(*args),
    )


def in_jit_without_leaks(program: Any) -> Verdict:
    """Compare the compiled program, of which no traced value may outlive the trace."""

    def checked() -> Any:
        with jax.checking_leaks():
            return jax.jit(autograph.convert()(program.function))(*program.args)

    return _judged(program, lambda: program.plain(*program.args), checked)


def in_shard_map(program: Any) -> Verdict | None:
    """Compare calls on all devices, which differ in the first argument, with JAX's checks.

    None for a program that takes a gradient with respect to what the devices share: JAX adds up
    those of all devices.
    """
    first, *rest = program.args
    devices = jax.devices()
    firsts = [jnp.asarray(first) * scale for scale in (1.0, 0.8, 1.15, 0.9)[: len(devices)]]
    mesh = jax.sharding.Mesh(np.array(devices[: len(firsts)]), ("device",))
    split, whole = jax.sharding.PartitionSpec("device"), jax.sharding.PartitionSpec()
    converted = autograph.convert()(program.function)

    def on_each(own: Any, rest: Any) -> Any:
        return jax.tree.map(lambda leaf: jnp.asarray(leaf)[None], converted(own[0], *rest))

    each = jax.shard_map(on_each, mesh=mesh, in_specs=(split, whole), out_specs=split)

    def mapped() -> list[Any]:
        found = jax.jit(each)(jnp.stack(firsts), rest)
        return [jax.tree.map(lambda leaf, n=n: leaf[n], found) for n in range(len(firsts))]

    verdict = _judged(program, lambda: [program.plain(each, *rest) for each in firsts], mapped)
    if verdict.outcome == "wrong" and "psum" in str(jax.make_jaxpr(each)(jnp.stack(firsts), rest)):
        return None
    return verdict


MODES = {
    "jit": in_jit,
    "vmap": in_vmap,
    "grad": in_grad,
    "leaks": in_jit_without_leaks,
    "shard_map": in_shard_map,
}


def _first_of(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: jnp.sum(jax.tree.leaves(function(*args))[0])


def _judged(program: Any, plain: Callable[[], Any], staged: Callable[[], Any]) -> Verdict:
    found: list[Any] = []

    def compare() -> None:
        result = jax.block_until_ready(staged())
        jax.effects_barrier()
        for expected in found:  # none if the program fails in Python
            compare_trees(result, expected)

    file = inspect.getsourcefile(inspect.unwrap(program.function)) or ""
    return judge(lambda: found.append(plain()), compare, file)


def compare_trees(mine: Any, other: Any) -> None:
    """Raise Differs unless two results have the same leaves."""
    ours, others = jax.tree.leaves(mine), jax.tree.leaves(other)
    if len(ours) != len(others):
        raise Differs(f"{mine} in place of {other}")
    for one, another in zip(ours, others, strict=True):
        same = np.shape(one) == np.shape(another) and np.allclose(
            np.asarray(one), np.asarray(another), rtol=2e-5, atol=1e-5, equal_nan=True
        )
        if not same:
            raise Differs(f"{one} in place of {another}")

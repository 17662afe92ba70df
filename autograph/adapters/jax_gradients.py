"""Gradients of loops: some exist forwards only, and some are those of another loop."""

from __future__ import annotations

from functools import partial
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
from jax import tree_util
from jax.extend.core import Jaxpr, Primitive
from jax.interpreters import ad, batching, mlir

from autograph.adapters.refusals import Place, refusal, user_place
from autograph.boundary import public_error

_forwards_only = Primitive("forwards_only")
"""The identity; its transpose raises. Its parameter `loop` is the place of the loop."""


def forwards_only(arrays: list[Any]) -> list[Any]:
    """Return what a loop gives; a gradient backwards through it names the loop."""
    place = user_place()
    return [
        _forwards_only.bind(array, loop=place)
        if jnp.issubdtype(array.dtype, jnp.inexact)
        else array
        for array in arrays
    ]


def derived_from(differentiable: Any, fast: Any, *args: Any) -> Any:
    """Call one function; its derivatives, of all orders, are those of another one.

    Args:
      differentiable: the function to differentiate; it may be slower.
      fast: gives the same results.
      args: pytrees of arrays.

    Returns: the arrays that the functions give.
    """
    leaves, tree = tree_util.tree_flatten(args)

    def flat(function: Any) -> tuple[Any, list[Any]]:
        # All captured arrays become operands: one in a closure would outlive its trace.
        closed = jax.make_jaxpr(lambda *given: function(*tree_util.tree_unflatten(tree, given)))(
            *leaves
        )
        return partial(_evaluated, closed.jaxpr), closed.consts

    slow, slow_captured = flat(differentiable)
    quick, quick_captured = flat(fast)

    @jax.custom_jvp
    def call(leaves: list[Any], _: list[Any], captured: list[Any]) -> Any:
        return quick(captured, leaves)

    @call.defjvp
    def differentiate(primals: Any, tangents: Any) -> Any:
        given, slow_given, _ = primals
        given_tangents, slow_tangents, _ = tangents
        return jax.jvp(slow, (slow_given, given), (slow_tangents, given_tangents))

    return call(leaves, slow_captured, quick_captured)


def _evaluated(jaxpr: Jaxpr, captured: list[Any], leaves: list[Any]) -> list[Any]:
    return jax.core.eval_jaxpr(jaxpr, captured, *leaves)


def _identity(array: Any, *, loop: Place | None) -> Any:
    return array


def _refuse(cotangent: object, array: object, *, loop: Place | None) -> NoReturn:
    error = refusal(
        "a gradient goes backwards through a loop the number of iterations of which is known only "
        "when the program runs: JAX cannot keep what each iteration computes.",
        "Call autograph.set_loop_options(maximum_iterations=...) at the start of the loop's body, "
        "or differentiate forwards by jax.jvp or jax.jacfwd.",
        ValueError,
        loop,
    )
    raise public_error(error)


_forwards_only.def_impl(_identity)
_forwards_only.def_abstract_eval(_identity)
ad.deflinear2(_forwards_only, _refuse)
batching.defvectorized(_forwards_only)
mlir.register_lowering(_forwards_only, lambda context, array, *, loop: [array])

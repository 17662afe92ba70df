"""Loops that JAX differentiates forwards only, because their length is known when they run."""

from __future__ import annotations

from typing import Any, NoReturn

import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from autograph.adapters.refusals import Place, refusal, user_place

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
    raise error.surface()


_forwards_only.def_impl(_identity)
_forwards_only.def_abstract_eval(_identity)
ad.deflinear2(_forwards_only, _refuse)
batching.defvectorized(_forwards_only)
mlir.register_lowering(_forwards_only, lambda context, array, *, loop: [array])

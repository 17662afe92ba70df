"""Gradients of loops: some exist forwards only, and some are those of another loop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
from jax import tree_util
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Primitive
from jax.interpreters import ad, batching, mlir

from autograph.adapters.refusals import Place, refusal, user_place
from autograph.boundary import public_error
from autograph.values import Array

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


class _Mode(threading.local):
    silent = False


_mode = _Mode()


def with_silent_derivative(function: Callable[..., Any], arrays: Sequence[Any]) -> list[Any]:
    """Call a function of arrays whose derivatives neither check nor print.

    JAX would keep a loop that does in the backward pass, although no gradient goes through it.
    """
    program, captured = _open_jaxpr(function, arrays)
    silent = _without_callbacks(program)

    def run(jaxpr: Jaxpr, *arrays: Array) -> Any:
        return jax.core.eval_jaxpr(jaxpr, (), *arrays)

    call = jax.custom_jvp(partial(run, program))

    @call.defjvp
    def differentiate(primals: Any, tangents: Any) -> tuple[Any, Any]:
        around, _mode.silent = _mode.silent, True
        try:
            outputs, derivatives = jax.jvp(partial(run, silent), primals, tangents)
        finally:
            _mode.silent = around
        return outputs if around else call(*primals), derivatives

    return list(call(*captured, *arrays))


def _open_jaxpr(function: Callable[..., Any], arrays: Sequence[Any]) -> tuple[Jaxpr, list[Any]]:
    """Return a jaxpr, and the captured arrays that are its first operands.

    Arrays in a closure would outlive their trace.
    """
    closed = jax.make_jaxpr(function)(*arrays)
    jaxpr = closed.jaxpr
    operands = [*jaxpr.constvars, *jaxpr.invars]
    return jaxpr.replace(constvars=(), invars=operands), list(closed.consts)


def _without_callbacks(jaxpr: Jaxpr) -> Jaxpr:
    """Return a jaxpr without the equations that have effects and no results."""
    equations = [_quiet(each) for each in jaxpr.eqns if each.outvars or not each.effects]
    return jaxpr.replace(eqns=equations, effects=_effects_of(equations))


def _quiet(equation: JaxprEqn) -> JaxprEqn:
    params = {name: _silent(value) for name, value in equation.params.items()}
    inner = list(_jaxprs_in((*params.values(),)))
    if not (equation.effects and inner):
        return equation
    return equation.replace(params=params, effects=_effects_of(inner))


def _effects_of(parts: Sequence[Jaxpr | JaxprEqn]) -> frozenset[Any]:
    return frozenset(effect for part in parts for effect in part.effects)


def _jaxprs_in(parameter: Any) -> Iterator[Jaxpr]:
    if type(parameter) is tuple:
        for each in parameter:
            yield from _jaxprs_in(each)
    elif isinstance(parameter, Jaxpr):
        yield parameter
    elif isinstance(parameter, ClosedJaxpr):
        yield parameter.jaxpr


def _silent(parameter: Any) -> Any:
    if isinstance(parameter, Jaxpr):
        return _without_callbacks(parameter)
    if isinstance(parameter, ClosedJaxpr):
        return parameter.replace(jaxpr=_without_callbacks(parameter.jaxpr))
    return tuple(map(_silent, parameter)) if type(parameter) is tuple else parameter


def derived_from(differentiable: object, fast: object, *args: object) -> Any:
    """Call one function; its derivatives, of all orders, are those of another one.

    Args:
      differentiable: the function to differentiate; it may be slower.
      fast: gives the same results.
      args: pytrees of arrays.

    Returns: the arrays that the functions give.
    """
    leaves, tree = tree_util.tree_flatten(args)

    def flat(function: Any) -> Any:
        return lambda *given: function(*tree_util.tree_unflatten(tree, given))

    return _bind(flat(differentiable), flat(fast), leaves)


def _bind(slow: Callable[..., Any], quick: Callable[..., Any], arrays: Sequence[Any]) -> list[Any]:
    slow_jaxpr, of_slow = _open_jaxpr(slow, arrays)
    quick_jaxpr, of_quick = _open_jaxpr(quick, arrays)
    captured = len(of_slow), len(of_quick)
    operands = (*of_slow, *of_quick, *arrays)
    return _derived.bind(*operands, slow=slow_jaxpr, quick=quick_jaxpr, captured=captured)


_derived = Primitive("derived")
"""`derived_from` for `vmap` inside of a gradient: `custom_jvp` would give its rule to `vmap`, which
puts into a `cond` what JAX cannot transpose.

Parameters: the jaxprs, and the numbers of arrays that these capture, which are the first operands.
"""
_derived.multiple_results = True


def _evaluate(jaxpr: Jaxpr, own: slice, captured: tuple[int, int], arrays: Sequence[Any]) -> Any:
    return jax.core.eval_jaxpr(jaxpr, (), *arrays[own], *arrays[sum(captured) :])


def _run_slow(*arrays: Array, slow: Jaxpr, quick: Jaxpr, captured: tuple[int, int]) -> Any:
    return _evaluate(slow, slice(captured[0]), captured, arrays)


def _run_quick(*arrays: Array, slow: Jaxpr, quick: Jaxpr, captured: tuple[int, int]) -> Any:
    return _evaluate(quick, slice(captured[0], sum(captured)), captured, arrays)


def _differentiate(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    given = tuple(map(ad.instantiate_zeros, tangents))
    return jax.jvp(partial(_run_slow, **params), tuple(primals), given)


def _batch(axis: Any, arrays: Sequence[Any], dims: Sequence[Any], **params: Any) -> Any:
    def batched(run: Any) -> Any:
        return jax.vmap(
            partial(run, **params),
            tuple(dims),
            axis_size=axis.size,
            axis_name=axis.name,
            spmd_axis_name=axis.spmd_name,
        )

    outputs = _bind(batched(_run_slow), batched(_run_quick), arrays)
    return outputs, [0] * len(outputs)


_derived.def_impl(_run_quick)
_derived.def_abstract_eval(lambda *_, quick, **__: [each.aval for each in quick.outvars])
ad.primitive_jvps[_derived] = _differentiate
batching.fancy_primitive_batchers[_derived] = _batch
mlir.register_lowering(_derived, mlir.lower_fun(_run_quick, multiple_results=True))


def _identity(array: Array, *, loop: Place | None) -> Any:
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

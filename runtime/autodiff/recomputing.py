"""Gradients that compute a function anew, so that no intermediate tensors are kept."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from runtime.autodiff.custom import custom_gradient, is_source, noting_only_accesses
from runtime.autodiff.tape import GradientTape
from runtime.backprop.walk import carries_gradient
from runtime.core import nest
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.identity import LATER
from runtime.state.variable import Variable


def _later(leaf: object, upstream: Sequence[object]) -> Any:
    """Return an argument of a graph, from which nothing is computed before the gradient is due."""
    due = [each for each in upstream if isinstance(each, Tensor)]
    recorded = STATE.graph is not None and isinstance(leaf, Tensor) and due
    return LATER(leaf, due[0]) if recorded else leaf


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Recompute a function for its gradient, so that no intermediate tensors are kept.

    Args:
      f: a function of tensors without effects.

    Returns: A function with the same results.

    >>> import runtime as tf
    >>> square = tf.recompute_grad(lambda x: x * x)
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = square(x)
    >>> print(tape.gradient(y, x))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    @custom_gradient
    @functools.wraps(f)
    def forgetful(args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
        def gradient(*upstream: object, variables: Sequence[Variable] = ()) -> Any:
            given = nest.map_structure(lambda leaf: _later(leaf, upstream), [args, kwargs])
            leaves = nest.flatten(given)
            sources = [leaf for leaf in leaves if is_source(leaf)]
            tensors = [leaf for leaf in sources if isinstance(leaf, Tensor)]
            with GradientTape() as tape:
                tape.watch([leaf for leaf in tensors if carries_gradient(leaf)])
                result = f(*given[0], **given[1])
            made = iter(tape.gradient(result, [*sources, *variables], list(upstream)))
            own = [next(made) if is_source(leaf) else None for leaf in leaves]
            return (own, list(made)) if variables else own

        with noting_only_accesses():
            return f(*args, **kwargs), gradient

    @functools.wraps(f)
    def called(*args: object, **kwargs: object) -> Any:
        return forgetful(args, kwargs)

    return called

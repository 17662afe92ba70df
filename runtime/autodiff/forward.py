"""Forward-mode differentiation: Jacobian-vector products."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from runtime.autodiff.tape import GradientTape, UnconnectedGradients, no_tensor
from runtime.backprop.walk import dense
from runtime.core import nest
from runtime.core.tensor import Tensor
from runtime.ops.array.creation import zeros_like
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.math.arithmetic import add_n
from runtime.ops.reduce.reduction import reduce_sum
from runtime.state.variable import Variable


class ForwardAccumulator:
    """Computes Jacobian-vector products of the computation inside it.

    `J v` is the gradient by `u` of `v . (J' u)`, which is linear in `u`. So two reverse passes
    suffice (Townsend, "A new trick for calculating Jacobian vector products", 2017).

    Args:
      primals: tensors or variables, or a structure of them.
      tangents: the direction of each primal, of its shape and dtype.

    Raises: ValueError if a tangent does not fit its primal.

    >>> import runtime as tf
    >>> x = tf.constant([2.0, 3.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as accumulator:
    ...     y = tf.reduce_prod(x) * x
    >>> print(accumulator.jvp(y).numpy())
    [12.  9.]
    """

    def __init__(self, primals: object, tangents: object) -> None:
        self._primals = nest.flatten(primals)
        self._tangents = [convert_to_tensor(tangent) for tangent in nest.flatten(tangents)]
        nest.assert_same_structure(primals, tangents)
        for primal in self._primals:
            if not isinstance(primal, (Tensor, Variable)):
                raise no_tensor(primal)
        for primal, tangent in zip(self._primals, self._tangents, strict=True):
            _require_fit(primal, tangent)
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)

    def __enter__(self) -> ForwardAccumulator:
        self._tape.__enter__()
        self._tape.watch(self._primals)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._tape.__exit__(kind, error, traceback)

    def jvp(
        self,
        primals: object,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """Return Jacobian-vector products.

        Args:
          primals: computed tensors, or a structure of them.
          unconnected_gradients: whether a result that depends on no primal yields None or zeros.

        Returns: A structure like `primals`, of tensors of the same shapes.
        """
        unconnected = UnconnectedGradients(unconnected_gradients)
        return nest.map_structure(lambda result: self._moved(result, unconnected), primals)

    def _moved(self, result: Tensor, unconnected: UnconnectedGradients) -> Tensor | None:
        direction = zeros_like(result)
        with self._tape.paused(), GradientTape() as tape:
            tape.watch(direction)
            slopes = self._tape.gradient(result, self._primals, [direction])
            moves = [
                reduce_sum(dense(slope) * tangent)
                for slope, tangent in zip(slopes, self._tangents, strict=True)
                if slope is not None
            ]
            total = add_n(moves) if moves else None
        if total is None:
            return zeros_like(result) if unconnected is UnconnectedGradients.ZERO else None
        # A rule of a program may give a slope that does not depend on the direction.
        return tape.gradient(  # type: ignore[no-any-return]
            total, direction, unconnected_gradients=unconnected
        )


def _require_fit(primal: Any, tangent: Tensor) -> None:
    if primal.dtype is not tangent.dtype or not primal.shape.is_compatible_with(tangent.shape):
        raise ValueError(
            f"Passed primal {primal.dtype.name}{primal.shape} and tangent "
            f"{tangent.dtype.name}{tangent.shape}: a tangent has the dtype and shape of its primal."
        )

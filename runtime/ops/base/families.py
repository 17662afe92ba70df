"""Families of op types: a row defines the op type and its public function.

A family states signature, shape rule, argument text and sample values once. A row adds the name,
the kernel, the derivative and one example.

>>> from runtime.core.opdef import FLOATING
>>> rows = Elementwise(__name__)
>>> fourth = rows.unary(
...     "fourth",
...     lambda xp, x: x * x * x * x,
...     lambda x, y: 4.0 * x * x * x,
...     "Fourth power of `x`.",
...     "[2.0, 3.0] -> [16. 81.]",
... )
>>> print(fourth([2.0, 3.0]).numpy())
[16. 81.]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, Unpack, cast

import numpy as np

from runtime.core.opdef import (
    FLOATING,
    NOT_DIFFERENTIABLE,
    DTypes,
    Facts,
    Grad,
    Infer,
    Kernel,
    Sample,
    Ufunc,
    sample,
)
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import Op, call, define_op, publish

Slope = Callable[[Tensor, Tensor], TensorLike]
"""The derivative of `y = f(x)`, from `x` and `y`."""

Slopes = Callable[[Tensor, Tensor, Tensor], tuple[TensorLike | None, TensorLike | None]]
"""The partial derivatives of `z = f(x, y)`, from `x`, `y` and `z`; None: no gradient flows."""

UNARY_SAMPLES = (sample(0.3), sample([0.1, 0.5, 0.9]), sample(np.array([[0.2], [0.7]])))
BINARY_SAMPLES = (sample(3.0, 2.0), sample([1.0, 2.0], [[3.0], [4.0]]))


ONE, MINUS_ONE = 1, -1
"""Derivatives that need no product."""


class Unary(Protocol):
    """A function of one tensor, applied to each element."""

    op: Op

    def __call__(self, x: TensorLike, name: str | None = None) -> Tensor:
        """Apply it."""


class Binary(Protocol):
    """A function of two tensors that broadcast, applied to each pair of elements."""

    op: Op

    def __call__(self, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
        """Apply it."""


class Elementwise:
    """Rows of elementwise op types of one module."""

    def __init__(self, module: str) -> None:
        self._module = module

    def unary(
        self,
        name: str,
        kernel: Kernel | str,
        slope: Slope | Grad | None,
        about: str,
        example: str,
        *,
        op: str | None = None,
        group: DTypes = FLOATING,
        infer: Infer = rules.same,
        grad: Grad | None = None,
        samples: Sequence[Sample] = UNARY_SAMPLES,
        operand: Literal["x", "features"] = "x",
        **facts: Unpack[Facts],
    ) -> Unary:
        """Define a function of one tensor.

        Args:
          name: the name of the public function.
          kernel: the kernel, or the name of NumPy's function.
          slope: the derivative; `NOT_DIFFERENTIABLE` if no gradient flows. The family multiplies
            it, conjugated, by the gradient of the result.
          about: the first lines of the documentation.
          example: the argument of a call, an arrow, and what printing the result shows.
          op: the name of the op type; None: the name in CamelCase.
          group, infer, grad, samples, facts: as of `OpDef`; `grad` replaces `slope`. A kernel
            that may raise needs `failure=Failure.VALUES`.
          operand: the name of the argument.
        """
        defined = define_op(
            op or camel_case(name),
            {operand: group},
            infer,
            Ufunc(kernel) if isinstance(kernel, str) else kernel,
            elementwise=True,
            grad=grad or _unary_grad(slope),
            samples=samples,
            **facts,
        )

        run = defined.apply

        if operand == "x":

            def function(x: TensorLike, name: str | None = None) -> Tensor:
                return run((x,), name)

        else:

            def function(features: TensorLike, name: str | None = None) -> Tensor:  # type: ignore[misc]
                return run((features,), name)

        arguments = f"  {operand}: Tensor; each element is {group.name}."
        returns = f"Tensor of the shape of `{operand}`{_dtype_text(infer, operand)}."
        rest = _sections(arguments, returns)
        return cast(Unary, publish(function, self._module, name, defined, about, rest, example))

    def binary(
        self,
        name: str,
        kernel: Kernel | str,
        slopes: Slopes | Grad | None,
        about: str,
        example: str,
        *,
        op: str | None = None,
        label: str | None = None,
        group: DTypes = FLOATING,
        infer: Infer = rules.broadcasted,
        grad: Grad | None = None,
        samples: Sequence[Sample] = BINARY_SAMPLES,
        raises: str = "",
        **facts: Unpack[Facts],
    ) -> Binary:
        """Define a function of two tensors that broadcast.

        Args:
          name: the name of the public function.
          kernel: the kernel, or the name of NumPy's function.
          slopes: the partial derivatives; `NOT_DIFFERENTIABLE` if no gradient flows.
          about, example, op, group, infer, grad, samples, facts: as of `unary`.
          label: the name of operations in graphs; None: that of the op type.
          raises: what the function raises besides shapes that do not broadcast.
        """
        defined = define_op(
            op or camel_case(name),
            {"x": group, "y": group},
            infer,
            Ufunc(kernel) if isinstance(kernel, str) else kernel,
            elementwise=True,
            grad=grad or _binary_grad(slopes),
            samples=samples,
            **facts,
        )

        run = defined.apply

        def function(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
            return run((x, y), label if name is None else name)

        arguments = (
            f"  x: Tensor; each element is {group.name}.\n"
            "  y: Tensor of the dtype of `x`, of a shape that broadcasts with that of `x`."
        )
        returns = f"Tensor of the broadcast shape{_dtype_text(infer)}."
        rest = _sections(arguments, returns, raises)
        return cast(Binary, publish(function, self._module, name, defined, about, rest, example))


def _sections(arguments: str, returns: str, raises: str = "") -> str:
    failing = f"\nRaises: {raises}" if raises else ""
    return f"Args:\n{arguments}\n\nReturns: {returns}{failing}"


def camel_case(name: str) -> str:
    """Return the name of an op type for that of a function.

    >>> camel_case("is_nan")
    'IsNan'
    """
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _dtype_text(infer: Infer, operand: str = "x") -> str:
    if infer in (rules.boolean, rules.compared):
        return ", bool"
    return f" and the dtype of `{operand}`" if infer in (rules.same, rules.broadcasted) else ""


def _unary_grad(slope: Slope | Grad | None) -> Grad | None:
    """Apply the chain rule; for a complex `x` the gradient has the conjugate of the derivative."""
    if slope is None or slope is NOT_DIFFERENTIABLE:
        return cast(Grad | None, slope)
    derivative = cast(Slope, slope)

    def grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
        return (_times(g, derivative(x, y)),)

    return grad


def _binary_grad(slopes: Slopes | Grad | None) -> Grad | None:
    if slopes is None or slopes is NOT_DIFFERENTIABLE:
        return cast(Grad | None, slopes)
    derivatives = cast(Slopes, slopes)

    def grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor | None, ...]:
        return tuple(None if one is None else _times(g, one) for one in derivatives(x, y, z))

    return grad


def _times(g: Tensor, derivative: TensorLike) -> Tensor:
    if isinstance(derivative, (int, float)):
        return (
            g
            if derivative == 1
            else call("Neg", g)
            if derivative == -1
            else call("Mul", g, derivative)
        )
    if isinstance(derivative, Tensor) and derivative.dtype.is_complex:
        derivative = call("Conj", derivative)
    return call("Mul", g, derivative)

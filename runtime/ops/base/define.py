"""Defining an op type: everything about it stands in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.dispatch import execute
from runtime.core.graph import Graph
from runtime.core.opdef import (
    Backward,
    DTypes,
    Effect,
    Grad,
    Infer,
    Kernel,
    OpDef,
    Sample,
    lookup,
    register,
)
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.convert import cast_to, settled_dtype
from runtime.ops.base.operands import bind


class Op:
    """An op type as the functions of this package call it."""

    __slots__ = ("checked", "definition")

    def __init__(self, definition: OpDef, checked: OpDef | None = None) -> None:
        """Wraps the definition.

        `checked` takes its place for tensors that stand for Python ints, which never overflow.
        """
        self.definition = definition
        self.checked = checked

    def __call__(self, *args: TensorLike, name: str | None = None, **attrs: Any) -> Tensor:
        """The only output; see `outputs`."""
        return self.outputs(*args, name=name, **attrs)[0]

    def outputs(
        self, *args: TensorLike, name: str | None = None, **attrs: Any
    ) -> tuple[Tensor, ...]:
        """The outputs for operands that are still to be converted."""
        graph: Graph | None = STATE.graph
        if graph is None:
            return self._executed(args, attrs, None)
        with graph.name_scope(name or self.definition.name) as scope:
            return self._executed(args, attrs, scope)

    def _executed(
        self, args: tuple[TensorLike, ...], attrs: Mapping[str, Any], name: str | None
    ) -> tuple[Tensor, ...]:
        op = self.definition
        tensors, weak = bind(op.name, op.inputs, args)
        if weak and self.checked is not None and tensors[0].dtype.is_integer:
            op = self.checked
        if weak and not op.elementwise:
            tensors = [cast_to(tensor, settled_dtype(tensor.dtype)) for tensor in tensors]
        return execute(op, tensors, attrs, name, weak and op.elementwise)


def define_op(
    name: str,
    inputs: Mapping[str, DTypes],
    infer: Infer,
    kernel: Kernel,
    *,
    outputs: int | None = 1,
    effect: Effect = Effect.NONE,
    elementwise: bool = False,
    boxed: bool = False,
    grad: Grad | None = None,
    partial: bool = False,
    backward: Backward | None = None,
    samples: tuple[Sample, ...] = (),
) -> Op:
    """Defines an op type; the arguments are the attributes of `OpDef`."""
    definition = OpDef(
        name,
        inputs,
        infer,
        kernel,
        outputs,
        effect,
        elementwise,
        boxed,
        grad,
        partial,
        backward,
        samples,
    )
    return Op(register(definition))


def call(op_name: str, *args: TensorLike, **attrs: Any) -> Tensor:
    """The only output of the op of that name: for gradient rules, which need ops of any family.

    >>> print(call("Sqrt", 9.0))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """
    return Op(lookup(op_name))(*args, **attrs)

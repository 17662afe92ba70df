"""Define an op type: the definition, and how a public function calls it.

`op` decorates the public function of one op type. `runtime.ops.base.families` has rows for op types
that share signature, shape rule and documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, cast

import numpy as np

from runtime.core.dispatch import execute, wrap
from runtime.core.dtypes import DType, from_numpy
from runtime.core.errors import KERNEL_FAILURES, OpError
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
    Ufunc,
    lookup,
    register,
)
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.convert import cast_to, settled_dtype
from runtime.ops.base.operands import bind
from runtime.ops.base.values import PLAIN_NUMBERS, number_array

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class Op:
    """An op type as the functions of this package call it."""

    __slots__ = ("_dtypes", "_ufunc", "checked", "definition")

    def __init__(self, definition: OpDef, checked: OpDef | None = None) -> None:
        """Wrap the definition.

        `checked` replaces it for tensors that represent Python ints, which never overflow.
        """
        self.definition = definition
        self.checked = checked
        self._dtypes = _direct_dtypes(definition)
        self._ufunc = _ufunc(definition.kernel)

    def __call__(self, *args: TensorLike, name: str | None = None, **attrs: Any) -> Tensor:
        """Return the only output; see `outputs`.

        Tensors with values and Python numbers take a path of at most five Python frames, unless a
        graph, tape, watch or device is active.
        """
        state = STATE
        if (
            self._dtypes
            and state.graph is None
            and not state.tapes
            and not state.watches
            and state.device is None
        ):
            arrays = self._arrays(args)
            if arrays is not None:
                try:
                    if self._ufunc is not None:
                        return EagerTensor(state.quiet.run(self._ufunc, *arrays))
                    with np.errstate(all="ignore"):
                        return wrap(self.definition.kernel(np, *arrays, **attrs))
                except (OpError, *KERNEL_FAILURES):
                    # The kernel is pure: the path below runs it again to report its failure.
                    return self.outputs(*args, name=name, **attrs)[0]
        return self.outputs(*args, name=name, **attrs)[0]

    def outputs(
        self, *args: TensorLike, name: str | None = None, **attrs: Any
    ) -> tuple[Tensor, ...]:
        """Convert the operands, and return all outputs."""
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

    def _arrays(self, args: tuple[TensorLike, ...]) -> list[Any] | None:
        """Return the operands as arrays of one dtype that the op takes; None if they are not."""
        found: Any = None
        numbers = False
        arrays: list[Any] = []
        for arg in args:
            if type(arg) is EagerTensor:
                array = arg._a
                if found is None:
                    found = array.dtype
                elif array.dtype is not found:
                    return None
                arrays.append(array)
            elif type(arg) in PLAIN_NUMBERS:
                numbers = True
                arrays.append(arg)
            else:
                return None
        dtype = None if found is None else self._dtypes.get(found.num)
        if dtype is None:
            return None
        return _with_numbers(arrays, dtype) if numbers else arrays


def _with_numbers(values: list[Any], dtype: DType) -> list[Any] | None:
    """Convert the Python numbers among arrays; None if one needs a closer look."""
    arrays = []
    for value in values:
        array = number_array(value, dtype) if type(value) in PLAIN_NUMBERS else value
        if array is None:
            return None
        arrays.append(array)
    return arrays


def _direct_dtypes(definition: OpDef) -> dict[int, DType]:
    """Return the dtypes, by NumPy's number, for which arrays go to the kernel as they are.

    Empty unless the op is pure, has one output and takes all its inputs in one dtype.
    """
    groups = set(definition.inputs.values())
    pure = definition.effect is Effect.NONE and not definition.boxed and not definition.backward
    if not pure or definition.outputs != 1 or len(groups) != 1:
        return {}
    (group,) = groups
    found = {} if group.mixed else {np.dtype(char).num: np.dtype(char) for char in "?bBhHiIlLefdFD"}
    by_number = {number: from_numpy(dtype) for number, dtype in found.items()}
    return {number: dtype for number, dtype in by_number.items() if dtype in group}


def _ufunc(kernel: Kernel) -> Callable[..., Any] | None:
    """Return NumPy's function, if the kernel is nothing else."""
    if isinstance(kernel, Ufunc) and not kernel.constants:
        return cast(Callable[..., Any], getattr(np, kernel.name))
    return None


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
    """Define an op type without a public function; the arguments are the attributes of `OpDef`."""
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


class OpFunction(Protocol[P, R_co]):
    """A public function with its op type."""

    op: Op

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the op type."""


def op(
    name: str,
    inputs: Mapping[str, DTypes],
    *,
    infer: Infer,
    kernel: Kernel,
    grad: Grad | None = None,
    outputs: int | None = 1,
    elementwise: bool = False,
    samples: Sequence[Sample] = (),
) -> Callable[[Callable[P, R_co]], OpFunction[P, R_co]]:
    """Define the op type that the decorated function calls; it becomes the attribute `op`.

    Args:
      name, inputs, infer, kernel, grad, outputs, elementwise, samples: as of `OpDef`.
    """
    defined = define_op(
        name,
        inputs,
        infer,
        kernel,
        grad=grad,
        outputs=outputs,
        elementwise=elementwise,
        samples=tuple(samples),
    )

    def decorate(function: Callable[P, R_co]) -> OpFunction[P, R_co]:
        decorated = cast(OpFunction[P, R_co], function)
        decorated.op = defined
        return decorated

    return decorate


def call(op_name: str, *args: TensorLike, **attrs: Any) -> Tensor:
    """Call the op type of that name: for gradient rules of op types that are defined earlier.

    >>> print(call("Sqrt", 9.0))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """
    return Op(lookup(op_name))(*args, **attrs)

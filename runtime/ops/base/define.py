"""Define an op type: the definition, and how a public function calls it.

`op` decorates the public function of one op type. `runtime.ops.base.families` has rows for op types
that share signature, shape rule and documentation.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, Unpack, cast

import numpy as np

from runtime.core.dispatch import execute, wrap
from runtime.core.dtypes import DType, from_numpy, int32, string
from runtime.core.errors import KERNEL_FAILURES, OpError
from runtime.core.graph import Graph
from runtime.core.opdef import (
    DTypes,
    Effect,
    Failure,
    Infer,
    Kernel,
    OpDef,
    Options,
    Storage,
    Ufunc,
    lookup,
    register,
)
from runtime.core.spec import Weak
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.convert import (
    both_weak,
    cast_to,
    constant_of,
    convert_to_tensor,
    default_dtype,
    in_default_dtype,
    one_dtype,
)
from runtime.ops.base.values import PLAIN_NUMBERS, index_array, number_array

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class Op:
    """An op type as the functions of this package call it."""

    __slots__ = ("_groups", "_only", "_ufunc", "checked", "definition")

    def __init__(self, definition: OpDef, checked: OpDef | None = None) -> None:
        """Wrap the definition.

        `checked` replaces it for tensors that represent Python numbers of its dtypes: ints never
        overflow, and a division by zero raises.
        """
        self.definition = definition
        self.checked = checked
        self._groups = _direct_groups(definition)
        self._only = self._groups[0][0] if len(self._groups) == 1 else None
        self._ufunc = _ufunc(definition.kernel)

    def __call__(self, *args: TensorLike, name: str | None = None, **attrs: object) -> Tensor:
        """Return the only output; see `outputs`.

        Tensors with values, Python numbers and lists of ints take a path of at most five Python
        frames, unless a graph, tape or device is active.
        """
        state = STATE
        if self._groups and state.graph is None and not state.tapes and state.device is None:
            allowed = self._only
            arrays = self._arrays_of_groups(args) if allowed is None else _arrays(args, allowed)
            if arrays is not None:
                try:
                    if self._ufunc is not None:
                        return EagerTensor(state.quiet.run(self._ufunc, *arrays))
                    return wrap(state.quiet.run(self.definition.kernel, np, *arrays, **attrs))
                except (OpError, RuntimeError, *KERNEL_FAILURES):
                    # The kernel is pure: the path below runs it again to report its failure. A
                    # RuntimeError: a finalizer calls an op while a kernel runs in `quiet`.
                    return self.outputs(*args, name=name, **attrs)[0]
        return self.outputs(*args, name=name, **attrs)[0]

    def apply(self, args: tuple[TensorLike, ...], name: str | None = None) -> Tensor:
        """Return the only output of an op without attributes; see `__call__`.

        A function of NumPy on tensors with values takes half the time of `__call__`: Python makes
        no dict of keywords.
        """
        state, ufunc, allowed = STATE, self._ufunc, self._only
        if ufunc is None or not allowed:
            return self.__call__(*args, name=name)
        if state.graph is None and not state.tapes and state.device is None:
            arrays = _arrays(args, allowed)
            if arrays is not None:
                try:
                    return EagerTensor(state.quiet.run(ufunc, *arrays))
                except (RuntimeError, *KERNEL_FAILURES):
                    return self.outputs(*args, name=name)[0]  # as in `__call__`
        return self.outputs(*args, name=name)[0]

    def outputs(
        self, *args: TensorLike, name: str | None = None, **attrs: object
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
        checked = None if weak is False else self.checked
        if checked is not None and tensors[0].dtype in checked.inputs["x"]:
            op = checked
        if weak and not op.elementwise:
            tensors = [cast_to(tensor, default_dtype(tensor.dtype)) for tensor in tensors]
        return execute(op, tensors, attrs, name, op.elementwise and weak)

    def _arrays_of_groups(self, args: tuple[TensorLike, ...]) -> list[Any] | None:
        """Return the operands as arrays, group by group; see `_arrays`."""
        arrays: list[Any] = [None] * len(args)
        for allowed, positions in self._groups:
            if len(positions) == 1 and type(args[positions[0]]) is EagerTensor:
                array = args[positions[0]]._a
                if allowed and getattr(array, "dtype", _NO_NUMBERS).num not in allowed:
                    return None
                arrays[positions[0]] = array
                continue
            found = _arrays(tuple(map(args.__getitem__, positions)), allowed)
            if found is None:
                return None
            for position, array in zip(positions, found, strict=True):
                arrays[position] = array
        return arrays


_ByNumber = dict[int, DType]
"""The dtypes that the direct path takes for a group, by NumPy's number; empty: any dtype."""

_NUMBERS: _ByNumber = {np.dtype(char).num: from_numpy(np.dtype(char)) for char in "?bBhHiIlLefdFD"}


def _arrays(args: Sequence[TensorLike], allowed: _ByNumber) -> list[Any] | None:
    """Return operands of one group as arrays of one dtype.

    None if the dtypes differ, or an operand needs the general conversion. Python numbers and lists
    of ints take the dtype of the tensors; if there are none, the dtype that they have alone.
    """
    found: Any = None
    plain = False
    arrays: list[Any] = []
    for arg in args:
        if type(arg) is EagerTensor:
            array = arg._a
            arrays.append(array)
            if found is None:
                found = getattr(array, "dtype", _NO_NUMBERS)
            elif getattr(array, "dtype", _NO_NUMBERS) is not found:
                return None
        elif type(arg) in _PLAIN:
            plain = True
            arrays.append(arg)
        else:
            return None
    dtype = None if found is None else allowed.get(found.num)
    if found is not None and dtype is None and allowed:
        return None
    if not plain:
        return arrays
    for position, value in enumerate(arrays):
        if type(value) not in _PLAIN:
            continue
        if type(value) in PLAIN_NUMBERS:
            array = number_array(value, dtype)
        else:
            array = index_array(value, dtype)
        if array is None:
            return None
        if dtype is None and allowed:
            dtype = allowed.get(array.dtype.num)
            if dtype is None:
                return None
        arrays[position] = array
    return arrays


_PLAIN = frozenset((*PLAIN_NUMBERS, list, tuple))
_NO_NUMBERS = np.dtype(object)
"""Dtype of strings, and of the values without one: tensor lists and handles of variables."""


def bind(
    op_name: str, inputs: Mapping[str, DTypes], args: Sequence[Any]
) -> tuple[list[Tensor], Weak]:
    """Convert the operands of an op to tensors of dtypes that it accepts.

    Returns: The tensors, and whether all of them represent Python numbers.
    Raises: DTypeMismatchError if operands that need one dtype have different ones;
      InvalidArgumentError if an operand has a dtype that the op does not take.
    """
    slots = _slots(op_name, inputs, len(args))
    if _are_ready(slots, args):
        return list(args), False
    if len(args) == 2 and STATE.graph is None:
        operands = _with_number(slots, args)
        if operands is not None:
            return operands, False
    tensors: list[Any] = [None] * len(args)
    weak: set[int] = set()
    kinds: list[Weak] = []
    for group in dict.fromkeys(group for _, group in slots):
        positions = [i for i, (_, own) in enumerate(slots) if own is group]
        entries = [(slots[i][0], args[i]) for i in positions]
        kind: Weak = False
        if group.mixed:
            found = [convert_to_tensor(value, name=name) for name, value in entries]
            found = found if group.exact else list(map(in_default_dtype, found))
        else:
            found, kind = one_dtype(op_name, entries, None, group)
            weak.update(positions if kind else ())
        kinds.append(kind)
        for position, tensor in zip(positions, found, strict=True):
            tensors[position] = tensor
    if len(weak) < len(args):
        for position in weak:
            tensors[position] = cast_to(tensors[position], default_dtype(tensors[position].dtype))
    return tensors, both_weak(kinds) if kinds else False


def _are_ready(slots: Sequence[tuple[str, DTypes]], args: Sequence[Any]) -> bool:
    """Return whether the operands are eager tensors of accepted dtypes, the common case."""
    found: dict[DTypes, DType] = {}
    for (_, group), arg in zip(slots, args, strict=True):
        if type(arg) is not EagerTensor:
            return False
        if not group.mixed:
            dtype = (arg._known or arg.spec).dtype
            if found.setdefault(group, dtype) is not dtype or dtype not in group.members:
                return False
    return True


def _with_number(slots: Sequence[tuple[str, DTypes]], args: Sequence[Any]) -> list[Tensor] | None:
    """Return the operands if they are an eager tensor and a Python number; else None."""
    x, y = args
    tensor, number = (x, y) if type(x) is EagerTensor else (y, x)
    group = slots[0][1]
    if (
        type(tensor) is not EagerTensor
        or type(number) not in PLAIN_NUMBERS
        or group is not slots[1][1]
    ):
        return None
    dtype = tensor.dtype
    scalar = number_array(number, dtype)
    if scalar is None or dtype not in group.members or group.mixed:
        return None
    other = constant_of(scalar)
    return [tensor, other] if tensor is x else [other, tensor]


_slots_of: dict[tuple[str, int], tuple[tuple[str, DTypes], ...]] = {}


def _slots(
    op_name: str, inputs: Mapping[str, DTypes], count: int
) -> tuple[tuple[str, DTypes], ...]:
    key = (op_name, count)
    known_slots = _slots_of.get(key)
    if known_slots is not None:
        return known_slots
    slots: list[tuple[str, DTypes]] = []
    for name, group in inputs.items():
        if name.startswith("*"):
            slots += [(name[1:], group)] * (count - len(inputs) + 1)
        else:
            slots.append((name, group))
    _slots_of[key] = tuple(slots)
    return _slots_of[key]


def _direct_groups(definition: OpDef) -> list[tuple[_ByNumber, tuple[int, ...]]]:
    """Return the dtypes and positions of each group of inputs that arrays may take as they are.

    None may unless the op is pure and has one output. A variadic input has no positions; an op
    with other inputs beside it takes the general path.
    """
    pure = definition.effect is Effect.NONE and not definition.boxed and not definition.backward
    if not pure or definition.outputs != 1 or not definition.inputs:
        return []
    groups = list(definition.inputs.values())
    if any(name.startswith("*") for name in definition.inputs):
        return [(_by_number(groups[0]), ())] if len(groups) == 1 and not groups[0].mixed else []
    positions = [
        (position,) if group.mixed else tuple(i for i, own in enumerate(groups) if own is group)
        for position, group in enumerate(groups)
    ]
    return [(_by_number(groups[own[0]]), own) for own in dict.fromkeys(positions)]


def _by_number(group: DTypes) -> _ByNumber:
    if group.mixed:
        return {}
    numbers = {number: dtype for number, dtype in _NUMBERS.items() if dtype in group}
    if not numbers and string in group:
        return {_NO_NUMBERS.num: string}
    return numbers


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
    **options: Unpack[Options],
) -> Op:
    """Define an op type without a public function.

    Args:
      name, inputs, infer, kernel, options: the attributes of `OpDef`. By default an elementwise op
        fails for shapes only and is fusable unless it has an effect, and a `Ufunc` returns new
        arrays.
    """
    return Op(register(OpDef(name, inputs, infer, kernel, **_completed(kernel, options))))


def _completed(kernel: Kernel, options: Options) -> Options:
    elementwise = options.get("elementwise", False)
    failure = options.get("failure", Failure.SHAPES if elementwise else Failure.VALUES)
    pure = options.get("effect", Effect.NONE) is Effect.NONE
    derived: Options = {
        "failure": failure,
        "fusable": elementwise and pure and failure is not Failure.VALUES,
        "storage": Storage.NEW if isinstance(kernel, Ufunc) else Storage.ANY,
    }
    return {**derived, **options}


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
    **options: Unpack[Options],
) -> Callable[[Callable[P, R_co]], OpFunction[P, R_co]]:
    """Define the op type that the decorated function calls; it becomes the attribute `op`."""
    defined = define_op(name, inputs, infer, kernel, **options)

    def decorate(function: Callable[P, R_co]) -> OpFunction[P, R_co]:
        decorated = cast(OpFunction[P, R_co], function)
        decorated.op = defined
        return decorated

    return decorate


def rename(function: Callable[..., Any], name: str) -> None:
    """Give a function another name, which profiles and tracebacks show, too.

    >>> def function():
    ...     pass
    >>> rename(function, "exp")
    >>> function.__name__, function.__code__.co_name
    ('exp', 'exp')
    """
    function.__name__ = function.__qualname__ = name
    function.__code__ = function.__code__.replace(co_name=name, co_qualname=name)


def publish(
    function: Callable[..., Any],
    module: str,
    name: str,
    op: Op,
    about: str,
    rest: str,
    example: str,
) -> OpFunction[..., Tensor]:
    """Return the function as a public one, with the documentation `about`, `rest` and an example.

    The example is the arguments of a call, an arrow, and what printing the result shows; `~>`
    rounds the result to 4 decimals, since the last bits depend on the processor.
    """
    rounded = " ~> " in example
    arguments, shown = example.split(" ~> " if rounded else " -> ")
    result = f"{name}({arguments}).numpy()" + (".round(4)" if rounded else "")
    rename(function, name)
    function.__module__ = module
    function.__doc__ = (
        f"{inspect.cleandoc(about)}\n\n{inspect.cleandoc(rest)}\n\n>>> print({result})\n{shown}\n"
    )
    public = cast(OpFunction[..., Tensor], function)
    public.op = op
    return public


def call(op_name: str, *args: TensorLike, **attrs: Any) -> Tensor:
    """Call the op type of that name: for gradient rules of op types that are defined earlier.

    >>> print(call("Sqrt", 9.0))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """
    return _of_name(op_name)(*args, **attrs)


@functools.cache
def _of_name(op_name: str) -> Op:
    """Wrap a registered op type once: its dtype tables take longer than a small kernel."""
    return Op(lookup(op_name))


def select(condition: Tensor, x: TensorLike, otherwise: TensorLike = 0) -> Tensor:
    """Select `x` where the condition holds, else `otherwise`; drops a NaN that is not selected."""
    return call("SelectV2", condition, x, otherwise)


def zeros_of(x: Tensor) -> Tensor:
    """Return zeros of the dtype and shape of a tensor."""
    return call("ZerosLike", x, dtype=x.dtype)


def ones_of(x: Tensor) -> Tensor:
    """Return ones of the dtype and shape of a tensor."""
    return call("OnesLike", x, dtype=x.dtype)


def shape_of(x: Tensor) -> Tensor:
    """Return the shape as an int32 tensor."""
    return call("Shape", x, out_type=int32)

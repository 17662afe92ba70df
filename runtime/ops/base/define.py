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

from runtime.core.dispatch import ARRAYS, as_array, execute, wrap
from runtime.core.dtypes import DType, from_numpy, int32
from runtime.core.errors import KERNEL_FAILURES, OpError
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
from runtime.ops.base.values import CONVERSIONS, PLAIN_NUMBERS, plain_array, to_array

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)

_NO_ATTRS: Mapping[str, Any] = {}


_Plan = Sequence[tuple[Sequence[int], DType | None, frozenset[DType]]]


class _Operands(dict[object, "_Operands"]):
    """The operands of a call up to one of them; the keys lead to those with one more.

    A key is NumPy's dtype of an operand with a value, True for a Python number or a list, False for
    any other operand. So the dtypes of each combination are compared once. A variadic input has
    each key once.

    Attributes:
      plan: for each group of inputs with Python numbers or lists their positions, from 1 (empty:
        all operands), the dtype of the tensors of the group, and all its dtypes. None: the general
        path converts the operands.
    """

    def __init__(self, op: OpDef, keys: tuple[object, ...] = ()) -> None:
        self._op = op
        self._keys = keys
        self._is_variadic = next(iter(op.inputs)).startswith("*")
        self.plan = self._make_plan()

    def __missing__(self, key: object) -> _Operands:
        repeated = self._is_variadic and key in self._keys
        self[key] = self if repeated else _Operands(self._op, (*self._keys, key))
        return self[key]

    def _make_plan(self) -> _Plan | None:
        groups = [*self._op.inputs.values()]
        if self._is_variadic:
            groups *= len(self._keys)
        if len(groups) != len(self._keys) or False in self._keys or not groups:
            return None
        together: dict[object, list[int]] = {}
        for i, group in enumerate(groups):
            together.setdefault(i if group.mixed else group, []).append(i)
        plan = []
        for positions in together.values():
            group = groups[positions[0]]
            found = {self._keys[i] for i in positions} - {True}
            taken = {key for key, dtype in _OF_NUMPY.items() if dtype in group} or {_NO_NUMBERS}
            if len(found) > 1 or not (group.mixed or found <= taken):
                return None
            plain = [i + 1 for i in positions if self._keys[i] is True]
            if plain:
                dtype = next((_OF_NUMPY.get(key) for key in found), None)
                plan.append(([] if self._is_variadic else plain, dtype, group.members))
        return plan


_OF_NUMPY: dict[object, DType] = {np.dtype(c): from_numpy(np.dtype(c)) for c in "?bBhHiIlLefdFD"}
_PLAIN = frozenset((*PLAIN_NUMBERS, list, tuple))
_NO_NUMBERS = np.dtype(object)
"""Dtype of strings, and of the values without one: tensor lists and handles of variables."""


def _array_of(value: Any) -> Any:
    """Return the numbers of a variable or of NumPy, or None: the general path must convert."""
    if type(value) is np.ndarray or isinstance(value, np.generic):
        return to_array(value) if value.dtype in _OF_NUMPY else None
    convert = None if isinstance(value, Tensor) else getattr(type(value), "__tf_tensor__", None)
    tensor = convert and convert(value, None, None)
    return tensor._a if type(tensor) is EagerTensor and tensor.dtype.kind in "biufc" else None


def _convert(parts: list[Any], plan: _Plan) -> bool:
    """Replace the Python numbers and lists after the kernel by arrays of the dtype of their group.

    Without tensors the first of them decides. Returns False if one needs the general conversion.
    """
    for positions, dtype, members in plan:
        for i in positions or range(1, len(parts)):
            array = parts[i]
            found = CONVERSIONS.get((type(array), dtype))
            if found is not None:  # as in `plain_array`, without a call
                low, high, make = found
                array = make(array) if low <= array <= high else None
            elif type(array) in _PLAIN:
                array = plain_array(array, dtype)
            if array is None:
                return False
            parts[i] = array
            if dtype is None:
                dtype = _OF_NUMPY.get(array.dtype)
                if dtype not in members:
                    return False
    return True


class Op:
    """An op type as the functions of this package call it."""

    __slots__ = ("_is_single", "_kernel", "_operands", "checked", "definition")

    def __init__(self, definition: OpDef, checked: OpDef | None = None) -> None:
        """Wrap the definition.

        `checked` replaces it for tensors that represent Python numbers of its dtypes: ints never
        overflow, and a division by zero raises.
        """
        self.definition = definition
        self.checked = checked
        self._is_single = definition.outputs == 1
        self._operands = _operands(definition)
        self._kernel = _of_numpy(definition.kernel)

    def __call__(self, *args: TensorLike, name: str | None = None, **attrs: object) -> Tensor:
        """Return the only output; see `apply`."""
        return self.apply(args, name, attrs)

    def outputs(
        self, *args: TensorLike, name: str | None = None, **attrs: object
    ) -> tuple[Tensor, ...]:
        """Return all outputs."""
        found: Any = self.apply(args, name, attrs)
        return (found,) if self._is_single else found

    def apply(
        self,
        args: tuple[TensorLike, ...],
        name: str | None = None,
        attrs: Mapping[str, Any] = _NO_ATTRS,
    ) -> Tensor:
        """Return the only output, or a tuple of the outputs.

        Tensors with values, Python numbers and lists of numbers go straight to the kernel, unless a
        graph, tape or device is active.

        Raises: TypeError if `name` is no string, such as one tensor too many.
        """
        if name is not None and not isinstance(name, str):
            raise TypeError(
                f"`name` of {self.definition.name} is a string, not {name!r}: it takes "
                f"{len(args)} tensor{'s' * (len(args) > 1)}."
            )
        operands, run = self._operands, STATE.direct
        if operands is not None and run is not None:
            parts: list[Any] = [self._kernel]
            for arg in args:
                if type(arg) is EagerTensor:
                    arg = arg._a
                    operands = operands[getattr(arg, "dtype", _NO_NUMBERS)]
                elif type(arg) in _PLAIN:
                    operands = operands[True]
                else:
                    arg = _array_of(arg)
                    operands = operands[False if arg is None else arg.dtype]
                parts.append(arg)
            plan = operands.plan
            if plan is not None and (not plan or _convert(parts, plan)):
                try:
                    result = run(*parts, **attrs)
                except (OpError, RuntimeError, *KERNEL_FAILURES):
                    # It writes nothing: the general path runs it again to report its failure. A
                    # RuntimeError: a finalizer calls an op while a kernel runs in `quiet`.
                    return self._general(args, name, attrs)  # type: ignore[no-any-return]
                if self._is_single:
                    return EagerTensor(result if isinstance(result, ARRAYS) else as_array(result))
                return tuple(map(wrap, result))  # type: ignore[return-value]
        return self._general(args, name, attrs)  # type: ignore[no-any-return]

    def _general(
        self, args: tuple[TensorLike, ...], name: str | None, attrs: Mapping[str, object]
    ) -> Any:
        """Convert the operands, and run or record the op."""
        if STATE.graph is None:
            outputs = self._executed(args, attrs, None)
        else:
            with STATE.graph.name_scope(name or self.definition.name) as scope:
                outputs = self._executed(args, attrs, scope)
        return outputs[0] if self._is_single else outputs

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
    scalar = plain_array(number, dtype)
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


def _operands(op: OpDef) -> _Operands | None:
    """Return the operands with which the kernel may run without the general path, or None.

    None if the op writes: a kernel that fails runs again. Nor if a variadic input is not its only
    one.
    """
    repeats = op.effect is not Effect.WRITE and not op.boxed and not op.backward
    alone = len(op.inputs) == 1 or not any(name.startswith("*") for name in op.inputs)
    return _Operands(op) if repeats and op.inputs and alone else None


def _of_numpy(kernel: Kernel) -> Callable[..., Any]:
    """Return the kernel as a function of NumPy's arrays: NumPy's own if it is nothing else."""
    if isinstance(kernel, Ufunc) and not kernel.constants:
        return cast(Callable[..., Any], getattr(np, kernel.name))
    return functools.partial(kernel, np)


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

"""Traced arrays of NumPy programs, with the attributes, methods and operators of `np.ndarray`.

An array is an object that holds a tensor and keeps its identity when items are assigned, so all its
names see the change, in staged statements too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, Self

import numpy as np

from autograph.operators.aliases import before_change, may_be
from autograph.staging import is_one_of
from runtime.control_flow.values.carried import Carried
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.undefined import PossiblyUndefined
from runtime.core.aliases import DTypeLike
from runtime.core.errors import OperatorNotAllowedInGraphError
from runtime.core.places import user_name
from runtime.core.shapes import known as known_dims
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.numpy_programs.attempts import note_changed
from runtime.numpy_programs.dispatch import (
    BINARY,
    COMPARISONS,
    METHODS,
    REDUCTIONS,
    RUNNING,
    UNARY,
    Function,
    call_method,
    function_result,
    refuse,
    tables,
    ufunc_name,
    ufunc_result,
    unsupported,
)
from runtime.numpy_programs.promotion import (
    NumPyDType,
    as_dtype,
    constant,
    is_number,
    python_number,
)
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.values import NUMBERS
from runtime.ops.effects.output import raise_when
from runtime.ops.items.indexing import getitem
from runtime.ops.items.selecting import where
from runtime.ops.math.logic import equal

SEQUENCES = (list, tuple, range, GrowingList)
"""What NumPy's functions take as arrays; the last one is a list that a staged statement grows."""


KEPT = -1
"""The number of an array that is no argument and is an item of a growing list."""

VIEW = -(2**62)
"""The number of the copy of a view."""

_ARRAY, _OR_VIEW = "ndarray", "ndarray or view"
"""What a staged statement may choose: arrays, or views of others, too."""

_TWICE = "an array is appended to a list that grows a second time. Append a copy of it."


def item_number(number: int) -> Tensor:
    """Return the number of an array that is an item of a growing list."""
    return constant(np.asarray(number if number == VIEW else KEPT - number))


class _Mark:
    """Says of an array and its copies in statements whether it may be an item of a growing list.

    It is no contents of the array: what a trace finds out stays when its changes are undone.
    """

    kept = False


class Protocols:
    """NumPy's protocols: its functions, called on these values, come here."""

    __slots__ = ()

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        """Apply a ufunc, or a method of one, also `out=` an array."""
        result = _applied(ufunc, method, inputs, options)
        if out is None:
            return result
        if method != "__call__" or len(out) > 1 or not isinstance(out[0], Array):
            return written(ufunc_name(ufunc), result, out[0])
        out[0].replace(result)
        return out[0]

    def __array_function__(
        self, function: Any, types: object, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        """Apply any other function of NumPy."""
        return function_result(function, *args, **kwargs)


def _applied(ufunc: np.ufunc, method: str, inputs: Any, options: Mapping[str, Any]) -> Any:
    if method == "reduce" and ufunc in REDUCTIONS:
        return function_result(REDUCTIONS[ufunc], *inputs, **{"axis": 0, **options})
    if method == "accumulate" and ufunc in RUNNING:
        return function_result(RUNNING[ufunc], *inputs, **{"axis": 0, **options})
    if method == "accumulate" and ufunc.nin == 2 and options.keys() <= {"axis"}:
        return tables().accumulate(ufunc, *inputs, **options)
    if method == "outer" and not options:
        x, y = map(operand, inputs)
        return ufunc_result(ufunc, getitem(x, (..., *(None,) * Array(y).ndim)), y)
    if method == "at" and ufunc in tables().change:
        return tables().change[ufunc](*inputs)
    name = ufunc_name(ufunc)
    if method != "__call__":
        raise unsupported(f"{name}.{method}")
    if options:
        raise refuse(
            f"`{name}` gets the argument `{next(iter(options))}`.",
            "Apply np.where to the result, or cast it by `astype`.",
        )
    return ufunc_result(ufunc, *inputs)


def written(name: str, result: TensorLike, target: TensorLike) -> Array:
    """Return an array that a function gets as `out=`, after it was assigned the result.

    Raises: StagingError unless the array is traced and has the dtype and shape of the result.
    """
    if not isinstance(target, Array) or isinstance(result, tuple):
        note_changed(target)
        raise refuse(f"`{name}` writes into an array that is not traced.", "Assign the result.")
    given, own = operand(result), target.tensor
    if not isinstance(given, Tensor) or given.spec != own.spec or None in (own.spec.dims or ()):
        raise refuse(
            f"`{name}` gets `out=` an array that may have another dtype or shape than the result.",
            "Assign the result: `a[...] = f(b)`.",
        )
    target.replace(result)
    return target


class Array(Protocols, Carried):
    """A traced array. Assigning an item changes the object, as in NumPy.

    Args:
      held: its elements.
      number: which argument of the program it is, from 1 on; 0: none. An item of a growing list has
        the number `KEPT - n` in place of `n`. VIEW: the copy of a view. A tensor: the running graph
        decides.
    """

    represents = np.ndarray
    held_in = "held"
    is_live = True
    """A loop over it reads each item at the time of its iteration."""

    __autograph_checks_index__ = True
    """An index that may be None raises if it is: `x[None]`, a view, is not what was meant."""

    __autograph_item__ = _ARRAY
    """The description of an item of a growing list: its number says whether it is a view."""

    __autograph_notes__ = True
    """It calls `before_change` itself: after it has read a value, which may be a view of it."""

    __array_priority__ = 200

    held: Tensor | PossiblyUndefined
    number: int | Tensor = 0
    may_be_view = False
    """Whether it is the copy of an array that may be a view, as a staged statement decides."""

    def __init__(self, held: Tensor, number: int | Tensor = 0) -> None:
        """Store the elements."""
        self.held = held
        self.number = number
        self.mark = _Mark()
        super().__init__()

    # ---- contents ----

    @property
    def is_kept(self) -> bool:
        """True if it may be an item of a growing list by another name, or before the list grew."""
        return self.mark.kept

    @property
    def is_decided(self) -> bool:
        """True if only the running graph knows which array of the program it is."""
        return self.may_be_view or not isinstance(self.number, int)

    @property
    def tensor(self) -> Tensor:
        """The elements now, after a check that a variable with this array is assigned."""
        held = self.held
        return held if isinstance(held, Tensor) else held.__autograph_read__()

    def __autograph_read__(self) -> Self:
        """Return the array itself, after a check that its variable is assigned."""
        held = vars(self).get("held")
        if isinstance(held, PossiblyUndefined):
            held.__autograph_read__()
        return self

    def store(self, tensor: Tensor) -> None:
        """Replace all elements by those of a tensor of the same dtype and shape."""
        if self.may_be_view:
            raise self.refusal(
                "changes, and may be a view, as a staged statement decides", "Change a copy of it."
            )
        others = (each for each in may_be(self) if not each.may_be_view)
        if self.is_kept or any(each.is_decided for each in (self, *others)):
            raise self.refusal(
                "changes, and may be one from before the call or an item of a list that grows, as "
                "a staged statement decides",
                "Change a copy, or append one to the list: x.copy().",
            )
        before_change(self)
        self.held = tensor

    def as_item(self, has_moved: bool = False) -> Array:
        """Return the array as an item of a growing list: from now on neither can change.

        Args:
          has_moved: whether it is an item of a list of Python that becomes a growing one.
        """
        others = [each for each in may_be(self) if isinstance(each, Array)]
        for each in [self, *others] if has_moved else others:
            each.mark.kept = True
        number = self.number
        if isinstance(number, SymbolicTensor):
            known = static_value(number)
            if has_moved and known is not None and known < 0:  # moved in an earlier trace
                return Array(self.tensor, constant(known))
            if has_moved:
                raise self.refusal("is an item of a list that grows", "Append a copy of it.")
            raise_when(equal(number, KEPT), RuntimeError(_TWICE))
            self.number = where(number < 0, number, KEPT - number)
        elif isinstance(number, int):
            self.number = item_number(number)
        elif not has_moved and number == KEPT:
            self.refuse_twice()
        return Array(self.tensor, self.number)

    def refuse_twice(self) -> None:
        """Raise StagingError: each item of a growing list is an array of its own."""
        raise self.refusal("is appended to a list that grows a second time", "Append a copy.")

    def replace(self, value: TensorLike) -> None:
        """Assign all elements, as a ufunc does with `out=`: kinds must fit."""
        given = operand(value)
        kind = given.dtype if not isinstance(given, Tensor) else given.spec.dtype.numpy_dtype
        if not np.can_cast(kind, self.dtype, "same_kind"):
            raise TypeError(
                f"Cannot cast ufunc output from {kind!r} to {self.dtype!r} with casting rule "
                "'same_kind'"
            )
        tables().assign(self, ..., value)

    def __autograph_state__(self) -> list[Any]:
        """Return the elements: to become an item of a list is no change."""
        return [each for key, each in sorted(vars(self).items()) if key not in ("number", "mark")]

    def contents(self) -> Self:
        """Return the contents in the form that statements carry."""
        return self.__autograph_snapshot__()

    def mapped(self, function: Callable[[Any], Any]) -> Self:
        """Return a copy: tensors are not parts."""
        return self.__autograph_snapshot__()

    def copy(self, order: str = "C") -> Any:
        """Return a new array with the same elements."""
        return Array(self.tensor)

    def __copy__(self) -> Any:
        """Return a new array with the same elements."""
        return Array(self.tensor)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return a new array with the same elements."""
        return Array(self.tensor)

    def __tf_tensor__(self, dtype: DTypeLike, name: str | None) -> Tensor:
        """Return the elements now."""
        return convert_to_tensor(self.tensor, dtype)

    def __tensor_flatten__(self) -> tuple[tuple[Tensor | PossiblyUndefined, int | Tensor], str]:
        """Return what statements carry that bind a variable to another array."""
        is_new = isinstance(self.number, int) and not self.number
        number = constant(np.asarray(KEPT)) if is_new and self.is_kept else self.number
        return (self.held, number), _OR_VIEW if self.may_be_view else _ARRAY

    @classmethod
    def __tensor_unflatten__(cls, description: object, parts: Sequence[Tensor]) -> Array:
        """Return one of several arrays."""
        held, number = parts
        made = Array(held, number.held if isinstance(number, PossiblyUndefined) else number)
        if description == _OR_VIEW:
            made.may_be_view = True
        return made

    @staticmethod
    def __tensor_join__(a: str, b: str) -> str:
        """Return the description of arrays of two branches."""
        return _OR_VIEW

    @property
    def spec(self) -> Any:
        """Dtype and shape of the elements."""
        return self.tensor.spec

    # ---- attributes ----

    @property
    def dims(self) -> tuple[int | None, ...]:
        """The static shape. Raises StagingError if the rank is unknown."""
        dims = self.tensor.spec.dims
        if dims is None:
            raise self.refusal("has an unknown number of dimensions", "Reshape it before.")
        return dims

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape: Python ints, traced where only the running graph knows them."""
        return shape_tuple(self.tensor)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    @property
    def size(self) -> Any:
        """The number of elements."""
        total: Any = 1
        for length in self.shape:
            total = total * length
        return total

    @property
    def dtype(self) -> NumPyDType:
        """NumPy's dtype."""
        return self.tensor.spec.dtype.numpy_dtype

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> Any:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def T(self) -> Any:
        """The view with the dimensions reversed."""
        return function_result(np.transpose, self)

    @property
    def real(self) -> Any:
        """The real part."""
        return self if self.dtype.kind != "c" else function_result(np.real, self)

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return function_result(np.imag, self)

    def astype(
        self,
        dtype: DTypeLike,
        order: str = "K",
        casting: Any = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Any:
        """Return the elements in another dtype; options of layout and subclasses have no effect."""
        wanted = np.dtype(dtype)
        if not np.can_cast(self.dtype, wanted, casting):
            raise TypeError(
                f"Cannot cast array data from {self.dtype!r} to {wanted!r} according to the rule "
                f"{casting!r}"
            )
        if not copy and wanted == self.dtype:
            return self
        return Array(as_dtype(self.tensor, wanted))

    def flatten(self, order: str = "C") -> Any:
        """Return the elements as a vector, a copy."""
        if order != "C":
            raise unsupported(f"np.ndarray.flatten(order={order!r})")
        return Array(operand(function_result(np.ravel, self)))

    def item(self, *args: Any) -> Any:
        """Return an element as a Python number."""
        chosen = self[args[0] if len(args) == 1 else args] if args else self
        scalar = function_result(np.reshape, chosen, ()) if isinstance(chosen, Array) else chosen
        return python_number(operand(scalar))

    def fill(self, value: TensorLike) -> None:
        """Assign one value to all elements."""
        tables().assign(self, ..., value)

    def sort(self, axis: int = -1, **options: Any) -> None:
        """Sort the elements in place."""
        self.store(operand(function_result(np.sort, self, axis, **options)))

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers; shapes must be known."""
        if not self.ndim:
            return self.item()
        return [
            row.tolist() if isinstance(row, Array) else row.item()
            for row in (self[i] for i in range(len(self)))
        ]

    def refusal(self, what: str, remedy: str, public: type[Exception] = TypeError) -> Exception:
        """Return the error for a use of this array; `what` completes "the array `a` ..."."""
        called = user_name(self)
        subject = f"the array `{called}`" if called else "an array"
        return refuse(f"{subject} {what}.", remedy, public)  # type: ignore[return-value]

    def __getattr__(self, name: str) -> Any:
        """Return a method of arrays. Raises StagingError for those without an operation."""
        function = METHODS.get(name)
        if function is not None:
            return lambda *args, **kwargs: call_method(function, self, *args, **kwargs)
        if not name.startswith("_") and hasattr(np.ndarray, name):
            raise unsupported(f"np.ndarray.{name}")
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute of this class. Raises for those of arrays, and for others as NumPy."""
        if name not in _OWN and hasattr(np.ndarray, name):
            raise unsupported(f"np.ndarray.{name} = ...")
        if name not in _OWN:
            raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")
        super().__setattr__(name, value)

    # ---- Python's protocols ----

    def __getitem__(self, key: Any) -> Any:
        """Return an item: a scalar, a view, or a copy for an index that is an array."""
        return tables().read(self, key)

    def __setitem__(self, key: Any, value: TensorLike) -> None:
        """Assign an item."""
        if is_one_of(value):
            value.__autograph_split__(partial(tables().assign, self, key))
        else:
            tables().assign(self, key, value)

    def __len__(self) -> int:
        """Return the first dimension. Raises StagingError if only the running graph knows it."""
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self._known_length("Call len in code that is converted.")

    def __iter__(self) -> Iterator[Any]:
        """Return the items if their number is known; raises otherwise."""
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        length = self._known_length("Take its items by their numbers (`x[0]`) to unpack it.")
        return (self[row] for row in range(length))

    def _known_length(self, remedy: str) -> int:
        length = self.shape[0]
        if not isinstance(length, int):
            raise self.refusal(
                "has a length that only the running graph knows, and Python asks for it",
                remedy,
                OperatorNotAllowedInGraphError,
            )
        return length

    @property
    def is_empty(self) -> bool:
        """Whether a loop over it is known to have no iteration."""
        return self.dims[:1] == (0,)

    @property
    def owners(self) -> tuple[object, ...]:
        """The object that the items are parts of: the array."""
        return (self,)

    def begin(self) -> Any:
        """Return the iterable for a loop."""
        return tables().rows(self)

    def staged_items(self) -> Any:
        """Return the items, for loops."""
        return tables().rows(self)

    def __contains__(self, item: object) -> NoReturn:
        """Raise: only the running graph knows."""
        raise self.refusal("is searched by `in`", "Write np.any(array == value).")

    def __index__(self) -> NoReturn:
        """Raise: only the running graph knows the value."""
        raise self.refusal("is used as a Python int", "Use an item of it in converted code.")

    __int__ = __float__ = __complex__ = __index__

    def __array__(self, *args: object, **options: object) -> NoReturn:
        """Raise: an array that is not traced, or a function without an operation, asks for it."""
        raise self.refusal(
            "is stored in an array that is not traced, or passed to a function that asks for its "
            "elements",
            "Pass the other array as an argument, or call a function that has an operation.",
        )

    def __hash__(self) -> int:
        """Raise, as for NumPy's arrays."""
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __repr__(self) -> str:
        """Return a description."""
        STATE.texts_shown += 1
        return f"<array of {self.tensor.spec}>"


_OWN = frozenset({
    "held", "number", "may_be_view", "mark", "parted",
    "viewed", "step", "before", "why", "_content", "_read",
})  # fmt: skip
"""The attributes of arrays and views, none of which `np.ndarray` has."""


def _array_operator(ufunc: np.ufunc, reflected: bool = False) -> Function:
    def method(self: Array, given: TensorLike) -> Any:
        other = operand_of(given)
        if other is None and ufunc in (np.equal, np.not_equal):
            kind = type(given).__name__
            raise self.refusal(f"is compared with a {kind}", "Compare it with numbers or arrays.")
        if other is None:
            return NotImplemented
        return ufunc_result(ufunc, *((other, self) if reflected else (self, other)))

    return method


def _in_place_operator(ufunc: np.ufunc) -> Function:
    def method(self: Array, other: TensorLike) -> Any:
        if ufunc is np.matmul and self.ndim < 2:
            raise ValueError(
                "inplace matrix multiplication requires the first operand to have at least two "
                "dimensions."
            )
        self.replace(ufunc_result(ufunc, self, other))
        return self

    return method


def _array_sign(ufunc: np.ufunc) -> Function:
    return lambda self: ufunc_result(ufunc, self)


for _operator, _ufunc in {**BINARY, **COMPARISONS}.items():
    setattr(Array, f"__{_operator}__", _array_operator(_ufunc))
for _operator, _ufunc in BINARY.items():
    setattr(Array, f"__r{_operator}__", _array_operator(_ufunc, True))
    if hasattr(operator, f"__i{_operator}__"):
        setattr(Array, f"__i{_operator}__", _in_place_operator(_ufunc))
_POWERS: dict[float, np.ufunc] = {
    2: np.square, 1: np.positive, -1: np.reciprocal, 0.5: np.sqrt,
}  # fmt: skip
"""What NumPy's operator `**` computes for these Python numbers, other than by `np.power`."""


def _power(self: Any, exponent: Any) -> Any:
    known = _POWERS.get(exponent) if type(exponent) in (int, float) else None
    kind = self.spec.dtype.kind
    if known is not None and (kind in "fc" or (exponent == 2 and type(exponent) is int)):
        return ufunc_result(known, self)
    return _array_operator(np.power)(self, exponent)


setattr(Array, "__pow__", _power)  # noqa: B010 - the other operators are set like this, too

for _operator, _ufunc in UNARY.items():
    setattr(Array, f"__{_operator}__", _array_sign(_ufunc))


def operand(value: TensorLike) -> Tensor:
    """Return the tensor of an array, scalar, number or list."""
    if isinstance(value, Array):
        return value.tensor
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return constant(value)
    if type(value) in NUMBERS:
        return constant(np.asarray(value))
    if isinstance(value, SEQUENCES):
        return function_result(np.array, value).tensor  # type: ignore[no-any-return]
    if hasattr(type(value), "__tf_tensor__"):
        return convert_to_tensor(value)
    raise TypeError(f"a {type(value).__name__} meets traced arrays, and is not a number or array")


def is_operand(value: object) -> bool:
    """Return whether NumPy's operators take a value as a number or array."""
    return isinstance(value, (Tensor, Array, np.ndarray, np.generic)) or type(value) in NUMBERS


def plain(value: TensorLike) -> Any:
    """Return a Python number as it is, the tensor of any other value."""
    return value if is_number(value) else operand(value)


def operand_of(value: TensorLike) -> Any:
    """Return a value as an operand of an operator; lists become arrays, other objects None."""
    if is_operand(value):
        return value
    if isinstance(value, SEQUENCES):
        return function_result(np.array, value)
    return None


def wrapped(tensor: TensorLike) -> Any:
    """Return what NumPy has for the result of an operation: a scalar, or an array."""
    return tensor if tensor.spec.dims == () else Array(tensor)


def shape_tuple(tensor: Tensor) -> tuple[Any, ...]:
    """Return a shape as Python ints; traced ints where a length is unknown."""
    dims = tensor.spec.dims
    if dims is None:
        raise refuse("an array has an unknown number of dimensions.", "Reshape it before.")
    if None not in dims:
        return known_dims(dims)
    lengths = shape_of(tensor, np.int64)
    return tuple(
        python_number(getitem(lengths, axis)) if dim is None else dim
        for axis, dim in enumerate(dims)
    )

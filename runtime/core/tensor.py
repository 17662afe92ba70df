"""The base class of tensors, and eager tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Self

import numpy as np

from runtime.core.aliases import DTypeLike
from runtime.core.dtypes import DType
from runtime.core.errors import ResourceExhaustedError
from runtime.core.shapes import TensorShape, format_dims, shape_of
from runtime.core.spec import TensorSpec, spec_of_array

TensorLike = Any
"""Arguments of `convert_to_tensor`: tensors, Python values, arrays, variables, nested lists."""

CPU_NAME = "/job:localhost/replica:0/task:0/device:CPU:0"
"""The full name of the default device."""

Operator = Callable[..., Any]
"""A method that `runtime.operators` defines, as an operation."""


class Staged:
    """A value on which converted code stages control flow; `runtime.staging` is how."""

    __slots__ = ()


class Operators(Staged):
    """Python's operators; `runtime.operators` defines each as an operation."""

    __slots__ = ()

    __array_priority__ = 100

    __add__: Operator
    __radd__: Operator
    __sub__: Operator
    __rsub__: Operator
    __mul__: Operator
    __rmul__: Operator
    __truediv__: Operator
    __rtruediv__: Operator
    __floordiv__: Operator
    __rfloordiv__: Operator
    __mod__: Operator
    __rmod__: Operator
    __pow__: Operator
    __rpow__: Operator
    __matmul__: Operator
    __rmatmul__: Operator
    __and__: Operator
    __rand__: Operator
    __or__: Operator
    __ror__: Operator
    __xor__: Operator
    __rxor__: Operator
    __lshift__: Operator
    __rlshift__: Operator
    __rshift__: Operator
    __rrshift__: Operator
    __divmod__: Operator
    __rdivmod__: Operator
    __neg__: Operator
    __pos__: Operator
    __abs__: Operator
    __invert__: Operator
    __lt__: Operator
    __le__: Operator
    __gt__: Operator
    __ge__: Operator
    __eq__: Operator
    __ne__: Operator
    __getitem__: Operator

    def __hash__(self) -> int:
        """Raise: `==` compares elements, so no hash can agree with it."""
        kind = "Tensor" if isinstance(self, Tensor) else type(self).__name__
        raise TypeError(
            f"{kind} is unhashable. Instead, use {kind.lower()}.ref() as the key. "
            "`==` compares it element by element, so no hash could agree with it. "
            "Keep keys that a function computes in a list: `key in keys`, `keys.index(key)`."
        )


class Reference:
    """A hashable reference to a tensor or variable; equal only for the same object."""

    __slots__ = ("_held",)

    def __init__(self, held: object) -> None:
        self._held = held

    def deref(self) -> Any:
        """Return the object."""
        return self._held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._held is other._held

    def __hash__(self) -> int:
        return id(self._held)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._held!r}>"


class Tensor(Operators):
    """An array of elements of one dtype; see `EagerTensor` and `SymbolicTensor`.

    >>> import runtime as tf
    >>> isinstance(tf.constant(1), Tensor)
    True
    """

    __slots__ = ("__weakref__", "assign")

    assign: Callable[..., Any]
    """Replaces elements of a variable; only slices of variables have it."""

    @property
    def spec(self) -> TensorSpec:
        """Dtype and shape."""
        raise NotImplementedError

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.spec.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return shape_of(self.spec.dims)

    def get_shape(self) -> TensorShape:
        """Return the static shape, as `shape` does."""
        return self.shape

    def left_over(self) -> Exception:
        """Return the error for a tensor that is used where it has no value."""
        raise NotImplementedError

    def ref(self) -> Reference:
        """Return a hashable reference to this tensor."""
        return Reference(self)

    def __copy__(self) -> Self:
        """Return the tensor itself: tensors are immutable."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """Return the tensor itself: tensors are immutable."""
        return self


class _OfGraph:
    """An attribute that only tensors of graphs have. (`__getattr__` would slow down all others.)"""

    __slots__ = ("_name",)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        raise AttributeError(
            f"Tensor.{self._name} is undefined when eager execution is enabled: a tensor with a "
            "value belongs to no graph."
        )


class EagerTensor(Tensor):
    """A tensor with a value.

    >>> import runtime as tf
    >>> tf.constant([1.0, 2.0])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    >>> print(tf.constant(3.0))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """

    __slots__ = ("_a", "_known")

    _a: Any
    _known: TensorSpec | None

    op = _OfGraph()
    graph = _OfGraph()
    name = _OfGraph()
    consumers = _OfGraph()
    value_index = _OfGraph()

    def __init__(self, array: object, spec: TensorSpec | None = None) -> None:
        """Wrap an array, which must not change afterwards."""
        self._a = array
        self._known = spec

    @property
    def spec(self) -> TensorSpec:
        """Dtype and shape, computed on first use."""
        known = self._known
        if known is None:
            known = self._known = spec_of_array(self._a)
        return known

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return (self._known or self.spec).dtype

    @property
    def array(self) -> Any:
        """The NumPy array or scalar itself, not a copy; do not change it."""
        return self._a

    @property
    def ndim(self) -> int:
        """The rank."""
        return int(self._a.ndim)

    @property
    def device(self) -> str:
        """The full name of the device that holds the value."""
        return CPU_NAME

    def cpu(self) -> EagerTensor:
        """Return the tensor on the CPU."""
        return self

    gpu: Operator

    def numpy(self) -> Any:
        """Return a copy of the value: a NumPy array, or a scalar for rank 0."""
        return copied(self._a)

    def set_shape(self, shape: object) -> None:
        """Check the shape. Raises ValueError if the tensor has another one."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape "
                f"{TensorShape(shape)}."
            )

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Any:
        """Return the value for NumPy: a read-only view, or a copy if requested."""
        if copy or (dtype is not None and np.dtype(dtype) != self._a.dtype):
            return np.array(self._a, dtype=dtype)
        view = np.asarray(self._a).view()
        view.flags.writeable = False
        return view

    def __dlpack__(self, **options: Any) -> Any:
        """Return a copy for other array libraries, which may write into it."""
        return np.array(self._a).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return np.asarray(self._a).__dlpack_device__()

    def __buffer__(self, flags: int) -> memoryview:
        """Return the value as a read-only buffer (Python 3.12 and later)."""
        return memoryview(self.__array__()).toreadonly()

    def __bool__(self) -> bool:
        """Return the truth of the only element; False for an empty tensor.

        Raises: ValueError if there are several elements.
        """
        value = self._a
        if value.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous: the tensor "
                f"is {self.spec}. Use runtime.reduce_any(x) or runtime.reduce_all(x)."
            )
        return bool(value) if value.size else False

    def __int__(self) -> int:
        return int(self._scalar("int"))

    def __float__(self) -> float:
        return float(self._scalar("float"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex"))

    def _scalar(self, wanted: str) -> Any:
        if self._a.ndim:
            raise TypeError(
                "only 0-dimensional arrays can be converted to Python scalars: "
                f"{wanted}() of {self.spec}"
            )
        return self._a.item()

    def __index__(self) -> int:
        """Return the value of an integer scalar. Raises TypeError for other tensors."""
        if not self.dtype.is_integer or self._a.ndim:
            raise TypeError(
                f"only integer scalar arrays can be converted to a scalar index, not {self.spec}"
            )
        return int(self._a)

    def __round__(self, ndigits: int | None = None) -> Any:
        """Round the value of a scalar like a Python number."""
        return round(self._scalar("round"), ndigits)

    def __len__(self) -> int:
        """Return the first dimension. Raises TypeError for a scalar."""
        if not self._a.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return int(self._a.shape[0])

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows. Raises TypeError for a scalar."""
        if not self._a.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[row] for row in range(len(self)))

    def __contains__(self, item: object) -> bool:
        """Return whether a row equals `item`. Raises ValueError if rows have several elements."""
        if self._a.ndim == 1:
            return bool(np.any(np.asarray(self == item)))
        return any(row is item or bool(row == item) for row in self)

    def __format__(self, spec: str) -> str:
        """Format the value like a Python number or a NumPy array."""
        value = self._a
        is_float = not value.ndim and self.dtype.is_floating
        return format(python_scalar(value) if is_float else self.numpy(), spec)

    def __str__(self) -> str:
        value = _text(self._a)
        separator = "\n" if "\n" in value else ""
        return f"tf.Tensor({separator}{value}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        value = repr(self._a) if np.ndim(self._a) else exact_text(self._a)
        separator = "\n" if "\n" in value else ""
        dims = format_dims(self.spec.dims)
        return f"<tf.Tensor: shape={dims}, dtype={self.dtype.name}, numpy={separator}{value}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return EagerTensor, (np.asarray(self._a),)

    def __setitem__(self, key: object, value: object) -> NoReturn:
        """Raise: tensors are immutable."""
        raise TypeError(
            "tensors cannot be changed in place; in code that is converted `x[i] = v` makes a new "
            "tensor, elsewhere use runtime.tensor_scatter_nd_update"
        )


def is_tensor(x: object) -> bool:
    """Return whether a value is a tensor or a variable.

    Args:
      x: any value.

    >>> is_tensor(1)
    False
    """
    return isinstance(x, Operators)


def is_operand(value: object) -> bool:
    """Return whether a value is a tensor, or of a class that converts itself to one."""
    return isinstance(value, Tensor) or hasattr(type(value), "__tf_tensor__")


def python_scalar(value: object) -> Any:
    """Return the Python value with the same digits as an element of an array.

    >>> python_scalar(np.float32(0.1)), python_scalar(np.bool_(True))
    (0.1, True)
    """
    element = value[()] if isinstance(value, np.ndarray) else value
    if isinstance(element, bytes):
        return element.decode(errors="surrogateescape")
    if isinstance(element, np.floating):
        return float(str(element))
    return element.item() if isinstance(element, np.generic) else element


def exact_text(scalar: object) -> str:
    """Return a scalar with all digits, as Python shows it."""
    return repr(scalar.item()) if isinstance(scalar, (np.ndarray, np.generic)) else str(scalar)


def _text(array: object) -> str:
    if isinstance(array, np.ndarray) and array.dtype == object and not array.ndim:
        return str(array[()])
    return str(array)


def copied(value: object) -> Any:
    """Return the value of a tensor for the user: a copy, or a scalar.

    Raises: ResourceExhaustedError if there is no memory for the copy.
    """
    if not isinstance(value, np.ndarray):
        return value
    try:
        return value.copy() if value.ndim else value[()]
    except MemoryError as error:
        raise ResourceExhaustedError.of(str(error)) from error

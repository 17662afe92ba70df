"""NumPy arrays outside a function that a graph reads by reference.

While a function is traced, large arrays that it reaches are replaced by views that notice what
happens to them. A view that an operation takes becomes an input of the graph, which has at each
call what the array holds then; only its dtype and shape are compared. Python code that looks at
elements would freeze them, and comparing them at each call would cost time by their number, so
that is an error at its line. Small arrays are compared instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograph.reach.places import Place
from autograph.reach.walk import Reach
from runtime.core.dtypes import DType
from runtime.core.errors import StagingError
from runtime.core.tensor import EagerTensor, Tensor
from runtime.functions.snapshots import Snapshot
from runtime.ops.base.convert import convert_to_tensor

COMPARED_BYTES = 1 << 14
"""Largest array whose elements are compared at each call; that takes about 7 us."""

_HARMLESS = {"shape", "dtype", "ndim", "size", "nbytes", "itemsize", "strides", "flags"}
_READING = frozenset(
    {name for name in dir(np.ndarray) if not name.startswith("_")} - _HARMLESS
    | {"__array__", "__array_interface__", "__array_struct__", "__copy__", "__deepcopy__"}
)
"""Attributes of an array that depend on its elements."""


class ReferredArray(EagerTensor):
    """A captured array that may be another one, of the same dtype and shape, at the next call."""

    __slots__ = ("place",)

    def __init__(self, array: Any, place: Place) -> None:
        """Shares the memory of the array that a place holds."""
        super().__init__(array)
        self.place = place


class ArraySpec(Snapshot):
    """Dtype and shape of an array whose elements do not count."""

    __slots__ = ("_dtype", "_shape")

    def __init__(self, array: Any) -> None:
        """Keeps dtype and shape."""
        self._dtype = array.dtype
        self._shape = array.shape

    def matches(self, value: Any) -> bool:
        """Whether a value is an array of this dtype and shape."""
        return (
            type(value) is np.ndarray and value.dtype == self._dtype and value.shape == self._shape
        )

    def __str__(self) -> str:
        """Return dtype and shape."""
        return f"an array of {self._dtype} of shape {self._shape}"


class _Watch:
    """What is known of one array while a function is traced.

    Attributes:
      array: the array.
      places: where the program holds it.
      tensor: the tensor by which the graph reads it; None: no operation took it.
      is_active: whether the function is still being traced.
    """

    def __init__(self, array: Any, places: list[Place]) -> None:
        self.array = array
        self.places = places
        self.tensor: ReferredArray | None = None
        self.is_active = True

    def view(self) -> WatchedArray:
        view = self.array.view(WatchedArray)
        view.flags.writeable = False
        view.__dict__["watch"] = self
        return view  # type: ignore[no-any-return]

    def refuse(self, what: str) -> None:
        if self.is_active:
            raise StagingError(
                f"Python code {what} `{self.places[0].label}`, an array outside the function of "
                f"{self.array.nbytes} bytes, while the function is traced: the graph would keep "
                "the values of now.",
                remedy="Give the array to operations as a whole, pass it as an argument, or make "
                "it a runtime.constant outside the function if it never changes.",
                public=ValueError,
            )


class WatchedArray(np.ndarray[Any, Any]):
    """A view of an array that notices when its elements are looked at."""

    def __getattribute__(self, name: str) -> Any:
        if name in _READING:
            _check(self, "reads elements of")
        return super().__getattribute__(name)

    def __tf_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """The tensor by which a graph reads the array."""
        watch = _watch_of(self)
        if watch is None:
            return convert_to_tensor(np.asarray(self), dtype, name=name)
        if watch.tensor is None:
            watch.tensor = ReferredArray(watch.array, watch.places[0])
        return convert_to_tensor(watch.tensor, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Computes with elements, unless a tensor takes part."""
        if any(isinstance(each, Tensor) for each in inputs):
            return NotImplemented
        for each in inputs:
            _check(each, "computes with")
        plain = [np.asarray(each) if isinstance(each, WatchedArray) else each for each in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Computes with elements."""
        _check(self, "computes with")
        return super().__array_function__(func, types, args, kwargs)


def _looking(name: str, what: str) -> Callable[..., Any]:
    original = getattr(np.ndarray, name)

    def method(self: Any, *args: Any) -> Any:
        _check(self, what)
        return original(np.asarray(self), *args)

    method.__name__ = method.__qualname__ = name
    return method


for _name in ("__getitem__", "__iter__", "__bool__", "__float__", "__int__", "__index__",
              "__contains__", "__complex__", "__repr__", "__str__", "__format__"):  # fmt: skip
    setattr(WatchedArray, _name, _looking(_name, "reads elements of"))
for _name in ("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__"):
    setattr(WatchedArray, _name, _looking(_name, "changes"))


def _watch_of(value: Any) -> _Watch | None:
    watch = np.ndarray.__getattribute__(value, "__dict__").get("watch")
    return watch if watch is not None and watch.is_active else None


def _check(value: Any, what: str) -> None:
    watch = _watch_of(value) if isinstance(value, WatchedArray) else None
    if watch is not None:
        watch.refuse(what)


def elements_of(value: Any) -> None:
    """Refuses to take the elements of a watched array into a constant."""
    _check(value, "reads elements of")


class WatchedArrays:
    """The large arrays that a function reaches, replaced by views while it is traced.

    Args:
      reach: what the function reaches.
    """

    def __init__(self, reach: Reach) -> None:
        """Replaces the arrays."""
        large = [
            each
            for each in reach.objects()
            if type(each) is np.ndarray
            and each.nbytes > COMPARED_BYTES
            and each.dtype.kind in "biufc"
        ]
        self._watches = [
            _Watch(array, places) for array in large if (places := reach.holders(array))
        ]
        for watch in self._watches:
            view = watch.view()
            for place in watch.places:
                place.write(view)

    def put_back(self) -> None:
        """Has the places hold the arrays again."""
        for watch in self._watches:
            for place in watch.places:
                if isinstance(place.read(), WatchedArray):
                    place.write(watch.array)
            watch.is_active = False

    def taken(self) -> Iterable[Any]:
        """The arrays that the graph reads."""
        return [watch.array for watch in self._watches if watch.tensor is not None]

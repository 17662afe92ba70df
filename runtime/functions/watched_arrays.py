"""NumPy arrays outside a function that a graph reads by reference.

During a trace, views replace the large arrays that a function reaches. A view that becomes an
operand turns into a graph input, which reads the current contents at each call; guards compare only
dtype and shape. Python code that reads elements would freeze them, and comparing all elements at
each call takes too long, so this is an error at its line. Small arrays are compared by contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from autograph.reach.places import Place
from autograph.reach.walk import Reach
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.core.errors import StagingError
from runtime.core.tensor import EagerTensor, Tensor
from runtime.functions.snapshots import Snapshot
from runtime.ops.base.convert import convert_to_tensor

COMPARED_BYTES = 1 << 14
"""Largest array whose elements are compared at each call (about 7 us, measured)."""

_HARMLESS = {"shape", "dtype", "ndim", "size", "nbytes", "itemsize", "strides", "flags"}
_READING = frozenset(
    {name for name in dir(np.ndarray) if not name.startswith("_")} - _HARMLESS
    | {"__array__", "__array_interface__", "__array_struct__", "__copy__", "__deepcopy__"}
)
"""Attributes of an array that depend on its elements."""


class ReferredArray(EagerTensor):
    """A captured array that may be another one, of the same dtype and shape, at the next call."""

    __slots__ = ("place",)

    def __init__(self, array: Array, place: Place) -> None:
        """Share the memory of the array in a place."""
        super().__init__(array)
        self.place = place


class ArraySpec(Snapshot):
    """Dtype and shape of an array whose elements do not matter."""

    __slots__ = ("_dtype", "_shape")

    def __init__(self, array: Array) -> None:
        self._dtype = array.dtype
        self._shape = array.shape

    def matches(self, value: object) -> bool:
        """Return whether a value is an array of this dtype and shape."""
        return (
            type(value) is np.ndarray and value.dtype == self._dtype and value.shape == self._shape
        )

    def __str__(self) -> str:
        return f"an array of {self._dtype} of shape {self._shape}"


class Watch:
    """The state of one array during a trace.

    Attributes:
      array: the array.
      places: the places of the program that hold it.
      tensor: the tensor through which the graph reads it; None if no operation uses it.
      traced: what the places hold instead during the trace; None: a view.
      is_active: whether the trace is running.
    """

    def __init__(self, array: Array, places: list[Place]) -> None:
        self.array = array
        self.places = places
        self.tensor: ReferredArray | None = None
        self.traced: Any = None
        self.is_active = True

    def read(self) -> Tensor:
        """Return the tensor through which the graph reads the array."""
        if self.tensor is None:
            self.tensor = ReferredArray(self.array, self.places[0])
        return self.tensor

    def hold(self, traced: object) -> None:
        """Store a traced array in the places until the end of the trace."""
        self.traced = traced
        for place in self.places:
            place.write(traced)

    def is_held_by(self, place: Place) -> bool:
        """Return whether a place holds the view of the array, or the traced array."""
        held = place.read()
        return held is self.traced if self.traced is not None else isinstance(held, WatchedArray)

    def view(self) -> WatchedArray:
        """Return what the places hold as long as the array is not traced."""
        view = self.array.view(WatchedArray)
        view.flags.writeable = False
        view.__dict__["watch"] = self
        return view  # type: ignore[no-any-return]

    def refuse(self, what: str) -> None:
        """Raise StagingError: Python code reads elements of the array."""
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
    """A view of an array that detects reads of its elements."""

    def __getattribute__(self, name: str) -> Any:
        if name in _READING:
            _check(self, "reads elements of")
        return super().__getattribute__(name)

    def __tf_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """Return the tensor through which the graph reads the array."""
        watch = _watch_of(self)
        if watch is None:
            return convert_to_tensor(np.asarray(self), dtype, name=name)
        return convert_to_tensor(watch.read(), dtype)

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kwargs: object) -> Any:
        """Refuse to compute with elements, unless an operand is a tensor."""
        if any(isinstance(each, Tensor) for each in inputs):
            return NotImplemented
        for each in inputs:
            _check(each, "computes with")
        plain = [np.asarray(each) if isinstance(each, WatchedArray) else each for each in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def __array_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: Iterable[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Refuse to compute with elements."""
        _check(self, "computes with")
        return super().__array_function__(func, types, args, kwargs)


def _looking(name: str, what: str) -> Callable[..., Any]:
    original = getattr(np.ndarray, name)

    def method(self: object, *args: object) -> Any:
        _check(self, what)
        return original(np.asarray(self), *args)

    method.__name__ = method.__qualname__ = name
    return method


for _name in ("__getitem__", "__iter__", "__bool__", "__float__", "__int__", "__index__",
              "__contains__", "__complex__", "__repr__", "__str__", "__format__"):  # fmt: skip
    setattr(WatchedArray, _name, _looking(_name, "reads elements of"))
for _name in ("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__"):
    setattr(WatchedArray, _name, _looking(_name, "changes"))


def _watch_of(value: object) -> Watch | None:
    watch = np.ndarray.__getattribute__(value, "__dict__").get("watch")
    return watch if watch is not None and watch.is_active else None


def _check(value: object, what: str) -> None:
    watch = _watch_of(value) if isinstance(value, WatchedArray) else None
    if watch is not None:
        watch.refuse(what)


def elements_of(value: object) -> None:
    """Refuse to embed the elements of a watched array as a constant."""
    _check(value, "reads elements of")


class WatchedArrays:
    """The large arrays that a function reaches, replaced by views during its trace.

    Attributes:
      reach: what the function reaches, before its trace.
    """

    def __init__(self, reach: Reach) -> None:
        """Replace the arrays."""
        self.reach = reach
        large = [
            each
            for each in reach.objects()
            if type(each) is np.ndarray
            and each.nbytes > COMPARED_BYTES
            and each.dtype.kind in "biufc"
        ]
        self._watches = [
            Watch(array, places) for array in large if (places := reach.holders(array))
        ]
        for watch in self._watches:
            view = watch.view()
            for place in watch.places:
                place.write(view)

    def of(self, places: Iterable[Place]) -> list[Watch]:
        """Return the watches of the arrays in places, and of those that share memory with them."""
        wanted = {place.identity for place in places}
        known = {id(watch.array): watch for watch in self._watches}
        arrays = [each for each in self.reach.objects() if type(each) is np.ndarray]
        holders = {id(each): self.reach.holders(each) for each in arrays}
        asked = [
            each for each in arrays if any(place.identity in wanted for place in holders[id(each)])
        ]
        found = []
        for each in arrays:
            if holders[id(each)] and any(np.may_share_memory(each, other) for other in asked):
                watch = known.get(id(each)) or Watch(each, holders[id(each)])
                found.append(watch)
        self._watches += [watch for watch in found if id(watch.array) not in known]
        return found

    def put_back(self) -> None:
        """Restore the arrays."""
        for watch in self._watches:
            for place in watch.places:
                if watch.is_held_by(place):
                    place.write(watch.array)
            watch.is_active = False

    def stands_for(self, array: object, value: object) -> bool:
        """Return whether a value is what places hold instead of an array during the trace."""
        for watch in self._watches:
            if watch.array is array:
                return value is watch.traced or getattr(value, "watch", None) is watch
        return False

    def changed(self) -> list[Place]:
        """Return the places of the arrays that the program may change."""
        watches = [watch for watch in self._watches if watch.traced is not None]
        return [place for watch in watches for place in watch.places]

    def places_of(self, values: Iterable[Any]) -> list[Place]:
        """Return the places of the arrays among values."""
        originals = {id(place.read()): w.array for w in self._watches for place in w.places}
        arrays = [originals.get(id(each), each) for each in values]
        return [
            place
            for array in arrays
            if isinstance(array, np.ndarray)
            for place in self.reach.holders(array)
        ]

    def taken(self) -> Iterable[Any]:
        """Return the arrays that the graph reads."""
        return [watch.array for watch in self._watches if watch.tensor is not None]

"""What converted code does with tensors: the library behind `Tensor.__autograph_staging__`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from autograph.staging import call_watchers, hidden_state, register
from runtime.control_flow import items
from runtime.control_flow.chosen import Chosen
from runtime.control_flow.cond import staged_cond
from runtime.control_flow.for_loop import staged_for
from runtime.control_flow.growing import GrowingList
from runtime.control_flow.iterables import (
    Enumerate,
    Map,
    Range,
    Reversed,
    StagedIterable,
    Zip,
    as_iterable,
)
from runtime.control_flow.partial_dicts import PartialDict
from runtime.control_flow.recursion import call
from runtime.control_flow.texts import text
from runtime.control_flow.tracing import inner_graph
from runtime.control_flow.truth import truth
from runtime.control_flow.undefined import PossiblyUndefined
from runtime.control_flow.while_loop import staged_while
from runtime.core import dtypes
from runtime.core.dispatch import execute
from runtime.core.errors import StagingError
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops import arithmetic, elementwise, output, reduction, sorting, texts
from runtime.ops.casting import cast
from runtime.ops.comparison import equal, logical_or
from runtime.ops.convert import constant_of, convert_to_tensor, weakened
from runtime.ops.dimensions import shape, size
from runtime.ops.indexing import getitem, with_item
from runtime.ops.string_joining import reduce_join
from runtime.ops.structural import CAST
from runtime.state.variable import Variable

Outputs = tuple[Any, ...]


_CALL = "call it in runtime.py_function"
_REMEDIES = {
    "time": f"Use runtime.timestamp(), pass the time as an argument, or {_CALL}.",
    "random": f"Use runtime.random, pass the number as an argument, or {_CALL}.",
    "files": f"Use runtime.io, pass the content as an argument, or {_CALL}.",
    "system": f"Pass the value as an argument, or {_CALL}.",
    "object": f"Do it after the statement, or {_CALL}.",
}
"""What programs do instead of calls that a trace cannot record."""


class TensorStaging:
    """The staging library of this runtime; see `autograph.staging.StagingLibrary`."""

    name = "runtime"

    remedies = _REMEDIES

    def stages(self, value: Any) -> bool:
        """Whether control flow on `value` becomes an operation: while a graph is recorded."""
        return STATE.graph is not None or isinstance(value, SymbolicTensor)

    def cond(
        self,
        test: Any,
        if_fn: Callable[[], Outputs],
        else_fn: Callable[[], Outputs],
        names: tuple[str, ...],
    ) -> Outputs:
        """The outputs of one of two branches."""
        return staged_cond(test, if_fn, else_fn, names)

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., Outputs],
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """The state after a loop."""
        return staged_while(test_fn, body_fn, init, names, options)

    def for_loop(
        self,
        iterable: Any,
        body_fn: Callable[..., Outputs],
        extra_test: Callable[..., Any] | None,
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """The state after a loop over items."""
        return staged_for(iterable, body_fn, extra_test, init, names, options)

    def and_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a and b()`; `b` runs only if `a` is true."""
        return staged_cond(a, lambda: (b(),), lambda: (a,), ("the result of `and`",))[0]

    def or_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a or b()`; `b` runs only if `a` is false."""
        return staged_cond(a, lambda: (a,), lambda: (b(),), ("the result of `or`",))[0]

    def not_(self, a: Any) -> Any:
        """`not a`."""
        return elementwise.logical_not(truth(a))

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""
        if isinstance(container, dict):
            return items.has_key(container, item)
        if texts.is_text(container) or type(container) is str:
            return texts.contains(convert_to_tensor(container), item)
        if isinstance(container, GrowingList):
            return reduction.reduce_any(container.matches(item))
        if isinstance(container, PartialDict):
            return container.holds(item)
        if isinstance(container, Tensor) or hasattr(type(container), "__tf_tensor__"):
            return reduction.reduce_any(equal(container, item))
        found = constant_of(np.array(False))
        for member in container:
            same = equal(item, member)
            found = logical_or(found, reduction.reduce_all(same))
        return found

    def assert_(self, test: Any, message: Callable[[], Any]) -> None:
        """A check when the graph runs; its error shows the message, which is made if it fails."""
        held = truth(test)
        if _records_nothing(message):
            output.Assert(held, _data_of(message()))
            return

        def fail() -> Outputs:
            try:
                output.Assert(False, _data_of(message()))
            except Exception as error:
                self.raise_here(error)
            return ()

        staged_cond(held, tuple, fail, (), name="assert")

    def raise_when(self, condition: Any, error: BaseException) -> None:
        """Raises, when the graph runs and `condition` holds, what a branch would have raised."""
        output.raise_when(truth(condition), error)

    def raise_here(self, error: BaseException) -> None:
        """Raises an exception when the graph runs."""
        output.raise_when(True, error)

    def text(self, value: Any, conversion: str, spec: Any) -> Tensor:
        """The text that Python makes of a value."""
        return text(value, conversion, spec)

    def join_text(self, parts: Sequence[Any]) -> Tensor:
        """Texts one after the other."""
        return texts.joined(parts)

    def print_text(self, text: Any, stream: str) -> None:
        """Writes a text at each run."""
        output.print_text(text, stream)

    def texts_shown(self) -> int:
        """How many texts this thread has shown in place of values."""
        return STATE.texts_shown

    def builtin(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The built-in function on tensors; NotImplemented for Python's own."""
        function = _BUILTINS.get(name)
        return NotImplemented if function is None else function(*args, **kwargs)

    def get_item(self, target: Any, index: Any, *default: Any) -> Any:
        """`target[index]` of a Python list, dict, ...; NotImplemented for other objects."""
        return items.get_item(target, index, *default)

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """What `target` becomes by `target[index] = value`; a variable is assigned."""
        if not _is_tensor(target) and not isinstance(target, (GrowingList, PartialDict, Chosen)):
            return items.set_item(target, index, value)
        if isinstance(target, (GrowingList, PartialDict, Chosen)):
            target[index] = value
            return target
        if isinstance(target, Variable):
            return target.assign(with_item(target, index, value))
        return with_item(target, index, value)


def _records_nothing(message: Callable[[], Any]) -> bool:
    """Whether a message is there without an operation that only a failed check needs."""
    try:
        with inner_graph("message") as graph:
            message()
    except Exception:
        return False
    return all(op.type in ("Const", "Placeholder") for op in graph.operations)


def _data_of(content: Any) -> list[Any]:
    return list(map(_shown, content if isinstance(content, (list, tuple)) else [content]))


def _shown(value: Any) -> Any:
    known = isinstance(value, (Tensor, bool, int, float, str, bytes))
    return value if known or hasattr(type(value), "__tf_tensor__") else repr(value)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or hasattr(type(value), "__tf_tensor__")


def _length(value: Any) -> Any:
    if isinstance(value, (GrowingList, PartialDict)):
        return value.size()
    if isinstance(value, StagedIterable):
        return value.length()
    tensor = convert_to_tensor(value)
    dims = tensor.spec.dims
    if texts.is_text(tensor):
        return texts.count_characters(tensor)
    if dims == ():
        raise TypeError("a scalar tensor has no len()")
    if dims is not None and dims[0] is not None:
        return dims[0]
    return weakened(getitem(shape(tensor), 0))


def _int(value: Any = 0) -> Any:
    if texts.is_text(value):
        return texts.number_in(value, dtypes.int32)
    return _number(value, _int_dtype(value))


def _number(value: TensorLike, dtype: dtypes.DType) -> Tensor:
    """A tensor of its own that stands for the Python number."""
    return execute(CAST, (convert_to_tensor(value),), {"dtype": dtype}, weak=True)[0]


def _int_dtype(value: TensorLike) -> dtypes.DType:
    """The dtype for the integers that come from numbers of that size."""
    return dtypes.int32 if convert_to_tensor(value).dtype.size <= 4 else dtypes.int64


def _float(value: Any = 0.0) -> Any:
    if texts.is_text(value):
        return texts.number_in(value, dtypes.float64)
    return _number(value, dtypes.float64)


def _join(separator: str, items: Any) -> Any:
    """`separator.join(items)` for a text, or a list of texts that grew."""
    if texts.is_text(items):
        items = texts.characters(items)
    whole = items.stack() if isinstance(items, GrowingList) else convert_to_tensor(items)
    if whole.dtype is not dtypes.string or whole.shape.rank not in (1, None):
        return NotImplemented
    return weakened(reduce_join(whole, separator=separator))


def _range(*bounds: TensorLike) -> Range:
    return Range.of_python(0, *bounds) if len(bounds) == 1 else Range.of_python(*bounds)


def _enumerate(iterable: Any, start: TensorLike = 0) -> Enumerate:
    return Enumerate(as_iterable(iterable), start)


def _zip(*iterables: Any, strict: bool = False) -> Any:
    return NotImplemented if strict else Zip(*map(as_iterable, iterables))


def _map(function: Callable[..., Any], *iterables: Any) -> Map:
    return Map(function, *map(as_iterable, iterables))


def _reversed(iterable: Any) -> Reversed:
    return Reversed(as_iterable(iterable))


def _flat(name: str, value: Any) -> Any:
    """The elements over which a built-in function goes; NotImplemented if they are not ours.

    Raises: StagingError if they are rows, which Python could not compare either.
    """
    whole = value.stack() if isinstance(value, GrowingList) else value
    if not _is_tensor(whole):
        return NotImplemented
    tensor = convert_to_tensor(whole)
    if tensor.shape.rank not in (1, None):
        raise StagingError(
            f"{name}() goes over the elements of a tensor of one dimension, not of {tensor.spec}. "
            "Use runtime.reduce_max, reduce_min, reduce_any or reduce_all with an axis.",
            public=ValueError,
        )
    return tensor


def _extreme(
    name: str, reduce: Callable[..., Tensor], choose: Callable[..., Tensor]
) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            return NotImplemented
        if len(args) == 1:
            elements = _flat(name, args[0])
            return elements if elements is NotImplemented else _reduced(name, reduce, elements)
        result = args[0]
        for value in args[1:]:
            result = choose(result, value)
        return result

    return function


def _reduced(name: str, reduce: Callable[..., Tensor], elements: Tensor) -> Tensor:
    dims = elements.spec.dims
    if dims is None or not dims[0]:
        empty = equal(size(elements), 0)
        output.raise_when(empty, ValueError(f"{name}() arg is an empty sequence"))
    return reduce(elements)


def _sum(iterable: Any, start: TensorLike = 0) -> Any:
    value = iterable.stack() if isinstance(iterable, GrowingList) else iterable
    if not _is_tensor(value):
        return NotImplemented
    total = reduction.reduce_sum(value, axis=0)
    return total if isinstance(start, int) and start == 0 else arithmetic.add(total, start)


def _quantified(name: str, reduce: Callable[..., Tensor]) -> Callable[[Any], Any]:
    def function(iterable: Any) -> Any:
        elements = _flat(name, iterable)
        return elements if elements is NotImplemented else reduce(cast(elements, dtypes.bool))

    return function


def _sorted(iterable: Any, *, key: Any = None, reverse: bool = False) -> Any:
    value = _flat("sorted", iterable)
    if key is not None or value is NotImplemented:
        return NotImplemented
    return sorting.sort(value, axis=0, direction="DESCENDING" if reverse else "ASCENDING")


def _round(number: Any, ndigits: int | None = None) -> Any:
    return (
        NotImplemented
        if ndigits is not None
        else _number(elementwise.round(number), _int_dtype(number))
    )


_BUILTINS: dict[str, Callable[..., Any]] = {
    "abs": elementwise.abs,
    "all": _quantified("all", reduction.reduce_all),
    "any": _quantified("any", reduction.reduce_any),
    "bool": truth,
    "enumerate": _enumerate,
    "float": _float,
    "int": _int,
    "join": _join,
    "len": _length,
    "map": _map,
    "max": _extreme("max", reduction.reduce_max, arithmetic.maximum),
    "min": _extreme("min", reduction.reduce_min, arithmetic.minimum),
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "sorted": _sorted,
    "sum": _sum,
    "zip": _zip,
}

LIBRARY = TensorStaging()
"""The staging library of all classes of this runtime."""

_KINDS = (
    Tensor,
    Variable,
    GrowingList,
    PartialDict,
    StagedIterable,
    Chosen,
    PossiblyUndefined,
)
for _kind in _KINDS:
    register(_kind, LIBRARY)


def _watched(function: FunctionType, target: Any) -> Any:
    """Calls in branches and loops are noted: they may turn out to be recursive."""
    graph = STATE.graph
    if graph is None or graph.outer is None:
        return target
    return lambda *args, **kwargs: call(function, target, args, kwargs)


call_watchers.append(_watched)


def _numpy_random() -> Any:
    _, numbers, *position = np.random.get_state(legacy=True)
    return np.asarray(numbers).tobytes(), position


hidden_state["numpy.random"] = _numpy_random

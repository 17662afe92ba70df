"""What converted code asks the values of NumPy programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.staging import CannotRoll, register
from autograph.steps import Steps
from runtime.control_flow.cond import cond_steps, staged_cond
from runtime.control_flow.for_loop import staged_for
from runtime.control_flow.while_loop import staged_while
from runtime.core.graph import Graph
from runtime.core.shapes import element_count
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.numpy_programs.dispatch import function_result
from runtime.numpy_programs.promotion import is_number, known_array
from runtime.numpy_programs.scalars import NumPyTensor
from runtime.numpy_programs.values import Array
from runtime.ops.array.shaping import reshape
from runtime.staging import TensorStaging

Outputs = tuple[Any, ...]


def truth_of(test: Any) -> Any:
    """Return the truth of an array as that of its only element."""
    if not isinstance(test, Array):
        return test
    if element_count(test.dims) != 1:
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or "
            "a.all()"
        )
    return reshape(test.tensor, ())


class ArrayStaging(TensorStaging):
    """The staging library of NumPy programs."""

    name = "NumPy"
    stages_counts = True

    @staticmethod
    def cond(
        pred: Any,
        if_fn: Callable[[], Outputs],
        else_fn: Callable[[], Outputs],
        names: tuple[str, ...],
        name: str = "cond",
    ) -> Outputs:
        """Stage a branch and return the state after it."""
        return staged_cond(truth_of(pred), if_fn, else_fn, names, name)

    @staticmethod
    def cond_steps(
        pred: Any,
        if_steps: Callable[[], Steps[Outputs]],
        else_steps: Callable[[], Steps[Outputs]],
        names: tuple[str, ...],
        name: str = "cond",
    ) -> Steps[Outputs]:
        """Run the steps of `cond`, for branches given as steps."""
        return cond_steps(truth_of(pred), if_steps, else_steps, names, name)

    def while_loop(self, *args: Any) -> Outputs:
        """Stage a loop. Raises CannotRoll for one that reads Python numbers only."""
        return _of_data(lambda: staged_while(*args))

    def for_loop(self, iterable: Any, *args: Any) -> Outputs:
        """Stage a loop over items. Raises CannotRoll as `while_loop`."""
        return _of_data(lambda: staged_for(iterable, *args))

    def and_(self, a: TensorLike, b: Callable[[], Any]) -> Any:
        """Return `a and b()`."""
        return super().and_(truth_of(a), b)

    def or_(self, a: TensorLike, b: Callable[[], Any]) -> Any:
        """Return `a or b()`."""
        return super().or_(truth_of(a), b)

    def not_(self, a: TensorLike) -> Any:
        """Return `not a`."""
        return super().not_(truth_of(a))

    def contains(self, container: Any, item: Any) -> Any:
        """Return `item in container`."""
        if isinstance(container, Array):
            return function_result(np.any, container == item)
        return super().contains(container, item)

    def set_item(self, target: Any, index: Any, value: TensorLike) -> Any:
        """Return `target` after `target[index] = value`; an array stays the same object."""
        if isinstance(target, Array):
            target[index] = value
            return target
        return super().set_item(target, index, value)

    def get_item(self, target: Any, index: Any) -> Any:
        """Return `target[index]` of a Python object, or of an array that is not traced."""
        if isinstance(target, np.ndarray):
            return function_result(np.asarray, target)[index]
        return super().get_item(target, index)

    def builtin(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a built-in function on traced values."""
        if name == "len" and isinstance(args[0], Array):
            return args[0].shape[0]
        if name == "abs" and not is_number(args[0]):
            return abs(args[0])
        if name == "sum" and isinstance(args[0], Array) and args[0].ndim == 1 and len(args) == 1:
            return _sum_of_items(args[0])
        if name in ("max", "min") and len(args) == 1 and isinstance(args[0], Array):
            if args[0].ndim != 1:
                raise ValueError("The truth value of an array is ambiguous. Use a.any() or a.all()")
            return super().builtin(name, args[0].tensor, **kwargs)
        if name == "sorted" and isinstance(args[0], Array):
            raise args[0].refusal("is sorted into a list", "Write np.sort(array).")
        return super().builtin(name, *args, **kwargs)


def _sum_of_items(array: Array) -> Any:
    """Add the items one after the other, as Python's `sum` does."""
    return function_result(np.cumsum, array)[-1] if array.shape[0] else 0


def _of_data(stage: Callable[[], Outputs]) -> Outputs:
    """Stage a loop, unless all that it reads are Python numbers known while tracing."""
    graph: Graph = STATE.graph
    count = len(graph.operations)
    found = stage()
    loops = [op for op in graph.operations[count:] if op.subgraphs()]
    if loops and all(map(_is_known_scalar, loops[-1].inputs)):
        raise CannotRoll
    return found


def _is_known_scalar(tensor: Tensor) -> bool:
    return tensor.spec.dims == () and known_array(tensor) is not None


LIBRARY = ArrayStaging()
"""The staging library of all classes of this package."""

KINDS = (NumPyTensor, Array)
"""The classes of the values of NumPy programs."""

for _kind in KINDS:
    register(_kind, LIBRARY)

"""Calls of NumPy programs: arguments, results, and the arrays that a program changes.

Converted code asks `ArrayStaging` what their values do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial, reduce
from inspect import signature
from operator import or_
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

import autograph
from autograph import staging
from autograph.operators.results import TAKERS
from autograph.operators.texts import print_values
from autograph.options import Feature, feature_set
from autograph.staging import CannotRoll, is_one_of, register
from autograph.steps import Steps
from runtime.control_flow.cond import cond_steps, staged_cond
from runtime.control_flow.for_loop import staged_for
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.while_loop import staged_while
from runtime.core import dtypes
from runtime.core.context import functions_run_eagerly
from runtime.core.errors import StagingError
from runtime.core.places import name_line, return_place
from runtime.core.shapes import element_count
from runtime.core.structure import children, flatten, map_structure
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE, temporarily
from runtime.functions.conversion import Mode
from runtime.functions.entries import MISS, Entries
from runtime.functions.outside_ops import RUNNING
from runtime.functions.polymorphic import Function
from runtime.functions.trace_type import Instance
from runtime.functions.tracing import changed_argument, contents_of, differs
from runtime.numpy_programs import (
    choices,
    creation,
    joining,
    products,
    recipes,
    reductions,
    selections,
    statistics,
)
from runtime.numpy_programs.array_entries import remember
from runtime.numpy_programs.attempts import Attempt, note_changed
from runtime.numpy_programs.creation import MAKERS, holds_traced
from runtime.numpy_programs.dispatch import Tables, function_result, refuse, ufunc_result
from runtime.numpy_programs.items import AT, Rows, assign, read
from runtime.numpy_programs.outside_state import OutsideArrays, OutsideState
from runtime.numpy_programs.promotion import (
    as_dtype,
    constant,
    is_number,
    known_array,
    python_number,
)
from runtime.numpy_programs.results import outcome
from runtime.numpy_programs.scalars import NumPyTensor
from runtime.numpy_programs.ufuncs import UFUNCS, accumulate, apply_other
from runtime.numpy_programs.values import Array, written
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import cast_to, weakened, weakness
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


_MODULES = (creation, reductions, choices, joining, products, statistics, recipes, selections)

TABLES = Tables(
    ufuncs=UFUNCS,
    other=apply_other,
    accumulate=accumulate,
    functions=reduce(or_, (module.FUNCTIONS for module in _MODULES)),
    read=read,
    assign=assign,
    rows=Rows,
    change=AT,
    write=written,
)
"""The operations of NumPy's functions."""


class ArrayStaging(TensorStaging):
    """The staging library of NumPy programs."""

    name = "NumPy"
    stages_counts = True
    tables = TABLES

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

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., Outputs],
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
        ahead: int = 0,
        runs: bool = False,
    ) -> Outputs:
        """Stage a loop. Raises CannotRoll for one that reads Python numbers only."""
        return staged_while(test_fn, body_fn, init, names, _of_data(options), ahead, runs)

    def for_loop(
        self,
        iterable: Any,
        body_fn: Callable[..., Outputs],
        test_fn: Callable[..., Any] | None,
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """Stage a loop over items. Raises CannotRoll as `while_loop`."""
        return staged_for(iterable, body_fn, test_fn, init, names, _of_data(options))

    def represents_bool(self, value: object) -> bool:
        """Return whether a value is a bool of Python; a truth of NumPy is none.

        Raises: StagingError if only the running program knows.
        """
        weak = super().represents_bool(value) is not False and weakness(value)
        if weak is None:
            raise refuse(
                "a truth is a bool of Python on one way to here, and one of NumPy on another.",
                "Write `bool(x)` for the latter.",
            )
        return bool(weak)

    def and_(self, a: TensorLike, b: Callable[[], Any]) -> Any:
        """Return `a and b()`."""
        return super().and_(truth_of(a), b)

    def or_(self, a: TensorLike, b: Callable[[], Any]) -> Any:
        """Return `a or b()`."""
        return super().or_(truth_of(a), b)

    def not_(self, a: TensorLike) -> Any:
        """Return `not a`."""
        return _python_bool(super().not_(truth_of(a)))

    def contains(self, container: Any, item: Any) -> Any:
        """Return `item in container`."""
        if isinstance(container, Array):
            return _python_bool(function_result(np.any, container == item))
        arrays = [item, *container] if isinstance(container, (list, tuple)) else [item]
        if any(isinstance(each, Array) for each in arrays):
            raise refuse(
                "`in` compares arrays, of which each has many truth values.",
                "Write any(np.array_equal(array, each) for each in items).",
            )
        return _python_bool(super().contains(container, item))

    def set_item(self, target: Any, index: Any, value: TensorLike) -> Any:
        """Return `target` after `target[index] = value`; an array stays the same object."""
        if isinstance(target, Array):
            target[index] = value
            return target
        if isinstance(target, NumPyTensor) and target.spec.dims == ():
            kind = target.__autograph_type__()
            module = f"{kind.__module__}." if kind.__module__ == "numpy" else ""
            raise TypeError(f"'{module}{kind.__name__}' object does not support item assignment")
        if isinstance(target, (np.ndarray, NumPyTensor)):
            note_changed(target)
            raise refuse(
                "an item is assigned to an array that is not traced.",
                "Pass the array as an argument, or make it in the program.",
            )
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
        if name == "divmod" and not all(map(is_number, args)):
            return ufunc_result(np.divmod, *args)
        if name == "round" and _rounds_scalar(*args, **kwargs):
            return function_result(np.round, args[0], *args[1:], *kwargs.values())
        if name in ("int", "round") or name.startswith("math."):
            args = tuple(map(_of_8_bytes, args))
        if name == "sum" and isinstance(args[0], Array) and len(args) == 1:
            if args[0].is_empty:
                return 0
            if args[0].ndim == 1:
                return _sum_of_items(args[0])
        if name == "sum" and isinstance(args[0], GrowingList):
            args = (_counted(args[0]), *args[1:])
        if name in ("max", "min") and len(args) == 1 and isinstance(args[0], Array):
            if args[0].ndim != 1:
                raise ValueError("The truth value of an array is ambiguous. Use a.any() or a.all()")
            return super().builtin(name, args[0].tensor, **kwargs)
        if name == "sorted" and isinstance(args[0], Array):
            raise args[0].refusal("is sorted into a list", "Write np.sort(array).")
        if name in ("max", "min") and (any(map(is_one_of, args)) or _have_no_dtype(args)):
            return NotImplemented  # a comparison chooses one of them
        found = super().builtin(name, *args, **kwargs)
        if name in ("any", "all"):
            return _python_bool(found)
        if name in ("max", "min") and len(args) > 1:
            found = _in_dtype_of_scalars(found, args)
        return _wide(found) if isinstance(found, Tensor) and weakness(found) else found


def _have_no_dtype(numbers: Sequence[Any]) -> bool:
    """Return whether there are an int of NumPy and a float among numbers and scalars."""
    tensors = [each for each in numbers if isinstance(each, Tensor)]
    has_int = any(each.dtype.is_integer and weakness(each) is not True for each in tensors)
    return has_int and (
        float in map(type, numbers) or any(each.dtype.is_floating for each in tensors)
    )


def _python_bool(value: TensorLike) -> Any:
    """Return a truth that Python computed, which is not a scalar of NumPy."""
    return weakened(value) if isinstance(value, Tensor) else value


def _in_dtype_of_scalars(found: Any, args: Sequence[Any]) -> Any:
    """Return one of several ints in the dtype of the scalars of NumPy among them, if it is one.

    Raises OverflowError when the graph runs, for a Python int that does not fit.
    """
    own = {each.dtype for each in args if isinstance(each, Tensor) and not is_number(each)}
    if len(own) != 1 or not isinstance(found, Tensor) or not found.dtype.is_integer:
        return found
    (dtype,) = own
    return found if dtype is found.dtype else as_dtype(weakened(found), dtype.numpy_dtype)


def _rounds_scalar(number: TensorLike, ndigits: object = None) -> bool:
    """Return whether `round` is that of a scalar of NumPy, which scales: 2.675 becomes 2.68."""
    is_scalar = isinstance(number, NumPyTensor) and not is_number(number)
    return is_scalar and isinstance(ndigits, int) and number.dtype is not dtypes.bool


def _of_8_bytes(value: Any) -> Any:
    """Return a narrower scalar as a Python number, so that an int computed from it has 64 bits."""
    if not isinstance(value, NumPyTensor) or value.spec.dims != () or value.dtype.kind not in "iuf":
        return value
    return python_number(value) if value.dtype.size < 8 else value


def _wide(number: Tensor) -> Tensor:
    """Return a number of Python; an int has 64 bits."""
    return python_number(number) if number.dtype is dtypes.int32 else number


def _counted(items: GrowingList) -> Any:
    """Return truth values of NumPy as ints, which Python adds them as; other lists unchanged."""
    column = items.columns[0]
    is_truth = items.node is None and column.spec.dtype is dtypes.bool and not column.weak
    return cast_to(column.rows(), dtypes.int64) if is_truth else items


def _sum_of_items(array: Array) -> Any:
    """Add the items one after the other, as Python's `sum` does."""
    own = None if array.dtype == np.bool_ else array.dtype  # `sum` adds in the dtype of the items
    return function_result(np.cumsum, array, dtype=own)[-1] if array.shape[0] else 0


def _of_data(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a loop that is staged only if it reads data."""
    return {**options, "accept": _require_data}


def _require_data(inputs: Sequence[Tensor]) -> None:
    """Raise CannotRoll if all inputs of a loop are Python numbers known while tracing."""
    if all(map(_is_known_scalar, inputs)):
        raise CannotRoll


def _is_known_scalar(tensor: Tensor) -> bool:
    return tensor.spec.dims == () and known_array(tensor) is not None


LIBRARY = ArrayStaging()
"""The staging library of all classes of this package."""

for _kind in (NumPyTensor, Array):
    register(_kind, LIBRARY)


P = ParamSpec("P")
R = TypeVar("R")

_COPIES = frozenset({"copy", "astype", "flatten", "repeat"})
"""Methods of arrays outside of the program whose result is a new array."""


class NumPyCalls:
    """The versions of NumPy's functions that converted code calls in a traced program."""

    def concern(self, value: object) -> bool:
        """Return whether calls of a value, or of the members of a module, are converted."""
        name = value.__name__ if isinstance(value, ModuleType) else _module_of(value)
        return _is_numpy(name)

    def of(self, function: Any) -> Callable[..., Any] | None:
        """Return the version of a function that prints or makes arrays; None: itself."""
        if function is print:
            return partial(print_values, by=LIBRARY)
        if type(function) is BuiltinFunctionType and isinstance(function.__self__, np.ndarray):
            return _copying(function) if function.__name__ in _COPIES else None
        if _module_of(function).startswith("numpy.random") or _is_generator(function):
            raise refuse(
                f"`np.random.{getattr(function, '__name__', 'Generator')}` is called in a traced "
                "program: every run of the graph would see the numbers of the trace.",
                "Draw the numbers outside, and pass them as an argument.",
            )
        if any(function is each for each in _READERS):
            raise refuse(
                f"`np.{function.__name__}` is called in a traced program: every run of the graph "
                "would see what the file holds now.",
                "Read the file outside, and pass the array as an argument.",
            )
        if type(function) not in _FUNCTION_KINDS or not _is_numpy(_module_of(function)):
            return None
        return MAKERS.get(function) or partial(_of_traced, function)


_READERS = (np.load, np.loadtxt, np.genfromtxt, np.fromfile)
"""The functions of NumPy that read files."""

_FUNCTION_KINDS = (BuiltinFunctionType, FunctionType, type, np.ufunc, type(np.sum))
"""The classes of functions of NumPy, and of its scalar types."""


def _of_traced(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function of NumPy; on traced values, also in lists, its operation."""
    if not any(map(holds_traced, (*args, *kwargs.values()))):
        return function(*args, **kwargs)
    if isinstance(function, np.ufunc):
        if kwargs or len(args) != function.nin:  # `np.add(x, 1, y)` writes into `y`
            return function(*args, **kwargs)
        return ufunc_result(function, *args)
    return function_result(function, *args, **kwargs)


def _is_numpy(module: str) -> bool:
    """Return whether a module is of NumPy, not of a package such as `numpy_financial`."""
    return module.partition(".")[0] == "numpy"


def _module_of(value: object) -> str:
    return str(getattr(value, "__module__", None) or "")


def _is_generator(function: Any) -> bool:
    return _module_of(type(getattr(function, "__self__", None))).startswith("numpy.random")


def _copying(method: Any) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return Array(constant(method(*args, **kwargs)))

    return call


CALLS = NumPyCalls()


class NumPyMode(Mode):
    """Programs on NumPy's arrays; `attempt` is the trace."""

    def __init__(self, attempt: Attempt | None = None) -> None:
        """Store the trace."""
        self._attempt = attempt or Attempt()

    def prepared(self, python_function: Callable[..., Any], features: Any) -> Callable[..., Any]:
        """Return a function of tensors that calls the program with traced arrays."""
        shown = {Feature.BUILTIN_FUNCTIONS, *feature_set(features)}  # `print` shows values
        convert = autograph.convert(
            recursive=True, optional_features=shown, user_requested=True, replacements=CALLS
        )
        return Program(convert(python_function), python_function, self._attempt)

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Enclose the traced call: its tensors have NumPy's operators."""
        with (
            temporarily(symbolic=NumPyTensor),
            staging.tracing(NumPyTensor),
            self._attempt.running(),
        ):
            yield


MODE = NumPyMode()


class Program:
    """A converted NumPy program, called with tensors.

    Args:
      function: the converted function.
      written: the original.
      attempt: the trace that calls it.
    """

    def __init__(
        self, function: Callable[..., Any], written: Callable[..., Any], attempt: Attempt
    ) -> None:
        """Store the functions."""
        self.function = function
        self._written = written
        self._attempt = attempt
        if hasattr(written, "__code__"):
            self.__code__ = written.__code__  # for the lines of errors

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the program with arrays for tensors; return an `Outcome`."""
        arguments: list[Array | None] = []

        def traced(leaf: Any) -> Any:
            if not isinstance(leaf, Tensor):
                return leaf
            value: TensorLike = leaf
            if leaf.spec.dims != ():
                value = Array(leaf, len(arguments) + 1)
            arguments.append(value if isinstance(value, Array) else None)
            return value

        given = [_with_arrays(traced, each) for each in args]
        named = {name: _with_arrays(traced, each) for name, each in kwargs.items()}
        outside = OutsideArrays(self._attempt, traced)
        before = [each if each is None else each.tensor for each in arguments]
        pairs = zip((*given, *named.values()), (*args, *kwargs.values()), strict=True)
        contents = [contents_of(own) if own is not each else [] for own, each in pairs]
        value = self.function(*given, **named)
        self._refuse_changes(given, named, contents)
        try:
            return outcome(value, self._written, arguments, before, outside)
        except StagingError as error:
            name_line(error, str(return_place(self._written) or ""))
            raise

    def _refuse_changes(
        self, given: Sequence[Any], named: Mapping[str, Any], before: Sequence[Any]
    ) -> None:
        """Refuse changes of lists, dicts and objects with arrays: the program has copies."""
        names = [*signature(self._written).parameters][: len(given)]
        labels = (*names, *["*args"] * (len(given) - len(names)), *named)
        for name, held in zip(labels, before, strict=True):
            if any(differs(own, level) for own, level in held):
                line = str(return_place(self._written) or "")
                program = getattr(self._written, "__name__", "the program")
                raise changed_argument(program, name, line)


def _with_arrays(traced: Callable[[Any], Any], value: Any) -> Any:
    """Map tensors to arrays; what has no tensors but those that the graph reads from outside stays
    the caller's, whose trace guards it.
    """
    if RUNNING.traces[-1].is_old(value):
        return value
    held = any(isinstance(leaf, Tensor) for leaf in flatten(value)[0])
    return map_structure(traced, value) if held else value


TAKERS.add(Program.__call__.__code__)


_NO_PLACE = (
    "NumPy itself got a value of the graph here, for an array that is not traced. An array outside "
    "is traced if an attribute, a list, a dict or a variable holds it, and no tuple or default of "
    "a parameter does."
)


class NumPyFunction(Function[P, R]):
    """A NumPy program that runs as a graph: arrays in, arrays out.

    A call changes the arrays among its arguments as the program does. It raises ValueError if the
    program changes a read-only array, or one of several arguments that share memory.
    """

    mode = MODE

    @cached_property
    def _state(self) -> OutsideState:
        return OutsideState()

    def enter(
        self,
        entries: Entries,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        instance: Instance | None,
    ) -> Any:
        """Run the graph for a call, after a trace if necessary; see `Function.enter`."""
        self._calls += 1
        own = () if instance is None else (instance.value,)
        if STATE.graph is not None:
            return self._inlined((*own, *args), kwargs)
        found = entries.call(args, kwargs)
        if found is not MISS:
            return found
        if functions_run_eagerly():
            return self.python_function(*own, *args, **kwargs)
        given = tuple(map(_as_array, args))
        named = {name: _as_array(each) for name, each in kwargs.items()}
        full = given if instance is None else (instance, *given)
        concrete, tensors = self._concrete_for(full, named)
        arrays = self._arrays(full, named, instance)
        value = concrete.call_flat(tensors).for_caller(arrays, self._name)
        if not kwargs and not STATE.tapes:
            remember(entries, args, concrete, tensors, self._name)
        return value

    def _record(
        self, key: Any, arguments: dict[str, Any], created: Any, mode: Mode | None = None
    ) -> Any:
        """Trace the program until what it changes outside is known.

        Raises ValueError if it changes objects that the graph cannot write at each call.
        """
        state = self._state
        while True:
            attempt = state.attempt()
            self._outside.update(state.numbers)
            try:
                concrete = super()._record(key, arguments, created, NumPyMode(attempt))
            except Exception as error:
                if attempt.is_refused(error) and state.extend_after_refusal(attempt):
                    continue
                if isinstance(error.__cause__, StagingError):
                    error.add_note(_NO_PLACE)
                raise
            if not (concrete.effects or attempt.changed):
                return concrete
            if not state.extend(attempt):
                break
        for effect in concrete.effects:
            line = effect.line() or return_place(self.python_function) or ""
            raise ValueError(
                f"{self._name} changes {effect.text}, while it is traced, and not at each call.\n"
                f"  {line}\nReturn the value, keep it in an array, or append it to a list that the "
                "program does not read."
            )
        return concrete

    def _traced_once(self, key: Any, arguments: dict[str, Any]) -> Any:
        """Trace the program; arguments that it assigns are written back after each call."""
        concrete = super()._traced_once(key, arguments)
        concrete.assigned = {}
        return concrete

    def _arrays(self, args: Any, kwargs: Any, instance: Instance | None) -> list[Any]:
        """Return the arrays in arguments and defaults, in the order of the graph's inputs."""
        bound = self._signature.python.bind(*args, **kwargs)
        bound.apply_defaults()
        values = [each for each in bound.arguments.values() if each is not instance]
        return list(_arrays_in(values))

    def _inlined(self, args: Any, kwargs: Any) -> Any:
        """Call the program inside the trace of another one."""
        if STATE.symbolic is not NumPyTensor:
            raise StagingError(
                f"`{self._name}` is a NumPy program, and is called in a graph of tensors.",
                remedy="Call runtime.function(f) without `numpy=True` there.",
                public=TypeError,
            )
        program = cast(Program, MODE.prepared(self.python_function, self._features))
        return program.function(*args, **kwargs)


def _as_array(value: TensorLike) -> Any:
    if type(value) is np.ndarray and not value.ndim:
        raise TypeError(
            "a NumPy program gets an array without dimensions: pass the scalar, `x[()]`"
        )
    return np.asarray(value) if isinstance(value, EagerTensor) else value


def _arrays_in(value: TensorLike) -> Iterator[Any]:
    """Yield the arrays and scalars of NumPy in arguments, in the order of the graph's inputs."""
    if isinstance(value, (np.ndarray, np.generic)):
        yield value
        return
    level = children(value)
    if level is not None:
        for part in level[1]:
            yield from _arrays_in(part)

"""A base class for the staging library of a tensor library that records a graph.

`GraphLibrary` does what does not differ between libraries: it flattens structures, finds the types
that cover both branches, carries what a loop changes, and refuses at the user's line what has no
common type. An author says what an array is, and how a branch and a loop are recorded.
"""

from __future__ import annotations

import difflib
import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np

from autograph.adapters import layout
from autograph.adapters.failures import Failures
from autograph.adapters.forms import Forms, Leaf, as_leaf
from autograph.adapters.iterables import Items
from autograph.adapters.layout import COUNTER, Layout, Values
from autograph.adapters.library import Library, value_of
from autograph.adapters.loops import (
    Body,
    Test,
    Ways,
    counting,
    known_limit,
    limited,
    once,
    surely,
    unrolled,
)
from autograph.adapters.possibly import Held, Maybe, Possibly, assuming, read_outside, resolved
from autograph.adapters.refusals import Unsettled, not_one_truth, place_of, refusal
from autograph.operators.builtins import MATH, NAMES
from autograph.operators.variables import Undefined
from autograph.values import Array, Value


@dataclass
class _Iteration:
    """What an iteration left of the variables at its start."""

    variables: list[Any]
    values: Values


class _Errors(threading.local):
    """The errors of the checks in the outermost statement of this thread; their numbers from 1."""

    def __init__(self) -> None:
        self.numbered: list[BaseException] = []


class _Flipped(NamedTuple):
    """The rows of an array from the last to the first."""

    array: Any
    last: Any


class GraphLibrary(Library, ABC):
    """The staging library of a tensor library whose arrays are nodes of a graph.

    Derive a class, define the abstract methods, and set
    `__autograph_staging__` of the class of the nodes to an instance.

    Args:
      builtins: built-in functions on arrays by name, in place of those of this class.
    """

    arrays = "staged arrays"
    name: str

    def __init__(self, **builtins: Callable[..., Any]) -> None:
        """Register the classes of values that represent variables and iterators."""
        for given in builtins:
            _check_name(given)
        if self._has_loops and type(self).variable is GraphLibrary.variable:
            raise TypeError(f"{type(self).__name__} has loops, and no method `variable`.")
        possibly = type("PossiblyUndefined", (Possibly,), {"__slots__": ()})
        maybe = type("PossiblyNone", (Maybe,), {"__slots__": ()})
        known = {
            "float": lambda value: self.cast(value, self.number(0.0)),
            "int": lambda value: self.cast(value, self.number(0)),
            "len": self._length,
            "max": self._extreme("max", lambda value, best: value > best),
            "min": self._extreme("min", lambda value, best: value < best),
            "sum": self._sum,
            "any": lambda value: reduce(self.either, map(self.truth, self._rows("any", value))),
            "all": lambda value: reduce(
                self.failures.both, map(self.truth, self._rows("all", value))
            ),
            **builtins,
        }
        self._errors = _Errors()
        ways = Ways(self._is_node, self._cond, self._while_loop, self._over_rows, self._counted)
        failures = Failures(self.select, self.truth, negated=self.negated, conjoined=self.conjoined)
        forms = Forms(self, possibly, maybe, registered="")
        super().__init__(ways, failures, forms, self._is_node, self.truth, known)

    # ---- what an author defines: types ----

    @abstractmethod
    def leaf(self, value: object) -> Leaf | None:
        """Return dtype and shape of an array; None for other values."""

    @abstractmethod
    def cast(self, value: object, leaf: Leaf) -> Any:
        """Return an array or a number as an array of that leaf."""

    # ---- what an author defines: the graph ----

    def variable(self, leaf: Leaf) -> Any:
        """Return a new node that a loop gives a value in each iteration."""
        raise NotImplementedError

    @abstractmethod
    def chosen(
        self, test: object, if_arrays: Sequence[Any], else_arrays: Sequence[Any]
    ) -> list[Any]:
        """Return the arrays of one of two branches, decided by a bool scalar at run time."""

    def repeated(
        self,
        variables: Sequence[Any],
        test: object,
        after: Sequence[Any],
        init: Sequence[Any],
    ) -> list[Any]:
        """Return the last values of the variables of a loop.

        Args:
          variables: nodes made by `variable`.
          test: a bool scalar, computed from them: whether the body runs once more.
          after: their values after an iteration, computed from them.
          init: their first values.

        Without this method, loops whose length is known are unrolled, and others are refused.
        """
        raise NotImplementedError

    def looped(
        self,
        test: Callable[[Sequence[Any]], Any],
        body: Callable[[Sequence[Any]], list[Any]],
        init: Sequence[Any],
    ) -> list[Any]:
        """As `repeated`, for a library whose loops take functions.

        Args:
          test: from the values of the variables to a bool scalar: whether the body runs once more.
          body: from the values of the variables to those after an iteration.
          init: their first values.
        """
        raise NotImplementedError

    @abstractmethod
    def as_bool(self, array: Array) -> Any:
        """Return an array of one element as a bool scalar: whether it is not 0."""

    @abstractmethod
    def select(self, test: object, a: Array, b: Array) -> Any:
        """Return one of two scalars, both of which are computed."""

    @abstractmethod
    def check(self, failed: object, error: BaseException) -> None:
        """Record that the program raises an exception here if a bool scalar is true.

        Called outside of branches and loops only.
        """

    # ---- what an author may define ----

    def block(self) -> AbstractContextManager[Any]:
        """Surround the trace of a branch or of the body of a loop."""
        return nullcontext()

    def row(self, array: Any, position: Any) -> Any:
        """Return the row at a position that is in range."""
        return array[position]

    def flipped(self, array: Any) -> Any:
        """Return the array with its last row first."""
        return _Flipped(array, self.shape(array)[0] - 1)

    def known_row(self, array: Any, position: int) -> Any:
        """Return the row at a position that is a number of Python."""
        return self._row(array, position)

    def negated(self, truth: Any) -> Any:
        """`not truth`, of a bool scalar."""
        return ~truth

    def conjoined(self, a: Any, b: Any) -> Any:
        """`a and b`, of bool scalars."""
        return a & b

    def number(self, value: object) -> Leaf:
        """Return the leaf of a Python number: the dtype that NumPy gives it."""
        return Leaf(np.asarray(value).dtype, (), weak=True)

    def join(self, a: Leaf, b: Leaf) -> Leaf | None:
        """Return the leaf that NumPy promotes both to; their shapes are equal. None: refuse."""
        if a.weak == b.weak:
            dtype = np.result_type(a.dtype, b.dtype)
        else:
            array, number = (b, a) if a.weak else (a, b)
            dtype = np.result_type(array.dtype, number.dtype.type(0).item())
        return Leaf(dtype, a.shape, a.weak and b.weak)

    def placeholder(self, leaf: Leaf) -> Any:
        """Return an array whose elements do not matter."""
        if leaf.shape:
            raise refusal(
                f"a variable that is an array {leaf} has a value in one branch only.",
                "Assign it in every branch.",
            )
        return self.cast(0, leaf)

    def flatten(self, value: object) -> tuple[list[str], list[Any], Any]:
        """Return paths, leaves and structure of lists, tuples and dicts."""
        paths: list[str] = []
        leaves: list[Any] = []
        return paths, leaves, _flatten(value, "", paths, leaves)

    def unflatten(self, tree: object, leaves: Sequence[Any]) -> Any:
        """Return the structure with these leaves."""
        return _unflatten(tree, iter(leaves))

    def truth(self, value: object) -> Any:
        """Return the truth of a value as a bool scalar. Raise StagingError if it has several."""
        value = value_of(value)
        leaf = self.leaf(value)
        if leaf is None:
            return bool(value)
        leaf = as_leaf(leaf, "leaf")
        if math.prod(leaf.shape) != 1:
            raise not_one_truth(f"an array {leaf}")
        truth = self.as_bool(value)
        if truth is None:
            raise TypeError(f"`as_bool` of {self.name} gave None, not a bool scalar.")
        return truth

    @contextmanager
    def around_call(self, *_: object) -> Iterator[Callable[[Any], Any]]:
        """Surround a call of a converted program: what it returns must have values."""
        with self.failures.program() as finish:
            yield lambda result: self.forms.map(_read, _read(finish(result)))

    def shape(self, array: object) -> tuple[Any, ...]:
        """Return the shape of an array."""
        leaf = self.leaf(array)
        return () if leaf is None else leaf.shape

    # ---- branches and loops ----

    def _is_node(self, value: object) -> bool:
        return isinstance(value, Held) or self.leaf(value) is not None

    def _node(self, truth: object) -> Any:
        return truth if self._is_node(truth) else self.cast(truth, self.number(truth))

    def _cond(
        self,
        test: object,
        if_fn: Callable[[], Values],
        else_fn: Callable[[], Values],
        names: tuple[str, ...],
    ) -> Values:
        test = value_of(test)
        decides = self.truth(test)
        if not self._is_node(decides):
            return if_fn() if decides else else_fn()
        sides = []
        for function, outcome in ((if_fn, True), (else_fn, False)):
            with self.block(), assuming(test, outcome):
                sides.append(resolved(function()))
        joined = layout.of_branches(self.forms, names, test, *sides)
        if_arrays, else_arrays = map(joined.flat, sides)
        if if_arrays:
            chosen = self.chosen(decides, if_arrays, else_arrays)
            if_arrays = self._all_of("chosen", chosen, len(if_arrays))
        return joined.values(if_arrays)

    def _all_of(self, method: str, arrays: Any, count: int) -> list[Any]:
        """Return the arrays of a method of the author. Raises TypeError for another number."""
        found = None if arrays is None else list(arrays)
        if found is None or len(found) != count:
            given = "None" if found is None else f"{len(found)} arrays"
            raise TypeError(f"`{method}` of {self.name} gave {given}, not {count} arrays.")
        return found

    def _while_loop(
        self,
        test_fn: Test,
        body_fn: Body,
        init: Values,
        names: tuple[str, ...],
        options: Mapping[str, Any],
        first_runs: bool = False,
    ) -> Values:
        most = options.get("maximum_iterations")
        if not self._has_loops:
            return self._unrolled(most, test_fn, body_fn, init, names)
        if most is not None:
            test_fn, body_fn = limited(self.failures, most, self._is_node, test_fn, body_fn)
            return self._while_loop(test_fn, body_fn, (0, *init), (COUNTER, *names), {})[1:]

        def iterate(carried: Layout) -> _Iteration:
            variables = list(map(self.variable, carried.leaves()))
            with self.block():
                return _Iteration(variables, resolved(body_fn(*carried.values(variables))))

        carried, body = layout.of_loop(self.forms, names, init, self._is_node, iterate)
        state = carried.values(body.variables)
        with self.block():
            test = test_fn(*state)
            more = self._node(self.truth(test))
        after, start = carried.flat(body.values), carried.flat(init)
        final = layout.once_ended(carried, layout.flags_of(state, test, False))
        if first_runs:
            final = layout.once_run(final, body.values)
        if type(self).looped is not GraphLibrary.looped:
            last = self._looped(carried, test_fn, body_fn, start)
            return final.values(self._all_of("looped", last, len(start)))
        last = self.repeated(body.variables, more, after, start)
        return final.values(self._all_of("repeated", last, len(start)))

    def _looped(
        self, carried: Layout, test_fn: Test, body_fn: Body, start: Sequence[Any]
    ) -> list[Any]:
        def test(arrays: Sequence[Any]) -> Any:
            with self.block():
                return self._node(self.truth(test_fn(*carried.values(arrays))))

        def body(arrays: Sequence[Any]) -> list[Any]:
            with self.block():
                return carried.flat(resolved(body_fn(*carried.values(arrays))))

        return self.looped(test, body, start)

    @property
    def _has_loops(self) -> bool:
        own, base = type(self), GraphLibrary
        return own.repeated is not base.repeated or own.looped is not base.looped

    def _unrolled(
        self, most: object, test_fn: Test, body_fn: Body, state: Values, names: tuple[str, ...]
    ) -> Values:
        if most is None:
            raise refusal(
                f"{self.name} has no loops whose length only the running program knows.",
                "Use a `for` over a range of Python, or call "
                "autograph.set_loop_options(maximum_iterations=...) at the start of the loop's "
                "body.",
            )
        for _ in range(known_limit(most, self._is_node)):
            go_on = test_fn(*state)
            state = once(self.ways, go_on, partial(body_fn, *state), state, names)
        return state

    def _over_rows(
        self,
        items: Items,
        start: int,
        stop: int,
        body_fn: Body,
        extra_test: Test | None,
        init: Values,
        names: tuple[str, ...],
    ) -> Values:
        if not self._has_loops:
            return unrolled(self.ways, items, start, stop, body_fn, extra_test, init, names)
        runs = stop > start and surely(extra_test, init, self._is_node)
        loop: tuple[Any, ...] = (items, start, stop, body_fn, extra_test, init, names, {}, runs)
        return counting(self._while_loop, self._row, self.failures, *loop)

    def _counted(self, items: Items, count: Any, *loop: Any) -> Values:
        return counting(self._while_loop, self._row, self.failures, items, 0, count, *loop)

    # ---- checks ----

    def fail_when(self, condition: object, error: BaseException) -> None:
        """Raise at run time; a check in a branch or loop gets a number, tested after it."""
        place = place_of(error)
        if place is not None:
            error.add_note(f"  {place}")
        if not self.failures.inside:
            self.check(self._node(condition), error)
            return
        self._errors.numbered.append(error)
        self.failures.fail(condition, len(self._errors.numbered))

    def after_statement(self, failure: Value) -> None:
        """Test the numbers of the checks in a statement."""
        if self.failures.inside or (type(failure) is int and failure == 0):
            return  # the errors of an unrolled loop are those of its iterations
        errors, self._errors.numbered = self._errors.numbered, []
        if type(failure) is int:
            self.check(self._node(True), errors[failure - 1])
            return
        for number, error in enumerate(errors, 1):
            self.check(self.conjoined(failure > number - 1, failure < number + 1), error)

    # ---- items and numbers ----

    def _row(self, array: Any, position: Any) -> Any:
        if isinstance(array, _Flipped):
            return self.row(array.array, array.last - position)
        return self.row(array, position)

    def least(self, a: Any, b: Any) -> Any:
        """Return the smaller of two lengths."""
        return self.select(a < b, a, b)

    def count(self, start: Any, stop: Any, step: Any) -> Any:
        """Return the number of items of a range."""
        for bound in (start, stop, step):
            self._integer(bound, "a bound of `range`")
        if self._is_node(step):
            raise refusal("the step of a range is a staged value.", "Use a Python int.")
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
        steps = stop - start if step == 1 else -((start - stop) // step)
        return self.select(steps > 0, steps, 0)

    def scalar_index(self, index: object) -> Any:
        """Return an index. Raises StagingError for what is no integer scalar."""
        return self._integer(index, "an index")

    def _integer(self, number: Any, what: str) -> Any:
        leaf = self.leaf(number) or self.number(number)
        if leaf.shape or "int" not in str(leaf.dtype):
            raise refusal(f"{what} must be an integer scalar, not {leaf}.", "Convert it.")
        return number

    def members(self, container: Any) -> Iterable[Any]:
        """What `in` compares, of a container that is no string."""
        is_python = isinstance(container, (list, tuple, range, set, dict))
        return container if is_python else self._rows("in", container)

    def stacked(self, items: Sequence[Any]) -> Any:
        """One array with these rows. Raises Unsettled for items without a common type."""
        forms = {self.forms.of(item) for item in items}
        if len(forms) != 1 or forms.pop().paths != ("",):
            raise Unsettled("the items of a list do not make one array")
        leaves = [self.leaf(item) or self.number(item) for item in items]
        return self.stack(list(map(self.cast, items, leaves)))

    def stack(self, arrays: Sequence[Any]) -> Any:
        """One array with these rows, which have one shape and dtype."""
        raise refusal(
            "a Python list is read at an index, or in a loop, that is known at run time only.",
            "Make an array of the list.",
        )

    def with_row(self, array: Array, position: object, row: Array) -> Any:
        """Another array, with another row at a position that is in range."""
        return self.set_array_item(array, position, row)

    def set_array_item(self, array: Array, index: object, value: object) -> Any:
        """Return the array with other elements."""
        raise refusal("an element of a staged array is assigned.", "Make a new array.")

    def _rows(self, name: str, value: object) -> list[Any]:
        if isinstance(value, Items):
            return list(value)
        leaf = self.leaf(value)
        if leaf is None or len(leaf.shape) != 1:
            shape = (
                "a scalar" if leaf is not None and not leaf.shape else "no array of one dimension"
            )
            raise refusal(
                f"{name} goes over the elements of an array, but this is {shape}.",
                "Use a function of the library.",
            )
        return [self.row(value, position) for position in range(leaf.shape[0])]

    def _length(self, value: object) -> Any:
        return value.length() if isinstance(value, Items) else len(self._rows("len", value))

    def _extreme(self, name: str, replaces: Callable[[Any, Any], Any]) -> Callable[..., Any]:
        def extreme(*args: object, key: object = None, **default: object) -> Any:
            if key is not None:
                return NotImplemented
            values = self._rows(name, args[0]) if len(args) == 1 else args
            if not values and default:
                return default["default"]
            best = values[0]
            for value in values[1:]:
                best = self.select(self.truth(replaces(value, best)), value, best)
            return best

        return extreme

    def _sum(self, value: Any, start: Any = 0) -> Any:
        return sum(self._rows("sum", value), start)


_BUILTINS = {*NAMES, "print", "max_by", "min_by", "sorted_by", *(f"math.{each}" for each in MATH)}


def _check_name(name: str) -> None:
    """Raise TypeError for a name that `builtin` is never called with."""
    if name not in _BUILTINS:
        near = difflib.get_close_matches(name, _BUILTINS, n=1)
        of_math = f'`"math.{name}"`' if name in MATH else ""
        remedy = of_math or " or ".join(f"`{each}`" for each in near) or "one of the page's list"
        raise TypeError(f"`{name}` is no built-in function that programs call; use {remedy}.")


def _read(leaf: object) -> Any:
    return read_outside(leaf) if isinstance(leaf, Held) else leaf


# ---- structures ----


def _flatten(value: object, path: str, paths: list[str], leaves: list[Any]) -> Any:
    """Append paths and leaves; return the structure, which is None for a leaf."""
    kind, parts = type(value), _parts(value)
    if parts is None:
        paths.append(path)
        leaves.append(value)
        return None
    trees = [_flatten(part, f"{path}{name}", paths, leaves) for name, _, part in parts]
    return kind, tuple(key for _, key, _ in parts), tuple(trees)


def _parts(value: Any) -> list[tuple[str, Any, Any]] | None:
    """Return name, key and value of each part of a structure; None for a leaf."""
    kind = type(value)
    if isinstance(value, (Undefined, Held)):
        return None
    if kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return [(f"[{number}]", number, part) for number, part in enumerate(value)]
    if kind is dict:
        return [(f"[{key!r}]", key, part) for key, part in value.items()]
    return None


def _unflatten(tree: Any, leaves: Any) -> Any:
    if tree is None:
        return next(leaves)
    kind, keys, trees = tree
    parts = [_unflatten(each, leaves) for each in trees]
    if kind is dict:
        return dict(zip(keys, parts, strict=True))
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)

"""The staging protocol: how a tensor library stages control flow on its values.

A library takes part by one class attribute of its values, `__autograph_staging__`: an object with
the methods of `StagingLibrary`. For a class that cannot be changed there is `register`. The
operators ask `library_of(value)`; if the answer is None, they do what plain Python does.

>>> library_of(3) is None
True
"""

from __future__ import annotations

import importlib
import inspect
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Protocol

from autograph.adapters.names import ADAPTERS, TRANSFORMING
from autograph.errors import Signal
from autograph.forks import Lock, renew_in_child


class ProgramName(str):
    """The user's name for a variable, attribute, item or result.

    A library may return an `Alternatives` as its value: the program tests it for None by operators.
    """

    __slots__ = ()


class OptionalName(ProgramName):
    """The name of a variable that the program tests for None."""

    __slots__ = ()


class Alternatives:
    """A value that is one of several, decided at run time."""

    __slots__ = ()
    __autograph_values__: tuple[Any, ...]

    def __autograph_with__(self, values: Iterable[Any]) -> Any:
        """Return the same choice among other values."""
        raise NotImplementedError

    def __autograph_split__(self, function: Callable[[Any], Any]) -> Any:
        """Call a function on each value, each in its own branch, and return the chosen result."""
        raise NotImplementedError

    def __autograph_settled__(self) -> Any:
        """Return the value that is not None; raise at run time if None was chosen."""
        raise NotImplementedError

    def __autograph_refusal__(self, use: str) -> BaseException:
        """Return the error for a use that needs a single type; `use` describes the use."""
        raise NotImplementedError


def is_one_of(value: object) -> bool:
    """Return whether a value is an `Alternatives`.

    >>> is_one_of(None)
    False
    """
    return issubclass(type(value), Alternatives)


class StagingLibrary(Protocol):
    """The methods of a tensor library that converted code calls for its values.

    The functions passed to it take and return plain tuples; the operators read and assign the
    user's variables. A tuple may contain tensors, Python values, None, nested structures, and
    `Undefined` for an unassigned variable. `names` are the user's names of its entries. An entry
    whose name is a `ProgramName` may be None in one branch and a value in the other.
    """

    name: str

    def stages(self, value: object) -> bool:
        """Return whether control flow on this value must be staged now."""

    def cond(
        self,
        test: object,
        if_fn: Callable[[], tuple[Any, ...]],
        else_fn: Callable[[], tuple[Any, ...]],
        names: tuple[str, ...],
    ) -> tuple[Any, ...]:
        """Return the outputs of `if_fn` or `else_fn`, chosen by `test` at run time."""

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., tuple[Any, ...]],
        init: tuple[Any, ...],
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> tuple[Any, ...]:
        """Return the final state of `while test_fn(*state): state = body_fn(*state)`."""

    def for_loop(
        self,
        iterable: object,
        body_fn: Callable[..., tuple[Any, ...]],
        extra_test: Callable[..., Any] | None,
        init: tuple[Any, ...],
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> tuple[Any, ...]:
        """Return the final state of `for item in iterable: state = body_fn(item, *state)`.

        The loop ends early if `extra_test(*state)` is false.
        """

    def and_(self, a: object, b: Callable[[], Any]) -> Any:
        """Return `a and b()`."""

    def or_(self, a: object, b: Callable[[], Any]) -> Any:
        """Return `a or b()`."""

    def not_(self, a: object) -> Any:
        """Return `not a`."""

    def contains(self, container: object, item: object) -> Any:
        """Return `item in container`."""

    def assert_(self, test: object, message: Callable[[], Any]) -> None:
        """Check `assert test, message()` at run time."""

    def raise_when(self, condition: object, error: BaseException) -> None:
        """Raise `error` at run time if `condition` is true."""

    def text(self, value: object, conversion: str, spec: object) -> Any:
        """Return `format(value, spec)` as a staged string.

        `conversion` is "", "s" (`str`), "r" (`repr`), "a" (`ascii`), or "%" for `spec % value`.
        `spec` may be staged. This method and the next two are optional: without them, formatting a
        staged value is an error.
        """

    def join_text(self, parts: Sequence[Any]) -> Any:
        """Return `"".join(parts)` of strings, at least one of them staged."""

    def print_text(self, text: object, stream: str) -> None:
        """Write a string to `sys.stdout` or `sys.stderr` each time this statement runs."""

    def raise_here(self, error: BaseException) -> None:
        """Raise an exception when this statement runs. Optional."""

    def builtin(self, name: str, *args: object, **kwargs: object) -> Any:
        """Return the result of a built-in function; NotImplemented: call Python's own."""

    def get_item(self, target: object, index: object) -> Any:
        """Return `target[index]` of a Python object, with a staged value in the index.

        Optional: without this method, such an index is an error.

        Args:
          target: a list, tuple, dict, string, or any other unstaged object.
          index: a staged value, or a slice or tuple that contains one.

        Returns:
          The item; NotImplemented for an object that the library does not support.
        """

    def call_method(self, target: object, name: str, *args: object, **kwargs: object) -> Any:
        """Call a list or dict method on staged arguments; NotImplemented: call Python's own.

        `name` is one of `autograph.operators.items.METHODS`, or `__delitem__`. Optional.
        """

    def set_item(self, target: object, index: object, value: object) -> Any:
        """Return the value of `target` after `target[index] = value`.

        The target is a staged value. In a library with `get_item` it may also be a Python object
        with a staged value in the index; change it in place and return it, or NotImplemented.
        """

    # A library may have a method for what `convert` decorates besides functions:
    #
    # def convert_object(self, entity, decorate: Callable) -> Any:
    #     """Convert the methods of an object or class in place; return it, or NotImplemented."""
    #
    # A library with an attribute `stages_counts` stages loops over a `range` of Python, and `while`
    # loops on Python values, from the first iteration on; they stay Python where it raises.
    #
    # A library may have a method for `value is True`:
    #
    # def represents_bool(self, value) -> bool | None:
    #     """Whether a staged value represents True or False of Python; None: it may."""
    #
    # One for what `__len__` of the program returns:
    #
    # def check_length(self, value) -> None:
    #     """Raise, now or at run time, unless a staged value is an int that is not negative."""
    #
    # And one for `is` between two staged values:
    #
    # def may_be_one(self, left, right) -> bool:
    #     """Whether two staged values are one value, or not, as the running program decides."""
    #
    # A library may have the steps of `cond`, which need less stack; see `steps.py`:
    #
    # def cond_steps(self, test, if_steps, else_steps, names) -> Steps[tuple]:
    #     """As `cond`, of functions that return steps."""
    #
    # A library that counts the calls of a function inside itself has an attribute
    # `notices_recursion`: statements on its values are nested as deeply as the stack has room.
    # `reports_leaks`: values of a trace that outlive it are errors, so no variable may keep them.
    # `needs_result`: a trace that ends with an error cannot be run for the checks before it.
    #
    # A library may have a method that Python loops are rolled by, see `operators/rolling.py`:
    #
    # def roll_for(self, items: range, body_fn, extra_test, before, init, names, numbers) -> tuple:
    #     """As `for_loop`, for entries that were `before` one iteration ago.
    #
    #     Args:
    #       numbers: for positions of Python numbers that the loop changes, what Python has there
    #         before each iteration and after the last. The body is given staged numbers.
    #
    #     Raises: CannotRoll unless the result is, bit for bit, that of the unrolled loop: no entry
    #       changes its type, nor its value if that is no tensor; and what the body computes from
    #       the item and the numbers alone is what Python computes, the next numbers included.
    #     """
    #
    # one for the leaves of the structures that users register with the library:
    #
    # def leaves(self, values: Sequence) -> list:
    #     """Return the leaves of the values."""
    #
    # one for calls of functions of the program, which may be recursive:
    #
    # def called(self, function, target) -> Callable:
    #     """Return what to call in place of the replacement `target` of a function."""
    #
    # one for loops that a number of Python's leaves by `break` or `return`:
    #
    # def steady(self, items: range, body_fn, init, names, numbers, flags) -> int:
    #     """The number of iterations before the one that sets one of the truth values `flags`.
    #
    #     Args:
    #       flags: the positions of truth values of Python's, which are false.
    #
    #     Raises: CannotRoll unless they follow from the item and the numbers alone.
    #     """
    #
    # and one for loops over other items than those of a range:
    #
    # def numbered(self, items: Sequence) -> Callable | None:
    #     """From a staged position to the item there, for items of one class; None: cannot."""


_ATTRIBUTE = "__autograph_staging__"
_types: dict[type, StagingLibrary | str] = {}
_modules: dict[str, StagingLibrary | str] = dict(ADAPTERS)
_MOST_TYPES = 4096

ATOMS: frozenset[type] = frozenset({bool, int, float, complex, str, bytes, type(None)})
"""Classes of plain values without items: operators take the shortest way for them."""

PLAIN = ATOMS | {list, tuple, dict, set, range}
"""Classes of values that no library stages; their items may be staged, or have moved."""

_found: dict[type, StagingLibrary | None] = dict.fromkeys(PLAIN)

_unstaged: set[type] = set(PLAIN)
"""The classes of `PLAIN`, and those that `library_of` found no library for."""

by_python: AbstractSet[type] = _unstaged
"""Classes whose truth Python decides: `ATOMS` while anything is being staged, else `_unstaged`."""


def register(kind: type | str, library: StagingLibrary | str) -> None:
    """Register the library that stages the values of a class, or of a module's classes.

    Args:
      kind: a class, or the name of a top-level module such as "mylib", whose functions then run
        unconverted.
      library: the library object, or its "module:name", imported when the first value appears.

    >>> class Lazy: ...
    >>> register(Lazy, "mylib.autograph_support:LIBRARY")
    """
    if isinstance(kind, str):
        _modules[kind] = library
    else:
        _types[kind] = library
    _forget_classes()
    with _changing:
        # The others stay: a compiler that imports the adapter may have read the set before.
        plain_types.difference_update([each for each in plain_types if _falls_under(each, kind)])


def _falls_under(known: type | None, kind: type | str) -> bool:
    if known is None:
        return False
    if isinstance(kind, type):
        return issubclass(known, kind)
    return any(str(base.__module__).partition(".")[0] == kind for base in known.__mro__)


def _forget_classes() -> None:
    for known in [known for known in _found if known.__module__ != "builtins"]:
        del _found[known]
    _unstaged.intersection_update(_found)


def is_registered(module: str) -> bool:
    """Return whether a library is registered for the classes of a top-level module.

    >>> is_registered("jax"), is_registered("json")
    (True, False)
    """
    return module in _modules


def _load(library: StagingLibrary | str) -> StagingLibrary:
    if not isinstance(library, str):
        return library
    module, _, name = library.partition(":")
    found: StagingLibrary = getattr(importlib.import_module(module), name)
    return found


def _look_up(kind: type) -> StagingLibrary | None:
    for base in kind.__mro__:
        if _ATTRIBUTE in base.__dict__:
            library: StagingLibrary | None = base.__dict__[_ATTRIBUTE]
            return library
        if base in _types:
            return _load(_types[base])
        root = base.__module__.partition(".")[0] if isinstance(base.__module__, str) else ""
        if root in _modules and base is not object:
            return _load(_modules[root])
    return None


def library_of_class(kind: type) -> StagingLibrary | None:
    """Return the library that a class belongs to, or None.

    >>> library_of_class(int) is None
    True
    """
    return _look_up(kind)


def takes_part(kind: type) -> bool:
    """Return whether a class itself takes part, not just its module.

    >>> takes_part(int)
    False
    """
    return hasattr(kind, _ATTRIBUTE) or kind in _types


def library_of(value: object) -> StagingLibrary | None:
    """Return the library that stages control flow on `value` now; None for plain Python.

    Reads only the class of the value, unless the class takes part.
    """
    kind = type(value)
    try:
        library = _found[kind]
    except KeyError:
        if len(_found) >= _MOST_TYPES:
            # Otherwise classes created at run time would never be freed.
            _forget_classes()
        library = _found[kind] = _look_up(kind)
        if library is None and not issubclass(kind, Alternatives):
            _unstaged.add(kind)
    if library is None or not library.stages(value):
        return None
    return library


_ABSENT = object()


def optional(library: StagingLibrary | None, name: str, default: object = None) -> Any:
    """Return an optional method or attribute of a library, or `default`.

    Ignores `__getattr__`, which may invent names that the library does not define.

    >>> optional(None, "text") is None
    True
    """
    if inspect.getattr_static(library, name, _ABSENT) is _ABSENT:
        return default
    return getattr(library, name)


def library_among(values: Iterable[Any]) -> StagingLibrary | None:
    """Return the library of the first staged value, or None."""
    for value in values:
        library = library_of(value)
        if library is not None:
            return library
    return None


def library_within(values: Sequence[Any]) -> StagingLibrary | None:
    """Return the library of the first staged value of a long list with few classes."""
    # Fast path: all classes are known, and none of them takes part.
    if all(_found.get(kind, True) is None for kind in set(map(type, values))):
        return None
    return library_among(values)


def library_inside(values: Sequence[Any]) -> StagingLibrary | None:
    """Return the library of a staged value inside structures that a library registered, or None."""
    for root in TRANSFORMING & sys.modules.keys() & _modules.keys():
        library = _modules[root] = _load(_modules[root])
        leaves = optional(library, "leaves")
        if leaves is not None and any(map(library.stages, leaves(values))):
            return library
    return None


class _Calls(threading.local):
    """The outermost calls of converted code on staged values.

    Attributes:
      running: whether this thread is inside one; errors become public at its end.
    """

    running = False


calls = _Calls()


@contextmanager
def around_call(values: Iterable[Any]) -> Iterator[Callable[[Any], Any] | None]:
    """Surround an outermost call of converted code on `values`.

    A library may define a method `around_call`. It returns a context manager whose value is a
    function to apply to the result of the call, or None.
    """
    values = list(values)
    library = library_among(map(first_leaf, values)) or library_inside(values)
    make = optional(library, "around_call")
    around: AbstractContextManager[Any] = nullcontext() if make is None else make()
    with on_staged_values(), around as finish:
        yield finish


_DEEPEST_ARGUMENT = 8


def first_leaf(value: Any) -> Any:
    """Return the first leaf of nested lists, tuples and dicts; it tells the kind of all.

    >>> first_leaf([(3, "a")])
    3
    """
    for _ in range(_DEEPEST_ARGUMENT):
        kind = type(value)
        if kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
            value = value[0] if value else None
        elif kind is dict:
            value = next(iter(value.values()), None)
        else:
            break
    return value


@dataclass(frozen=True, eq=False)
class Alias:
    """Two objects that may be the same one, decided by a staged statement.

    Attributes:
      one, other: lists, dicts or other structures.
      label: the variable that refers to one of them.
      place: the line of the statement.
      items: their items at that line.
    """

    one: Any
    other: Any
    label: str
    place: str
    items: tuple[list[Any], list[Any]]


class Choices:
    """The possible aliases known in a block or function.

    Args:
      outer: the aliases known in the enclosing code.
    """

    def __init__(self, outer: Choices | None = None) -> None:
        self.outer = outer
        self.known: dict[int, list[Alias]] = {}
        self.settled: set[Alias] = set()
        self.parted: dict[int, tuple[Any, Any]] = {}
        self.moved: list[tuple[Any, Any]] = []

    def of(self, value: object) -> list[Alias]:
        """Return the open aliases of an object, without those that a change resolved."""
        layers = list(self.layers())
        return [
            alias
            for layer in layers
            for alias in layer.known.get(id(value), ())
            if not any(alias in each.settled for each in layers)
        ]

    def knows(self, value: object) -> bool:
        """Return whether an object ever had an alias."""
        return any(id(value) in layer.known for layer in self.layers())

    def layers(self) -> Iterator[Choices]:
        """Yield this object and the enclosing ones, inner first."""
        layer: Choices | None = self
        while layer is not None:
            yield layer
            layer = layer.outer


class CannotRoll(Signal):
    """Aborts the attempt to trace one iteration of a Python loop for all iterations."""


class Callers:
    """What the callers of a traced function pass: here each call is traced anew, so it is known."""

    def pass_anew(self, value: Any) -> bool:
        """Return whether each call may pass another object in place of the value."""
        return False

    def may_pass_one(self, left: Any, right: Any) -> bool:
        """Return whether two objects may be one at another call, or two."""
        return False


class Trace(threading.local):
    """The trace state of a thread.

    Attributes:
      running: the number of active traces.
      declared: the number of active traces that a library declared by `tracing`.
      block: the library of the innermost staged statement whose block runs, or None.
      reach: the objects reachable from the innermost staged statement (`reach.walk.Reach`).
      found: what the traces of that statement found (`operators.state.Found`).
      depth: the nesting depth of staged statements.
      nested: by code of a first block, the nesting depth of its statement.
      rolling: whether one iteration of a Python loop is traced for all, see `operators/rolling.py`.
      stepping: the frame that runs the innermost block for a generator, see `steps.py`.
      library: the tracing library, if it declared itself.
      texts_shown: the number of placeholder texts that replaced a value; see `texts_shown` of
        libraries.
      raises: the number of staged `raise` and `assert` statements.
      by_library: whether a library calls functions of the program for items that it computes.
      moved: by their ids, the lists and dicts whose items moved, with their placeholders; None:
        every use of the container is an error. See `operators/moved.py`.
      alternatives: the number of `Alternatives` created, see `operators/alternatives.py`.
      choices: the aliases in the innermost block, see `operators/aliases.py`.
      changed_places: by code of the first block, the places that the last trace of a staged
        statement changed.
      dropped: cached properties computed in blocks: object, name and label, by the ids of object
        and name.
      computed: their records, see `operators/computed.py`.
      ends: by file and line, how often the end of an iterator was staged, see `operators/state.py`.
      lines: by identity of a place, the last program line that changed it.
      compared: the lists, dicts and sets that `is` compared with one another.
      callers: what the callers of the function pass that is being traced.
      updated: the item that `target[index] op= value` is computing anew, before it is assigned.
    """

    running = 0
    declared = 0
    texts_shown = 0
    alternatives = 0
    raises = 0
    by_library = False
    updated: Any = None
    callers = Callers()
    block: StagingLibrary | None = None
    reach: Any = None
    found: Any = None
    depth = 0
    rolling = False
    stepping: FrameType | None = None
    library: StagingLibrary | None = None

    def __init__(self) -> None:
        self.choices = Choices()
        self.moved: dict[int, tuple[Any, list[Any] | None]] = {}
        self.changed_places: dict[CodeType | None, list[Any]] = {}
        self.dropped: dict[Any, tuple[Any, str, str]] = {}
        self.computed: dict[Any, Any] = {}
        self.ends: dict[tuple[str, int], int] = {}
        self.lines: dict[Any, str] = {}
        self.compared: list[Any] = []
        self.nested: Counter[CodeType | None] = Counter()


trace = Trace()


@contextmanager
def staged_block(library: StagingLibrary | None) -> Iterator[None]:
    """Surround the trace of a block by `library`. None: a function of the library itself.

    >>> with staged_block(None):
    ...     trace.block is None
    True
    """
    outer, trace.block = trace.block, library
    choices, trace.choices = trace.choices, Choices(trace.choices)
    try:
        yield
    finally:
        trace.block = outer
        trace.choices = choices


# ---- whether anything is being traced ----

active = 0
"""Number of traces running in this process. If positive, any value may be staged."""


class Shared(set[Any]):
    """A process-wide set that can be a constant of code objects.

    Some tools hash code objects, so it hashes by identity. It is pickled by name.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, name: str) -> None:
        """Start empty; `name` is its name in this module."""
        super().__init__()
        self._name = name

    def __reduce__(self) -> Any:
        """Unpickle as the set of the reading process."""
        return self._name


plain_types = Shared("plain_types")
"""The classes known to be unstaged; empty during a trace.

A function decorated with `convert` runs as written if the classes of all its arguments are here.
The member None represents a call without arguments.
"""

nothing_plain = Shared("nothing_plain")
"""In place of `plain_types`, for functions every call of which is looked at: always empty."""

ongoing = Shared("ongoing")
"""{None} while anything is being staged, else empty."""

_changing = Lock()
_MOST_PLAIN_TYPES = 4096


@contextmanager
def tracing(kind: type | None = None) -> Iterator[None]:
    """Declare a trace of a library, so that decorated functions run converted inside.

    Args:
      kind: the class of its staged values.

    >>> with tracing():
    ...     stages_nothing((1,))
    False
    """
    global active
    with _changing:
        active += 1
        plain_types.clear()
    trace.declared += 1
    outer, trace.library = trace.library, None if kind is None else _look_up(kind)
    reach, trace.reach = trace.reach, None
    try:
        with on_staged_values(), staged_block(None):
            yield
    finally:
        trace.library = outer
        trace.reach = reach
        trace.declared -= 1
        with _changing:
            active -= 1


_open = 0


@contextmanager
def on_staged_values() -> Iterator[None]:
    """Surround a run on staged values of a library that does not call `tracing`."""
    global _open, by_python
    with _changing:
        _open += 1
        ongoing.add(None)
        by_python = ATOMS
    trace.running += 1
    try:
        yield
    finally:
        trace.running -= 1
        if not trace.running:
            trace.moved.clear()
            trace.alternatives = 0
            trace.choices = Choices()
            trace.changed_places.clear()
            trace.dropped.clear()
            trace.computed.clear()
            trace.ends.clear()
            trace.lines.clear()
            trace.compared.clear()
            trace.nested.clear()
        with _changing:
            _open -= 1
            if not _open:
                ongoing.clear()
                by_python = _unstaged


class _Counts:
    def renew(self) -> None:
        """Count only the traces of this thread, in the child of a fork."""
        global active, _open, by_python
        active, _open = trace.declared, trace.running
        if not _open:
            ongoing.clear()
            by_python = _unstaged


_counts = _Counts()
renew_in_child(_counts)


_HOLDERS = (list, tuple, dict)
"""Containers: their class does not tell whether they contain staged values."""


def _is_plain(kind: type) -> bool:
    if kind in _HOLDERS or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return False
    return _found.get(kind) is None


def stages_nothing(values: tuple[Any, ...]) -> bool:
    """Return whether a call with these values runs as plain Python.

    Adds their classes to `plain_types` for the fast path of the next call.

    >>> stages_nothing((1, "two"))
    True
    """
    if active:
        return False
    if library_among(map(first_leaf, values)) is not None:
        return False
    kinds = {kind for kind in map(type, values) if _is_plain(kind)}
    with _changing:
        if not active:
            if len(plain_types) > _MOST_PLAIN_TYPES:
                plain_types.clear()
            plain_types.update(kinds, (None,))
    return True

"""The seam to tensor libraries: how a value says that control flow on it is to be staged.

A library takes part by giving its value class one attribute, `__autograph_staging__`, that holds
an object with the methods of `StagingLibrary`; for a class that one cannot change there is
`register`. Everything else in this package asks `library_of(value)` and, where the answer is
None, does what plain Python does.

>>> library_of(3) is None
True
"""

from __future__ import annotations

import importlib
import inspect
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType
from typing import Any, Protocol

from autograph.adapters.names import ADAPTERS
from autograph.forks import Lock, renew_in_child


class ProgramName(str):
    """What the program calls a variable, an attribute, an item or a result.

    A library may give it a value that is an `Alternatives`: the program asks by operators whether
    that is None.
    """

    __slots__ = ()


class OptionalName(ProgramName):
    """The name of a variable that the program tests for None."""

    __slots__ = ()


class Alternatives:
    """A value that is one of several, as the running program decides."""

    __slots__ = ()
    __autograph_values__: tuple[Any, ...]

    def __autograph_with__(self, values: Iterable[Any]) -> Any:
        """The same choice among other values."""
        raise NotImplementedError

    def __autograph_split__(self, function: Callable[[Any], Any]) -> Any:
        """What a function returns for the value, called with each in a branch of its own."""
        raise NotImplementedError

    def __autograph_settled__(self) -> Any:
        """The value that is not None; the running program raises where it is None."""
        raise NotImplementedError

    def __autograph_refusal__(self, use: str) -> BaseException:
        """The error of a use that needs one type; `use` says what is done with the value."""
        raise NotImplementedError


def is_one_of(value: Any) -> bool:
    """Whether a value is one of several, as the running program decides.

    >>> is_one_of(None)
    False
    """
    return issubclass(type(value), Alternatives)


class StagingLibrary(Protocol):
    """What a tensor library does where converted code meets one of its values.

    Functions handed over take and give plain tuples: reading and assigning the user's variables
    is done by the operators. A tuple may hold tensors, Python values, None, nested structures and
    `Undefined` for a variable that has no value. `names` are the user's names for its entries;
    one that is a `ProgramName` may be None on one way and a value on another.
    """

    name: str

    def stages(self, value: Any) -> bool:
        """Whether control flow on this value has to be staged now."""

    def cond(
        self,
        test: Any,
        if_fn: Callable[[], tuple[Any, ...]],
        else_fn: Callable[[], tuple[Any, ...]],
        names: tuple[str, ...],
    ) -> tuple[Any, ...]:
        """The outputs of one of two functions, as `test` decides when the program runs."""

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., tuple[Any, ...]],
        init: tuple[Any, ...],
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> tuple[Any, ...]:
        """`state = init; while test_fn(*state): state = body_fn(*state)`, then the state."""

    def for_loop(
        self,
        iterable: Any,
        body_fn: Callable[..., tuple[Any, ...]],
        extra_test: Callable[..., Any] | None,
        init: tuple[Any, ...],
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> tuple[Any, ...]:
        """`for item in iterable: state = body_fn(item, *state)` while `extra_test(*state)`."""

    def and_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a and b()`."""

    def or_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a or b()`."""

    def not_(self, a: Any) -> Any:
        """`not a`."""

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""

    def assert_(self, test: Any, message: Callable[[], Any]) -> None:
        """`assert test, message()`, checked when the program runs."""

    def raise_when(self, condition: Any, error: BaseException) -> None:
        """Raises, when the program runs and `condition` holds, what a branch would have raised."""

    def text(self, value: Any, conversion: str, spec: Any) -> Any:
        """`format(value, spec)` as a staged string.

        The conversion is "", "s" (`str`), "r" (`repr`), "a" (`ascii`), or "%" for `spec % value`;
        `spec` may be staged itself. A library need not have this method and the next two: text of
        its values is refused then.
        """

    def join_text(self, parts: Sequence[Any]) -> Any:
        """`"".join(parts)` of strings of which at least one is staged."""

    def print_text(self, text: Any, stream: str) -> None:
        """Writes a string to `sys.stdout` or `sys.stderr` each time the program comes here."""

    def raise_here(self, error: BaseException) -> None:
        """Raises an exception when the program comes here; for libraries that can, in a branch."""

    def builtin(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The built-in function of that name on these values; NotImplemented: Python's own."""

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]` of an object of Python's, with a staged value in the index.

        A library without this method refuses lists, dicts, ... with such an index.

        Args:
          target: a list, tuple, dict, string, or any other object that is no staged value.
          index: a staged value, or a slice or tuple with one in it.

        Returns: the item; NotImplemented for an object that the library does not know.
        """

    def call_method(self, target: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """A method of a list or dict of Python's that meets staged values; NotImplemented: its own.

        The names are those of `autograph.operators.items.METHODS`, and `__delitem__`. A library
        need not have this method.
        """

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """What `target` becomes by `target[index] = value`.

        The target is a staged value; in a library with `get_item` also an object of Python's with
        a staged value in the index, which is changed in place and returned, or NotImplemented.
        """

    # A library may have a method for `value is True`:
    #
    # def represents_bool(self, value) -> bool | None:
    #     """Whether a staged value represents True or False of Python; None: it may."""
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
_PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, type(None), range)
_found: dict[type, StagingLibrary | None] = dict.fromkeys(_PLAIN)


def register(kind: type | str, library: StagingLibrary | str) -> None:
    """Makes values of a class, or of all classes of a top-level module, stage by `library`.

    Args:
      kind: a class, or the name of a top-level module such as "mylib".
      library: the library object, or "module:name" of it, imported when a value first appears.

    >>> class Lazy: ...
    >>> register(Lazy, "mylib.autograph_support:LIBRARY")
    """
    if isinstance(kind, str):
        _modules[kind] = library
    else:
        _types[kind] = library
    for known in [known for known in _found if known.__module__ != "builtins"]:
        del _found[known]
    with _changing:
        plain_types.clear()


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


def takes_part(kind: type) -> bool:
    """Whether the values of a class belong to a library themselves, not by their base or module.

    >>> takes_part(int)
    False
    """
    return hasattr(kind, _ATTRIBUTE) or kind in _types


def library_of(value: Any) -> StagingLibrary | None:
    """The library that stages control flow on `value` now, or None for plain Python.

    Never touches the value beyond its class, unless the class takes part.
    """
    kind = type(value)
    try:
        library = _found[kind]
    except KeyError:
        if len(_found) >= _MOST_TYPES:
            # Classes made while a program runs would otherwise never be freed.
            _found.clear()
        library = _found[kind] = _look_up(kind)
    if library is None or not library.stages(value):
        return None
    return library


_ABSENT = object()


def optional(library: StagingLibrary | None, name: str, default: Any = None) -> Any:
    """A method or attribute that a library need not have; `default` if it is not there.

    Does not ask `__getattr__`, which may answer to names of methods that the library never wrote.

    >>> optional(None, "text") is None
    True
    """
    if inspect.getattr_static(library, name, _ABSENT) is _ABSENT:
        return default
    return getattr(library, name)


def library_among(values: Iterable[Any]) -> StagingLibrary | None:
    """The library of the first staged value, or None."""
    for value in values:
        library = library_of(value)
        if library is not None:
            return library
    return None


def library_within(values: Sequence[Any]) -> StagingLibrary | None:
    """The library of the first staged value of a list: many values, but of few classes."""
    # Almost always all classes are known, and none of them takes part.
    if all(_found.get(kind, True) is None for kind in set(map(type, values))):
        return None
    return library_among(values)


class _Calls(threading.local):
    """Calls of converted code, on staged values, from outside of such code.

    Attributes:
      running: whether there is one in this thread, so that errors become public at its end.
    """

    running = False


calls = _Calls()


@contextmanager
def around_call(values: Iterable[Any]) -> Iterator[Callable[[Any], Any] | None]:
    """Surround a call of converted code, on these values, from outside of such code.

    A library may have a method `around_call` besides those of `StagingLibrary`. It returns a
    context, whose value is a function to be applied to the result of the call, or None.
    """
    library = library_among(map(first_leaf, values))
    make = optional(library, "around_call")
    around: AbstractContextManager[Any] = nullcontext() if make is None else make()
    with on_staged_values(), around as finish:
        yield finish


_DEEPEST_ARGUMENT = 8


def first_leaf(value: Any) -> Any:
    """The first value in nested lists, tuples and dicts, which tells of which kind all are."""
    for _ in range(_DEEPEST_ARGUMENT):
        kind = type(value)
        if kind is list or kind is tuple:
            value = value[0] if value else None
        elif kind is dict:
            value = next(iter(value.values()), None)
        else:
            break
    return value


@dataclass(frozen=True, eq=False)
class Alias:
    """Two objects that may be one, as a staged statement decides.

    Attributes:
      one, other: lists, dicts or other structures.
      label: the variable that names one of them.
      place: the line of the statement.
      items: what they held then.
    """

    one: Any
    other: Any
    label: str
    place: str
    items: tuple[list[Any], list[Any]]


class Choices:
    """What a block, or a function, knows of objects that may be one another.

    Args:
      outer: what the code around it knows.
    """

    def __init__(self, outer: Choices | None = None) -> None:
        self.outer = outer
        self.known: dict[int, list[Alias]] = {}
        self.settled: set[Alias] = set()
        self.parted: dict[int, tuple[Any, Any]] = {}
        self.moved: list[tuple[Any, Any]] = []

    def of(self, value: Any) -> list[Alias]:
        """What is known of an object, without what was settled by a change."""
        layers = list(self.layers())
        return [
            alias
            for layer in layers
            for alias in layer.known.get(id(value), ())
            if not any(alias in each.settled for each in layers)
        ]

    def knows(self, value: Any) -> bool:
        """Whether anything was ever known of an object."""
        return any(id(value) in layer.known for layer in self.layers())

    def layers(self) -> Iterator[Choices]:
        """This, and those around it."""
        layer: Choices | None = self
        while layer is not None:
            yield layer
            layer = layer.outer


class CannotRoll(BaseException):
    """Leaves an attempt to trace one iteration of a Python loop for all of them."""


class Trace(threading.local):
    """What this thread is tracing.

    Attributes:
      running: the number of traces around the code that runs.
      declared: how many of them a library declared by `tracing`.
      block: the library of the innermost staged statement whose block runs, or None.
      reach: what the blocks of the innermost staged statement lead to, an `autograph.reach.Reach`.
      depth: the number of staged statements whose blocks run inside one another.
      nested: how many of them have this code as their first block.
      rolling: whether one iteration of a Python loop is traced for all, see `operators/rolling.py`.
      stepping: the frame that runs the innermost block for a generator, see `steps.py`.
      library: the library that traces, if it said so.
      texts_shown: counts the texts that were given in place of a value; see `texts_shown` of
        libraries.
      moved: the number of lists and dicts whose items were put elsewhere, see `operators/moved.py`.
      alternatives: the number of values that are one of several; see `operators/alternatives.py`.
      choices: what `operators/aliases.py` notes of lists and dicts in the innermost block.
      changed_places: what blocks of staged statements changed when they were traced last, by the
        code of the first block.
      dropped: cached properties that blocks computed, with object, name and label, by the addresses
        of the object and the name.
      computed: what `operators/computed.py` notes of them.
      ends: how often the end of items was staged, by file and line; see `operators/state.py`.
      lines: the line of the program that changed a place last, by the identity of the place.
      compared: the lists, dicts and sets that `is` compared with one another.
    """

    running = 0
    declared = 0
    texts_shown = 0
    moved = 0
    alternatives = 0
    block: StagingLibrary | None = None
    reach: Any = None
    depth = 0
    rolling = False
    stepping: FrameType | None = None
    library: StagingLibrary | None = None

    def __init__(self) -> None:
        self.choices = Choices()
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
    """Surround what `library` traces for a staged statement; None: a function of its own.

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


Watcher = Callable[[FunctionType, Any], Any]

call_watchers: list[Watcher] = []
"""What libraries do with calls of the user's functions while something is traced.

Each is given a function and what converted code is about to call in its place, and gives what is
called then: a library that stages recursion has to know which functions are being traced.
"""


def watched(function: FunctionType, target: Any) -> Any:
    """What to call in place of a function of the user's while something is traced."""
    for watch in call_watchers:
        target = watch(function, target)
    return target


hidden_state: dict[str, Callable[[], Any]] = {}
"""State that programs change by calling a library, and that no object of theirs holds.

For each name, a function that gives an equal value as long as nothing changed. A staged block
that changes it is an error, since the block is traced whether or not it will run.
"""


# ---- whether anything is being traced ----

active = 0
"""How many traces are running in this process; above 0, any value anywhere may be staged."""


class Shared(set[Any]):
    """A set that code objects can hold as a constant, the same one everywhere.

    Code objects are hashed by some tools, so it is hashed by identity; it is pickled by name.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, name: str) -> None:
        """Starts empty; `name` is the name it has in this module."""
        super().__init__()
        self._name = name

    def __reduce__(self) -> Any:
        """Pickled, it is the one of the process that reads it."""
        return self._name


plain_types = Shared("plain_types")
"""The classes whose values are known to stage nothing; empty while a trace is running.

Functions decorated with `convert` look their arguments up here and, where all are found, run as
they were written. None stands for the absence of arguments.
"""

ongoing = Shared("ongoing")
"""Holds None while anything is being staged, and is empty otherwise."""

_changing = Lock()
_MOST_PLAIN_TYPES = 4096


@contextmanager
def tracing(kind: type | None = None) -> Iterator[None]:
    """What a library puts around a trace, so that decorated functions run converted in it.

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
    """Stands around a run on a staged value of a library that does not say when it traces."""
    global _open
    with _changing:
        _open += 1
        ongoing.add(None)
    trace.running += 1
    try:
        yield
    finally:
        trace.running -= 1
        if not trace.running:
            trace.moved = 0
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


class _Counts:
    def renew(self) -> None:
        """Counts the traces of this thread alone, in the child of a fork."""
        global active, _open
        active, _open = trace.declared, trace.running
        if not _open:
            ongoing.clear()


_counts = _Counts()
renew_in_child(_counts)


_HOLDERS = {list, tuple, dict}
"""Classes that do not say what their instances hold."""


def stages_nothing(values: tuple[Any, ...]) -> bool:
    """Whether a function that is called with these values runs as plain Python.

    Remembers their classes, so that one look at `plain_types` answers for the next call.

    >>> stages_nothing((1, "two"))
    True
    """
    if active:
        return False
    if library_among(map(first_leaf, values)) is not None:
        return False
    kinds = {kind for kind in map(type, values) if _found.get(kind) is None} - _HOLDERS
    with _changing:
        if not active:
            if len(plain_types) > _MOST_PLAIN_TYPES:
                plain_types.clear()
            plain_types.update(kinds, (None,))
    return True

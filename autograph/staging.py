"""The staging protocol: how a tensor library stages control flow on its values.

A library takes part by one class attribute of its values, `__autograph_staging__`: an object with
the methods of `StagingLibrary`. For a class that cannot be changed there is `register`. The
operators ask `library_of(value)`; if the answer is None, they do what plain Python does.

>>> library_of(3) is None
True
"""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FunctionType
from typing import Any

from autograph.adapters.names import ADAPTERS, TRANSFORMING
from autograph.errors import Signal, StagingError
from autograph.forks import Lock, renew_in_child
from autograph.protocol import Alternatives as Alternatives
from autograph.protocol import OptionalName as OptionalName
from autograph.protocol import ProgramName as ProgramName
from autograph.protocol import StagingLibrary as StagingLibrary
from autograph.protocol import is_one_of as is_one_of
from autograph.trace_state import Alias as Alias
from autograph.trace_state import Callers as Callers
from autograph.trace_state import Choices as Choices
from autograph.trace_state import Trace as Trace
from autograph.trace_state import before_statements as before_statements
from autograph.trace_state import trace as trace

ATTRIBUTE = "__autograph_staging__"
"""The attribute of classes that take part, and the global of modules of a tensor library."""

LibraryOrLoader = StagingLibrary | Callable[[], StagingLibrary]
"""A library, or a function that returns it."""

_types: dict[type, LibraryOrLoader] = {}
_modules: dict[str, LibraryOrLoader] = dict(ADAPTERS)
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


def register(kind: type | str, library: LibraryOrLoader) -> None:
    """Register the library that stages the values of a class, or of a module's classes.

    Args:
      kind: a class, or the name of a top-level module such as "mylib", whose functions then run
        unconverted.
      library: the library object, or a function that returns it, called when the first value
        appears.

    >>> class Lazy: ...
    >>> def load():
    ...     from mylib.autograph_support import LIBRARY
    ...     return LIBRARY
    >>> register(Lazy, load)
    """
    _check_instance(library)
    if isinstance(kind, str):
        _modules[kind] = library
    else:
        _types[kind] = library
    _forget_classes()
    with _changing:
        # The others stay: a compiler that imports the adapter may have read the set before.
        plain_types.difference_update([each for each in plain_types if _falls_under(each, kind)])


def _check_instance(library: object) -> None:
    if isinstance(library, type):
        raise TypeError(f"the staging library is the class {library.__name__}, not an instance.")


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

    Args:
      module: the name of a top-level module.

    >>> is_registered("jax"), is_registered("json")
    (True, False)
    """
    return module in _modules


def _load(library: Any) -> StagingLibrary:
    found: StagingLibrary = library() if isinstance(library, FunctionType) else library
    return found


def _look_up(kind: type) -> StagingLibrary | None:
    for base in kind.__mro__:
        if ATTRIBUTE in base.__dict__:
            library: StagingLibrary | None = base.__dict__[ATTRIBUTE]
            _check_instance(library)
            return library
        if base in _types:
            return _load(_types[base])
        root = base.__module__.partition(".")[0] if isinstance(base.__module__, str) else ""
        if root in _modules and base is not object:
            return _load(_modules[root])
    return None


def library_of_class(kind: type) -> StagingLibrary | None:
    """Return the library that a class belongs to, or None.

    Args:
      kind: the class.

    >>> library_of_class(int) is None
    True
    """
    return _look_up(kind)


def library_defining(function: object) -> StagingLibrary | None:
    """Return the library whose module defines a function, or None.

    Args:
      function: a function or class.

    >>> library_defining(len) is None
    True
    """
    root = str(getattr(function, "__module__", "")).partition(".")[0]
    return _load(_modules[root]) if root in _modules else None


def takes_part(kind: type) -> bool:
    """Return whether a class itself takes part, or a base of it, not just its module.

    Args:
      kind: the class.

    >>> takes_part(int)
    False
    """
    return hasattr(kind, ATTRIBUTE) or not _types.keys().isdisjoint(kind.__mro__)


def library_of(value: object) -> StagingLibrary | None:
    """Return the library that stages control flow on `value` now; None for plain Python.

    Reads only the class of the value, unless the class takes part.

    Args:
      value: any value.

    >>> library_of(2.5) is None
    True
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

    Args:
      library: the library, or None.
      name: the name of the method or attribute.
      default: the result if there is none.

    >>> optional(None, "text") is None
    True
    """
    if inspect.getattr_static(library, name, _ABSENT) is _ABSENT:
        return default
    return getattr(library, name)


def library_among(values: Iterable[Any]) -> StagingLibrary | None:
    """Return the library of the first staged value, or None.

    Args:
      values: any values.

    >>> library_among([1, "two"]) is None
    True
    """
    for value in values:
        library = library_of(value)
        if library is not None:
            return library
    return None


def library_within(values: Sequence[Any]) -> StagingLibrary | None:
    """Return the library of the first staged value of a long list with few classes.

    Args:
      values: any values.

    >>> library_within(range(1000)) is None
    True
    """
    # Fast path: all classes are known, and none of them takes part.
    if all(_found.get(kind, True) is None for kind in set(map(type, values))):
        return None
    return library_among(values)


def library_inside(values: Sequence[Any]) -> StagingLibrary | None:
    """Return the library of a staged value inside structures that a library registered, or None.

    Args:
      values: any values.

    >>> library_inside([1, [2]]) is None
    True
    """
    for root in TRANSFORMING & sys.modules.keys() & _modules.keys():
        library = _modules[root] = _load(_modules[root])
        leaves = optional(library, "leaves")
        if leaves is not None and any(map(library.stages, leaves(values))):
            return library
    return None


class ReadOnce:
    """A staged `zip`, `enumerate`, `map` or `reversed`: Python's is an iterator, read once.

    Attributes:
      __autograph_begun__: whether a loop over it began: False, or state of a staged statement.

    >>> class Zip(ReadOnce): ...
    >>> pairs = Zip()
    >>> begin_once(pairs)
    >>> try:
    ...     begin_once(pairs)
    ... except StagingError as error:
    ...     print(str(error)[:37])
    this `zip` may have been read before,
    """

    def __init__(self, *parts: object) -> None:
        """Begin the parts: nothing else can read them now."""
        self.__autograph_begun__: Any = False
        for part in parts:
            begin_once(part)


def begin_once(value: object) -> None:
    """Record that a loop over a value begins.

    Args:
      value: what the loop goes through; nothing is recorded unless it is a `ReadOnce`.

    Raises:
      StagingError: if another loop over it may have begun.
    """
    if not isinstance(value, ReadOnce):
        return
    if value.__autograph_begun__ is not False:
        name = type(value).__name__.lower()
        raise StagingError(
            f"this `{name}` may have been read before, and Python goes on where that loop stopped, "
            "which a staged loop cannot do.",
            public=TypeError,
            remedy=f"Call `{name}` anew for each loop, or loop over a list.",
        )
    value.__autograph_begun__ = True


class _Calls(threading.local):
    """The outermost calls of converted code on staged values.

    Attributes:
      running: whether this thread is inside one; errors become public at its end.
    """

    running = False


calls = _Calls()


@contextmanager
def around_call(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Iterator[Callable[[Any], Any] | None]:
    """Surround an outermost call of converted code.

    A library may define a method `around_call` of the same arguments. It returns a context manager
    whose value is a function to apply to the result of the call, or None.

    Args:
      function: the function as the user wrote it.
      args, kwargs: the arguments of the call.

    Returns:
      A context manager; its value is that function, or None.

    >>> with around_call(len, [1, 2], {}) as finish:
    ...     finish is None
    True
    """
    values = (*args, *kwargs.values())
    library = library_among(map(first_leaf, values)) or library_inside(values)
    make = optional(library, "around_call")
    around: AbstractContextManager[Any] = (
        nullcontext() if make is None else make(function, args, kwargs)
    )
    with on_staged_values(), around as finish:
        yield finish


_DEEPEST_ARGUMENT = 8


def first_leaf(value: Any) -> Any:
    """Return the first leaf of nested lists, tuples and dicts; it tells the kind of all.

    Args:
      value: any value.

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


class CannotRoll(Signal):
    """Aborts the attempt to trace one iteration of a Python loop for all iterations.

    Args:
      args: taken, without effect.
    """


@contextmanager
def staged_block(library: StagingLibrary | None) -> Iterator[None]:
    """Surround the trace of a block by `library`. None: a function of the library itself.

    Args:
      library: the library of the statement.

    Returns:
      A context manager.

    >>> with staged_block(None):
    ...     trace.block is None
    True
    """
    outer, trace.block = trace.block, library
    try:
        with own_choices():
            yield
    finally:
        trace.block = outer


@contextmanager
def own_choices() -> Iterator[None]:
    """Surround code after which none of its objects is there: it has possible aliases of its own.

    Returns:
      A context manager.

    >>> with own_choices():
    ...     len(list(trace.choices.layers()))
    2
    """
    choices, trace.choices = trace.choices, Choices(trace.choices)
    try:
        yield
    finally:
        trace.choices = choices


# ---- whether anything is being traced ----

active = 0
"""Number of traces running in this process. If positive, any value may be staged."""


class Shared(set[Any]):
    """A process-wide set that can be a constant of code objects.

    Some tools hash code objects, so it hashes by identity. It is pickled by name.

    >>> import copy
    >>> copy.copy(ongoing) is ongoing
    True
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

    Returns:
      A context manager.

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
    trace.suspended.append(trace.reach)
    trace.reach = None
    try:
        with on_staged_values(), staged_block(None):
            yield
    finally:
        trace.library = outer
        trace.reach = trace.suspended.pop()
        trace.declared -= 1
        with _changing:
            active -= 1


_open = 0


@contextmanager
def on_staged_values() -> Iterator[None]:
    """Surround a run on staged values of a library that does not call `tracing`.

    Returns:
      A context manager.

    >>> with on_staged_values():
    ...     trace.running, len(ongoing)
    (1, 1)
    """
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
            trace.unrolled.clear()
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

    Args:
      values: the arguments of the call.

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

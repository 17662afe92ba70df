"""Polymorphic functions: one Python function, one graph for each call type."""

from __future__ import annotations

import copy
import functools
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from autograph.conversion.class_facts import CACHED
from runtime.control_flow import recursion
from runtime.core.context import creating_variables, functions_run_eagerly
from runtime.core.errors import StagingError
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.functions.arguments import refuse_arrays
from runtime.functions.cache import CacheInfo, TraceCache, Turns, scope_of, scopes
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.conversion import TENSORS, Mode, converted, show_user_frames
from runtime.functions.effects import definition_of, warn_of
from runtime.functions.entries import MISS, Entries
from runtime.functions.methods import Method, OfInstance
from runtime.functions.outside_ops import Written
from runtime.functions.printed_entries import remember
from runtime.functions.signature import Retraces, Signature, difference, name_of
from runtime.functions.trace_type import (
    CallType,
    Identity,
    Instance,
    call_type,
    input_tensors,
    with_identities,
)
from runtime.functions.tracing import trace

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")

CACHE_LIMIT = 256
"""Maximum number of graphs that a function keeps."""

MOST_NESTED = 50
"""Maximum depth of nested traces of one function."""


_OUTERMOST = (property, functools.cached_property, classmethod)
"""Decorators whose results are not functions: they go above `function`."""


def _check(value: object, autograph: bool) -> None:
    """Raise TypeError for what `function` cannot trace, or `autograph` cannot convert."""
    if isinstance(value, _OUTERMOST):
        kind = type(value).__name__
        remedy = f"this is a {kind}: write @{kind} above it."
    elif not callable(value):
        raise TypeError(f"{value!r} is not a callable object")
    elif autograph and isinstance(value, type):
        remedy = f"{value.__qualname__} is a class: decorate its methods."
    elif autograph and isinstance(value, CACHED):
        name = getattr(value, "__qualname__", "this")
        remedy = (
            f"{name} is cached by functools, which calls it as it is written: write the decorator "
            "of functools above it."
        )
    else:
        return
    raise TypeError(f"runtime.function takes functions, and {remedy}")


class _Running(threading.local):
    """The call types that this thread is tracing, the outermost first."""

    def __init__(self) -> None:
        self.keys: list[CallType] = []


class Function(Generic[P, R]):
    """A Python function that runs as a graph; created by `function`.

    Args:
      python_function: the function.
      name: the name of its graphs; None: the name of the function.
      input_signature, autograph, reduce_retracing: as for `function`.
      features: features of the converter, as `experimental_autograph_options` of `function`.
      engine: the engine that runs the graphs, see `Compiled`.

    Raises:
      TypeError: if the function is not callable, or `input_signature` does not fit its parameters.

    Attributes:
      python_function: the original function.

    >>> import runtime as tf
    >>> double = tf.function(lambda x: x + x)
    >>> isinstance(double, tf.types.experimental.GenericFunction)
    True
    >>> print(double(tf.constant(2.0)))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """

    mode: Mode = TENSORS
    """The values that the program computes with."""

    __autograph_converts__ = True

    def __init__(
        self,
        python_function: Callable[P, R],
        name: str | None = None,
        input_signature: Any = None,
        autograph: bool = True,
        reduce_retracing: bool = False,
        features: Any = None,
        engine: str | None = None,
    ) -> None:
        """Wrap a function; `function` documents the arguments."""
        _check(python_function, autograph)
        self.python_function = python_function
        self.__wrapped__ = python_function
        self._name = str(name or name_of(python_function))
        self._signature = Signature(python_function, input_signature)
        self._autograph = autograph
        self._reduce_retracing = reduce_retracing
        self._features = features
        self._engine = engine
        self._turns = Turns()
        self._cache = TraceCache(CACHE_LIMIT)
        self._entries = Entries()
        self._instances: dict[int, OfInstance] = {}
        self._running = _Running()
        self._calls = 0
        self._retraces = Retraces(python_function, self._name)
        self._has_run = False
        self._outside: dict[Any, Written] = {}
        self._side_effects: set[str] = set()
        functools.update_wrapper(self, python_function)

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The specs of the input signature, or None."""
        return self._signature.specs

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    @property
    def signature(self) -> Signature:
        """The parameters, with the specs of the input signature."""
        return self._signature

    @property
    def __defaults__(self) -> Any:
        """The defaults of the Python function; a program may reassign them."""
        return self.python_function.__defaults__

    @__defaults__.setter
    def __defaults__(self, values: tuple[Any, ...] | None) -> None:
        self.python_function.__defaults__ = values

    @property
    def __kwdefaults__(self) -> Any:
        """The defaults of keyword-only parameters; a program may reassign them."""
        return self.python_function.__kwdefaults__

    @__kwdefaults__.setter
    def __kwdefaults__(self, values: dict[str, Any] | None) -> None:
        self.python_function.__kwdefaults__ = values

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the graph for these arguments; trace it first if necessary."""
        try:
            found = self._entries.last(args, kwargs)
            if found is MISS:
                found = self.enter(self._entries, args, kwargs, None)
            else:
                self._calls += 1
            return found  # type: ignore[no-any-return]
        except BaseException as error:
            show_user_frames(error)
            raise

    def enter(
        self,
        entries: Entries,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        instance: Instance | None,
    ) -> Any:
        """Run the graph for a call and return the value of the function.

        `entries` are those of the function, or of the instance. The `instance` of a method is
        passed before `args`.
        """
        self._calls += 1
        if STATE.graph is None and not STATE.tapes:
            found = entries.call(args, kwargs)
            if found is not MISS:
                return found
        full = args if instance is None else (instance, *args)
        if functions_run_eagerly() and STATE.graph is None:
            plain = [arg.value if isinstance(arg, Instance) else arg for arg in full]
            return self.python_function(*plain, **kwargs)
        if self._running.keys and self._is_inside_itself(full, kwargs):
            return self._recur(full, kwargs)
        concrete, tensors = self._concrete_for(full, kwargs)
        value = concrete.call_flat(tensors)
        if STATE.graph is None and not STATE.tapes:
            remember(entries, args, kwargs, concrete, tensors)
        return value

    def _concrete_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ConcreteFunction, list[Tensor]]:
        arguments = self._signature.bind(args, kwargs)
        key, leaves = call_type(arguments)
        concrete = self._find_or_trace(self._prescribed(key), arguments)
        if concrete.assigned:
            refuse_arrays(self._name, concrete, leaves, key.leaves)
        return concrete, input_tensors(leaves, key.leaves)

    def _prescribed(self, key: CallType) -> CallType:
        """Return the type with the shapes of the input signature."""
        if self._signature.specs is None:
            return key
        _, wanted = call_type(list(self._signature.specs))
        specs = iter(wanted)
        leaves = tuple(
            next(specs, kind) if isinstance(kind, TensorSpec) else kind for kind in key.leaves
        )
        return CallType(key.node, leaves)

    def _find_or_trace(self, key: CallType, arguments: dict[str, Any]) -> ConcreteFunction:
        with self._turns.taken():
            found = self._cache.find(key, scopes())
            if found is None and STATE.ambient is None:
                found = self._cache.find_general(key)
            if found is None and self._reduce_retracing:
                key = self._generalized(key)
            if found is not None:
                self._cache.hits += 1
                if STATE.graph is not None and found.guards is not None:
                    found.guards.attributes.note_all()
                return found  # type: ignore[no-any-return]
            self._cache.misses += 1
            if len(self._running.keys) >= MOST_NESTED:
                raise self._endless()
            return self._trace(key, arguments)

    def _generalized(self, key: CallType) -> CallType:
        for known in self._cache.types():
            general = known.generalized(key)
            if general is not None:
                return general
        return key

    def _is_inside_itself(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return whether this thread is tracing a call with arguments of these types."""
        key = self._prescribed(call_type(self._signature.bind(args, kwargs))[0])
        return key in self._running.keys

    def _recur(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        function = self.python_function
        target = converted(function) if self._autograph else function
        plain = tuple(arg.value if isinstance(arg, Instance) else arg for arg in args)
        return recursion.call(function, target, True, *plain, **kwargs)

    def _endless(self) -> StagingError:
        return StagingError(
            f"{self._name} is recorded inside itself {MOST_NESTED} times, with no end in sight: "
            "the types of its arguments, or Python values among them, differ each time.",
            public=RecursionError,
            remedy="Pass tensors in place of what changes, or write the recursion as a loop.",
        )

    def _trace(self, key: CallType, arguments: dict[str, Any]) -> ConcreteFunction:
        causes = self._causes(key)
        begin = time.perf_counter()
        self._running.keys.append(key)
        try:
            concrete = self._traced_once(key, arguments)
        finally:
            self._running.keys.remove(key)
        self._retraces.add(causes, time.perf_counter() - begin, self._calls)
        key = with_identities(key, arguments)
        if self._cache.add(key, scope_of(concrete.is_bound), concrete):
            self._forget_entries()
        return concrete

    def _causes(self, key: CallType) -> list[str]:
        if STATE.ambient is not None:
            return ["it is called inside a context that was entered while a graph is recorded"]
        outdated = self._cache.outdated(key)
        if outdated is None:
            return difference(self._cache.types(), key)
        return outdated.guards.changes()  # type: ignore[no-any-return]

    def _forget_entries(self) -> None:
        self._entries.clear()
        for known in list(self._instances.values()):
            known.entries.clear()

    def _traced_once(self, key: CallType, arguments: dict[str, Any]) -> ConcreteFunction:
        """Trace the function; a second time if the first trace created or identified variables.

        The variables exist then, so the second trace must not create any.
        """
        created: list[Any] = []
        instance = next((v for v in arguments.values() if isinstance(v, Instance)), None)
        own = None if instance is None else self.of_instance(instance.value)
        has_run = self._has_run if own is None else own.has_run
        concrete = self._record(key, arguments, None if has_run else created)
        identified = with_identities(key, arguments)
        if created or identified is not key:
            concrete = self._record(identified, arguments, None)
        self._has_run = True
        if own is not None:
            own.has_run = True
            own.traces += 1
        name, line = self._name, definition_of(self.python_function)
        warn_of(concrete.effects, name, line, self._side_effects)
        concrete.effects = []
        self._outside.update((each.place.identity, each) for each in concrete.written)
        return concrete

    def _record(
        self,
        key: CallType,
        arguments: dict[str, Any],
        created: list[Any] | None,
        mode: Mode | None = None,
    ) -> ConcreteFunction:
        with creating_variables(None if created is None else created.append):
            concrete = trace(
                self.python_function,
                self._name,
                self._signature,
                arguments,
                key.leaves,
                self._autograph,
                places=tuple(self._outside.values()),
                features=self._features,
                mode=mode or self.mode,
                created=() if created is None else created,
            )
        concrete.engine = self._engine
        return concrete

    def get_concrete_function(self, *args: object, **kwargs: object) -> ConcreteFunction:
        """Return the graph for arguments of these types.

        Args:
          args, kwargs: as for a call, with a `TensorSpec` for each tensor. Without arguments: those
            of the input signature.

        Returns: A `ConcreteFunction`.
        Raises: TypeError if the arguments do not fit the parameters.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: x + 1)
        >>> f.get_concrete_function(tf.TensorSpec([2], tf.int32)).outputs
        [<tf.Tensor 'Identity:0' shape=(2,) dtype=int32>]
        """
        specs = self._signature.specs
        if specs is not None and not kwargs and all(isinstance(arg, Instance) for arg in args):
            args = (*args, *specs)
        arguments = self._signature.bind(args, kwargs)
        key, _ = call_type(arguments)
        key = self._prescribed(key)
        known = set(self._outside)
        concrete = self._find_or_trace(key, arguments)
        if known.issuperset(each.place.identity for each in concrete.continued):
            return concrete
        return self._trace(key, arguments)  # reads what the first graph has as constants

    def concrete_functions(self, instance: object = None) -> list[ConcreteFunction]:
        """Return the newest graph for each call type.

        Args:
          instance: for a method, the instance; None: all.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: x + 1)
        >>> _ = f(tf.constant(1)), f(tf.constant(1.0))
        >>> len(f.concrete_functions())
        2
        """
        own = None if instance is None else Identity(instance)
        with self._turns.taken():
            return [found for key, found in self._cache.newest() if own in (None, *key.leaves)]

    def experimental_get_tracing_count(self) -> int:
        """Return the number of traces.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: x)
        >>> f.experimental_get_tracing_count()
        0
        """
        return self._retraces.count

    def pretty_printed_concrete_signatures(self) -> str:
        """Return parameters and results of each graph.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: x + 1.0)
        >>> _ = f(tf.constant(1.0))
        >>> print(f.pretty_printed_concrete_signatures())
        <lambda>(x)
          Args:
            x: float32 Tensor, shape=()
          Returns:
            float32 Tensor, shape=()
        """
        with self._turns.taken():
            concretes = self._cache.values()
        return "\n\n".join(concrete.pretty_printed_signature() for concrete in concretes)

    def clear_cache(self) -> None:
        """Remove all graphs.

        >>> import runtime as tf
        >>> tf.function(lambda x: x).clear_cache()
        """
        with self._turns.taken():
            self._cache.clear()
            self._forget_entries()

    cache_clear = clear_cache

    def cache_info(self) -> CacheInfo:
        """Return hits, misses, maximum and current number of graphs.

        Calls with tensors of types seen before are not counted.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: x)
        >>> _ = f(1), f(2), f(1)
        >>> f.cache_info()
        CacheInfo(hits=1, misses=2, maxsize=256, currsize=2)
        """
        with self._turns.taken():
            return self._cache.info()

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(
        self: Function[Concatenate[S, Q], R], instance: S, owner: type | None = None
    ) -> Method[Q, R]: ...
    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else Method(self, instance)

    def of_instance(self, instance: Any) -> OfInstance:
        """Return the state for one instance on which this function is called as a method.

        Args:
          instance: the instance.
        """
        known = self._instances.get(id(instance))
        if known is not None and known.reference() is instance:
            return known
        forget = functools.partial(self._instances.pop, id(instance))
        try:
            reference = weakref.ref(instance, lambda _: forget(None))
        except TypeError:
            return OfInstance(None, self._has_run)
        known = self._instances[id(instance)] = OfInstance(reference, False)
        return known

    def __reduce__(self) -> Any:
        name = getattr(self, "__qualname__", "")
        held: Any = sys.modules.get(getattr(self, "__module__", ""))
        for part in name.split("."):
            held = getattr(held, part, None)
        return name if held is self else (Function, self._options())

    def _options(self) -> tuple[Any, ...]:
        specs, options = (
            self._signature.specs,
            (self._autograph, self._reduce_retracing, self._features, self._engine),
        )
        return (self.python_function, self._name, specs, *options)

    def __copy__(self) -> Function[P, R]:
        return Function(*self._options())

    def __deepcopy__(self, memo: dict[int, Any]) -> Function[P, R]:
        """Return an equal function with an empty cache; copies the instance of a method."""
        python_function, *options = self._options()
        return Function(copy.deepcopy(python_function, memo), *options)

    def __repr__(self) -> str:
        return f"<Function {self._name}>"

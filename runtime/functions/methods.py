"""Methods that run as graphs, and the fast path of calls with tensors alone."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

from runtime.core.tensor import EagerTensor, Tensor
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.conversion import show_user_frames
from runtime.functions.trace_type import Instance
from runtime.state.variable import Variable

P = ParamSpec("P")
R = TypeVar("R")

FastPath = dict[Any, ConcreteFunction]
"""Graphs by the specs of the arguments of calls with tensors only, or by `in_structures`."""

SPECIFIED = (EagerTensor, Variable)
"""Classes with a spec; other objects are not asked for one, because a class may invent it."""

FAST_LIMIT = 1024
"""Maximum number of call types in the fast path, which skips the structure of the arguments."""


def remember(
    fast: FastPath,
    args: tuple[Any, ...],
    concrete: ConcreteFunction,
    tensors: list[Tensor],
) -> None:
    """Add a call with tensors of these types to the fast path."""
    if not args or concrete.is_bound:
        return
    if len(tensors) == len(args) and all(isinstance(arg, SPECIFIED) for arg in args):
        if sum(type(arg) is not EagerTensor for arg in args) > 1:
            return
        key = tuple([arg._spec for arg in args])
    else:
        found = in_structures(args)
        if found is None or list(map(id, found[1])) != list(map(id, tensors)):
            return
        key = found[0]
    if len(fast) >= FAST_LIMIT:
        fast.clear()
    fast[key] = concrete


def in_structures(args: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[EagerTensor]] | None:
    """Return a key of structures and the tensors in them.

    None: they have no tensor, or more than lists, tuples and dicts of tensors, ints, texts and
    None.
    """
    key: list[Any] = []
    tensors: list[EagerTensor] = []
    try:
        known = _add_parts(args, key, tensors)
    except (RecursionError, TypeError):
        return None  # the slow path names a structure that contains itself, a class without a hash
    return (tuple(key), tensors) if known and tensors else None


def _add_parts(values: Iterable[Any], key: list[Any], tensors: list[EagerTensor]) -> bool:
    for value in values:
        kind = type(value)
        if kind is EagerTensor:
            key.append(value._spec)
            tensors.append(value)
        elif kind is list or kind is tuple:
            key.append(kind)
            key.append(len(value))
            if not _add_parts(value, key, tensors):
                return False
        elif kind is dict:
            key.append(kind)
            key.append(len(value))
            for name in value:
                if type(name) is not str:
                    return False
                key.append(name)
            if not _add_parts(value.values(), key, tensors):
                return False
        elif kind in _BY_VALUE:
            key += (kind, value)
        else:
            return False
    return True


_BY_VALUE = frozenset({int, bool, str, type(None)})
"""Classes of Python values that are equal only if a trace cannot tell them apart."""


class OfInstance:
    """State for one instance: graphs of the fast path, and whether the function ran."""

    __slots__ = ("fast", "has_run", "reference", "traces")

    def __init__(self, reference: Any, has_run: bool) -> None:
        self.reference = reference
        self.fast: FastPath = {}
        self.has_run = has_run
        self.traces = 0


class _Traced(Protocol):
    """The part of `Function` that its methods use."""

    python_function: Any

    @property
    def name(self) -> str: ...
    def enter(
        self,
        fast: FastPath,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        instance: Instance | None,
    ) -> Any: ...
    def of_instance(self, instance: Any) -> OfInstance: ...
    def get_concrete_function(self, *args: object, **kwargs: object) -> ConcreteFunction: ...
    def experimental_get_tracing_count(self) -> int: ...


class Method(Generic[P, R]):
    """A `Function` bound to an instance; it keeps one graph for each instance and type."""

    def __init__(self, of: _Traced, instance: Any) -> None:
        self._of = of
        self.__self__ = instance
        self.instance = Instance(instance)
        self.fast = of.of_instance(instance).fast

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function with the instance as first argument."""
        try:
            return cast(R, self._of.enter(self.fast, args, kwargs, self.instance))
        except BaseException as error:
            show_user_frames(error)
            raise

    @property
    def __func__(self) -> _Traced:
        """The function."""
        return self._of

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the instance and the name, like Python's methods."""
        return getattr, (self.__self__, self._of.__name__)  # type: ignore[attr-defined]

    def __deepcopy__(self, memo: dict[int, Any]) -> Method[P, R]:
        """Return the method of the copied instance, like Python's methods."""
        return Method(self._of, copy.deepcopy(self.__self__, memo))

    def get_concrete_function(self, *args: object, **kwargs: object) -> ConcreteFunction:
        """Return the graph for arguments of these types; see `Function`."""
        return self._of.get_concrete_function(self.instance, *args, **kwargs)

    def experimental_get_tracing_count(self) -> int:
        """Return the number of traces for this instance; see `Function`.

        If the instance cannot be weakly referenced: the number for all instances.
        """
        own = self._of.of_instance(self.__self__)
        return own.traces if own.reference else self._of.experimental_get_tracing_count()

    @property
    def python_function(self) -> Callable[..., Any]:
        """The original method."""
        return self._of.python_function.__get__(self.__self__)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        """Delegate to the function."""
        return getattr(self._of, name)

    def __eq__(self, other: object) -> bool:
        """Compare function and instance, like Python's methods."""
        if not isinstance(other, Method):
            return NotImplemented
        return self._of is other._of and self.__self__ is other.__self__

    def __hash__(self) -> int:
        return hash((id(self._of), id(self.__self__)))

    def __repr__(self) -> str:
        return f"<Method {self._of.name} of {self.__self__!r}>"

"""Methods that run as graphs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

from runtime.functions.concrete import ConcreteFunction
from runtime.functions.conversion import show_user_frames
from runtime.functions.entries import Entries
from runtime.functions.trace_type import Instance

P = ParamSpec("P")
R = TypeVar("R")


class OfInstance:
    """State for one instance: entries of its calls, and whether the function ran."""

    __slots__ = ("entries", "has_run", "reference", "traces")

    def __init__(self, reference: Any, has_run: bool) -> None:
        self.reference = reference
        self.entries = Entries()
        self.has_run = has_run
        self.traces = 0


class _Traced(Protocol):
    """The part of `Function` that its methods use."""

    python_function: Any

    @property
    def name(self) -> str: ...
    def enter(
        self,
        entries: Entries,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
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
        self.entries = of.of_instance(instance).entries

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function with the instance as first argument."""
        try:
            return cast(R, self._of.enter(self.entries, args, kwargs, self.instance))
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

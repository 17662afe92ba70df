"""Parts of a program that only one thread runs at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.forks import Lock
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import MIXED, Effect, OpDef, register
from runtime.core.structure import map_structure
from runtime.core.tensor import EagerTensor, TensorLike
from runtime.core.thread import STATE
from runtime.function.polymorphic import Function
from runtime.ops.identity import identity
from runtime.state.cells import HANDLE, RESOURCE


class Mutex:
    """A lock, which says so where one thread would wait for itself.

    Args:
      name: of the section, for messages.
    """

    def __init__(self, name: str) -> None:
        """Starts open."""
        self._name = name
        self._lock = Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps other threads out. Raises ValueError if this thread is in already."""
        if self._lock.owner == threading.get_ident():
            raise ValueError(
                f"Attempting to lock a CriticalSection ({self._name}) in which we are already "
                "running. This is illegal and may cause deadlocks."
            )
        with self._lock:
            yield


def _locked(xp: Any, mutex: Mutex, *args: Any, f: Callable[..., tuple[Any, ...]]) -> Any:
    with mutex.held():
        return f(*args)


_LOCKED_CALL = register(
    OpDef(
        "LockedCall",
        {"mutex": HANDLE, "*args": MIXED},
        lambda mutex, *args, f: tuple(tensor.spec for tensor in f.outputs),
        _locked,
        outputs=None,
        effect=Effect.WRITE,
    )
)
_SHARED: dict[str, Mutex] = {}


class CriticalSection:
    """What keeps threads from running some functions at the same time.

    Args:
      name: the name of the section.
      shared_name: sections of one such name are one section; None: no other is.
      critical_section_def, import_scope: must be None.

    Raises: TypeError if `shared_name` is no string; UnimplementedError for what must be None.

    >>> import runtime as tf
    >>> section, total = tf.CriticalSection(), tf.Variable(0)
    >>> @tf.function
    ... def add(x):
    ...     return section.execute(lambda: total.assign_add(x).read_value())
    >>> print(add(2).numpy(), add(3).numpy())
    2 5
    """

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        """Makes the section, or finds it by `shared_name`."""
        if critical_section_def is not None or import_scope is not None:
            raise UnimplementedError(None, None, "a CriticalSection is not read from a message")
        if shared_name is not None and not isinstance(shared_name, str):
            raise TypeError(f"Expected string for argument 'shared_name' not {shared_name!r}.")
        self._name = name or "CriticalSection"
        mutex = Mutex(shared_name or self._name)
        self._mutex = _SHARED.setdefault(shared_name, mutex) if shared_name else mutex
        self._handle = EagerTensor(self._mutex, RESOURCE)
        self._recorded = threading.local()

    @property
    def name(self) -> str:
        """The name of the section."""
        return self._name

    def execute(
        self,
        fn: Callable[[], Any],
        exclusive_resource_access: bool = True,
        name: str | None = None,
    ) -> Any:
        """Return what a function returns, while no other thread runs one in this section.

        Args:
          fn: takes nothing.
          exclusive_resource_access: has no effect.
          name: the name of the operation.

        Returns: tensors in the structure that `fn` returns.
        Raises: ValueError if `fn` executes another function in the same section; what `fn` raises.
        """
        graph = STATE.graph
        if graph is None:
            with self._mutex.held():
                return map_structure(_as_tensor, fn())
        if getattr(self._recorded, "inside", False):
            raise ValueError(
                f"Attempting to lock a CriticalSection ({self._name}) in which we are already "
                "running. This is illegal and may cause deadlocks."
            )
        self._recorded.inside = True
        try:
            body = Function(fn, name or "critical_section").get_concrete_function()
        finally:
            self._recorded.inside = False
        inputs = (self._handle, *body.captured_inputs)
        return body.record_call(graph, _LOCKED_CALL, inputs, name or "critical_section_execute")


def _as_tensor(value: TensorLike | None) -> Any:
    return None if value is None else identity(value)

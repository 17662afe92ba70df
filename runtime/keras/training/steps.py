"""Steps of training: compiled, one graph for each structure of a batch, and never cut in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

import runtime as tf
from runtime.keras.base.conversion import user_code


class CompiledStep:
    """A function of a batch as a graph.

    The graph takes the tensors of the batch one by one: a call with tensors alone finds its graph
    by their specs, without a walk through structures.

    Args:
      function: the function of a batch `(x,)`, `(x, y)` or `(x, y, sample_weight)`.

    >>> step = CompiledStep(lambda data: {"sum": data[0] + data[1]})
    >>> print(step((tf.constant(1.0), tf.constant(2.0)))["sum"].numpy())
    3.0
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._flat: Callable[..., Any] | None = None
        self._ranks: Any = None
        self._graphs: list[tuple[Any, Any]] = []

    def __call__(self, data: Any) -> Any:
        """Run the graph of this structure; record it first if there is none."""
        if self._flat is not None and self._ranks == _ranks(data):
            return self._flat(*data)
        return self._graph_for(data)(*tf.nest.flatten(data))

    def _graph_for(self, data: object) -> Callable[..., Any]:
        for structure, graph in self._graphs:
            if _same(structure, data):
                return graph  # type: ignore[no-any-return]
        structure = tf.nest.map_structure(_rank, data)

        def run(*tensors: tf.Tensor) -> Any:
            return user_code(self._function)(tf.nest.pack_sequence_as(structure, list(tensors)))

        graph = tf.function(run, reduce_retracing=True)
        self._graphs.append((structure, graph))
        if None not in _ranks(data):
            self._flat, self._ranks = graph, _ranks(data)
        return graph


class CompiledSteps(dict[str, Callable[[Any], Any]]):
    """The compiled steps of one model; a copy of the model compiles steps of its own."""

    def __deepcopy__(self, memo: object) -> CompiledSteps:
        """Return no steps."""
        return CompiledSteps()


def _rank(part: object) -> int | None:
    return part.shape.rank if isinstance(part, tf.Tensor) else None


def _ranks(data: Any) -> list[int | None]:
    """The ranks of the parts of a batch; None for a part that is no tensor."""
    return [_rank(part) for part in data]


def _same(a: object, b: object) -> bool:
    try:
        tf.nest.assert_same_structure(a, b)
    except (TypeError, ValueError):
        return False
    return tf.nest.flatten(a) == [_rank(part) for part in tf.nest.flatten(b)]


class WholeSteps:
    """A context in which an interrupt waits for the end of the step that is running.

    A step assigns variables one after another. An interrupt in between would leave some of them
    updated and others not.

    >>> with WholeSteps() as steps:
    ...     steps.run(lambda: 3)
    3
    """

    def __init__(self) -> None:
        self._running = False
        self._pending = False
        self._before: Any = None

    def __enter__(self) -> Self:
        """Handle SIGINT, if nothing but Python itself does."""
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *error: object) -> None:
        """Leave SIGINT to Python again."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self._running or self._pending:
            raise KeyboardInterrupt
        self._pending = True

    def run(self, step: Any, *args: Any) -> Any:
        """Run a step. Raises KeyboardInterrupt at its end if one came meanwhile."""
        self._running = True
        try:
            result = step(*args)
        finally:
            self._running = False
        if self._pending:
            raise KeyboardInterrupt
        return result

"""Steps of training: compiled, and never cut in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

import runtime as tf


class CompiledStep:
    """A function of the parts of a batch as graphs: one for all batch sizes, but not all ranks.

    Args:
      function: the function of inputs, and of labels and weights of samples if there are any.
      jit_compile: as in `tf.function`.
    """

    def __init__(self, function: Callable[..., Any], jit_compile: Any) -> None:
        self._function = function
        self._jit_compile = jit_compile
        self._of_ranks: dict[Any, Callable[..., Any]] = {}

    def __call__(self, *parts: Any) -> Any:
        """Run the graph for these parts; trace it first if there is none."""
        plain = all(isinstance(part, tf.Tensor) for part in parts)
        flat = parts if plain else tf.nest.flatten(parts)
        ranks = tuple([each.shape.rank if isinstance(each, tf.Tensor) else None for each in flat])
        if ranks not in self._of_ranks:
            self._of_ranks[ranks] = tf.function(
                self._function, reduce_retracing=True, jit_compile=self._jit_compile
            )
        return self._of_ranks[ranks](*parts)


class CompiledSteps(dict[str, Callable[[Any], Any]]):
    """The compiled steps of one model; a copy of the model compiles steps of its own."""

    def __deepcopy__(self, memo: object) -> CompiledSteps:
        """Return no steps."""
        return CompiledSteps()


class WholeSteps:
    """A context in which an interrupt waits for the end of the step that is running.

    A step assigns variables one after another. An interrupt in between would leave some of them
    updated and others not.
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

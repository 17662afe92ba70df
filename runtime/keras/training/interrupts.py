"""Keyboard interrupts between steps, never within one."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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

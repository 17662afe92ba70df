"""`TestCase`: the base class of tests of programs on tensors."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from runtime.export.graphdef import MIN_CONSUMER, PRODUCER
from runtime.export.text_format import Parse
from runtime.testing.arrays import ArrayCase
from runtime.testing.files import FileCase


class CheckedThread:
    """A thread whose error becomes the error of the test that joins it."""

    def __init__(self, target: Callable[..., Any], args: object, kwargs: object) -> None:
        """Store the call."""
        self._thread = threading.Thread(target=self._call, args=(target, args, kwargs))
        self._thread.daemon = True
        self._error: BaseException | None = None

    def _call(self, target: Callable[..., Any], args: Any, kwargs: Any) -> None:
        try:
            target(*args, **kwargs)
        except Exception as error:  # told to the thread that joins
            self._error = error

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the thread. Raises AssertionError if it failed."""
        self._thread.join()
        if self._error is not None:
            raise AssertionError(f"Error in checkedThread: {self._error}") from self._error

    def is_alive(self) -> bool:
        """Return whether the thread is running."""
        return self._thread.is_alive()


class TestCase(ArrayCase, FileCase):
    """A `unittest.TestCase` that evaluates and compares tensors.

    Each test starts with fixed seeds and an empty default graph. Assertions accept tensors,
    variables, arrays and structures of them: eagerly, in graphs of a Session, and in functions.

    >>> import runtime as tf
    >>> class Sums(tf.test.TestCase):
    ...     def test_sum(self):
    ...         self.assertAllClose(tf.reduce_sum([0.5, 0.25]), 0.75)
    >>> import io, unittest
    >>> tests = unittest.defaultTestLoader.loadTestsFromTestCase(Sums)
    >>> unittest.TextTestRunner(io.StringIO()).run(tests).wasSuccessful()
    True
    """

    def enter_context(self, manager: AbstractContextManager[Any]) -> Any:
        """Enter a context until the end of the test."""
        return self.enterContext(manager)

    def checkedThread(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> CheckedThread:
        """Return a thread whose failure fails the test when joined."""
        return CheckedThread(target, args or (), kwargs or {})

    def assertProtoEquals(
        self,
        expected_message_maybe_ascii: object,
        validate_message: Any,
        msg: str | None = None,
        relative_tolerance: float | None = None,
    ) -> None:
        """Assert that two protocol messages are equal.

        Args:
          expected_message_maybe_ascii: a message, or its text form.
          validate_message: a message.
          msg: text appended to the failure message.
          relative_tolerance: only None: numbers compare exactly.

        Raises:
          ValueError: for a tolerance.
          ParseError: if the text is not a message of this type.
        """
        if relative_tolerance is not None:
            raise ValueError("relative_tolerance can only be None: numbers are compared exactly")
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            expected = Parse(expected, type(validate_message)())
        self.assertIs(type(expected), type(validate_message), msg)
        if expected != validate_message:
            self.assertMultiLineEqual(str(expected), str(validate_message), msg)

    def assertProtoEqualsVersion(
        self,
        expected: Any,
        actual: Any,
        producer: int = PRODUCER,
        min_consumer: int = MIN_CONSUMER,
        msg: str | None = None,
    ) -> None:
        """Assert the nodes and the version of a graph, given as a message or text."""
        wanted = Parse(expected, type(actual)()) if isinstance(expected, str) else expected
        wanted.versions.producer = producer
        wanted.versions.min_consumer = min_consumer
        self.assertProtoEquals(wanted, actual, msg)

"""Assertions about containers, strings, exceptions and programs that `unittest` lacks."""

from __future__ import annotations

import re
import unittest
from collections.abc import Callable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from runtime.core.errors import OpError

Expected = str | Callable[[BaseException], Any]


class ContainerCase(unittest.TestCase):
    """Assertions about containers, strings, exceptions and programs."""

    maxDiff = 80 * 20
    longMessage = True

    def assertEmpty(self, container: Sized, msg: str | None = None) -> None:
        """Assert that a container is empty; failures end with `msg`."""
        self._require_sized(container, msg)
        if len(container):
            self.fail(self._formatMessage(msg, f"{container!r} has length of {len(container)}."))

    def assertNotEmpty(self, container: Sized, msg: str | None = None) -> None:
        """Assert that a container is not empty."""
        self._require_sized(container, msg)
        if not len(container):
            self.fail(self._formatMessage(msg, f"{container!r} has length of 0."))

    def assertLen(self, container: Sized, expected_len: int, msg: str | None = None) -> None:
        """Assert the number of elements of a container."""
        self._require_sized(container, msg)
        if len(container) != expected_len:
            self.fail(
                self._formatMessage(
                    msg,
                    f"{_short(container)} has length of {len(container)}, expected {expected_len}.",
                )
            )

    def _require_sized(self, container: object, msg: str | None) -> None:
        if not isinstance(container, Sized):
            self.fail(self._formatMessage(msg, f"Expected a Sized object, got: {container!r}"))

    def assertStartsWith(self, actual: Any, expected_start: Any, msg: str | None = None) -> None:
        """Assert the prefix of a string."""
        if not actual.startswith(expected_start):
            self.fail(
                self._formatMessage(msg, f"{actual!r} does not start with {expected_start!r}")
            )

    def assertEndsWith(self, actual: Any, expected_end: Any, msg: str | None = None) -> None:
        """Assert the suffix of a string."""
        if not actual.endswith(expected_end):
            self.fail(self._formatMessage(msg, f"{actual!r} does not end with {expected_end!r}"))

    def assertItemsEqual(self, first: Any, second: Any, msg: object = None) -> None:
        """Assert that two iterables have equal elements, as `assertCountEqual` does."""
        self.assertCountEqual(first, second, msg)

    def assertRaisesWithPredicateMatch(
        self, exception_type: object, expected_err_re_or_predicate: Expected
    ) -> AbstractContextManager[None]:
        """Assert that a `with` block raises an exception with a matching message.

        Args:
          exception_type: its class, or several.
          expected_err_re_or_predicate: a predicate of the exception, or a regular expression for
            its message. For errors of operations the message ends with the name of the operation.

        Returns: A context manager.
        """
        expected = expected_err_re_or_predicate
        if callable(expected):
            return self._raises(exception_type, expected, "the predicate does not hold")
        return self._raises(
            exception_type,
            lambda error: re.search(expected, _text(error)),
            f"{expected!r} is not found in the error",
        )

    @contextmanager
    def _raises(
        self, kind: Any, holds: Callable[[BaseException], Any], words: str
    ) -> Iterator[None]:
        try:
            yield
        except kind as error:
            if not holds(error):
                raise AssertionError(
                    f"{words}\nException of type {type(error)}: {error}"
                ) from error
        except Exception as error:
            raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            names = getattr(kind, "__name__", None) or " or ".join(one.__name__ for one in kind)
            self.fail(f"{names} not raised")

    def assertRaisesOpError(
        self, expected_err_re_or_predicate: Expected
    ) -> AbstractContextManager[None]:
        """Assert that a `with` block raises an `OpError`; see `assertRaisesWithPredicateMatch`."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)


def _text(error: BaseException) -> str:
    if not isinstance(error, OpError):
        return str(error)
    op = getattr(error, "op", None)
    return error.message if op is None else f"{error.message}\nCaused by: {op.name}"


def _short(container: object) -> str:
    text = repr(container)
    return text if len(text) <= 500 else f"{text[:500]}..."

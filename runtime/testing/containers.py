"""Assertions about containers, strings, exceptions and programs that `unittest` lacks."""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import json
import re
import subprocess
import unittest
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from urllib.parse import parse_qs, urlparse

from runtime.core.errors import InvalidArgumentError, OpError

Expected = str | Callable[[BaseException], Any]


class ContainerCase(unittest.TestCase):
    """Assertions about containers, strings, exceptions and programs."""

    maxDiff = 80 * 20
    longMessage = True

    def assertEmpty(self, container: Any, msg: str | None = None) -> None:
        """Assert that a container is empty."""
        self._require_sized(container, msg)
        if len(container):
            self.fail(self._formatMessage(msg, f"{container!r} has length of {len(container)}."))

    def assertNotEmpty(self, container: Any, msg: str | None = None) -> None:
        """Assert that a container is not empty."""
        self._require_sized(container, msg)
        if not len(container):
            self.fail(self._formatMessage(msg, f"{container!r} has length of 0."))

    def assertLen(self, container: Any, expected_len: int, msg: str | None = None) -> None:
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

    def assertNotStartsWith(self, actual: Any, unexpected_start: Any, msg: Any = None) -> None:
        """Assert that a string does not have a prefix."""
        if actual.startswith(unexpected_start):
            self.fail(self._formatMessage(msg, f"{actual!r} does start with {unexpected_start!r}"))

    def assertEndsWith(self, actual: Any, expected_end: Any, msg: str | None = None) -> None:
        """Assert the suffix of a string."""
        if not actual.endswith(expected_end):
            self.fail(self._formatMessage(msg, f"{actual!r} does not end with {expected_end!r}"))

    def assertNotEndsWith(self, actual: Any, unexpected_end: Any, msg: Any = None) -> None:
        """Assert that a string does not have a suffix."""
        if actual.endswith(unexpected_end):
            self.fail(self._formatMessage(msg, f"{actual!r} does end with {unexpected_end!r}"))

    def assertBetween(self, value: Any, minv: Any, maxv: Any, msg: str | None = None) -> None:
        """Assert `minv <= value <= maxv`."""
        if not minv <= value <= maxv:
            text = f"{value!r} unexpectedly not between {minv!r} and {maxv!r}"
            self.fail(self._formatMessage(msg, text))

    def assertItemsEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        """Alias of `assertCountEqual`."""
        self.assertCountEqual(first, second, msg)

    def assertSameElements(
        self, expected_seq: Iterable[Any], actual_seq: Iterable[Any], msg: str | None = None
    ) -> None:
        """Assert that two collections contain the same elements, in any order and number."""
        expected, actual = list(expected_seq), list(actual_seq)
        missing = [item for item in expected if item not in actual]
        added = [item for item in actual if item not in expected]
        if missing or added:
            text = f"Expected, but missing:\n  {missing}\nUnexpected, but present:\n  {added}"
            self.fail(self._formatMessage(msg, text))

    def assertContainsSubset(
        self, expected_subset: Iterable[Any], actual_set: Iterable[Any], msg: str | None = None
    ) -> None:
        """Assert that one collection contains all elements of the other."""
        actual = list(actual_set)
        missing = [item for item in expected_subset if item not in actual]
        if missing:
            text = f"Missing elements {missing}\nExpected: {expected_subset}\nActual: {actual_set}"
            self.fail(self._formatMessage(msg, text))

    def assertNoCommonElements(
        self, expected_seq: Iterable[Any], actual_seq: Iterable[Any], msg: str | None = None
    ) -> None:
        """Assert that two collections are disjoint."""
        other = list(actual_seq)
        common = [item for item in expected_seq if item in other]
        if common:
            text = f"Common elements {common}\nExpected: {expected_seq}\nActual: {actual_seq}"
            self.fail(self._formatMessage(msg, text))

    def assertContainsInOrder(
        self, strings: Sequence[str] | str, target: str, msg: str | None = None
    ) -> None:
        """Assert that a string contains others, in order and without overlap."""
        wanted = [strings] if isinstance(strings, str) else list(strings)
        at, last = 0, None
        for text in wanted:
            found = target.find(text, at)
            if found < 0:
                after = "" if last is None else f" after {last!r}"
                self.fail(self._formatMessage(msg, f"Did not find {text!r}{after} in {target!r}"))
            at, last = found + len(text), text

    def assertContainsSubsequence(
        self, container: Iterable[Any], subsequence: Iterable[Any], msg: str | None = None
    ) -> None:
        """Assert that a collection contains a subsequence."""
        rest = iter(container)
        if not all(item in rest for item in subsequence):
            self.fail(self._formatMessage(msg, f"{subsequence} not a subsequence of {container}."))

    def assertContainsExactSubsequence(
        self, container: Iterable[Any], subsequence: Iterable[Any], msg: str | None = None
    ) -> None:
        """Assert that a collection contains a contiguous subsequence."""
        items, part = list(container), list(subsequence)
        starts = range(len(items) - len(part) + 1)
        if not any(items[at : at + len(part)] == part for at in starts):
            text = f"{subsequence} not an exact subsequence of {container}."
            self.fail(self._formatMessage(msg, text))

    def assertSequenceStartsWith(self, prefix: object, whole: Any, msg: str | None = None) -> None:
        """Assert the first elements of a sequence; `prefix` may be one element."""
        wanted = list(prefix) if isinstance(prefix, Iterable) else [prefix]
        self.assertNotEmpty(wanted, "Prefix is empty: it is the start of every sequence.")
        if list(whole)[: len(wanted)] != wanted:
            self.fail(self._formatMessage(msg, f"{whole!r} does not start with {wanted!r}"))

    def assertSequenceAlmostEqual(
        self,
        expected_seq: Sequence[Any],
        actual_seq: Sequence[Any],
        places: int | None = None,
        msg: str | None = None,
        delta: float | None = None,
    ) -> None:
        """Assert that the numbers of two sequences are almost equal; see `assertAlmostEqual`."""
        if len(expected_seq) != len(actual_seq):
            text = f"Sequence size mismatch: {len(expected_seq)} vs {len(actual_seq)}"
            self.fail(self._formatMessage(msg, text))
        pairs = zip(expected_seq, actual_seq, strict=True)
        self._none_apart(((str(at), *pair) for at, pair in enumerate(pairs)), places, msg, delta)

    def assertDictAlmostEqual(
        self,
        a: Mapping[Any, Any],
        b: Mapping[Any, Any],
        places: int | None = None,
        msg: str | None = None,
        delta: float | None = None,
    ) -> None:
        """Assert that two mappings have equal keys and almost equal numbers."""
        self.assertSameElements(a, b, msg)
        self._none_apart(((repr(key), a[key], b[key]) for key in a), places, msg, delta)

    def _none_apart(
        self, triples: Iterable[tuple[str, Any, Any]], places: Any, msg: Any, delta: Any
    ) -> None:
        wrong = []
        for where, first, second in triples:
            try:
                self.assertAlmostEqual(first, second, places, delta=delta)
            except self.failureException as error:
                wrong.append(f"At {where}: {error}")
        if wrong:
            more = [f"and {len(wrong) - 30} more"] if len(wrong) > 30 else []
            self.fail(self._formatMessage(msg, "\n".join([*wrong[:30], *more])))

    def assertMappingEqual(
        self,
        a: Any,
        b: Any,
        msg: str | None = None,
        mapping_type: type = Mapping,
        check_values_equality: Callable[[Any, Any], bool] = lambda a, b: a == b,
    ) -> None:
        """Assert that two mappings have equal keys and values."""
        self.assertIsInstance(a, mapping_type, msg)
        self.assertIsInstance(b, mapping_type, msg)
        self.assertSameElements(a, b, msg)
        wrong = [
            f"[{key!r}]: {a[key]!r} != {b[key]!r}"
            for key in a
            if not check_values_equality(a[key], b[key])
        ]
        if wrong:
            self.fail(self._formatMessage(msg, "\n".join(wrong)))

    def assertDataclassEqual(self, first: object, second: object, msg: str | None = None) -> None:
        """Assert that two dataclasses are equal; the failure names the fields that differ."""
        if not dataclasses.is_dataclass(first) or not dataclasses.is_dataclass(second):
            self.fail(self._formatMessage(msg, "First and second must be dataclass instances."))
        if type(first) is not type(second):
            kinds = f"{type(first)} != {type(second)}"
            self.fail(self._formatMessage(msg, f"Found different dataclass types: {kinds}"))
        if first == second:
            return
        names = [field.name for field in dataclasses.fields(first)]
        pairs = [(name, getattr(first, name), getattr(second, name)) for name in names]
        wrong = [f"  {name}: {a!r} != {b!r}" for name, a, b in pairs if a != b]
        self.fail(self._formatMessage(msg, "\n".join([f"{first!r} != {second!r}", *wrong])))

    def assertSameStructure(
        self, a: object, b: object, aname: str = "a", bname: str = "b", msg: str | None = None
    ) -> None:
        """Assert that two structures of lists, tuples, sets and mappings are equal."""
        problems = list(itertools.islice(_differences(a, b, aname, bname), 30))
        if problems:
            self.fail(self._formatMessage(msg, "; ".join(problems)))

    def assertJsonEqual(self, first: str, second: str, msg: str | None = None) -> None:
        """Assert that two JSON texts have equal values."""
        values = []
        for name, text in (("first", first), ("second", second)):
            try:
                values.append(json.loads(text))
            except ValueError as error:
                said = f"could not decode {name} JSON value {text}: {error}"
                raise ValueError(self._formatMessage(msg, said)) from error
        self.assertSameStructure(values[0], values[1], "first", "second", msg)

    def assertUrlEqual(self, a: str, b: str, msg: str | None = None) -> None:
        """Assert that two URLs are equal except for the order of parameters."""
        first, second = urlparse(a), urlparse(b)
        for field in ("scheme", "netloc", "path", "params", "fragment"):
            self.assertEqual(getattr(first, field), getattr(second, field), msg)
        self.assertEqual(
            {key: sorted(values) for key, values in parse_qs(first.query, True).items()},
            {key: sorted(values) for key, values in parse_qs(second.query, True).items()},
            msg,
        )

    def assertTotallyOrdered(self, *groups: Iterable[Any], msg: str | None = None) -> None:
        """Assert all comparisons: values are equal inside a group and less than those of later
        groups.
        """
        columns = [list(group) for group in groups]
        for at, group in enumerate(columns):
            for a, b in itertools.product(group, group):
                self.assertTrue(a == b and a <= b and a >= b and not a < b, msg or f"{a!r}, {b!r}")
            for a, b in itertools.product(group, itertools.chain(*columns[at + 1 :])):
                holds = a < b and a <= b and b > a and b >= a and a != b
                self.assertTrue(holds, msg or f"{a!r} is not less than {b!r}")

    def assertMultiLineEqual(
        self, first: Any, second: Any, msg: Any = None, **kwargs: object
    ) -> None:
        """Assert that two strings are equal; the failure shows the lines that differ."""
        self.assertIsInstance(first, str, "First argument is not a string")
        self.assertIsInstance(second, str, "Second argument is not a string")
        if first != second:
            lines = difflib.ndiff(first.splitlines(True), second.splitlines(True))
            shown = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
            self.fail(self._formatMessage(msg, f"{first!r} != {second!r}\n{shown}"))

    def assertRegexMatch(
        self, actual_str: Any, regexes: Sequence[Any], message: str | None = None
    ) -> None:
        """Assert that at least one regular expression matches a string."""
        if isinstance(regexes, (str, bytes)):
            self.fail("regexes is string or bytes; use assertRegex instead.")
        if not any(re.search(regex, actual_str, re.MULTILINE) for regex in regexes):
            text = f"{actual_str!r} does not match any of {list(regexes)!r}"
            self.fail(self._formatMessage(message, text))

    def assertCommandSucceeds(
        self,
        command: object,
        regexes: Sequence[Any] = (b"",),
        env: Mapping[str, str] | None = None,
        close_fds: bool = True,
        msg: str | None = None,
    ) -> None:
        """Assert that a program exits with 0 and that its output matches one of the expressions."""
        done = _run(command, env, close_fds)
        if done.returncode:
            said = f"Running command {command} failed with error code {done.returncode}"
            self.fail(self._formatMessage(msg, f"{said}\n{done.stdout!r}"))
        self.assertRegexMatch(done.stdout, [_bytes(regex) for regex in regexes], msg)

    def assertCommandFails(
        self,
        command: object,
        regexes: Sequence[Any],
        env: Mapping[str, str] | None = None,
        close_fds: bool = True,
        msg: str | None = None,
    ) -> None:
        """Assert that a program fails and that its output matches one of the expressions."""
        done = _run(command, env, close_fds)
        if not done.returncode:
            said = f"The following command succeeded while expected to fail:\n{command}"
            self.fail(self._formatMessage(msg, said))
        self.assertRegexMatch(done.stdout, [_bytes(regex) for regex in regexes], msg)

    def assertRaisesWithLiteralMatch(
        self,
        expected_exception: object,
        expected_exception_message: str,
        callable_obj: Callable[..., Any] | None = None,
        *args: object,
        **kwargs: object,
    ) -> Any:
        """Assert that a call, or a `with` block, raises an exception with exactly this message."""
        context = self._raises(
            expected_exception,
            lambda error: str(error) == expected_exception_message,
            f"Exception message does not match.\nExpected: {expected_exception_message!r}",
        )
        if callable_obj is None:
            return context
        with context:
            callable_obj(*args, **kwargs)
        return None

    def assertRaisesWithPredicateMatch(
        self, exception_type: object, expected_err_re_or_predicate: Expected
    ) -> AbstractContextManager[None]:
        """Assert that a `with` block raises an exception with a matching message.

        Args:
          exception_type: its class, or several.
          expected_err_re_or_predicate: a predicate of the exception, or a regular expression for
            its message. For errors of operations the message ends with the name of the operation.
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
        """Assert that an operation fails; see `assertRaisesWithPredicateMatch`."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(
        self, exception_type: object = InvalidArgumentError
    ) -> AbstractContextManager[None]:
        """Assert that an operation refuses shapes that do not broadcast."""
        return self.assertRaisesWithPredicateMatch(
            exception_type,
            "Incompatible shapes|Dimensions must be equal|required broadcastable shapes",
        )

    def assertRaisesRegexp(
        self, expected_exception: Any, expected_regex: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Alias of `assertRaisesRegex`."""
        return self.assertRaisesRegex(expected_exception, expected_regex, *args, **kwargs)

    def assertEquals(self, first: object, second: object, msg: object = None) -> None:
        """Alias of `assertEqual`."""
        self.assertEqual(first, second, msg)

    def assertNotEquals(self, first: object, second: object, msg: object = None) -> None:
        """Alias of `assertNotEqual`."""
        self.assertNotEqual(first, second, msg)

    def assertAlmostEquals(self, *args: Any, **kwargs: Any) -> None:
        """Alias of `assertAlmostEqual`."""
        self.assertAlmostEqual(*args, **kwargs)

    def assertRegexpMatches(self, text: Any, expected_regex: Any, msg: Any = None) -> None:
        """Alias of `assertRegex`."""
        self.assertRegex(text, expected_regex, msg)


def _text(error: BaseException) -> str:
    if not isinstance(error, OpError):
        return str(error)
    op = getattr(error, "op", None)
    return error.message if op is None else f"{error.message}\nCaused by: {op.name}"


def _run(command: Any, env: Any, close_fds: bool) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command,
        env=env,
        close_fds=close_fds,
        shell=isinstance(command, str),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def _bytes(regex: str | bytes) -> bytes:
    return regex.encode() if isinstance(regex, str) else regex


def _short(container: object) -> str:
    text = repr(container)
    return text if len(text) <= 500 else f"{text[:500]}..."


def _differences(a: object, b: object, aname: str, bname: str) -> Iterator[str]:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        yield from (f"{aname} has [{key!r}] but {bname} does not" for key in a if key not in b)
        yield from (f"{aname} lacks [{key!r}] but {bname} has it" for key in b if key not in a)
        for key in (key for key in a if key in b):
            yield from _differences(a[key], b[key], f"{aname}[{key!r}]", f"{bname}[{key!r}]")
    elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            yield f"{aname} has length {len(a)} but {bname} has length {len(b)}"
        for at, (x, y) in enumerate(zip(a, b, strict=False)):
            yield from _differences(x, y, f"{aname}[{at}]", f"{bname}[{at}]")
    elif a != b:
        yield f"{aname} is {a!r} but {bname} is {b!r}"

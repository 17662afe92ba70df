"""Loads and runs tests in the interpreter under test; imported once the overlay is in place."""

from __future__ import annotations

import unittest
from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import Any

from test import support  # type: ignore[import-not-found]  # part of the tested CPython

Write = Callable[[dict[str, Any]], None]
Render = Callable[[BaseException], str]


class Recorder(unittest.TestResult):
    """Writes one event where a test starts and one where it ends.

    Several tests may share an id (a class that two suites load); from the second on they get a
    number.
    """

    def __init__(self, write: Write, render: Render) -> None:
        super().__init__()
        self.write = write
        self.render = render
        self.uses: Counter[str] = Counter()
        self.name = ""
        self.outcome = "passed"
        self.text = ""

    def begin(self, test: Any) -> None:
        name = test.id()
        self.uses[name] += 1
        count = self.uses[name]
        self.name = name if count == 1 else f"{name}#{count}"
        self.outcome, self.text = "passed", ""
        self.write({"event": "start", "test": self.name})

    def end(self) -> None:
        event = {"event": "end", "test": self.name, "outcome": self.outcome, "text": self.text}
        self.write(event)

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self.begin(test)

    def stopTest(self, test: Any) -> None:
        super().stopTest(test)
        self.end()

    def note(self, test: Any, outcome: str, text: str) -> None:
        if isinstance(test, unittest.TestCase):
            self.outcome, self.text = outcome, (self.text + "\n" + text).strip()
            return
        # setUpClass and setUpModule fail without a test having been started.
        self.begin(test)
        self.outcome, self.text = outcome, text
        self.end()

    def addError(self, test: Any, err: Any) -> None:
        self.note(test, "failed", self.render(err[1]))

    def addFailure(self, test: Any, err: Any) -> None:
        self.note(test, "failed", self.render(err[1]))

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self.note(test, "failed", f"{subtest}\n{self.render(err[1])}")

    def addSkip(self, test: Any, reason: str) -> None:
        if self.outcome == "passed":
            self.note(test, "skipped", reason)

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        self.note(test, "failed as expected", "")

    def addUnexpectedSuccess(self, test: Any) -> None:
        self.note(test, "passed unexpectedly", "")


def load(names: Iterable[str], resources: Iterable[str]) -> unittest.TestSuite:
    """The tests of the named modules; of what is slow or needs the network only `resources`."""
    support.use_resources = dict.fromkeys(resources)
    support.verbose = 0
    return unittest.TestSuite(map(load_module, names))


def load_module(name: str) -> unittest.TestSuite:
    """The tests of one module; one that does not apply to this machine is an empty suite."""
    try:
        return unittest.TestLoader().loadTestsFromName(name)
    except unittest.SkipTest:
        return unittest.TestSuite()


def without(suite: unittest.TestSuite, done: Container[str]) -> unittest.TestSuite:
    """The suite without the tests that ran before."""
    kept = type(suite)()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            kept.addTest(without(test, done))
        elif test.id() not in done:
            kept.addTest(test)
    return kept


def run(suite: unittest.TestSuite, write: Write, render: Render) -> None:
    """Run the suite and write its events."""
    suite.run(Recorder(write, render))

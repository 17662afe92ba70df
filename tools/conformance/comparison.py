"""A subject's tests unconverted and converted: which of them the conversion breaks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tools.conformance.catalogue import Subject
from tools.conformance.interpreters import Interpreter
from tools.conformance.known import reason_for
from tools.conformance.overlay import Converter, Located, build, identity, locate
from tools.conformance.runs import Outcome, Run, run_tests

LIMIT = 60.0


@dataclass
class Result:
    """What came out for one subject on one interpreter.

    `regressions` maps each test that passes unconverted and not converted to its failure;
    `known` maps those that look at what conversion changes by its nature to the reason instead;
    `flaky` are tests whose outcome changes between two runs of one kind.
    """

    subject: str
    python: str
    modules: int = 0
    changed: int = 0
    newer: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    tests: int = 0
    passed: int = 0
    regressions: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    flaky: list[str] = field(default_factory=list)
    trouble: str = ""
    plain_trouble: str = ""
    plain_seconds: float = 0.0
    converted_seconds: float = 0.0
    absent: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.regressions or self.refused)

    @property
    def ratio(self) -> float | None:
        if self.absent or self.trouble or not self.plain_seconds:
            return None
        return self.converted_seconds / self.plain_seconds


def compare(
    interpreter: Interpreter, subject: Subject, convert: Converter, limit: float = LIMIT
) -> Result:
    """Run the subject's tests unconverted and converted; both again where some got worse.

    One test may take `limit` seconds.
    """
    result = Result(subject.name, interpreter.label)
    located = locate(interpreter, subject)
    if not located.modules or not located.tests:
        result.absent = "no such module" if not located.modules else "no such test"
        return result
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        _compare_in(Path(name), interpreter, subject, located, convert, limit, result)
    return result


def _compare_in(
    directory: Path,
    interpreter: Interpreter,
    subject: Subject,
    located: Located,
    convert: Converter,
    limit: float,
    result: Result,
) -> None:
    plain_overlay = build(located, identity, directory / "texts" / "plain")
    overlay = build(located, convert, directory / "texts" / "converted")
    result.modules, result.changed = len(overlay.files), len(overlay.changed)
    result.newer, result.refused = overlay.newer, overlay.refused

    def run(kind: str, attempt: str) -> Run:
        files = plain_overlay if kind == "plain" else overlay
        return run_tests(interpreter, subject, located, files, directory / attempt / kind, limit)

    plain, converted = run("plain", "first"), run("converted", "first")
    record(result, plain, converted, lambda kind: run(kind, "again"))


def record(result: Result, plain: Run, converted: Run, again: Callable[[str], Run]) -> None:
    """Put the outcomes of both runs into the result.

    Where tests got worse, `again("plain")` and `again("converted")` repeat the runs: what does
    not fall out the same way twice is flaky.
    """
    result.tests, result.passed = len(plain.outcomes), len(plain.passed)
    result.plain_seconds, result.plain_trouble = plain.seconds, plain.trouble
    result.converted_seconds, result.trouble = converted.seconds, converted.trouble
    worse = plain.passed - converted.passed
    if not worse:
        return
    steady = worse & again("plain").passed - again("converted").passed
    result.flaky = sorted(worse - steady)
    missing = Outcome("missing", converted.trouble or _unstarted(converted))
    for name in sorted(steady):
        reason = reason_for(result.subject, name)
        if reason is not None:
            result.known[name] = reason
            continue
        outcome = converted.outcomes.get(name, missing)
        result.regressions[name] = f"{outcome.status}: {outcome.text}".strip()


def _unstarted(run: Run) -> str:
    """Why tests are missing: the failures to import or set up that stand in their place."""
    texts = [
        f"{name}\n{outcome.text}"
        for name, outcome in run.outcomes.items()
        if outcome.status == "failed" and ("_FailedTest" in name or name.startswith("setUp"))
    ]
    return "\n".join(texts) or "did not run"

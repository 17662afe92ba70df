"""`autograph convert`: files in, converted files out. Nothing of them is imported or run."""

from __future__ import annotations

import argparse
import difflib
import io
import json
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograph.atomic import write_atomically
from autograph.cli import output, sources, targets
from autograph.cli.conversion import Outcome, convert_file, missing_name, refusal_problem
from autograph.cli.exclusions import Exclusions, is_forced_out
from autograph.cli.problems import Problem
from autograph.cli.progress import Watch, watching
from autograph.cli.settings import KEYS, SettingsError, settings_for
from autograph.cli.targets import Target, Tree
from autograph.version import __version__

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

DESCRIPTION = """\
Converts a Python file or every .py file of a folder. One file without any option is printed to
standard output; a folder needs -o, -i, --check or --diff. Encoding, line ends and file mode stay.

Of a folder, these are left out: hidden folders and __pycache__, virtual environments, build folders
(build, dist, venv, node_modules, ...), what git ignores, links to folders, and with -i, --check and
--diff links to files. --exclude replaces all of it but hidden folders and links. Patterns are
searched in the path from the root of the project, which starts with a slash; a folder ends with
one. pyproject.toml may give exclude, extend-exclude and force-exclude under [tool.autograph].

Files other than .py are neither changed nor copied. A file with an error is reported and not
written; the others are.

Exit codes: 0 done, 1 something would change (with --check), 2 at least one error.
"""


def add_parser(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "convert",
        help="convert a file or a tree of files",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths", nargs="+", metavar="FILE|DIR|-", help="what to convert; - is standard input"
    )
    written = parser.add_mutually_exclusive_group()
    written.add_argument("-o", "--output", metavar="OUT", help="file or folder to write to")
    written.add_argument("-i", "--in-place", action="store_true", help="write over the input")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a file would change"
    )
    parser.add_argument(
        "--diff", action="store_true", help="write nothing; print what would change"
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="convert this function only, such as f, Class.method or f.<locals>.g; repeatable",
    )
    parser.add_argument(
        "--strict", action="store_true", help="a statement that stays Python is an error"
    )
    for option, what in (
        ("--exclude", "leave out what matches, instead of what is left out by default"),
        ("--extend-exclude", "leave out what matches, too"),
        ("--force-exclude", "leave out what matches, even if it is named as a PATH"),
    ):
        parser.add_argument(option, metavar="REGEX", help=what)
    parser.add_argument("--json", action="store_true", help="one JSON document about the run")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    parser.set_defaults(run=lambda arguments: run(arguments, parser))


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Run the command.

    Args:
      arguments: as parsed.
      parser: told about combinations that make no sense.
    Returns: the exit code.
    """
    _refuse_contradictions(arguments, parser.error)
    report = Report(arguments)
    out = _out(arguments)
    if out is not None and not _can_write_to(out, arguments.paths[0], report):
        return report.exit_code()
    try:
        plan = _plan(arguments, report)
    except SettingsError as error:
        report.problem(error.problem)
        return report.exit_code()
    with watching(plan) as watch:
        report.watch = watch
        _convert_all(plan, arguments, report)
        report.missing_names()
        report.summary()
    if arguments.json:
        output.write(json.dumps(report.document(), indent=2).encode() + b"\n")
    return report.exit_code()


def _refuse_contradictions(arguments: argparse.Namespace, error: Callable[[str], object]) -> None:
    several = len(arguments.paths) > 1
    folder = any(os.path.isdir(path) for path in arguments.paths)
    writes_nothing = arguments.check or arguments.diff
    if writes_nothing and (arguments.output or arguments.in_place):
        error("--check and --diff write nothing; leave out -o and -i, or run them on their own")
    if several and arguments.output:
        error("-o takes one FILE or DIR; convert several in place with -i, or one by one")
    if sources.STANDARD_INPUT in arguments.paths and (several or arguments.in_place):
        error("standard input stands alone and cannot be written in place")
    if (several or folder) and not (writes_nothing or arguments.output or arguments.in_place):
        what = "several files" if several else f"{arguments.paths[0]} is a folder"
        error(f"{what}: give -o OUT, -i to convert in place, --check or --diff")


@dataclass
class Report:
    """What a run has done so far, and what it says about it."""

    arguments: argparse.Namespace
    watch: Watch = field(default_factory=lambda: Watch(output.note, lambda: None))
    files: list[dict[str, Any]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    changed: int = 0
    unchanged: int = 0
    left_out: list[dict[str, str]] = field(default_factory=list)
    written: int = 0

    def problem(self, problem: Problem) -> None:
        """Record and show an error."""
        self.problems.append(problem)
        self.watch.note(str(problem))

    def note(self, line: str) -> None:
        """Report something that is not an error."""
        if not self.arguments.quiet:
            self.watch.note(line)

    def leave_out(self, path: str, reason: str) -> None:
        """Record a file or folder that is left alone."""
        self.left_out.append({"path": path, "reason": reason})

    def outcome(self, outcome: Outcome, destination: Path | None) -> None:
        """Record one file, and report its refusals and warnings."""
        for problem in outcome.problems:
            self.problem(problem)
        if outcome.text is not None:
            self.changed += outcome.changed
            self.unchanged += not outcome.changed
            self._note_refusals(outcome)
        if self.arguments.check and outcome.changed:
            self.note(f"would convert {outcome.path}")
        if self.arguments.only:
            self.functions.update(outcome.functions)
        if self.arguments.json:
            self.files.append(self._entry(outcome, destination))

    def _note_refusals(self, outcome: Outcome) -> None:
        assert outcome.source is not None
        for refusal in outcome.refusals:
            seen = refusal_problem(outcome.source, refusal)
            self.note(f"{seen.path}:{seen.line}:{seen.col}: note: {seen.message}. {seen.remedy}")

    def _entry(self, outcome: Outcome, destination: Path | None) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "path": outcome.path,
            "changed": outcome.changed,
            "written_to": None if destination is None else str(destination),
            "refusals": [asdict(each) | {"col": each.col + 1} for each in outcome.refusals],
            "errors": [each.as_dict() for each in outcome.problems],
        }
        if self.arguments.diff and outcome.changed:
            entry["diff"] = unified_diff(outcome)
        elif _goes_to_standard_output(self.arguments):
            entry["text"] = outcome.text
        return entry

    def missing_names(self) -> None:
        """Report the names of --only that no file has."""
        for name in dict.fromkeys(self.arguments.only or ()):
            if name not in self.functions:
                paths = self.arguments.paths
                where = paths[0] if len(paths) == 1 else "the files"
                self.problem(missing_name(name, where, self.functions))

    def summary(self) -> None:
        """Report in one line what a run on files has done."""
        if not _goes_to_standard_output(self.arguments):
            verb = "would change" if self.arguments.check or self.arguments.diff else "converted"
            counts = [f"{self.changed} {verb}", f"{self.unchanged} unchanged"]
            counts += [f"{len(self.left_out)} left out"] if self.left_out else []
            errors = len(self.problems)
            counts += [f"{errors} error{'s' * (errors > 1)}"] if errors else []
            self.note(", ".join(counts))

    def document(self) -> dict[str, Any]:
        """Return the run as JSON data."""
        return {
            "autograph": __version__,
            "python": platform.python_version(),
            "changed": self.changed,
            "unchanged": self.unchanged,
            "files": self.files,
            "left_out": self.left_out,
            "errors": [each.as_dict() for each in self.problems],
        }

    def exit_code(self) -> int:
        """2 after an error, 1 if a check found changes, else 0."""
        return 2 if self.problems else int(self.arguments.check and self.changed > 0)


def _goes_to_standard_output(arguments: argparse.Namespace) -> bool:
    return not (arguments.check or arguments.diff or arguments.in_place or _out(arguments))


def _out(arguments: argparse.Namespace) -> str | None:
    out: str | None = arguments.output
    return None if out == "-" else out


def _plan(arguments: argparse.Namespace, report: Report) -> list[Target]:
    out = _out(arguments)
    plan = []
    for path, top in _inputs(arguments, out, report):
        if arguments.in_place:
            # Through a link, so that the link stays and the target changes.
            plan.append(Target(path, Path(os.path.realpath(path))))
        else:
            plan.append(Target(path, targets.destination_of(path, top, out)))
    return plan if arguments.in_place else list(_without_overwriting(plan, report))


def _can_write_to(out: str, path: str, report: Report) -> bool:
    """Create the folder of the output; a failure is reported once, not for every file."""
    is_folder = os.path.isdir(path) or targets.names_a_folder(out)
    folder = Path(out) if is_folder else Path(out).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        report.problem(_unwritable(folder, error))
        return False
    return True


def _inputs(
    arguments: argparse.Namespace, out: str | None, report: Report
) -> Iterator[tuple[str, str | None]]:
    given = {key: getattr(arguments, key.replace("-", "_")) for key in KEYS}
    settings = settings_for(arguments.paths, given)
    for path in arguments.paths:
        if os.path.isdir(path):
            inside = None if out is None or targets.same_file(path, out) else out
            exclusions = Exclusions(path, settings)
            tree = Tree(
                path,
                inside,
                out is not None,
                exclusions,
                report.problem,
                report.note,
                report.leave_out,
            )
            for file in tree.files():
                yield file, path
        elif path != sources.STANDARD_INPUT and is_forced_out(path, settings):
            report.leave_out(path, "force-exclude")
        else:
            yield path, None


def _without_overwriting(plan: list[Target], report: Report) -> Iterator[Target]:
    inputs = {os.path.realpath(path) for path, _ in plan}
    for target in plan:
        if target.destination is None or os.path.realpath(target.destination) not in inputs:
            yield target
            continue
        remedy = "Give another -o, or -i in its place to convert in place."
        report.problem(Problem(target.path, f"{target.destination} is an input itself", remedy))


def _convert_all(plan: list[Target], arguments: argparse.Namespace, report: Report) -> None:
    only = frozenset(arguments.only) if arguments.only else None
    try:
        for target in plan:
            outcome = convert_file(target.path, only=only, strict=arguments.strict)
            destination = _write(outcome, target.destination, arguments, report)
            report.outcome(outcome, destination)
            report.watch.advance()
    except KeyboardInterrupt:
        message = f"interrupted; {report.written} of {len(plan)} files written, each one whole"
        raise KeyboardInterrupt(message) from None


def _write(
    outcome: Outcome, destination: Path | None, arguments: argparse.Namespace, report: Report
) -> Path | None:
    if outcome.text is None or outcome.source is None:
        return None
    if destination is None:
        _print(outcome, arguments)
        return None
    if arguments.in_place and not outcome.changed:
        return None
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        names = _hard_links(destination)
        lost = write_atomically(destination, outcome.data(), outcome.source.mode)
    except OSError as error:
        report.problem(_unwritable(destination, error))
        return None
    if names > 1:
        report.note(f"{destination}: one of {names} hard links; the others keep the old text")
    if lost:
        report.note(f"{destination}: extended attributes not kept: {', '.join(lost)}")
    report.written += 1
    return destination


def _hard_links(path: Path) -> int:
    try:
        return path.stat().st_nlink
    except FileNotFoundError:
        return 0


def _print(outcome: Outcome, arguments: argparse.Namespace) -> None:
    if arguments.json or (arguments.check and not arguments.diff):
        return
    if not arguments.diff:
        output.write(outcome.data())
    elif outcome.changed:
        assert outcome.source is not None
        output.write(unified_diff(outcome).encode(outcome.source.encoding, "backslashreplace"))


def unified_diff(outcome: Outcome) -> str:
    """What the conversion changes, in the form that `patch` and `git apply` take."""
    assert outcome.source is not None and outcome.text is not None
    mark = outcome.source.mark.decode()
    before, after = (
        io.StringIO(mark + text, newline="").readlines()
        for text in (outcome.source.text, outcome.text)
    )
    path = outcome.path.lstrip("/")
    lines = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}")
    return "".join(
        line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n"
        for line in lines
    )


def _unwritable(path: Path, error: OSError) -> Problem:
    remedy = "Check that its folder exists and can be written to, and that the disk is not full."
    return Problem(str(path), f"cannot be written: {error.strerror}", remedy)

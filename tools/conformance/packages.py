"""Run the test suites of well-known pure-Python packages on converted code.

    python -m tools.conformance.packages [--package NAME ...] [--json]

Each package's source distribution is fetched from the registry and its own tests run under pytest
in a fresh virtual environment, unconverted and with `--autograph-convert=NAME`. The exit status is
1 where a test passes unconverted and fails converted.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.conformance import report
from tools.conformance.comparison import Result, record
from tools.conformance.runs import LOG_TAIL, Outcome, Run, autograph_home

LIMIT = 300.0
STACK_AFTER = 60
NEEDS = ("pytest", "numpy", "gast", "astor", "libcst", "rich")


@dataclass(frozen=True)
class Package:
    """A package of the registry: what pip installs, what is imported, where its tests are.

    `tests` is a path below the unpacked source; `needs` is what the tests import besides.
    """

    requirement: str
    module: str
    tests: str
    needs: tuple[str, ...] = ()


PACKAGES = (
    Package("more-itertools==11.2.1", "more_itertools", "tests"),
    Package("toolz==1.2.0", "toolz", "toolz/tests"),
    Package("boltons==26.2.0", "boltons", "tests"),
    Package("cachetools==8.0.0", "cachetools", "tests"),
    Package("idna==3.20", "idna", "tests", ("hypothesis",)),
    Package("parso==0.8.7", "parso", "test"),
)


def prepare_environment(directory: Path, packages: Sequence[Package]) -> Path:
    """A virtual environment with pytest, `autograph` and what it needs; its interpreter."""
    environment = directory / "environment"
    venv.create(environment, with_pip=True, symlinks=os.name != "nt")
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    extra = sorted({need for package in packages for need in package.needs})
    _pip(python, "install", *NEEDS, *extra)
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    shutil.copytree(Path(autograph_home()) / "autograph", Path(site.stdout.strip()) / "autograph")
    return python


def fetch(python: Path, package: Package, directory: Path) -> Path:
    """Download and unpack the package's source distribution, and install it; its directory."""
    target = directory / "sources" / package.module
    no_binary = ("--no-deps", "--no-binary", ":all:")
    _pip(python, "download", *no_binary, "--dest", str(target), package.requirement)
    (archive,) = target.glob("*.tar.gz")
    shutil.unpack_archive(archive, target)
    archive.unlink()
    (source,) = target.iterdir()
    _pip(python, "install", str(source))
    return source


def _pip(python: Path, *arguments: str) -> None:
    subprocess.run([python, "-m", "pip", "--quiet", *arguments], check=True)


def run_suite(python: Path, package: Package, source: Path, *, converted: bool) -> Run:
    """Run the package's tests from a copy that holds nothing but them and their set-up."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        tests = work / package.tests
        shutil.copytree(source / package.tests, tests)
        for settings in ("conftest.py", "pytest.ini"):
            if (source / settings).exists():
                shutil.copy(source / settings, work)
        results, log = work / "results.xml", work / "log"
        command = [str(python), "-m", "pytest", "-q", f"--junitxml={results}", str(tests)]
        command += ["-p", "no:cacheprovider", "-p", "autograph.pytest_plugin"]
        if converted:
            command.append(f"--autograph-convert={package.module}")
        # A test that hangs shows where.
        command += ["-v", "-o", f"faulthandler_timeout={STACK_AFTER}"]
        started = time.perf_counter()
        end = _execute(command, work, log)
        run = Run(read_junit(results), time.perf_counter() - started)
        if end:
            run.trouble = f"{end}\n{_last_words(log)}"
    return run


def _last_words(log: Path) -> str:
    """The end of what pytest wrote or, where a test hung, the stack that it was found in."""
    text = log.read_text(encoding="utf-8", errors="replace")
    stack = text.find("Timeout (")
    return text[-LOG_TAIL:] if stack < 0 else text[stack : stack + LOG_TAIL]


def _execute(command: Sequence[str], work: Path, log: Path) -> str:
    """How the run ended, if not as it should."""
    with log.open("wb") as output:
        try:
            done = subprocess.run(
                command, cwd=work, stdout=output, stderr=subprocess.STDOUT, timeout=LIMIT
            )
        except subprocess.TimeoutExpired:
            return f"no end after {LIMIT:.0f} s"
    return "" if done.returncode in (0, 1) else f"exit status {done.returncode}"


def read_junit(path: Path) -> dict[str, Outcome]:
    """The outcomes that pytest wrote, by test."""
    if not path.exists():
        return {}
    outcomes: dict[str, Outcome] = {}
    for case in ET.parse(path).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        outcomes[name] = Outcome("passed")
        for child in case:
            if child.tag in ("failure", "error"):
                outcomes[name] = Outcome("failed", child.text or child.get("message") or "")
            elif child.tag == "skipped":
                outcomes[name] = Outcome("skipped", child.get("message") or "")
    return outcomes


def compare(python: Path, package: Package, directory: Path) -> Result:
    """Run a package's tests both ways and compare."""
    source = fetch(python, package, directory)
    result = Result(package.module, ".".join(map(str, sys.version_info[:3])), modules=1, changed=1)

    def run(kind: str) -> Run:
        return run_suite(python, package, source, converted=kind == "converted")

    record(result, run("plain"), run("converted"), run)
    return result


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m tools.conformance.packages",
        description=(__doc__ or "").partition("\n")[0],
    )
    names = [package.module for package in PACKAGES]
    result.add_argument("--package", action="append", default=[], choices=names)
    result.add_argument("--json", action="store_true", help="print one JSON object for each result")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    chosen = [p for p in PACKAGES if not options.package or p.module in options.package]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        python = prepare_environment(Path(name), chosen)
        results = []
        show = report.show_json if options.json else report.show_line
        for package in chosen:
            results.append(compare(python, package, Path(name)))
            show(results[-1])
    if not options.json:
        print(report.as_text(results))
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())

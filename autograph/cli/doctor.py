"""`autograph doctor`: does the converter work here?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from autograph.cli import output

if TYPE_CHECKING:
    from autograph.doctor import Diagnosis

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

DESCRIPTION = """\
Prints the versions of Python and of the packages the converter stands on, converts a built-in
set of functions, runs them and compares the results with those of the plain functions. Exit
code 0: all agree; 2: something is missing or differs.
"""


def add_parser(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "doctor", help="check that the converter works here", description=DESCRIPTION
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    from autograph import doctor

    diagnosis = doctor.examine()
    if arguments.json:
        output.write(json.dumps(diagnosis.as_dict(), indent=2).encode() + b"\n")
    elif sys.stdout.isatty():
        _print_colored(diagnosis)
    else:
        output.write_text("\n".join(_lines(diagnosis)) + "\n")
    return 0 if diagnosis.healthy else 2


def _lines(diagnosis: Diagnosis) -> list[str]:
    versions = [f"{name:10} {version or 'missing'}" for name, version in diagnosis.versions.items()]
    cases = [
        f"{'ok' if case.agrees else 'FAILED':6}  {case.name:22} {case.shows}"
        + (f"\n        {case.difference}" if case.difference else "")
        for case in diagnosis.cases
    ]
    return [*versions, "", *cases, "", diagnosis.verdict]


def _print_colored(diagnosis: Diagnosis) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in _lines(diagnosis):
        style = "green" if line.startswith("ok ") else "red" if line.startswith("FAILED") else ""
        console.print(Text(line, style), soft_wrap=True)

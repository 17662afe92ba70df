"""The command line: `autograph convert`, `show` and `doctor`, one file each.

Exit codes: 0 done, 1 would change (`convert --check`), 2 error, 130 interrupted, 141 nobody read
the output to its end.
"""

from __future__ import annotations

import argparse
import platform
import signal
import sys
import threading
import types
from collections.abc import Sequence

from autograph.cli import convert, doctor, output, show
from autograph.version import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
      argv: the arguments; None: those of the process.
    Returns: the exit code.
    """
    try:
        _end_cleanly_when_terminated()
        code = _run(argv)
        output.flush()
    except KeyboardInterrupt as interruption:
        output.note(f"autograph: {interruption or 'interrupted'}")
        return 130
    except BrokenPipeError:
        output.note("autograph: standard output was closed before everything was written")
        output.abandon()
        return 141
    except output.OutputError as error:
        output.note(f"autograph: {error}")
        output.abandon()
        return 2
    return code


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    arguments = parser.parse_args(argv)
    run = getattr(arguments, "run", None)
    if run is None:
        parser.print_help(sys.stderr)
        return 2
    code: int = run(arguments)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograph",
        description="Converts plain Python control flow into functional, stageable code.",
    )
    version = f"autograph {__version__} (Python {platform.python_version()})"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in (convert, show, doctor):
        command.add_parser(commands)
    return parser


def _end_cleanly_when_terminated() -> None:
    """Let SIGTERM unwind the stack, so that no temporary file is left."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _exit_terminated)


def _exit_terminated(_signal: int, _frame: types.FrameType | None) -> None:
    sys.exit(128 + signal.SIGTERM)

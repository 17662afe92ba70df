"""What the commands write: results on standard output, everything else on standard error."""

from __future__ import annotations

import os
import sys


class OutputError(Exception):
    """Raised where standard output cannot be written, other than by a closed pipe."""


def write(data: bytes) -> None:
    """Write a result to standard output, byte for byte."""
    if sys.stdout is None:
        raise OutputError("standard output is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"standard output: {error.strerror}") from error


def write_text(text: str) -> None:
    """Write a result for people; a character that the terminal lacks is escaped."""
    encoding = (sys.stdout and sys.stdout.encoding) or "utf-8"
    write(text.encode(encoding, "backslashreplace"))


def flush() -> None:
    """Write out what other writers, such as argparse, have left in the buffer."""
    write(b"")


def note(text: str) -> None:
    """Report something about the run on standard error."""
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


def abandon() -> None:
    """Sends what is still buffered nowhere, so that the interpreter ends without a complaint."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

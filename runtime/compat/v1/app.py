"""`compat.v1.app`: the beginning of a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from runtime.compat.v1 import flags as flags


def run(main: Callable[[list[str]], Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Reads the flags of a program, calls its main function, and ends it with what that gives.

    Args:
      main: takes the name of the program and what is left of its arguments; None: the function
        `main` of the program.
      argv: name and arguments of the program; None: those that it was started with.

    >>> if __name__ == "__main__":
    ...     run(lambda left: print("files:", left[1:]))
    """
    given = list(sys.argv if argv is None else argv)
    left = flags.FLAGS(given)
    function = main if main is not None else sys.modules["__main__"].main
    sys.exit(function(left))

"""Running test programs."""

from __future__ import annotations

import unittest
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> None:
    """Run the tests of the program and exit, with status 0 if all of them passed.

    Args:
      argv: name and arguments of the program; None: `sys.argv`.

    >>> if __name__ == "__main__":
    ...     main()
    """
    unittest.main(argv=None if argv is None else list(argv))

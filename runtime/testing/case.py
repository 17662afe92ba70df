"""`TestCase`, the base class of tests of programs on tensors, and their run."""

from __future__ import annotations

import shutil
import tempfile
import unittest
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from runtime.testing.arrays import ArrayCase


class TestCase(ArrayCase):
    """A `unittest.TestCase` that evaluates and compares tensors.

    Each test starts with fixed seeds and an empty default graph. Assertions accept tensors,
    variables, arrays and structures of them, eagerly and in graphs of a Session.

    Args:
      methodName: the name of the method that runs, as in `unittest`.

    >>> import runtime as tf
    >>> class Sums(tf.test.TestCase):
    ...     def test_sum(self):
    ...         self.assertAllClose(tf.reduce_sum([0.5, 0.25]), 0.75)
    >>> import io, unittest
    >>> tests = unittest.defaultTestLoader.loadTestsFromTestCase(Sums)
    >>> unittest.TextTestRunner(io.StringIO()).run(tests).wasSuccessful()
    True
    """

    _directory: str | None = None

    def get_temp_dir(self) -> str:
        """Return the temporary directory of the test, which is removed at its end."""
        if self._directory is None:
            self._directory = tempfile.mkdtemp(prefix=f"{type(self).__name__}.")
            self.addCleanup(shutil.rmtree, self._directory, ignore_errors=True)
        return self._directory

    def enter_context(self, manager: AbstractContextManager[Any]) -> Any:
        """Enter a context until the end of the test.

        Args:
          manager: the context manager.

        Returns: The result of entering it.
        """
        return self.enterContext(manager)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the tests of the program and exit, with status 0 if all of them passed.

    Args:
      argv: name and arguments of the program; None: `sys.argv`.

    >>> if __name__ == "__main__":
    ...     main()
    """
    unittest.main(argv=None if argv is None else list(argv))

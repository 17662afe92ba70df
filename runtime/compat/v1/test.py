"""`compat.v1.test`: test cases, and questions that tests ask."""

import inspect
import os
import tempfile
import unittest.mock as mock  # noqa: F401 - a name for users
from typing import Any

from runtime import test as _later
from runtime.export.messages import GraphDef
from runtime.testing import program

__test__: dict[str, str] = {}
"""Empty: pytest looks for no tests here, though a function is called as if it were one."""


def get_temp_dir() -> str:
    """A directory for the files of tests; `TestCase.get_temp_dir` has one for each test.

    >>> os.path.isdir(get_temp_dir())
    True
    """
    return tempfile.gettempdir()


def test_src_dir_path(relative_path: str) -> str:
    """A path beside the file of the test that asks.

    Args:
      relative_path: the path from there.

    >>> import runtime.compat.v1 as tf
    >>> tf.test.test_src_dir_path("data.txt").endswith("data.txt")
    True
    """
    caller = inspect.stack()[1].filename
    return os.path.join(os.path.dirname(os.path.abspath(caller)), relative_path)


def assert_equal_graph_def(
    actual: GraphDef,
    expected: GraphDef,
    checkpoint_v2: bool = False,
    hash_table_shared_name: bool = False,
) -> None:
    """Checks that two graphs have the same nodes; see `runtime.test.assert_equal_graph_def`.

    Args:
      actual, expected: the graphs.
      checkpoint_v2, hash_table_shared_name: have no effect: there are no nodes that differ so.

    >>> import runtime as tf
    >>> graph = tf.Graph().as_graph_def()
    >>> assert_equal_graph_def(graph, graph)
    """
    program.assert_equal_graph_def(expected, actual)


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})

"""Running test programs, and tests that depend on the machine."""

from __future__ import annotations

import functools
import platform
import unittest
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from runtime.export.messages import GraphDef

Test = TypeVar("Test", bound=Callable[..., Any])
Case = TypeVar("Case", bound=type)

_MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the tests of the program and exit, with status 0 if all of them passed.

    Args:
      argv: name and arguments of the program; None: `sys.argv`.

    >>> if __name__ == "__main__":
    ...     main()
    """
    unittest.main(argv=None if argv is None else list(argv))


def is_cpu_target_available(target: str) -> bool:
    """Return whether this computer has a CPU architecture.

    Args:
      target: for instance "x86_64" or "aarch64".

    >>> import platform
    >>> is_cpu_target_available("pdp11")
    False
    """
    own = platform.machine().lower()
    return target.lower() == _MACHINES.get(own, own)


def disable_with_predicate(pred: Callable[[], bool], skip_message: str) -> Callable[[Test], Test]:
    """Skip a test if a predicate is true when the test starts.

    Args:
      pred: whether to skip the test.
      skip_message: the reason.

    >>> import runtime as tf
    >>> class Sums(tf.test.TestCase):
    ...     @tf.test.disable_with_predicate(lambda: True, "not on this computer")
    ...     def test_sum(self):
    ...         self.fail()
    >>> Sums("test_sum").test_sum()
    Traceback (most recent call last):
    ...
    unittest.case.SkipTest: not on this computer
    """

    def decorated(test: Test) -> Test:
        @functools.wraps(test)
        def run(self: unittest.TestCase, *args: object, **kwargs: object) -> Any:
            if pred():
                self.skipTest(skip_message)
            return test(self, *args, **kwargs)

        return run  # type: ignore[return-value]

    return decorated


def with_eager_op_as_function(cls: Case | None = None, only_as_function: bool = False) -> Any:
    """Return the class itself: operations run in one way only.

    Args:
      cls: a class of tests; None: return a decorator.
      only_as_function: ignored.

    >>> import runtime as tf
    >>> @tf.test.with_eager_op_as_function
    ... class Sums(tf.test.TestCase):
    ...     pass
    >>> Sums.__name__
    'Sums'
    """
    return (lambda decorated: decorated) if cls is None else cls


def assert_equal_graph_def(expected: GraphDef, actual: GraphDef) -> None:
    """Assert that two graphs have the same nodes and functions, in any order.

    Args:
      expected, actual: the graphs.

    Raises:
      TypeError: if an argument is not a `GraphDef`.
      AssertionError: if they differ; names a node.

    >>> import runtime as tf
    >>> graph = tf.Graph()
    >>> assert_equal_graph_def(graph.as_graph_def(), graph.as_graph_def())
    """
    for name, graph in (("expected", expected), ("actual", actual)):
        if not isinstance(graph, GraphDef):
            raise TypeError(
                f"Expected tf.GraphDef for `{name}`, got {type(graph).__name__} instead"
            )
    for kind, ours, theirs in (
        ("node", _by_name(expected.node), _by_name(actual.node)),
        ("function", _functions(expected), _functions(actual)),
    ):
        if ours.keys() != theirs.keys():
            differing = sorted(ours.keys() ^ theirs.keys())
            raise AssertionError(f"each of these {kind}s is in one graph only: {differing}")
        for name, message in ours.items():
            if message != theirs[name]:
                raise AssertionError(
                    f"the {kind} {name!r} differs\nexpected:\n{message}\nactual:\n{theirs[name]}"
                )


def _by_name(nodes: Sequence[Any]) -> dict[str, Any]:
    return {node.name: node for node in nodes}


def _functions(graph: GraphDef) -> dict[str, Any]:
    return {function.signature.name: function for function in graph.library.function}

"""Names of version 1 beside those of version 2."""

import pytest

import runtime
import runtime.compat.v1 as tf


def test_names_of_both_versions_are_listed():
    assert {"matmul", "reduce_sum", "Session"} <= set(dir(tf))
    assert "where" not in dir(tf)
    assert tf.matmul is runtime.matmul
    with pytest.raises(AttributeError, match="no attribute 'no_such_op'"):
        tf.no_such_op  # noqa: B018


@pytest.mark.parametrize(
    "name", ["where", "nn", "math", "random", "cond", "while_loop", "gradients", "initializers"]
)
def test_a_name_that_means_something_else_in_version_1_is_refused(name):
    with pytest.raises(AttributeError, match=f"in version 1. Use `runtime.{name}`, with"):
        getattr(tf, name)

"""What converted code does with tensors: assertions, lengths and truths."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf

I = tf.constant  # noqa: E741


class Sized:
    def __init__(self, size: Any) -> None:
        self.size = size

    def __len__(self) -> Any:
        return self.size


@pytest.mark.parametrize(("size", "error"), [(2.5, TypeError), (-1, ValueError), (True, None)])
@pytest.mark.parametrize("ask", [len, lambda sized: 1 if sized else 2, lambda sized: not sized])
def test_length_of_an_object_is_an_integer_that_is_not_negative(
    ask: Any, size: Any, error: Any
) -> None:
    def f(x: Any) -> Any:
        return ask(Sized(x))

    if error is None:
        assert tf.function(f)(tf.constant(1)).numpy() == f(1)
        return
    for argument, function in ((size, f), (tf.constant(size), tf.function(f))):
        with pytest.raises(error):
            function(argument)


def test_the_message_of_an_assertion_is_made_where_it_fails():
    @tf.function
    def f(x):
        assert x < 3, f"{1 // (x - 2)} at {x:>3}"
        return x

    assert int(f(tf.constant(2))) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="0 at   4"):
        f(tf.constant(4))


def test_assert_runs_in_the_graph():
    @tf.function
    def f(x):
        assert x > 0, f"x has to be positive"  # noqa: F541
        return x

    assert int(f(I(1))) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="x has to be positive"):
        f(I(-1))

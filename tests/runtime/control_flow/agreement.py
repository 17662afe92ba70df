"""Whether a converted program gives the same answer as plain Python, as a function and a graph."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import autograph
import runtime as tf


def plain(value: Any) -> Any:
    """A result with Python values in place of tensors and classes in place of errors."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    if isinstance(value, (dict, Counter, OrderedDict, defaultdict)):
        return type(value).__name__, [(key, plain(item)) for key, item in value.items()]
    if not hasattr(value, "numpy"):
        return value
    held = value.numpy().tolist() if hasattr(value.numpy(), "tolist") else value.numpy()
    return held.decode() if isinstance(held, bytes) else held


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives: a plain value, or the type of its error."""
    try:
        return plain(function(*args))
    except Exception as error:
        return type(error)


def check(program: Callable[..., Any], *calls: tuple[Any, ...]) -> None:
    """Asserts that a program agrees with plain Python for these arguments."""
    staged, converted = tf.function(program), autograph.to_graph(program)
    for args in calls:
        expected = outcome(program, *args)
        tensors = [tf.constant(list(arg) if isinstance(arg, tuple) else arg) for arg in args]
        assert outcome(converted, *args) == expected, (args, "to_graph")
        assert outcome(staged, *tensors) == expected, (args, "function")


def both(function, *args):
    """The eager and the traced result."""
    return function(*args), tf.function(function, autograph=False)(*args)


def by_to_graph(program):
    converted = autograph.to_graph(program)
    return tf.function(lambda x: converted(x), autograph=False)


FORMS = [tf.function, by_to_graph]


def value(result):
    """What a traced function gives, as Python values."""
    if isinstance(result, (list, tuple)):
        return type(result)(map(value, result))
    if isinstance(result, tf.Tensor):
        result = result.numpy()
        result = result.tolist() if hasattr(result, "tolist") else result
    return result.decode() if isinstance(result, bytes) else result


def agrees(program, *args, dtype=None):
    """Assert that a traced program agrees with plain Python, floats within float32."""
    tensors = [tf.constant(arg, dtype) for arg in args]
    found, expected = value(tf.function(program)(*tensors)), program(*args)
    assert repr(found) == repr(expected) or found == pytest.approx(expected, 1e-6, nan_ok=True)

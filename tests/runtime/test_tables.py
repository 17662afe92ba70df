"""Lists, tuples and dicts indexed by tensors give what plain Python gives."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.runtime.table_programs import PROGRAMS

EACH_PROGRAM = pytest.mark.parametrize(
    ("program", "arguments"),
    PROGRAMS,
    ids=[f"{program.__name__}-{i}" for i, (program, _) in enumerate(PROGRAMS)],
)


def as_tensors(arguments: tuple[Any, ...]) -> list[Any]:
    """Scalars as tensors."""
    return [tf.constant(each) if isinstance(each, int | float) else each for each in arguments]


def plain(value: Any) -> Any:
    """A result with Python values in place of tensors, lists and tuples as they are."""
    if isinstance(value, tf.Tensor):
        value = value.numpy()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


@EACH_PROGRAM
def test_function_agrees_with_python(program, arguments):
    expected = program(*copy.deepcopy(arguments))
    result = tf.function(program)(*as_tensors(copy.deepcopy(arguments)))
    assert plain(result) == expected


@EACH_PROGRAM
def test_converted_function_agrees_with_python(program, arguments):
    expected = program(*copy.deepcopy(arguments))
    assert autograph.to_graph(program)(*copy.deepcopy(arguments)) == expected

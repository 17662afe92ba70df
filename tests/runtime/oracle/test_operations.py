"""Public functions give what they give with TensorFlow, on the samples of every op and dtype."""

import warnings

import pytest

import runtime.saved_model.op_types  # noqa: F401 - defines every op
from runtime.core.opdef import all_ops
from tests.runtime.oracle import operations


@pytest.fixture(scope="module")
def tensorflow():
    return pytest.importorskip("tensorflow")


@pytest.mark.parametrize("op", all_ops(), ids=str)
def test_functions_agree_with_tensorflow(op, tensorflow):
    if op.name in operations.DIFFERENT:
        pytest.skip(operations.DIFFERENT[op.name])
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in operations.calls(op, tensorflow):
            found += operations.differences(call, tensorflow)
    assert not found, "\n".join(found[:10])


@pytest.mark.parametrize("op", all_ops(), ids=str)
def test_elementwise_functions_agree_at_special_numbers(op, tensorflow):
    if op.name in operations.DIFFERENT_AT_EDGES:
        pytest.skip(operations.DIFFERENT_AT_EDGES[op.name])
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in operations.edge_calls(op, tensorflow):
            found += operations.edge_differences(call, tensorflow)
    assert not found, "\n".join(found[:10])


def test_many_functions_are_compared(tensorflow):
    assert len(operations.ops_with_calls(tensorflow)) >= 120

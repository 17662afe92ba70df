"""Results of functions: copies of what references select; everything else is the same object."""

import pytest

import runtime as tf
from runtime.control_flow.values.results import resolved
from runtime.core.errors import StagingError


def test_a_result_without_references_is_the_same_object():
    for value in ([1, {"a": (2,)}], {"x": []}, (), object()):
        assert resolved(value) is value


def test_a_chosen_list_leaves_the_function_as_a_list_of_its_items():
    @tf.function
    def chosen(i):
        rows = [[1.0, 2.0], [3.0, 4.0]]
        row = rows[i]
        row[0] = 5.0
        return {"row": row, "sum": sum(row)}

    found = chosen(tf.constant(1))
    assert type(found["row"]) is list
    assert [float(x) for x in found["row"]] == [5.0, 4.0]
    assert float(found["sum"]) == 9.0


def test_a_structure_that_contains_itself_is_refused():
    endless = [1]
    endless.append(endless)
    with pytest.raises(StagingError, match="itself"):
        resolved(endless)

"""The op types of the IR itself."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.errors import InternalError
from runtime.core.graph import Graph
from runtime.core.spec import spec_of
from runtime.core.structural import CONST, CONSTANT_LIMIT, IDENTITY, PLACEHOLDER


def test_an_argument_has_no_value_of_its_own():
    with pytest.raises(InternalError, match=r"an argument of the graph \(int32\[2\]\) was not giv"):
        PLACEHOLDER.kernel(np, spec_of(tf.int32, (2,)))


def test_constants_and_aliases_keep_the_array():
    array = np.arange(3)
    assert CONST.kernel(np, array) is array
    assert IDENTITY.kernel(np, array) is array


@pytest.mark.parametrize(("size", "captures"), [(CONSTANT_LIMIT, 0), (CONSTANT_LIMIT + 1, 1)])
def test_a_graph_embeds_small_tensors_from_outside(size, captures):
    graph = Graph("f")
    own = graph.capture(tf.zeros([size]))
    assert len(graph.captures) == captures
    assert own.op.definition is (PLACEHOLDER if captures else CONST)

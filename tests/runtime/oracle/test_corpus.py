"""Programs give what they give with TensorFlow, and the same with and without graphs."""

import pytest

import runtime
from tests.runtime.oracle import corpus
from tests.runtime.oracle.outcomes import Raised, agree, alike, outcome, shown

PROGRAMS = dict(corpus.all_programs())
WITH_GRAPHS = {n: p for n, p in PROGRAMS.items() if not hasattr(p, "graph_only")}


@pytest.fixture
def eagerly():
    runtime.config.run_functions_eagerly(True)
    yield
    runtime.config.run_functions_eagerly(False)


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 150


@pytest.mark.parametrize("name", WITH_GRAPHS)
def test_functions_give_what_they_give_without_graphs(name, eagerly):
    program = PROGRAMS[name]
    plain = outcome(program, runtime)
    runtime.config.run_functions_eagerly(False)
    graph = outcome(program, runtime)
    if isinstance(plain, Raised) and isinstance(graph, Raised):
        shared = set(plain.kinds) & set(graph.kinds)
        assert shared - {"Exception", "OpError"}, f"eagerly {plain}, with graphs {graph}"
    else:
        assert alike(graph, plain), f"eagerly {shown(plain)}, with graphs {shown(graph)}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_what_they_give_with_tensorflow(name):
    tensorflow = pytest.importorskip("tensorflow")
    program = PROGRAMS[name]
    theirs = outcome(program, tensorflow)
    ours = outcome(program, runtime)
    difference = getattr(program, "difference", None)
    if difference is None:
        assert agree(ours, theirs), f"TensorFlow: {shown(theirs, 400)}\nhere: {shown(ours, 400)}"
    else:
        assert shown(theirs).startswith(difference.tensorflow)
        assert shown(ours).startswith(difference.here)

"""Every program of the corpus does the same with graphs that were saved and loaded."""

import json

import pytest

import runtime
from runtime.core.errors import UnimplementedError
from runtime.functions.concrete import ConcreteFunction
from runtime.saved_model.functions import FunctionReader, FunctionWriter
from runtime.saved_model.graphs import GraphReader
from runtime.saved_model.values import Reader, Writer
from tests.runtime.oracle import corpus
from tests.runtime.oracle.outcomes import Raised, alike, outcome, shown

# A loaded function cannot be traced anew for a tape: tensors from outside are constants in it.
TRACED_ANEW = {"gradients.functions_read_watched_tensors_from_outside"}
PROGRAMS = {name: program for name, program in corpus.all_programs() if name not in TRACED_ANEW}


def copied(concrete):
    """A concrete function that has gone through the format of saved models."""
    cells = []

    def node_of(cell):
        cells.append(cell)
        return len(cells) - 1

    writer = Writer()
    functions = FunctionWriter(writer, node_of, lambda op: False)
    functions.add(concrete)
    graphs, encoded = json.loads(json.dumps([functions.graphs.graphs, functions.functions]))
    reader = Reader(writer.arrays.__getitem__)
    graph_reader = GraphReader(reader)
    for graph in graphs:
        graph_reader.read(graph)
    handles = [cell.variable().handle for cell in cells]
    return FunctionReader(reader, graph_reader, handles.__getitem__).read(encoded[0])


@pytest.fixture
def through_the_format(monkeypatch):
    """Has graphs run, be differentiated and be recorded as they come back from the format."""
    copies = {}

    def copy_of(concrete):
        if id(concrete) not in copies:
            try:
                copy = copied(concrete)
            except UnimplementedError:
                copy = concrete
            copies[id(concrete)], copies[id(copy)] = (concrete, copy), (copy, copy)
        return copies[id(concrete)][1]

    run, call_flat = ConcreteFunction.run, ConcreteFunction.call_flat
    monkeypatch.setattr(ConcreteFunction, "run", lambda self, a: run(copy_of(self), a))
    monkeypatch.setattr(ConcreteFunction, "call_flat", lambda self, t: call_flat(copy_of(self), t))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_do_the_same_with_graphs_that_were_saved(name, request):
    plain = outcome(PROGRAMS[name], runtime)
    request.getfixturevalue("through_the_format")
    saved = outcome(PROGRAMS[name], runtime)
    if isinstance(plain, Raised) or isinstance(saved, Raised):
        assert isinstance(plain, Raised) and isinstance(saved, Raised)
        assert saved.kinds == plain.kinds
    else:
        assert alike(saved, plain), f"{shown(plain)}, saved {shown(saved)}"

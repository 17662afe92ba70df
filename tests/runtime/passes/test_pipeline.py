import sys

import pytest

import runtime as tf
from runtime.core.errors import InternalError
from runtime.core.graph import Graph
from runtime.passes import pipeline
from runtime.passes.branches import choose_branches
from runtime.passes.fold import fold
from runtime.passes.inline import inline_calls
from runtime.passes.loops import move_out_of_loops
from runtime.passes.prune import prune
from runtime.passes.rewriting import rebuild
from tests.runtime.passes.graphs import SCALAR, graph_of


class TestPipeline:
    def test_an_error_names_the_pass(self):
        def broken(graph):
            copy = prune(graph)
            copy.operations.reverse()
            return copy

        graph = graph_of(lambda x: tf.sin(x) + 1.0, SCALAR)
        with pytest.raises(InternalError, match="after the pass broken"):
            pipeline.run_passes(graph, [broken], verified=True)

    def test_every_pass_says_before_and_after(self):
        for stage in pipeline.PASSES:
            text = __import__(stage.run.__module__, fromlist=["_"]).__doc__
            assert "Before:" in text
            assert "After:" in text

    def test_switches_turn_passes_off(self):
        assert pipeline.enabled({pipeline.ALL_OFF: True}) == [prune]
        assert fold not in pipeline.enabled({"constant_folding": False})
        assert fold in pipeline.enabled({})

    def test_a_pass_does_not_run_again_on_its_own_result(self):
        runs = []

        def same(graph):
            runs.append(graph)
            return graph

        graph = graph_of(lambda x: x + 1.0, SCALAR)
        pipeline.run_passes(graph, [same, same, rebuild, same], verified=False)
        assert len(runs) == 2

    def test_arguments_stay_even_if_unused(self):
        graph = pipeline.optimize(graph_of(lambda x, y: x, SCALAR, SCALAR), verified=True)
        assert len(graph.inputs) == 2
        assert isinstance(graph, Graph)


@pytest.mark.parametrize(
    "run",
    [inline_calls, choose_branches, move_out_of_loops],
)
def test_a_pass_with_nothing_to_do_copies_nothing(run):
    graph = tf.function(lambda x: x * 2.0).get_concrete_function(tf.constant(1.0)).graph
    assert run(graph) is graph


def test_times_of_passes_are_public():
    before = tf.config.optimizer.get_pass_times().get("prune", pipeline.PassTime(0, 0.0))
    pipeline.optimize(graph_of(lambda x: x + 1.0, SCALAR))
    times = tf.config.optimizer.get_pass_times()
    assert times["prune"].runs == before.runs + 1
    assert times["prune"].seconds > before.seconds
    slowest = [time.seconds for time in times.values()]
    assert slowest == sorted(slowest, reverse=True)


@pytest.mark.parametrize("stage", pipeline.PASSES, ids=lambda stage: stage.run.__name__)
def test_every_pass_opens_with_an_executed_example(stage):
    module = sys.modules[stage.run.__module__]
    assert f"{stage.run.__name__}(" in module.__doc__
    assert ">>>" in module.__doc__

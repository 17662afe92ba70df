"""The order of the passes, with a reason for each, the switches that disable some, and their time.

>>> import runtime as tf
>>> f = tf.function(lambda x: tf.square(x) * 1.0, autograph=False)
>>> optimized = optimize(f.get_concrete_function(tf.TensorSpec([], tf.float32)).graph)
>>> [op.type for op in optimized.operations]
['Placeholder', 'Square']
>>> time = get_pass_times()["prune"]
>>> time.runs > 0 and time.seconds > 0.0
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from time import perf_counter
from typing import NamedTuple

from runtime.core.errors import InternalError
from runtime.core.graph import Graph
from runtime.core.verify import verify
from runtime.passes.branches import choose_branches
from runtime.passes.captures import drop_unread_captures
from runtime.passes.carried import drop_unread_variables
from runtime.passes.fold import fold
from runtime.passes.fuse import fuse
from runtime.passes.identities import simplify
from runtime.passes.inline import inline_calls
from runtime.passes.loops import move_out_of_loops
from runtime.passes.order import settle_order
from runtime.passes.powers import raise_by_squaring
from runtime.passes.prune import prune
from runtime.passes.repetitions import share_common
from runtime.passes.rewriting import Pass
from runtime.passes.strip_debug import strip_debug


class Stage(NamedTuple):
    """A pass in the pipeline.

    Attributes:
      run: the pass.
      option: the switch that enables or disables it; None: it always runs.
      reason: why it runs at this point.
      default: whether it runs unless the switch is set.
    """

    run: Pass
    option: str | None
    reason: str
    default: bool = True


PASSES: tuple[Stage, ...] = (
    Stage(strip_debug, "debug_stripper", "what only checks need is pruned next", default=False),
    Stage(prune, None, "what nobody needs costs time in every later pass too"),
    Stage(inline_calls, "function_optimization", "the other passes do not look into calls"),
    Stage(fold, "constant_folding", "a known test decides a branch, a known number an identity"),
    Stage(choose_branches, "dependency_optimization", "what cannot run hides what is the same"),
    Stage(simplify, "arithmetic_optimization", "makes more operations alike"),
    Stage(raise_by_squaring, "arithmetic_optimization", "before equal products are shared"),
    Stage(share_common, "common_subgraph_elimination", "loops see that operands are the same"),
    Stage(move_out_of_loops, "loop_optimization", "after the body is as small as it gets"),
    Stage(share_common, "common_subgraph_elimination", "loops may have brought out the same twice"),
    Stage(drop_unread_captures, "dependency_optimization", "moving out leaves captures behind"),
    Stage(drop_unread_variables, "dependency_optimization", "captures read no variable any more"),
    Stage(drop_unread_captures, "dependency_optimization", "only those variables read some"),
    Stage(settle_order, "common_subgraph_elimination", "nothing is shared any more"),
    Stage(fuse, "remapping", "last: no other pass looks into groups"),
)

OPTIONS = tuple(dict.fromkeys(stage.option for stage in PASSES if stage.option is not None))
"""The names of the switches; `debug_stripper` is off unless it is turned on, the others on."""

ALL_OFF = "disable_meta_optimizer"
"""The switch that turns all passes off that have a switch."""


def optimize(
    graph: Graph, options: Mapping[str, bool] | None = None, verified: bool = False
) -> Graph:
    """Return the optimized graph; the input graph is not modified.

    Raises: InternalError that names the pass, if a pass breaks the graph.
    """
    return run_passes(graph, enabled(options or {}), verified)


def enabled(options: Mapping[str, bool]) -> list[Pass]:
    """Return the enabled passes, in order."""
    off = options.get(ALL_OFF, False)
    return [
        stage.run
        for stage in PASSES
        if stage.option is None or (not off and options.get(stage.option, stage.default))
    ]


def run_passes(graph: Graph, passes: Iterable[Pass], verified: bool) -> Graph:
    """Return the graph after a sequence of passes; see `optimize`.

    A pass that would get its own result again is skipped.
    """
    results: dict[Pass, Graph] = {}
    for run in passes:
        if results.get(run) is graph:
            continue
        start = perf_counter()
        graph = results[run] = run(graph)
        _add_time(_name(run), perf_counter() - start)
        if verified:
            _verify(graph, run)
    return graph


def _name(run: Pass) -> str:
    return getattr(run, "__name__", repr(run))


class PassTime(NamedTuple):
    """What a pass has cost this process.

    Attributes:
      runs: graphs that it was applied to.
      seconds: their time in total, subgraphs included.
    """

    runs: int
    seconds: float


_times: dict[str, PassTime] = {}
_lock = Lock()


def _add_time(name: str, seconds: float) -> None:
    with _lock:
        runs, total = _times.get(name, (0, 0.0))
        _times[name] = PassTime(runs + 1, total + seconds)


def get_pass_times() -> dict[str, PassTime]:
    """Return how often each pass ran in this process and how long it took, slowest first.

    Public as `runtime.config.optimizer.get_pass_times`.

    >>> import runtime as tf
    >>> _ = tf.function(lambda x: x * 1)(tf.constant(2))
    >>> times = tf.config.optimizer.get_pass_times()
    >>> times["prune"].runs > 0
    True
    """
    with _lock:
        return dict(sorted(_times.items(), key=lambda item: -item[1].seconds))


def _verify(graph: Graph, run: Pass) -> None:
    try:
        verify(graph)
    except InternalError as error:
        raise InternalError.of(f"after the pass {_name(run)}: {error.message}", error.op) from error

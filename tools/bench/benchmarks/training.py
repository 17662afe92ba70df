"""Training, beside Keras on TensorFlow, and JAX and PyTorch if they are installed.

A step after two hundred; the first epoch in a new process, which traces and compiles; and
the most memory of a process that trains for two epochs.
"""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import runtime
from tools.bench import training_programs
from tools.bench.measure import Figure, Goal, Measurement, alone, once, paired
from tools.bench.peers import Peer
from tools.bench.session import Session, frameworks

REPEATS = 9
EPOCHS_BEFORE = 4
TENTH = Goal(0.1)
GOALS = {"mlp": TENTH, "small_cnn": TENTH, "small_lstm": TENTH}
"""Of the time of Keras on TensorFlow; that of others is 1."""
REPEATS_OF_PROCESSES = 3
PREFIXES = {"tensorflow": "keras", "jax": "jax", "torch": "torch", "runtime": "keras"}
ROOT = Path(runtime.__file__).parents[1]
IN_NEW_PROCESSES = (("first epoch", "making", "s"), ("peak memory", "peak", "B"))


def run(session: Session) -> Iterator[Figure]:
    with frameworks(session) as beside:
        for model in training_programs.MODELS:
            yield from steps(model, beside)
            for what, task, unit in IN_NEW_PROCESSES:
                yield from processes(f"{model}, {what}", task, unit, model, beside)
        for model in training_programs.SMALL_MODELS:
            yield from steps(model, beside)


def steps(model: str, beside: list[Peer]) -> Iterator[Figure]:
    """A step of training as `fit` takes it by default, and by the plan alone."""
    has_compiler = importlib.util.find_spec("llvmlite") is not None
    for label, jit in ((model, has_compiler), (f"{model}, plan", False)):
        with compiling(jit):
            function, _ = getattr(training_programs, f"keras_{model}")(runtime)
            for _ in range(EPOCHS_BEFORE):
                function()
            ours = per_step(once(function))
            if not beside:
                yield alone(label, ours, repeats=REPEATS)
            for peer in beside:
                goal = GOALS.get(label, Goal(1.0)) if peer.library == "tensorflow" else None
                other = theirs(peer, model)
                yield paired(label, ours, peer.library, other, repeats=REPEATS, goal=goal)


@contextmanager
def compiling(jit: bool) -> Iterator[None]:
    """Set whether machine code replaces the plan while the context is active."""
    before = runtime.config.optimizer.get_jit()
    runtime.config.optimizer.set_jit(jit)
    try:
        yield
    finally:
        runtime.config.optimizer.set_jit(before or False)


def processes(label: str, task: str, unit: str, model: str, beside: list[Peer]) -> Iterator[Figure]:
    """A task that new processes do, each once."""
    ours = in_new_process(Path(sys.executable), "runtime", task, model, ROOT)
    if not beside:
        yield alone(label, ours, repeats=REPEATS_OF_PROCESSES, unit=unit)
    for peer in beside:
        other = in_new_process(peer.python, peer.library, task, model)
        yield paired(label, ours, peer.library, other, repeats=REPEATS_OF_PROCESSES, unit=unit)


def in_new_process(
    python: Path, library: str, task: str, model: str, folder: Path | None = None
) -> Measurement:
    """What a worker measures that does nothing else."""

    def measure() -> float:
        with Peer(python, library, folder) as peer:
            return peer.ask(task, path=training_programs.__file__, name=name(library, model))

    return measure


def name(library: str, model: str) -> str:
    """The program that trains a model with a library."""
    return f"{PREFIXES[library]}_{model}"


def theirs(peer: Peer, model: str) -> Callable[[], float]:
    """Seconds of one step in the peer's process."""
    path, program = training_programs.__file__, name(peer.library, model)
    return per_step(lambda: peer.ask("graph", path=path, name=program, number=1))


def per_step(epoch: Callable[[], float]) -> Callable[[], float]:
    return lambda: epoch() / training_programs.STEPS

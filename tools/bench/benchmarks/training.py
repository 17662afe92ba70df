"""A step of training, beside Keras on TensorFlow, and JAX and PyTorch if they are installed."""

from collections.abc import Callable, Iterator

import runtime
from tools.bench import training_programs
from tools.bench.measure import Figure, Goal, alone, once, paired
from tools.bench.peers import Peer
from tools.bench.session import Session, frameworks

REPEATS = 9
PREFIXES = {"tensorflow": "keras", "jax": "jax", "torch": "torch"}


def run(session: Session) -> Iterator[Figure]:
    with frameworks(session) as beside:
        for model in training_programs.MODELS:
            function, _ = getattr(training_programs, f"keras_{model}")(runtime)
            ours = per_step(once(function))
            if not beside:
                yield alone(model, ours, repeats=REPEATS)
            for peer in beside:
                goal = Goal(1.0) if peer.library == "tensorflow" else None
                yield paired(
                    model, ours, peer.library, theirs(peer, model), repeats=REPEATS, goal=goal
                )


def theirs(peer: Peer, model: str) -> Callable[[], float]:
    """Seconds of one step in the peer's process."""
    name = f"{PREFIXES[peer.library]}_{model}"
    return per_step(lambda: peer.ask("graph", path=training_programs.__file__, name=name, number=1))


def per_step(epoch: Callable[[], float]) -> Callable[[], float]:
    return lambda: epoch() / training_programs.STEPS

"""Gradients beside TensorFlow's graph mode, JAX under `jit`, and eager PyTorch."""

from collections.abc import Iterator
from pathlib import Path

import runtime
from tools.bench import gradient_programs
from tools.bench.benchmarks.graphs import theirs
from tools.bench.measure import Figure, Goal, alone, each, paired
from tools.bench.session import Session, frameworks

REPEATS = 9
HERE = Path(gradient_programs.__file__)
FILES = {
    "tensorflow": HERE,
    "jax": HERE.with_name("gradient_programs_jax.py"),
    "torch": HERE.with_name("gradient_programs_torch.py"),
}


def run(session: Session) -> Iterator[Figure]:
    with frameworks(session) as beside:
        for make in gradient_programs.PROGRAMS:
            function, arguments = make(runtime)
            ours = each(lambda call=function, given=arguments: call(*given))  # type: ignore[misc]
            if not beside:
                yield alone(make.__name__, ours, repeats=REPEATS)
            for peer in beside:
                yield paired(
                    make.__name__,
                    ours,
                    peer.library,
                    theirs(peer, str(FILES[peer.library]), make.__name__),
                    repeats=REPEATS,
                    goal=Goal(1.0) if peer.library == "tensorflow" else None,
                )

"""What decides random orders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.ops.random.seeds import operation_seeds


class Draws:
    """Random numbers for each loop: the same for all, or others for each.

    Args:
      seed: decides them, with that of `random.set_seed`; None: others in each run.
      anew: whether each loop has others.
    """

    def __init__(self, seed: int | None, anew: bool) -> None:
        own = operation_seeds(seed)
        drawn = np.random.SeedSequence().generate_state(4).tolist()
        self._entropy = drawn if own == (0, 0) else [each % 2**63 for each in own]
        self._anew = anew
        self._loops = 0

    def state(self) -> list[int]:
        """How many loops there have been, and what decides the numbers."""
        return [self._loops, *self._entropy]

    def restore(self, state: Sequence[int]) -> None:
        """Go back to a `state`."""
        self._loops, *self._entropy = state

    def __call__(self) -> np.random.Generator:
        """The numbers of one loop."""
        self._loops += self._anew
        return np.random.default_rng(np.random.SeedSequence([*self._entropy, self._loops]))

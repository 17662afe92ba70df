"""The random numbers of shuffles and draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.ops.random.seeds import operation_seeds


class Draws:
    """Random numbers for each loop, equal or different.

    Args:
      seed: the seed, with that of `random.set_seed`; None: different in each run.
      anew: whether each loop has different numbers.
    """

    def __init__(self, seed: int | None, anew: bool) -> None:
        own = operation_seeds(seed)
        drawn = np.random.SeedSequence().generate_state(4).tolist()
        self._entropy = drawn if own == (0, 0) else [each % 2**63 for each in own]
        self._anew = anew
        self._loops = 0

    def state(self) -> list[int]:
        """Return the number of loops so far, and the seed."""
        return [self._loops, *self._entropy]

    def restore(self, state: Sequence[int]) -> None:
        """Go back to a `state`."""
        self._loops, *self._entropy = state

    def __call__(self) -> np.random.Generator:
        """Return the random numbers of one loop."""
        self._loops += self._anew
        return np.random.default_rng(np.random.SeedSequence([*self._entropy, self._loops]))

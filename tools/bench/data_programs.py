"""Pipelines of data, for this runtime and for TensorFlow; this file imports nothing.

Each takes the library as `tf` and gives the function to be measured and its arguments.
"""

from collections.abc import Callable
from typing import Any

ELEMENTS = 1_000_000


def map_shuffle_batch(tf: Any) -> tuple[Callable[..., int], list[Any]]:
    """Return a loop over a million elements that are mapped, shuffled and batched."""
    numbers = tf.data.Dataset.range(ELEMENTS).map(lambda x: x * 2 + 1)
    dataset = numbers.shuffle(10_000).batch(128)

    def batches() -> int:
        return sum(1 for _ in dataset)

    return batches, []


PROGRAMS = (map_shuffle_batch,)

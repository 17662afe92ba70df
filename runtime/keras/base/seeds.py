"""Seeds of initializers and of dropout to which a program gives none."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import runtime as tf


class _Source:
    is_python = False


SOURCE = _Source()
"""True after `set_random_seed`: seeds come from Python's generator."""


def set_random_seed(seed: int) -> None:
    """Seed Python, NumPy and this package; first weights of layers are then those of Keras 3.

    Args:
      seed: the seed.

    >>> set_random_seed(3)
    """
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)
    SOURCE.is_python = True


def draw_seed() -> int:
    """Draw a seed: as Keras does after `set_random_seed`, else as `tf.random.set_seed` decides."""
    if SOURCE.is_python:
        return random.randint(1, 10**9)
    with tf.init_scope():
        drawn: Any = tf.random.uniform((), 0, 2**31 - 1, tf.int32)
        return int(drawn)

"""Pipelines of data, for this runtime and for TensorFlow; this file imports neither.

Each takes the library as `tf` and gives the function to be measured and its arguments.
"""

import tempfile
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


def parse_batches(tf: Any) -> tuple[Callable[..., int], list[Any]]:
    """Return a loop over batches of examples that are parsed, 100 of 1000 each."""
    examples = tf.data.Dataset.from_tensor_slices([_example(tf, i) for i in range(1000)])
    features = {
        "label": tf.io.FixedLenFeature([], tf.int64),
        "name": tf.io.FixedLenFeature([], tf.string),
        "row": tf.io.FixedLenFeature([16], tf.float32),
    }
    batches = examples.batch(1000).cache().repeat(100)
    parsed = batches.map(lambda rows: tf.io.parse_example(rows, features))

    def parse() -> int:
        return sum(1 for _ in parsed)

    return parse, []


def _example(tf: Any, number: int) -> bytes:
    train = tf.train
    features = {
        "label": train.Feature(int64_list=train.Int64List(value=[number])),
        "name": train.Feature(bytes_list=train.BytesList(value=[b"name%d" % number])),
        "row": train.Feature(float_list=train.FloatList(value=[number / 2] * 16)),
    }
    example = train.Example(features=train.Features(feature=features))
    serialized: bytes = example.SerializeToString()
    return serialized


def load_saved(tf: Any) -> tuple[Callable[..., int], list[Any]]:
    """Return a loop over a saved dataset of 100 thousand rows of eight numbers."""
    home = tempfile.mkdtemp()
    rows = tf.random.uniform([100_000, 8])
    tf.data.Dataset.from_tensor_slices((rows, tf.range(100_000))).save(home)

    def load() -> int:
        return sum(1 for _ in tf.data.Dataset.load(home))

    return load, []


PROGRAMS = (map_shuffle_batch, parse_batches, load_saved)

"""Strings to numbers that stand for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.define import Op, define_op
from runtime.ops.hashing import fingerprint64, murmur64, siphash
from runtime.ops.string_elements import each, invalid


def _hashing(name: str, function: Callable[[bytes], int]) -> Op:
    return define_op(
        name,
        {"input": STRING},
        lambda x, num_buckets: x.spec.with_dtype(dtypes.int64),
        lambda xp, x, num_buckets: each(lambda data: function(data) % num_buckets, np.int64, x),
        samples=(sample(["a", "some longer text, longer than 64 bytes" * 2], num_buckets=100),),
    )


_BUCKET = _hashing("StringToHashBucket", murmur64)
_BUCKET_FAST = _hashing("StringToHashBucketFast", fingerprint64)


def _check_buckets(num_buckets: int) -> int:
    if num_buckets < 1:
        raise invalid(f"Value for attr 'num_buckets' of {num_buckets} must be at least minimum 1")
    return int(num_buckets)


def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number for each string, the same on every machine: its fingerprint modulo `num_buckets`.

    Args:
      input: strings.
      num_buckets: how many numbers there are, at least 1.
      name: the name of the operation.

    >>> print(to_hash_bucket_fast(["a", "hello"], 1000))
    tf.Tensor([939 296], shape=(2,), dtype=int64)
    """
    return _BUCKET_FAST(input, num_buckets=_check_buckets(num_buckets), name=name)


def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number for each string, by another hash function than `to_hash_bucket_fast`.

    >>> print(to_hash_bucket(["a", "hello"], 1000))
    tf.Tensor([868 938], shape=(2,), dtype=int64)
    """
    return _BUCKET(input, num_buckets=_check_buckets(num_buckets), name=name)


_BUCKET_STRONG = define_op(
    "StringToHashBucketStrong",
    {"input": STRING},
    lambda x, num_buckets, key: x.spec.with_dtype(dtypes.int64),
    lambda xp, x, num_buckets, key: each(
        lambda data: siphash(data, key) % num_buckets, np.int64, x
    ),
    samples=(sample(["a", "some text"], num_buckets=100, key=(1, 2)),),
)


def to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None
) -> Tensor:
    """A number for each string that who does not know the key cannot foresee.

    Args:
      input: strings.
      num_buckets: how many numbers there are, at least 1.
      key: two ints.
      name: the name of the operation.

    Raises: InvalidArgumentError for another key, or no buckets.

    >>> print(to_hash_bucket_strong(["a", "hello"], 1000, [1, 2]))
    tf.Tensor([646 622], shape=(2,), dtype=int64)
    """
    parts = tuple(int(part) for part in key)
    if len(parts) != 2:
        raise invalid("Key must have 2 elements")
    return _BUCKET_STRONG(input, num_buckets=_check_buckets(num_buckets), key=parts, name=name)

"""Hashes of strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array
from runtime.ops.base.define import op
from runtime.ops.strings.elements import invalid
from runtime.ops.strings.hash_kernels import fingerprint64, of_strings, siphash


def _buckets(function: Callable[[Array], Array], x: Array, num_buckets: int) -> Array:
    array = np.asarray(x)
    hashes = of_strings(function, array.ravel().tolist()) % np.uint64(num_buckets)
    return hashes.astype(np.int64).reshape(array.shape)


def _check_buckets(num_buckets: int) -> int:
    if num_buckets < 1:
        raise invalid(f"Value for attr 'num_buckets' of {num_buckets} must be at least minimum 1")
    return int(num_buckets)


@op(
    "StringToHashBucketFast",
    {"input": STRING},
    infer=lambda x, num_buckets: x.spec.with_dtype(dtypes.int64),
    kernel=lambda xp, x, num_buckets: _buckets(fingerprint64, x, num_buckets),
    samples=(sample(["a", "some longer text, longer than 64 bytes" * 2], num_buckets=100),),
)
def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """Return the FarmHash fingerprint of each string modulo `num_buckets`.

    The result is the same on every machine.

    Args:
      input: Tensor of strings.
      num_buckets: number of buckets, at least 1.
      name: name for the operation.

    Returns:
      int64 Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError: if `num_buckets` is below 1.

    >>> print(to_hash_bucket_fast(["a", "hello"], 1000))
    tf.Tensor([939 296], shape=(2,), dtype=int64)
    """
    return to_hash_bucket_fast.op(input, num_buckets=_check_buckets(num_buckets), name=name)


@op(
    "StringToHashBucketStrong",
    {"input": STRING},
    infer=lambda x, num_buckets, key: x.spec.with_dtype(dtypes.int64),
    kernel=lambda xp, x, num_buckets, key: _buckets(partial(siphash, key=key), x, num_buckets),
    samples=(sample(["a", "some text"], num_buckets=100, key=(1, 2)),),
)
def to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None
) -> Tensor:
    """Return the SipHash of each string modulo `num_buckets`.

    Without the key nobody can choose strings that collide.

    Args:
      input: Tensor of strings.
      num_buckets: number of buckets, at least 1.
      key: two integers.
      name: name for the operation.

    Returns:
      int64 Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError: for another key, or if `num_buckets` is below 1.

    >>> print(to_hash_bucket_strong(["a", "hello"], 1000, [1, 2]))
    tf.Tensor([646 622], shape=(2,), dtype=int64)
    """
    parts = tuple(int(part) for part in key)
    if len(parts) != 2:
        raise invalid("Key must have 2 elements")
    return to_hash_bucket_strong.op(
        input, num_buckets=_check_buckets(num_buckets), key=parts, name=name
    )

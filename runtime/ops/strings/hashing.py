"""Hashes of strings."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import op
from runtime.ops.strings.elements import invalid
from runtime.ops.strings.hash_kernels import fingerprints


def _buckets(xp: Namespace, x: Array, num_buckets: int) -> Array:
    array = np.asarray(x)
    hashes = fingerprints(array.ravel().tolist()) % np.uint64(num_buckets)
    return hashes.astype(np.int64).reshape(array.shape)


@op(
    "StringToHashBucketFast",
    {"input": STRING},
    infer=lambda x, num_buckets: x.spec.with_dtype(dtypes.int64),
    kernel=_buckets,
    samples=(sample(["a", "some longer text, longer than 64 bytes" * 2], num_buckets=100),),
)
def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """Return the FarmHash fingerprint of each string modulo `num_buckets`.

    The result is the same on every machine.

    Args:
      input: Tensor of strings.
      num_buckets: number of buckets, at least 1.

    Returns: int64 Tensor of the shape of `input`.
    Raises: InvalidArgumentError if `num_buckets` is below 1.

    >>> print(to_hash_bucket_fast(["a", "hello"], 1000))
    tf.Tensor([939 296], shape=(2,), dtype=int64)
    """
    if num_buckets < 1:
        raise invalid(f"Value for attr 'num_buckets' of {num_buckets} must be at least minimum 1")
    return to_hash_bucket_fast.op(input, num_buckets=int(num_buckets), name=name)

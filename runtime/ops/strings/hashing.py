"""Strings to numbers that stand for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import ANY, STRING, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import Op, define_op
from runtime.ops.strings.elements import invalid
from runtime.ops.strings.hash_kernels import fingerprint64, murmur64, of_strings, siphash


def _buckets(function: Callable[[Any], Any], x: Any, num_buckets: int) -> Any:
    array = np.asarray(x)
    hashes = of_strings(function, array.ravel().tolist()) % np.uint64(num_buckets)
    return hashes.astype(np.int64).reshape(array.shape)


def _hashing(name: str, function: Callable[[Any], Any]) -> Op:
    return define_op(
        name,
        {"input": STRING},
        lambda x, num_buckets: x.spec.with_dtype(dtypes.int64),
        lambda xp, x, num_buckets: _buckets(function, x, num_buckets),
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
    lambda xp, x, num_buckets, key: _buckets(partial(siphash, key=key), x, num_buckets),
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


def _fingerprints(xp: Any, data: Any, method: str) -> Any:
    array = np.ascontiguousarray(data)
    if array.dtype != object:
        return _bytes_of(fingerprint64(_rows(array)))
    each = of_strings(fingerprint64, array.ravel().tolist())
    if array.ndim == 1:
        return _bytes_of(each)
    return _bytes_of(fingerprint64(_rows(_bytes_of(each).reshape(*array.shape, 8))))


def _rows(array: Any) -> Any:
    """The bytes of each row."""
    count = len(array)
    return array.reshape(-1).view(np.uint8).reshape(count, array.nbytes // max(count, 1))


def _bytes_of(hashes: Any) -> Any:
    """The bytes of each number, the lowest first."""
    return hashes.astype("<u8").view(np.uint8).reshape(len(hashes), 8)


_FINGERPRINT = define_op(
    "Fingerprint",
    {"data": ANY},
    lambda data, method: spec_of(dtypes.uint8, (_row_count(data), 8)),
    _fingerprints,
    samples=(sample([[1, 2], [3, 4]], method="farmhash64"), sample(["a"], method="farmhash64")),
)


def _row_count(data: Tensor) -> int | None:
    if data.shape.rank == 0:
        raise ValueError(f"`data` should have at least one dimension: {data.shape}")
    return None if data.shape.rank is None else data.shape[0]


def fingerprint(data: TensorLike, method: str = "farmhash64", name: str | None = None) -> Tensor:
    """Eight bytes for each row of a tensor, the same on every machine.

    Args:
      data: numbers or strings, with at least one dimension.
      method: only "farmhash64".
      name: the name of the operation.

    Returns: uint8, shape [rows, 8].
    Raises: InvalidArgumentError for a scalar, or another method.

    >>> fingerprint(["a", "b"]).shape
    TensorShape([2, 8])
    """
    if method != "farmhash64":
        raise invalid(f"Unsupported fingerprint method: {method}")
    return _FINGERPRINT(data, method=method, name=name)

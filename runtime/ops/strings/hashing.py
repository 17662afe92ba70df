"""Hashes and fingerprints of strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ParamSpec

import numpy as np

from runtime.core import dtypes
from runtime.core.node_form import Moved, NodeForm
from runtime.core.opdef import ANY, STRING, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import OpFunction, op
from runtime.ops.strings.elements import invalid
from runtime.ops.strings.hash_kernels import fingerprint64, murmur64, of_strings, siphash

P = ParamSpec("P")


def _buckets(function: Callable[[Array], Array], x: Array, num_buckets: int) -> Array:
    array = np.asarray(x)
    hashes = of_strings(function, array.ravel().tolist()) % np.uint64(num_buckets)
    return hashes.astype(np.int64).reshape(array.shape)


def _hashing(
    name: str, function: Callable[[Array], Array]
) -> Callable[[Callable[P, Tensor]], OpFunction[P, Tensor]]:
    """Define an op type that hashes each string; decorates its public function."""
    return op(
        name,
        {"input": STRING},
        infer=lambda x, num_buckets: x.spec.with_dtype(dtypes.int64),
        kernel=lambda xp, x, num_buckets: _buckets(function, x, num_buckets),
        samples=(sample(["a", "some longer text, longer than 64 bytes" * 2], num_buckets=100),),
    )


def _check_buckets(num_buckets: int) -> int:
    if num_buckets < 1:
        raise invalid(f"Value for attr 'num_buckets' of {num_buckets} must be at least minimum 1")
    return int(num_buckets)


@_hashing("StringToHashBucketFast", fingerprint64)
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


@_hashing("StringToHashBucket", murmur64)
def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """Return the MurmurHash of each string modulo `num_buckets`.

    Args:
      input, num_buckets, name: as of `to_hash_bucket_fast`.

    Returns:
      int64 Tensor of the shape of `input`.

    >>> print(to_hash_bucket(["a", "hello"], 1000))
    tf.Tensor([868 938], shape=(2,), dtype=int64)
    """
    return to_hash_bucket.op(input, num_buckets=_check_buckets(num_buckets), name=name)


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


def _fingerprints(xp: Namespace, data: Array, method: str) -> Array:
    array = np.ascontiguousarray(data)
    if array.dtype != object:
        return _bytes_of(fingerprint64(_rows(array)))
    each = of_strings(fingerprint64, array.ravel().tolist())
    if array.ndim == 1:
        return _bytes_of(each)
    return _bytes_of(fingerprint64(_rows(_bytes_of(each).reshape(*array.shape, 8))))


def _rows(array: Array) -> Array:
    """Return the bytes of each row."""
    count = len(array)
    return array.reshape(-1).view(np.uint8).reshape(count, array.nbytes // max(count, 1))


def _bytes_of(hashes: Array) -> Array:
    """Return the bytes of each number, in little-endian order."""
    return hashes.astype("<u8").view(np.uint8).reshape(len(hashes), 8)


def _row_count(data: Tensor) -> int | None:
    if data.shape.rank == 0:
        raise ValueError(f"`data` should have at least one dimension: {data.shape}")
    return None if data.shape.rank is None else data.shape[0]


def _method_array(method: str, op: object) -> Array:
    return np.array(method.encode(), object)


def _method(array: Array, rank: int | None) -> str:
    text: bytes = np.asarray(array, object).item()
    return text.decode()


@op(
    "Fingerprint",
    {"data": ANY},
    infer=lambda data, method: spec_of(dtypes.uint8, (_row_count(data), 8)),
    kernel=_fingerprints,
    node=NodeForm(moved=(Moved("method", 1, "method", _method_array, _method),)),
    samples=(sample([[1, 2], [3, 4]], method="farmhash64"), sample(["a"], method="farmhash64")),
)
def fingerprint(data: TensorLike, method: str = "farmhash64", name: str | None = None) -> Tensor:
    """Return the FarmHash fingerprint of each row, the same on every machine.

    Args:
      data: Tensor with at least one dimension.
      method: "farmhash64".
      name: name for the operation.

    Returns:
      uint8 Tensor of shape [rows, 8].

    Raises:
      InvalidArgumentError: for a scalar, or another method.

    >>> print(fingerprint(["a"]).numpy())
    [[227 117 223 182 101  66  69 179]]
    """
    if method != "farmhash64":
        raise invalid(f"Unsupported fingerprint method: {method}")
    return fingerprint.op(data, method=method, name=name)

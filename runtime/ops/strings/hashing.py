"""Hashes of strings, with the same results on every machine.

The kernels take strings of one length, the rows of a uint8 array, and return one uint64 for each.
Arithmetic is modulo 2**64.

Source, of the constants too: `Fingerprint64` of FarmHash (Geoff Pike, 2014), that is,
`farmhashna::Hash64`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.opdef import STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import op
from runtime.ops.strings.elements import invalid

_LONG = 2**64 - 1
_K0 = np.uint64(0xC3A5C85C97CB3127)
_K1 = np.uint64(0xB492B66FBE98F273)
_K2 = np.uint64(0x9AE16A3B2F90404F)
Pair = tuple[Array, Array]


def _fingerprints(strings: Sequence[bytes]) -> Array:
    """Return the hashes of strings of any lengths, uint64."""
    lengths = np.fromiter(map(len, strings), np.int64, len(strings))
    result = np.empty(len(strings), np.uint64)
    order = np.argsort(lengths, kind="stable")
    sizes, counts = np.unique(lengths, return_counts=True)
    for size, end, count in zip(sizes, np.cumsum(counts), counts, strict=True):
        places = order[end - count : end]
        joined = b"".join([strings[place] for place in places.tolist()])
        result[places] = _fingerprint64(np.frombuffer(joined, np.uint8).reshape(count, size))
    return result


def _number(value: int) -> Array:
    return np.uint64(value & _LONG)


def _up(value: Array, by: int) -> Array:
    return value << np.uint64(by)


def _rotated(value: Array, by: int) -> Array:
    return value >> np.uint64(by) | _up(value, 64 - by)


def _mixed(value: Array) -> Array:
    return value ^ value >> np.uint64(47)


def _joined(u: Array, v: Array, factor: Array) -> Array:
    a = _mixed((u ^ v) * factor)
    return _mixed((v ^ a) * factor) * factor


def _word(data: Array, at: int, size: int = 8) -> Array:
    """Return up to eight bytes of each row as a little-endian number."""
    part = data[:, at : at + size]
    if part.shape[1] < 8:
        part = np.pad(part, [(0, 0), (0, 8 - part.shape[1])])
    return np.ascontiguousarray(part).view("<u8")[:, 0]


def _fingerprint64(data: Array) -> Array:
    """Return the FarmHash fingerprint."""
    size = data.shape[1]
    if size <= 16:
        return _up_to_16(data)
    if size <= 32:
        return _up_to_32(data)
    return _up_to_64(data) if size <= 64 else _longer(data)


def _up_to_16(data: Array) -> Array:
    size = data.shape[1]
    factor = _number(int(_K2) + size * 2)
    if size >= 8:
        a, b = _word(data, 0) + _K2, _word(data, size - 8)
        c = _rotated(b, 37) * factor + a
        d = (_rotated(a, 25) + b) * factor
        return _joined(c, d, factor)
    if size >= 4:
        first, last = _word(data, 0, 4), _word(data, size - 4, 4)
        return _joined(_number(size) + _up(first, 3), last, factor)
    if size:
        bytes_ = data.astype(np.uint64)
        y = bytes_[:, 0] + _up(bytes_[:, size >> 1], 8)
        z = _number(size) + _up(bytes_[:, -1], 2)
        return _mixed(y * _K2 ^ z * _K0) * _K2
    return np.full(len(data), _K2)


def _ends(data: Array, factor: Array, first: Array) -> tuple[Array, Array, Array]:
    """Mix the first and the last 16 bytes: two sums, and a multiple of the first word."""
    size = data.shape[1]
    a, b = _word(data, 0) * first, _word(data, 8)
    c, d = _word(data, size - 8) * factor, _word(data, size - 16) * _K2
    y = _rotated(a + b, 43) + _rotated(c, 30) + d
    return y, a + _rotated(b + _K2, 18) + c, a


def _up_to_32(data: Array) -> Array:
    factor = _number(int(_K2) + data.shape[1] * 2)
    y, z, _ = _ends(data, factor, _K1)
    return _joined(y, z, factor)


def _up_to_64(data: Array) -> Array:
    size = data.shape[1]
    factor = _number(int(_K2) + size * 2)
    y, other, a = _ends(data, factor, _K2)
    z = _joined(y, other, factor)
    e, f = _word(data, 16) * factor, _word(data, 24)
    g = (y + _word(data, size - 32)) * factor
    h = (z + _word(data, size - 24)) * factor
    first = _rotated(e + f, 43) + _rotated(g, 30) + h
    return _joined(first, e + _rotated(f + a, 18) + g, factor)


def _weak(data: Array, at: int, a: Array, b: Array) -> Pair:
    w, x, y, z = (_word(data, at + 8 * i) for i in range(4))
    a = a + w
    b = _rotated(b + a + z, 21)
    c = a
    a = a + x + y
    b = b + _rotated(a, 44)
    return a + z, b + c


def _longer(data: Array) -> Array:
    count, size = data.shape
    y = 81 * int(_K1) + 113
    z = _mixed(_number(y * int(_K2) + 113)) * _K2
    x = _number(81 * int(_K2)) + _word(data, 0)
    none = np.zeros(count, np.uint64)
    state: _State = (x, np.full(count, _number(y)), np.full(count, z), (none, none), (none, none))
    for at in range(0, (size - 1) // 64 * 64, 64):
        state = _round(data, at, state, (_K1, np.uint64(1)))
    x, y, z, v, w = state
    factor = _K1 + _up(z & np.uint64(0xFF), 1)
    w = (w[0] + _number((size - 1) & 63), w[1])
    v = (v[0] + w[0], v[1])
    w = (w[0] + v[0], w[1])
    x, y, z, v, w = _round(data, size - 64, (x, y, z, v, w), (factor, np.uint64(9)))
    first = _joined(v[0], w[0], factor) + _mixed(y) * _K0 + z
    return _joined(first, _joined(v[1], w[1], factor) + x, factor)


_State = tuple[Array, Array, Array, Pair, Pair]


def _round(data: Array, at: int, state: _State, factors: Pair) -> _State:
    """Mix in one block of 64 bytes."""
    x, y, z, v, w = state
    factor, weight = factors
    x = _rotated(x + y + v[0] + _word(data, at + 8), 37) * factor
    y = _rotated(y + v[1] + _word(data, at + 48), 42) * factor
    x = x ^ w[1] * weight
    y = y + v[0] * weight + _word(data, at + 40)
    z = _rotated(z + w[0], 33) * factor
    v = _weak(data, at, v[1] * factor, x + w[0])
    w = _weak(data, at + 32, z + w[1], y + _word(data, at + 16))
    return z, y, x, v, w


def _buckets(xp: Namespace, x: Array, num_buckets: int) -> Array:
    array = np.asarray(x)
    hashes = _fingerprints(array.ravel().tolist()) % np.uint64(num_buckets)
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
    count = static_int("num_buckets", num_buckets)
    if count < 1:
        raise invalid(f"Value for attr 'num_buckets' of {count} must be at least minimum 1")
    return to_hash_bucket_fast.op(input, num_buckets=count, name=name)

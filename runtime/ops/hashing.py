"""Hash functions of byte strings that are the same on every machine.

Sources: the 64-bit fingerprint of FarmHash (Geoff Pike, 2014); MurmurHash64A (Austin Appleby).
"""

from __future__ import annotations

_LONG = 2**64 - 1
_K0 = 0xC3A5C85C97CB3127
_K1 = 0xB492B66FBE98F273
_K2 = 0x9AE16A3B2F90404F
_MURMUR = 0xC6A4A7935BD1E995
_MURMUR_SEED = 0xDECAFCAFFE

Pair = tuple[int, int]


def _rotated(value: int, by: int) -> int:
    value &= _LONG
    return (value >> by | value << (64 - by)) & _LONG


def _mixed(value: int) -> int:
    value &= _LONG
    return value ^ value >> 47


def _joined(u: int, v: int, factor: int) -> int:
    a = _mixed((u ^ v) * factor)
    return _mixed((v ^ a) * factor) * factor & _LONG


def _word(data: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(data[at : at + size], "little")


def fingerprint64(data: bytes) -> int:
    """The FarmHash fingerprint.

    >>> fingerprint64(b"hello") % 1000
    296
    """
    if len(data) <= 16:
        return _up_to_16(data)
    if len(data) <= 32:
        return _up_to_32(data)
    return _up_to_64(data) if len(data) <= 64 else _longer(data)


def _up_to_16(data: bytes) -> int:
    size = len(data)
    factor = _K2 + size * 2
    if size >= 8:
        a, b = _word(data, 0) + _K2, _word(data, size - 8)
        c = _rotated(b, 37) * factor + a
        d = (_rotated(a, 25) + b) * factor
        return _joined(c & _LONG, d & _LONG, factor)
    if size >= 4:
        first, last = _word(data, 0, 4), _word(data, size - 4, 4)
        return _joined(size + (first << 3), last, factor)
    if size:
        y = data[0] + (data[size >> 1] << 8)
        z = size + (data[-1] << 2)
        return _mixed(y * _K2 & _LONG ^ z * _K0 & _LONG) * _K2 & _LONG
    return _K2


def _ends(data: bytes, factor: int, first: int) -> tuple[int, int, int]:
    """What the first and the last 16 bytes give: two sums, and the first word times a number."""
    size = len(data)
    a, b = _word(data, 0) * first & _LONG, _word(data, 8)
    c, d = _word(data, size - 8) * factor & _LONG, _word(data, size - 16) * _K2
    y = (_rotated(a + b, 43) + _rotated(c, 30) + d) & _LONG
    return y, (a + _rotated(b + _K2, 18) + c) & _LONG, a


def _up_to_32(data: bytes) -> int:
    factor = _K2 + len(data) * 2
    y, z, _ = _ends(data, factor, _K1)
    return _joined(y, z, factor)


def _up_to_64(data: bytes) -> int:
    size = len(data)
    factor = _K2 + size * 2
    y, other, a = _ends(data, factor, _K2)
    z = _joined(y, other, factor)
    e, f = _word(data, 16) * factor & _LONG, _word(data, 24)
    g = (y + _word(data, size - 32)) * factor & _LONG
    h = (z + _word(data, size - 24)) * factor
    first = (_rotated(e + f, 43) + _rotated(g, 30) + h) & _LONG
    return _joined(first, (e + _rotated(f + a, 18) + g) & _LONG, factor)


def _weak(data: bytes, at: int, a: int, b: int) -> Pair:
    w, x, y, z = (_word(data, at + 8 * i) for i in range(4))
    a += w
    b = _rotated(b + a + z, 21)
    c = a
    a += x + y
    b += _rotated(a, 44)
    return (a + z) & _LONG, (b + c) & _LONG


def _longer(data: bytes) -> int:
    size = len(data)
    x, y = 81, (81 * _K1 + 113) & _LONG
    z = _mixed(y * _K2 + 113) * _K2 & _LONG
    v: Pair = (0, 0)
    w: Pair = (0, 0)
    x = x * _K2 + _word(data, 0)
    for at in range(0, (size - 1) // 64 * 64, 64):
        x, y, z, v, w = _round(data, at, (x, y, z, v, w), (_K1, 1))
    rest = (size - 1) & 63
    factor = _K1 + ((z & 0xFF) << 1)
    w = ((w[0] + rest) & _LONG, w[1])
    v = ((v[0] + w[0]) & _LONG, v[1])
    w = ((w[0] + v[0]) & _LONG, w[1])
    x, y, z, v, w = _round(data, size - 64, (x, y, z, v, w), (factor, 9))
    first = _joined(v[0], w[0], factor) + _mixed(y) * _K0 + z
    return _joined(first & _LONG, (_joined(v[1], w[1], factor) + x) & _LONG, factor)


_State = tuple[int, int, int, Pair, Pair]


def _round(data: bytes, at: int, state: _State, factors: Pair) -> _State:
    """One block of 64 bytes."""
    x, y, z, v, w = state
    factor, weight = factors
    x = _rotated(x + y + v[0] + _word(data, at + 8), 37) * factor & _LONG
    y = _rotated(y + v[1] + _word(data, at + 48), 42) * factor & _LONG
    x ^= w[1] * weight & _LONG
    y = (y + v[0] * weight + _word(data, at + 40)) & _LONG
    z = _rotated(z + w[0], 33) * factor & _LONG
    v = _weak(data, at, v[1] * factor & _LONG, x + w[0])
    w = _weak(data, at + 32, z + w[1], y + _word(data, at + 16))
    return z, y, x, v, w


def murmur64(data: bytes) -> int:
    """The MurmurHash of 64 bits, with a fixed seed.

    >>> murmur64(b"hello") % 1000
    938
    """
    result = _MURMUR_SEED ^ len(data) * _MURMUR & _LONG
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        k = _mixed(_word(data, at) * _MURMUR) * _MURMUR & _LONG
        result = (result ^ k) * _MURMUR & _LONG
    if whole < len(data):
        result = (result ^ _word(data, whole)) * _MURMUR & _LONG
    return _mixed(_mixed(result) * _MURMUR)


def siphash(data: bytes, key: Pair) -> int:
    """SipHash with two rounds for each word and four at the end.

    Source: Aumasson and Bernstein (2012).

    >>> siphash(b"hello", (1, 2)) % 1000
    622
    """
    k0, k1 = (part & _LONG for part in key)
    state = (
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    )
    whole = len(data) - len(data) % 8
    last = _word(data[whole:], 0) | (len(data) & 0xFF) << 56
    for word in (*(_word(data, at) for at in range(0, whole, 8)), last):
        a, b, c, d = _sip_rounds((*state[:3], state[3] ^ word), 2)
        state = (a ^ word, b, c, d)
    a, b, c, d = state
    a, b, c, d = _sip_rounds((a, b, c ^ 0xFF, d), 4)
    return a ^ b ^ c ^ d


def _sip_rounds(state: tuple[int, int, int, int], count: int) -> tuple[int, int, int, int]:
    a, b, c, d = state
    for _ in range(count):
        a = (a + b) & _LONG
        c = (c + d) & _LONG
        b = _rotated(b, 51) ^ a
        d = _rotated(d, 48) ^ c
        a = _rotated(a, 32)
        c = (c + b) & _LONG
        a = (a + d) & _LONG
        b = _rotated(b, 47) ^ c
        d = _rotated(d, 43) ^ a
        c = _rotated(c, 32)
    return a, b, c, d

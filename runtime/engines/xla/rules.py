"""Operations that need more than their kernel with `jax.numpy`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special

from runtime.core.aliases import Array
from runtime.core.opdef import Emit, Undefined
from runtime.core.operation import Operation
from runtime.core.shapes import numpy_index
from runtime.core.static import packed
from runtime.engines.limits import Unsupported
from runtime.engines.xla.scope import Rule, Scope


def _assert(scope: Scope, op: Operation, values: Sequence[Any]) -> tuple[()]:
    scope.fail_if(jnp.logical_not(jnp.all(values[0])))
    return ()


def _raise(scope: Scope, op: Operation, values: Sequence[Any]) -> tuple[()]:
    scope.fail_if(jnp.any(values[0]))
    return ()


def _conversion(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    """Convert; where the dtype lacks the number, the plan decides what becomes of it."""
    x, dtype = values[0], op.outputs[0].spec.dtype
    if x.dtype.kind == "f" and dtype.is_integer:
        limits = np.iinfo(dtype.numpy_dtype)
        size = jnp.trunc(x.astype("float64"))
        scope.fail_if(~jnp.all((size >= float(limits.min)) & (size < float(limits.max) + 1)))
    if x.dtype.kind == "c" and not (dtype.is_complex or dtype.is_bool):
        x = x.real
    return x.astype(dtype.numpy_dtype)


def _position(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    """Return a nonnegative index of a sequence."""
    index, length = values
    dtype = op.outputs[0].spec.dtype.numpy_dtype
    return _nonnegative(scope, index.astype("int64"), length).astype(dtype)


def _nonnegative(scope: Scope, index: Array, length: Array) -> Any:
    scope.fail_if((index < -length) | (index >= length))
    return index + (index < 0) * length


def _count(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    """Return the length of a range of integers; one in the wrong direction is the plan's."""
    start, limit, delta = (jnp.asarray(value).astype("int64") for value in values)
    if not all(value.dtype.kind == "i" for value in values):
        raise Unsupported("a range of no signed integers")
    most = 1 << 61
    too_large = jnp.maximum(abs(start), abs(limit)) > most
    steps = lax.div(limit - start + delta - jnp.sign(delta), jnp.where(delta == 0, 1, delta))
    wrong = (limit < start) == (delta > 0) if not op.attrs["python"] else False
    scope.fail_if((delta == 0) | too_large | ((limit != start) & wrong) | (abs(delta) > most))
    return jnp.maximum(steps, 0).astype(op.outputs[0].spec.dtype.numpy_dtype)


def _power(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    """Compute a power; of an exponent that is an integer, JAX looks at the last six bits."""
    if op.outputs[0].spec.dtype.is_integer:
        scope.fail_if(jnp.any((values[1] < 0) | (values[1] > 63)))
    return jnp.power(*values)


def _floor_divide(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x, y = map(jnp.asarray, values)
    if x.dtype.kind != "f":
        scope.fail_if(jnp.any(y == 0))
        return jnp.floor_divide(x, y)
    rest = jnp.fmod(x, y)
    below = (rest != 0) & ((y < 0) != (rest < 0))
    quotient = (x - rest) / y - below.astype(x.dtype)
    near = jnp.floor(quotient)
    near = jnp.where(quotient - near > 0.5, near + 1, near)
    near = jnp.where(quotient == 0, jnp.copysign(jnp.zeros_like(x), x / y), near)
    return jnp.where(y == 0, x / y, near)


def _floor_mod(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x, y = map(jnp.asarray, values)
    if x.dtype.kind != "f":
        scope.fail_if(jnp.any(y == 0))
        return jnp.mod(x, y)
    rest = jnp.fmod(x, y)
    rest = jnp.where((y < 0) != (rest < 0), jnp.where(rest == 0, rest, rest + y), rest)
    return jnp.where(rest == 0, jnp.copysign(rest, y), rest)


def _python_power(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    raise Unsupported("Python decides where a power of its numbers has a result")


def _of_python(rule: Rule) -> Rule:
    """Return the rule of a division of Python numbers, for that of tensors."""

    def checked(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
        x, y = map(jnp.asarray, values)
        wrong = y == 0
        if x.dtype.kind == "i":
            wrong |= (y == -1) & (x == np.iinfo(x.dtype).min)
        scope.fail_if(jnp.any(wrong))
        return rule(scope, op, (x, y))

    return checked


def _sign(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    """Return the sign; that of -0.0 is 0.0 in NumPy."""
    (x,) = values
    return jnp.where(x == 0, jnp.zeros_like(x), jnp.sign(x))


# ---- integers that must not wrap around ----


def checked_integers(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    """Compute a sum, difference or product of integers; fail where it does not fit."""
    x, y = map(jnp.asarray, values)
    if op.definition.sign not in _WRAPPED:
        raise Unsupported("it must not wrap around")
    result, wrong = _WRAPPED[op.definition.sign](x, y)
    scope.fail_if(jnp.any(wrong))
    return result


def _sum(x: Array, y: Array) -> tuple[Any, Any]:
    result = x + y
    return result, result < x if x.dtype.kind == "u" else ((x ^ result) & (y ^ result)) < 0


def _difference(x: Array, y: Array) -> tuple[Any, Any]:
    result = x - y
    return result, x < y if x.dtype.kind == "u" else ((x ^ y) & (x ^ result)) < 0


def _product(x: Array, y: Array) -> tuple[Any, Any]:
    result = x * y
    if x.dtype.itemsize < 8:
        return result, x.astype("int64") * y.astype("int64") != result.astype("int64")
    divisor = jnp.where(x == 0, jnp.ones_like(x), x)
    wrong = (x != 0) & (lax.div(result, divisor) != y)
    if x.dtype.kind == "i":  # the only quotient that wraps around is that of the least number by -1
        wrong |= (x == -1) & (y == np.iinfo(y.dtype).min)
    return result, wrong


def _python_left(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x, y = map(jnp.asarray, values)
    result = jnp.left_shift(x, y)
    scope.fail_if(jnp.any(_is_no_shift(x, y) | (jnp.right_shift(result, y) != x)))
    return result


def _python_right(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x, y = map(jnp.asarray, values)
    scope.fail_if(jnp.any(_is_no_shift(x, y)))
    return jnp.right_shift(x, y)


def _is_no_shift(x: Array, y: Array) -> Any:
    return (y < 0) | (y >= 8 * x.dtype.itemsize)


_WRAPPED = {"{} + {}": _sum, "{} - {}": _difference, "{} * {}": _product}


# ---- slices ----


def _key(scope: Scope, op: Operation, x: Array, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the index of JAX for a slice; only positions may be unknown."""
    begin, masks = values[0], op.attrs
    entries = packed(op.inputs[1])
    if entries is not None:
        begin = [scope.value(tensor) for tensor in entries]
    bits = range(len(begin))
    known = [_number(begin[i]) if not masks["shrink_axis_mask"] >> i & 1 else 0 for i in bits]
    others = masks["ellipsis_mask"] | masks["new_axis_mask"]
    unknown: list[Any] = [None] * len(begin)
    ends, steps = ([*v] if isinstance(v, np.ndarray) else unknown for v in values[1:3])
    for i in bits:
        is_open = masks["end_mask"] >> i & 1
        if not (masks["shrink_axis_mask"] | others) >> i & 1:
            if known[i] is None and not masks["begin_mask"] >> i & 1:
                raise Unsupported("a slice whose begin the compiler does not know")
            if steps[i] is None or (ends[i] is None and not is_open):
                raise Unsupported("a slice whose end the compiler does not know")
    key = list(numpy_index([n or 0 for n in known], ends, steps, masks))
    axis = 0
    taken = len(key) - bin(others).count("1")
    for i in bits:
        if masks["ellipsis_mask"] >> i & 1:
            axis += x.ndim - taken
        elif masks["new_axis_mask"] >> i & 1:
            continue
        else:
            if masks["shrink_axis_mask"] >> i & 1:
                key[i] = _nonnegative(scope, jnp.asarray(begin[i], "int64"), x.shape[axis])
            axis += 1
    return tuple(key)


def _number(entry: Any) -> int | None:
    return None if isinstance(entry, jax.core.Tracer) else int(entry)


def updated(x: Array, key: tuple[Any, ...], combine: str, update: Array) -> Any:
    """Return an array of JAX with the part at a key set to, or combined with, an update."""
    places = [each for each in key if each is not None and each is not ...]
    is_one = 0 < len(places) == x.ndim and not any(isinstance(each, slice) for each in places)
    if is_one and all(jnp.ndim(each) == 0 for each in (*places, update)):
        # The compiler of JAX 0.9 dies of a scatter of one number, not of a row of one.
        *others, last = places
        key, update = (*others, jnp.asarray(last)[None]), jnp.asarray(update)[None]
    return getattr(x.at[key], combine)(update)


def _slice(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x = values[0]
    if all(isinstance(value, np.ndarray) for value in values):
        return op.definition.kernel(np, *values, **op.attrs)
    return jnp.asarray(x)[_key(scope, op, x, values[1:4])]


def _assigned(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x = jnp.asarray(values[0])
    return updated(x, _key(scope, op, x, values[1:4]), "set", values[4])


def _added(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x = jnp.asarray(values[0])
    return updated(x, _key(scope, op, x, values[1:4]), "add", values[4])


def _spread(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    dims, *place, gradient = values
    x = jnp.zeros([int(dim) for dim in dims], gradient.dtype)
    return updated(x, _key(scope, op, x, place), "set", gradient)


# ---- operations whose kernels change an array in place ----


def _padded(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    x, amounts, *value = values
    if (np.asarray(amounts) < 0).any():
        raise Unsupported("a negative padding")
    return jnp.pad(x, amounts, constant_values=value[0] if value else 0)


def _complex(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    # The kernel multiplies by 1j, which makes NaN of infinities in JAX.
    return lax.complex(*jnp.broadcast_arrays(*values))


def _one_hot(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    indices, depth, on, off = values
    places = jnp.arange(int(depth), dtype=indices.dtype)
    chosen = jnp.where(jnp.asarray(indices)[..., None] == places, on, off)
    return jnp.moveaxis(chosen, -1, op.attrs["axis"])


def _scatter(combine: str) -> Rule:
    """Return the rule of a function that combines elements at index tuples with updates."""

    def rule(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
        x, indices, updates = values
        return _scattered(scope, combine, jnp.asarray(x), indices, updates)

    return rule


def _scatter_nd(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    indices, updates, dims = values
    x = jnp.zeros([int(dim) for dim in dims], updates.dtype)
    return _scattered(scope, "add", x, indices, updates)


def _scattered(scope: Scope, combine: str, x: Array, indices: Array, updates: Array) -> Any:
    depth = indices.shape[-1]
    if updates.shape != (*indices.shape[:-1], *x.shape[depth:]):
        raise Unsupported("updates whose shape does not fit the index tuples")
    limits = np.array(x.shape[:depth], "int64")
    scope.fail_if(jnp.any((indices < 0) | (indices >= limits)))
    index = tuple(indices[..., i] for i in range(depth))
    return updated(x, index, combine, updates)


def _segments(combine: str) -> Rule:
    """Return the rule of a reduction of the rows with one id; negative ids count for none."""

    def rule(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
        data, ids, count = values
        rows = jnp.reshape(data, (ids.size, *data.shape[ids.ndim :]))
        scope.fail_if(jnp.any(ids >= count))
        none = np.zeros((0, *rows.shape[1:]), data.dtype), np.zeros(0, ids.dtype)
        empty = jnp.asarray(op.definition.kernel(np, *none, count, **op.attrs))
        places = jnp.where(ids < 0, int(count), ids).reshape(-1)
        return getattr(empty.at[places], combine)(rows, mode="drop")

    return rule


def _sparse_cross_entropy(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    features, labels = values
    if features.ndim != 2 or features.shape[:1] != labels.shape:
        raise Unsupported("labels whose shape does not fit the logits")
    scope.fail_if(jnp.any((labels < 0) | (labels >= features.shape[1])))
    logs = jax.nn.log_softmax(features)
    taken = jax.nn.one_hot(labels, features.shape[1], dtype=features.dtype)
    own = jnp.take_along_axis(logs, labels[:, None], axis=1)[:, 0]
    return -own, jnp.exp(logs) - taken


BY_EMIT: dict[Emit | None, Rule] = {
    Emit.ASSERT: _assert,
    Emit.RAISE: _raise,
    Emit.CONVERSION: _conversion,
    Emit.POSITION: _position,
    Emit.SIGN: _sign,
    Emit.COUNT: _count,
    Emit.SLICE: _slice,
    Emit.ASSIGN: _assigned,
    Emit.ADD: _added,
    Emit.COMPLEX: _complex,
    Emit.ERF: lambda scope, op, values: special.erf(values[0]),
    Emit.ERFC: lambda scope, op, values: special.erfc(values[0]),
    Emit.LEFT_SHIFT: _python_left,
    Emit.RIGHT_SHIFT: _python_right,
    Emit.ONE_HOT: _one_hot,
    Emit.PADDED: _padded,
    Emit.SPREAD: _spread,
    Emit.SCATTERED: _scatter_nd,
    Emit.SCATTER_ADD: _scatter("add"),
    Emit.SCATTER_SUB: _scatter("subtract"),
    Emit.SCATTER_MAX: _scatter("max"),
    Emit.SCATTER_MIN: _scatter("min"),
    Emit.SEGMENT_SUM: _segments("add"),
    Emit.SEGMENT_PROD: _segments("multiply"),
    Emit.SEGMENT_MAX: _segments("max"),
    Emit.SEGMENT_MIN: _segments("min"),
    Emit.CROSS_ENTROPY: _sparse_cross_entropy,
}

OPERATORS: dict[tuple[str, Undefined], Rule] = {
    # JAX's quotients and remainders that are zero have another sign than NumPy's.
    ("{} // {}", Undefined.NOWHERE): _floor_divide,
    ("{} % {}", Undefined.NOWHERE): _floor_mod,
    ("{} ** {}", Undefined.NOWHERE): _power,
    ("{} / {}", Undefined.BY_ZERO): _of_python(lambda scope, op, values: jnp.true_divide(*values)),
    ("{} // {}", Undefined.BY_ZERO): _of_python(_floor_divide),
    ("{} % {}", Undefined.BY_ZERO): _of_python(_floor_mod),
    ("{} ** {}", Undefined.NOT_FINITE): _python_power,
}
"""Rules by the Python operator of an op type, and where it raises."""

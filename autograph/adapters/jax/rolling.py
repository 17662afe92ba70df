"""Whether one traced iteration of a Python loop computes what Python would, for every iteration.

The item of the iteration is a Python integer in the program, and a traced one in the loop. What
follows from items alone is computed here for all of them: integers have to be the same in both
ways. Where Python, or NumPy, might have computed in double precision, the loop is not rolled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.extend.core import Jaxpr, JaxprEqn, Literal, Var

from autograph.staging import CannotRoll
from autograph.values import Value

_CONSTANT, _OF_ITEM = "constant", "of the item"
"""What is known of a value: it is the same each time, or follows from items and constants."""


_Numbers = np.ndarray[Any, Any]


def _quotient(a: _Numbers, b: _Numbers) -> Any:
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


def _selected(which: _Numbers, *cases: Any) -> Any:
    return np.choose(which.astype(np.int64), cases)


_EXACT: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "add": np.add,
    "and": np.bitwise_and,
    "copy": np.array,
    "div": _quotient,
    "eq": np.equal,
    "ge": np.greater_equal,
    "gt": np.greater,
    "le": np.less_equal,
    "lt": np.less,
    "max": np.maximum,
    "min": np.minimum,
    "mul": np.multiply,
    "ne": np.not_equal,
    "neg": np.negative,
    "not": np.invert,
    "or": np.bitwise_or,
    "pvary": np.array,
    "reduce_and": np.array,
    "reduce_or": np.array,
    "rem": np.fmod,
    "reshape": np.array,
    "select_n": _selected,
    "sign": np.sign,
    "squeeze": np.array,
    "sub": np.subtract,
    "xor": np.bitwise_xor,
}
"""Primitives on integer and bool scalars; results of 32-bit operands fit 64 bits."""

_MOVING = frozenset(
    {"broadcast_in_dim", "concatenate", "convert_element_type", "dynamic_slice", "gather", "pvary",
     "reshape", "select_n", "slice", "squeeze", "stop_gradient", "transpose"}
)  # fmt: skip
"""Primitives that compute no new numbers."""

_DIVISIONS = frozenset({"floor_divide", "remainder"})


class _Table(NamedTuple):
    """A constant array of integers, of one dimension."""

    values: Any


def integers(numbers: Sequence[Any]) -> Any:
    """An array of integers of JAX's own dtype. Raises CannotRoll for others, and large ones."""
    limits = jnp.iinfo(int)
    if not all(type(each) is int and limits.min <= each <= limits.max for each in numbers):
        raise CannotRoll
    return np.asarray(numbers, limits.dtype)


def check_iterations(jaxpr: Jaxpr, changing: Sequence[Any], assigns: bool) -> None:
    """Raise CannotRoll unless all iterations compute what Python would.

    Args:
      jaxpr: of one iteration; closed.
      changing: for each of the first inputs, and outputs, an array with its value before each
        iteration and after the last.
      assigns: whether a variable that is an array stays one when Python assigns it a number.
    """
    inner = jaxpr.jaxpr
    count = len(changing[0]) - 1
    inputs = [values[:-1] for values in changing]
    others = [None] * (len(inner.invars) - len(inputs))
    outputs = _check(inner, list(map(_captured, jaxpr.consts)), [*inputs, *others], count)
    for known, values in zip(outputs[: len(changing)], changing, strict=True):
        if not isinstance(known, np.ndarray) or (known != values[1:]).any():
            raise CannotRoll
    rest = slice(len(changing), None)
    for known, variable in zip(outputs[rest], inner.outvars[rest], strict=True):
        if known is not None and _may_be_number(variable) and not assigns:
            raise CannotRoll  # a variable that Python would assign a number


def _captured(value: jax.Array) -> Any:
    if isinstance(value, Tracer):
        return None
    array = np.asarray(value) if jnp.issubdtype(value.dtype, jnp.integer) else None
    return _CONSTANT if array is None or array.ndim != 1 else _Table(array)


def _check(jaxpr: Jaxpr, constants: Sequence[Any], inputs: Sequence[Any], count: int) -> list[Any]:
    """Check the operations of a jaxpr; return what is known of its outputs."""
    known: dict[Any, Any] = dict(zip(jaxpr.constvars, constants, strict=True))
    known.update(zip(jaxpr.invars, inputs, strict=True))

    def look_up(operand: object) -> Any:
        if not isinstance(operand, Literal):
            return known.get(operand)
        value = np.asarray(operand.val)
        return np.full(count, value) if value.dtype.kind in "biu" and not value.ndim else _CONSTANT

    for eqn in jaxpr.eqns:
        operands = list(map(look_up, eqn.invars))
        known.update(zip(eqn.outvars, _results(eqn, operands, count), strict=True))
    return list(map(look_up, jaxpr.outvars))


def _results(eqn: JaxprEqn, operands: Sequence[Any], count: int) -> list[Any]:
    """What is known of the results of an operation."""
    name = eqn.primitive.name
    if name == "dynamic_slice" and isinstance(operands[0], _Table):
        return [_looked_up(eqn, *operands)]
    unknown: list[Any] = [None] * len(eqn.outvars)
    if eqn.effects or name == "custom_vmap_call":
        if operands and isinstance(operands[0], np.ndarray) and operands[0].any():
            raise CannotRoll  # a check that fails while Python traces
        return unknown
    if name in ("jit", "pjit", "closed_call", "remat2", "checkpoint"):
        _refuse_division(eqn, operands)
        return _of_inner(eqn.params["jaxpr"], operands, count)
    if name == "custom_jvp_call":
        return _of_inner(eqn.params["call_jaxpr"], operands, count)
    if name == "derived":
        before, own = eqn.params["captured"]
        constants, others = operands[before : before + own], operands[before + own :]
        return _check(eqn.params["quick"], constants, others, count)
    if name == "cond":
        return _of_branches(eqn, operands, count)
    operands = [_CONSTANT if isinstance(each, _Table) else each for each in operands]
    follows = [operand for operand in operands if operand is not None]
    if name in ("while", "scan"):
        return _of_loop(eqn, operands, count)
    if all(operand is _CONSTANT for operand in operands):
        return [_CONSTANT] * len(eqn.outvars)
    if len(follows) < len(operands):
        return unknown
    values = _exact(eqn, operands)
    if values is not None:
        return [values]
    if name == "convert_element_type":
        if _rounds_number(eqn):
            raise CannotRoll
    elif name not in _MOVING or any(map(_may_be_number, eqn.outvars)):
        raise CannotRoll
    return [_OF_ITEM] * len(eqn.outvars)


def _looked_up(eqn: JaxprEqn, table: _Table, position: Value) -> Any:
    """What is known of a slice of a table: its value in each iteration, if it is one integer."""
    if eqn.params["slice_sizes"] != (1,) or not isinstance(position, np.ndarray):
        return _OF_ITEM if position is not None else None
    return table.values[position.clip(0, len(table.values) - 1)]


def _rounds_number(eqn: JaxprEqn) -> bool:
    """Whether a conversion rounds what is a float of Python's, of more digits, in the program."""
    number, result = eqn.invars[0].aval, eqn.outvars[0].aval.dtype
    if not number.weak_type or not jnp.issubdtype(number.dtype, jnp.floating):
        return False
    if not jnp.issubdtype(result, jnp.inexact):
        return True
    return bool(jnp.finfo(result).nmant < jnp.finfo(number.dtype).nmant)


def _may_be_number(variable: Var) -> bool:
    """Return whether a number of Python's may take the place of a traced value."""
    return bool(variable.aval.weak_type) and not variable.aval.shape


def _of_inner(jaxpr: Jaxpr, operands: Sequence[Any], count: int) -> list[Any]:
    inner = getattr(jaxpr, "jaxpr", jaxpr)
    return _check(inner, [_CONSTANT] * len(inner.constvars), operands, count)


def _refuse_division(eqn: JaxprEqn, operands: Sequence[Any]) -> None:
    """Python raises an error where JAX computes some number."""
    if eqn.params.get("name") not in _DIVISIONS or any(each is None for each in operands):
        return
    if not isinstance(operands[1], np.ndarray) or not operands[1].all():
        raise CannotRoll


def _of_branches(eqn: JaxprEqn, operands: Sequence[Any], count: int) -> list[Any]:
    index, *others = operands
    results = []
    for number, branch in enumerate(eqn.params["branches"]):
        taken = index == number if isinstance(index, np.ndarray) else np.full(count, True)
        here = [each[taken] if isinstance(each, np.ndarray) else each for each in others]
        results.append(_of_inner(branch, here, int(taken.sum())))
    if index is not None:
        for variable, *known in zip(eqn.outvars, *results, strict=True):
            if _may_be_number(variable) and any(each is not None for each in known):
                raise CannotRoll  # Python would choose one of two numbers
    return [None] * len(eqn.outvars)


def _of_loop(eqn: JaxprEqn, operands: Sequence[Any], count: int) -> list[Any]:
    follows = any(each is not None and each is not _CONSTANT for each in operands)
    if follows and any(map(_may_be_number, eqn.outvars)):
        raise CannotRoll
    params = eqn.params
    if eqn.primitive.name == "scan":
        parts = [(params["jaxpr"], operands[: params["num_consts"]])]
    else:
        split = params["cond_nconsts"]
        parts = [
            (params["cond_jaxpr"], operands[:split]),
            (params["body_jaxpr"], operands[split : split + params["body_nconsts"]]),
        ]
    for part, constants in parts:
        inputs = part.jaxpr.invars
        _of_inner(part, [*constants, *[None] * (len(inputs) - len(constants))], count)
    return [None] * len(eqn.outvars)


def _exact(eqn: JaxprEqn, operands: Sequence[Any]) -> Any:
    """Integers or bools that an operation gives; None if it gives others.

    Raises: CannotRoll if they do not fit.
    """
    dtype = np.dtype(eqn.outvars[0].aval.dtype) if len(eqn.outvars) == 1 else np.dtype(object)
    scalar = not eqn.outvars[0].aval.shape
    if dtype.kind not in "biu" or not scalar or _CONSTANT in map(_kind, operands):
        return None
    if any(not isinstance(each, np.ndarray) for each in operands):
        return None
    name, is_bool = eqn.primitive.name, dtype.kind == "b"
    wide = [each if each.dtype == bool else each.astype(np.int64) for each in operands]
    if name == "convert_element_type":
        found = wide[0].astype(bool) if is_bool else wide[0]
    elif name == "integer_pow":
        found = _power(wide[0], eqn.params["y"])
    elif name in _EXACT:
        with np.errstate(all="ignore"):
            found = _EXACT[name](*wide)
    else:
        return None
    if not is_bool:
        limits = np.iinfo(dtype)
        if found.size and not (limits.min <= found.min() and found.max() <= limits.max):
            raise CannotRoll
    return found


def _kind(operand: object) -> Any:
    return operand if isinstance(operand, str) else None


def _power(base: Any, exponent: int) -> Any:
    if exponent < 0 or (base.size and float(np.abs(base).max()) ** exponent >= 2**62):
        raise CannotRoll
    return base**exponent

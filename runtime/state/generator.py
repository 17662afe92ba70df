"""Random number generators whose state is a variable."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from autograph.forks import Lock
from runtime.core import dtypes
from runtime.core.context import init_scope
from runtime.core.opdef import INT32, DTypes, Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.array.joining import concat, unstack
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.items.indexing import getitem
from runtime.ops.math.casting import cast
from runtime.ops.random.distributions import RESERVED
from runtime.ops.random.streams import (
    Algorithm,
    Position,
    algorithm,
    checked_dtype,
    normal_at,
    shape_tensor,
    uniform_at,
)
from runtime.ops.reduce.products import reduce_prod
from runtime.state.cells import HANDLE, RESOURCE, Cell
from runtime.state.variable import Variable

_COUNT = DTypes("uint64", dtypes.uint64)
_STATE_SIZE = 3
_LONG = 2**64 - 1
_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)


def _advanced(state: Any, blocks: int) -> Any:
    low, high = (int(word) & _LONG for word in state[:2])
    counter = (low + (high << 64) + blocks) % 2**128
    words = np.array([counter & _LONG, counter >> 64], np.uint64).view(np.int64)
    return np.concatenate([words, state[2:]])


def _read_and_skip(xp: object, cell: Cell, alg: object, delta: Any) -> Any:
    state = cell.read()
    cell.update(_advanced, int(delta) * RESERVED)
    return state


def _sample_cell() -> EagerTensor:
    return EagerTensor(Cell(np.array([0, 0, 7])), RESOURCE)


_SKIP = define_op(
    "RngReadAndSkip",
    {"resource": HANDLE, "alg": INT32, "delta": _COUNT},
    lambda cell, alg, delta: spec_of(dtypes.int64, (_STATE_SIZE,)),
    _read_and_skip,
    effect=Effect.WRITE,
    samples=(sample(_sample_cell(), 1, np.uint64(0)),),
)


def _as_int64(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def create_rng_state(seed: object, alg: object) -> Tensor:
    """Return the initial state of a generator for a seed.

    Args:
      seed: an int of any size, or an integer vector with at most three entries.
      alg: "philox", "auto_select", or an `Algorithm`.

    Returns: int64 tensor of shape [3]: two words of the counter, and the key.

    >>> print(create_rng_state(1234, "philox"))
    tf.Tensor([1234    0    0], shape=(3,), dtype=int64)
    """
    algorithm(alg)
    if isinstance(seed, int):
        words = [_as_int64(seed >> (64 * i) & _LONG) for i in range(_STATE_SIZE)]
        return convert_to_tensor(words, dtypes.int64)
    given = reshape(cast(seed, dtypes.int64), [-1])[:_STATE_SIZE]
    missing = _STATE_SIZE - (given.shape[0] or 0)
    return concat([np.zeros(missing, np.int64), given], axis=0) if missing else given


class Generator:
    """A random number generator whose state is a variable.

    Args:
      copy_from: a generator whose state and algorithm are copied.
      state: int64 of shape [3], as returned by `create_rng_state`.
      alg: "philox", "auto_select", or an `Algorithm`.

    Raises: ValueError if neither `copy_from` nor `state` and `alg` are given.

    >>> g = Generator.from_seed(1234)
    >>> print(g.normal([2]))
    tf.Tensor([0.93566096 1.0854305 ], shape=(2,), dtype=float32)
    >>> print(g.state.numpy())
    [1746    0    0]
    """

    def __init__(
        self, copy_from: Generator | None = None, state: object = None, alg: object = None
    ) -> None:
        if copy_from is not None:
            state, alg = copy_from.state.read_value(), copy_from.algorithm
        if state is None or alg is None:
            raise ValueError("a Generator needs `copy_from`, or both `state` and `alg`")
        chosen = algorithm(alg)
        self._alg = Algorithm.PHILOX if chosen is Algorithm.AUTO_SELECT else chosen
        if isinstance(state, Variable):
            self._state = state
        else:
            self._state = Variable(_checked_state(state), name="StateVar", trainable=False)

    @classmethod
    def from_seed(cls, seed: object, alg: object = None) -> Generator:
        """Return a generator for a seed: an int, or a vector with at most three entries."""
        chosen = Algorithm.PHILOX if alg is None else alg
        return cls(state=create_rng_state(seed, chosen), alg=chosen)

    @classmethod
    def from_non_deterministic_state(cls, alg: object = None) -> Generator:
        """Return a generator with a random state."""
        state = [_as_int64(secrets.randbits(64)) for _ in range(_STATE_SIZE)]
        return cls(state=state, alg=Algorithm.PHILOX if alg is None else alg)

    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
        return int(self._alg.value)

    @property
    def state(self) -> Variable:
        """The state variable."""
        return self._state

    @property
    def key(self) -> Tensor:
        """The key: the last word of the state."""
        return getitem(self._state.read_value(), 2)

    def reset(self, state: object) -> None:
        """Replace the state."""
        self._state.assign(_checked_state(state))

    def reset_from_seed(self, seed: object) -> None:
        """Replace the state by the initial state of a seed."""
        self._state.assign(create_rng_state(seed, self._alg))

    def skip(self, delta: TensorLike) -> Tensor:
        """Skip `delta` numbers, an integer scalar; return the state before, int64 of shape [3]."""
        return _SKIP(self._state.handle, self.algorithm, cast(delta, dtypes.uint64))

    def _position(self, dims: object) -> Position:
        state = cast(self.skip(reduce_prod(cast(dims, dtypes.int64))), dtypes.uint64)
        return state[2:], state[:2], self.algorithm

    def normal(
        self,
        shape: object,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: object = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Return normal samples; arguments as in `runtime.random.normal`."""
        wanted, dims = checked_dtype(dtype, _FLOATS), shape_tensor(shape)
        return normal_at(self._position(dims), dims, mean, stddev, wanted, name)

    def truncated_normal(
        self,
        shape: object,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: object = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Return normal samples truncated at two `stddev` from the mean."""
        wanted, dims = checked_dtype(dtype, _FLOATS), shape_tensor(shape)
        return normal_at(self._position(dims), dims, mean, stddev, wanted, name, truncated=True)

    def uniform(
        self,
        shape: object,
        minval: TensorLike = 0,
        maxval: TensorLike | None = None,
        dtype: object = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Return uniform samples from [minval, maxval).

        Args:
          shape: integer vector, the shape of the result.
          minval: lower bound, inclusive.
          maxval: upper bound, exclusive; None: 1 for floating-point dtypes.
          dtype: float16, float32, float64, int32, int64, uint32 or uint64.
          name: name for the operation.

        Raises: ValueError if only one bound is given for integers.
        """
        wanted, dims = checked_dtype(dtype, (*_FLOATS, *_INTEGERS)), shape_tensor(shape)
        if wanted.is_integer and (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer dtype {wanted!r}, minval and maxval must be both `None` or both "
                f"non-`None`; got minval={minval} and maxval={maxval}"
            )
        return uniform_at(self._position(dims), dims, minval, maxval, wanted, name)

    def uniform_full_int(
        self, shape: object, dtype: object = dtypes.uint64, name: str | None = None
    ) -> Tensor:
        """Return uniform samples from all values of an integer dtype."""
        wanted, dims = checked_dtype(dtype, _INTEGERS), shape_tensor(shape)
        return uniform_at(self._position(dims), dims, None, None, wanted, name)

    def split(self, count: int = 1) -> list[Generator]:
        """Return generators that are independent of this one and of each other.

        Args:
          count: the number of generators.

        >>> len(Generator.from_seed(1).split(3))
        3
        """
        keys = unstack(self.uniform_full_int([count], dtypes.int64))
        return [Generator(state=_state_of(key, [0, 0]), alg=self._alg) for key in keys]


def _checked_state(state: object) -> Tensor:
    tensor = convert_to_tensor(state, dtype_hint=dtypes.int64)
    if not tensor.shape.is_compatible_with([_STATE_SIZE]):
        raise ValueError(
            f"Shapes {tensor.shape} and {[_STATE_SIZE]} are incompatible: a state of the algorithm "
            "philox has three words"
        )
    return cast(tensor, dtypes.int64)


def _state_of(key: TensorLike, counter: TensorLike) -> Tensor:
    words = cast(convert_to_tensor(counter, dtype_hint=dtypes.int64), dtypes.int64)
    return concat([words, reshape(cast(key, dtypes.int64), [1])], axis=0)


class _Global:
    generator: Generator | None = None
    lock = Lock()


def get_global_generator() -> Generator:
    """Return the global generator; the first call creates it with a random state.

    >>> get_global_generator() is get_global_generator()
    True
    """
    with _Global.lock:
        if _Global.generator is None:
            with init_scope():
                _Global.generator = Generator.from_non_deterministic_state()
        return _Global.generator


def set_global_generator(generator: Generator) -> None:
    """Replace the global generator.

    Args:
      generator: the new global generator.

    >>> set_global_generator(Generator.from_seed(1))
    >>> print(get_global_generator().state.numpy())
    [1 0 0]
    """
    with _Global.lock:
        _Global.generator = generator

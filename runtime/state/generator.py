"""Generators: random numbers whose state is a variable."""

from __future__ import annotations

import math
import secrets
from typing import Any

import numpy as np

from autograph.forks import Lock
from runtime.core import dtypes
from runtime.core.context import init_scope
from runtime.core.opdef import INT32, NUMERIC, DTypes, Effect, sample
from runtime.core.spec import spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.array.joining import concat, stack, unstack
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.items.indexing import getitem
from runtime.ops.math.casting import cast
from runtime.ops.random.distributions import RESERVED, binomial
from runtime.ops.random.family import checked_dtype, of_dtype, shape_tensor
from runtime.ops.random.philox import Stream
from runtime.ops.random.streams import (
    Algorithm,
    Position,
    algorithm,
    normal_at,
    per_element,
    uniform_at,
)
from runtime.ops.reduce.reduction import reduce_prod
from runtime.state.cells import HANDLE, RESOURCE, Cell
from runtime.state.variable import Variable

_COUNT = DTypes("uint64", dtypes.uint64)
_SHAPE = DTypes("int32 or int64", dtypes.int32, dtypes.int64)
_STATE_SIZE = 3
_LONG = 2**64 - 1
_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)


def _advanced(state: Any, blocks: int) -> Any:
    low, high = (int(word) & _LONG for word in state[:2])
    counter = (low + (high << 64) + blocks) % 2**128
    words = np.array([counter & _LONG, counter >> 64], np.uint64).view(np.int64)
    return np.concatenate([words, state[2:]])


def _read_and_skip(xp: Any, cell: Cell, alg: Any, delta: Any) -> Any:
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


def _stateful_binomial(
    xp: Any, cell: Cell, alg: Any, shape: Any, counts: Any, probs: Any, dtype: dtypes.DType
) -> Any:
    state = cell.read()
    batches = math.prod(np.broadcast_shapes(np.shape(counts), np.shape(probs)))
    each = math.prod(int(dim) for dim in shape) // max(batches, 1)
    low, high, key = (int(word) & _LONG for word in state)
    stream = Stream(key, low | high << 64)
    drawn = per_element(binomial, stream, shape, counts, probs, dtype=dtype.numpy_dtype)
    cell.update(_advanced, batches * (200 * (each + 3) // 4) * RESERVED)
    return drawn


_BINOMIAL = define_op(
    "StatefulRandomBinomial",
    {
        "resource": HANDLE,
        "algorithm": INT32,
        "shape": _SHAPE,
        "counts": NUMERIC,
        "probs": NUMERIC,
    },
    lambda cell, alg, shape, counts, probs, dtype: spec_of(dtype, static_dims(shape)),
    _stateful_binomial,
    effect=Effect.WRITE,
    samples=(sample(_sample_cell(), 1, [0], 10, 1, dtype=dtypes.int32),),
)


def _as_int64(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """The state of a generator that has a seed.

    Args:
      seed: an int of any size, or a vector of at most three integers.
      alg: "philox", "auto_select", or an `Algorithm`.

    Returns: int64 [3]: two words of the counter, and the key.

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
    """A source of random numbers with a state of its own, which is a variable.

    Args:
      copy_from: another generator, whose state and algorithm it begins with.
      state: a state as `create_rng_state` makes it.
      alg: "philox", "auto_select", or an `Algorithm`.

    Raises: ValueError if neither `copy_from` nor `state` and `alg` are given.

    >>> g = Generator.from_seed(1234)
    >>> print(g.normal([2]))
    tf.Tensor([0.93566096 1.0854305 ], shape=(2,), dtype=float32)
    >>> print(g.state.numpy())
    [1746    0    0]
    """

    def __init__(
        self, copy_from: Generator | None = None, state: Any = None, alg: Any = None
    ) -> None:
        """Creates the variable with the state."""
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
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator with this state; a variable is shared, not copied."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator that begins with a seed: an int, or a vector of at most three."""
        chosen = Algorithm.PHILOX if alg is None else alg
        return cls(state=create_rng_state(seed, chosen), alg=chosen)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator with another state in each run of the program."""
        state = [_as_int64(secrets.randbits(64)) for _ in range(_STATE_SIZE)]
        return cls(state=state, alg=Algorithm.PHILOX if alg is None else alg)

    @classmethod
    def from_key_counter(cls, key: TensorLike, counter: TensorLike, alg: Any) -> Generator:
        """A generator with this key, a scalar, and this counter, a vector of two integers."""
        return cls(state=_state_of(key, counter), alg=alg)

    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
        return int(self._alg.value)

    @property
    def state(self) -> Variable:
        """The variable with the state."""
        return self._state

    @property
    def key(self) -> Tensor:
        """The key: the last word of the state."""
        return getitem(self._state.read_value(), 2)

    def reset(self, state: Any) -> None:
        """Gives the generator another state."""
        self._state.assign(_checked_state(state))

    def reset_from_seed(self, seed: Any) -> None:
        """Lets the generator begin with a seed."""
        self._state.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: TensorLike, counter: TensorLike) -> None:
        """Gives the generator another key and counter."""
        self._state.assign(_state_of(key, counter))

    def skip(self, delta: TensorLike) -> Tensor:
        """Leaves out `delta` numbers; gives the state before."""
        return _SKIP(self._state.handle, self.algorithm, cast(delta, dtypes.uint64))

    def _position(self, dims: Any) -> Position:
        state = cast(self.skip(reduce_prod(cast(dims, dtypes.int64))), dtypes.uint64)
        return state[2:], state[:2], self.algorithm

    def normal(
        self,
        shape: Any,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Numbers from a normal distribution; arguments as in `runtime.random.normal`."""
        wanted, dims = checked_dtype(dtype, _FLOATS), shape_tensor(shape)
        return normal_at(self._position(dims), dims, mean, stddev, wanted, name)

    def truncated_normal(
        self,
        shape: Any,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """As `normal`, with no number further than two `stddev` from the mean."""
        wanted, dims = checked_dtype(dtype, _FLOATS), shape_tensor(shape)
        return normal_at(self._position(dims), dims, mean, stddev, wanted, name, truncated=True)

    def uniform(
        self,
        shape: Any,
        minval: TensorLike = 0,
        maxval: TensorLike | None = None,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Numbers between `minval` and, exclusively, `maxval`.

        Raises: ValueError for integers if only one bound is given.
        """
        wanted, dims = checked_dtype(dtype, (*_FLOATS, *_INTEGERS)), shape_tensor(shape)
        if wanted.is_integer and (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer dtype {wanted!r}, minval and maxval must be both `None` or both "
                f"non-`None`; got minval={minval} and maxval={maxval}"
            )
        return uniform_at(self._position(dims), dims, minval, maxval, wanted, name)

    def uniform_full_int(
        self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None
    ) -> Tensor:
        """Integers of all values that the dtype has."""
        wanted, dims = checked_dtype(dtype, _INTEGERS), shape_tensor(shape)
        return uniform_at(self._position(dims), dims, None, None, wanted, name)

    def binomial(
        self,
        shape: Any,
        counts: TensorLike,
        probs: TensorLike,
        dtype: Any = dtypes.int32,
        name: str | None = None,
    ) -> Tensor:
        """Numbers of successes; arguments as in `runtime.random.stateless_binomial`."""
        chances = convert_to_tensor(probs)
        trials = of_dtype(counts, chances.dtype)
        wanted, dims = dtypes.as_dtype(dtype), shape_tensor(shape)
        handle = self._state.handle
        return _BINOMIAL(handle, self.algorithm, dims, trials, chances, dtype=wanted, name=name)

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for the stateless functions: int64 [2, count], one in each column."""
        keys = self.uniform_full_int([count], dtypes.int64)
        return stack([keys, np.zeros(count, np.int64)])

    def split(self, count: int = 1) -> list[Generator]:
        """Several generators, independent of this one and of each other.

        >>> len(Generator.from_seed(1).split(3))
        3
        """
        keys = unstack(self.uniform_full_int([count], dtypes.int64))
        return [Generator(state=_state_of(key, [0, 0]), alg=self._alg) for key in keys]


def _checked_state(state: Any) -> Tensor:
    tensor = convert_to_tensor(state, dtype_hint=dtypes.int64)
    if not tensor.shape.is_compatible_with([_STATE_SIZE]):
        raise ValueError(
            f"Shapes {tensor.shape} and {[_STATE_SIZE]} are incompatible: a state of the algorithm "
            "philox has three numbers"
        )
    return cast(tensor, dtypes.int64)


def _state_of(key: TensorLike, counter: TensorLike) -> Tensor:
    words = cast(convert_to_tensor(counter, dtype_hint=dtypes.int64), dtypes.int64)
    return concat([words, reshape(cast(key, dtypes.int64), [1])], axis=0)


class _Global:
    generator: Generator | None = None
    lock = Lock()


def get_global_generator() -> Generator:
    """The generator of the program; it is made at the first call, with a random state.

    >>> get_global_generator() is get_global_generator()
    True
    """
    with _Global.lock:
        if _Global.generator is None:
            with init_scope():
                _Global.generator = Generator.from_non_deterministic_state()
        return _Global.generator


def set_global_generator(generator: Generator) -> None:
    """Makes another generator that of the program.

    >>> set_global_generator(Generator.from_seed(1))
    >>> print(get_global_generator().state.numpy())
    [1 0 0]
    """
    with _Global.lock:
        _Global.generator = generator

"""JAX's arrays, as `forms` wants to know them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, tree_util

from autograph.adapters.forms import Forms, Leaf
from autograph.adapters.possibly import Held, Maybe, Possibly, read_outside, refuse_outside
from autograph.adapters.refusals import not_one_truth, refusal
from autograph.operators.moved import Parted
from autograph.operators.variables import Undefined
from autograph.values import Array

_NUMERIC = "biufcV"


class Spent:
    """A traced array after its trace, which does not keep it alive: JAX calls that a leak.

    Attributes:
      leaf: dtype, shape and weak type.
      array: gives the array as long as an outer trace keeps it.
    """

    __slots__ = ("array", "leaf")

    def __init__(self, array: Array) -> None:
        """Store the leaf of a traced array."""
        self.leaf = _leaf_of(array)
        self.array: Callable[[], Any] = weakref.ref(array)


def is_array(value: object) -> bool:
    """Return whether it is an array of JAX or NumPy that a traced program can hold."""
    if isinstance(value, (jax.Array, Spent)):
        return True
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in _NUMERIC


class JaxArrays:
    """See `forms.Arrays`. Structures are JAX's pytrees, with those that a program registered."""

    def leaf(self, value: object) -> Leaf | None:
        """Dtype, shape and weak type; NumPy's arrays become JAX's."""
        if type(value) is Spent:
            return value.leaf
        return _leaf_of(jnp.asarray(value)) if is_array(value) else None

    def number(self, value: object) -> Leaf:
        """What JAX makes of a Python number."""
        return _leaf_of(jnp.asarray(value))

    def join(self, a: Leaf, b: Leaf) -> Leaf | None:
        """Return the dtype that JAX promotes both to."""
        if _is_extended(a) or _is_extended(b):
            return None
        chosen = jax.eval_shape(lambda x, y: jnp.where(True, x, y), _unplaced(a), _unplaced(b))
        axes = together((a, b))
        return Leaf(np.dtype(chosen.dtype), tuple(chosen.shape), bool(chosen.weak_type), axes)

    def flatten(self, value: object) -> tuple[list[str], list[Any], Any]:
        """Return the leaves of a pytree; None is one."""
        entries, tree = tree_util.tree_flatten_with_path(value, is_leaf=_is_leaf)
        paths = [tree_util.keystr(path) for path, _ in entries]
        return paths, [leaf for _, leaf in entries], tree

    def unflatten(self, tree: object, leaves: list[Any]) -> Any:
        """Return the pytree."""
        return tree_util.tree_unflatten(tree, leaves)

    def cast(self, value: object, leaf: Leaf) -> Any:
        """The array with exactly this dtype and weak type. Refuses a number that does not fit."""
        if type(value) is int:
            _check_range(value, leaf)
        array = _varying(jnp.asarray(value), leaf)
        if _is_extended(leaf) or (array.dtype == leaf.dtype and array.weak_type == leaf.weak):
            return array
        array = lax.convert_element_type(array, leaf.dtype)
        return weakened(array) if leaf.weak else array

    def placeholder(self, leaf: Leaf) -> Any:
        """Zeros."""
        if _is_extended(leaf):
            raise refusal(
                f"a variable that may have no value holds an array {leaf}, for which there is no "
                "placeholder.",
                "Assign the variable before the statement.",
            )
        zero = leaf.dtype.type(0)
        return _varying(jnp.full(leaf.shape, zero.item() if leaf.weak else zero), leaf)


def _check_range(number: int, leaf: Leaf) -> None:
    """Refuse, as an OverflowError, a Python number that JAX would wrap around."""
    if leaf.dtype.kind in "iu":
        limits = np.iinfo(leaf.dtype)
        if not limits.min <= number <= limits.max:
            raise refusal(
                f"Python integer {number} out of bounds for {leaf.dtype}.",
                "Use an array of a wider dtype beside it.",
                OverflowError,
            )


def _is_leaf(value: object) -> bool:
    return value is None or isinstance(value, (Undefined, Held))


def _leaf_of(array: Any) -> Leaf:
    weak = getattr(jax.typeof(array), "weak_type", False)  # random keys have none
    return Leaf(array.dtype, tuple(array.shape), bool(weak), _axes(array))


# ---- arrays that differ between the devices of `shard_map` ----


def _axes(array: object) -> frozenset[Any] | None:
    """Return the axes of the mesh along which an array differs; None if there are none."""
    kind = jax.typeof(array)
    axes = getattr(kind, "vma", None)  # before JAX 0.10
    return frozenset(kind.manual_axis_type.varying if axes is None else axes) or None


def together(leaves: Iterable[Leaf]) -> frozenset[Any] | None:
    """Return the axes along which an array differs that follows from several."""
    return frozenset[Any]().union(*(leaf.place or () for leaf in leaves)) or None


def _varying(array: Array, leaf: Leaf) -> Any:
    missing = (leaf.place or frozenset()) - (_axes(array) or frozenset())
    return lax.pcast(array, tuple(sorted(missing)), to="varying") if missing else array


def _is_extended(leaf: Leaf) -> bool:
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.extended))


_struct: Any = jax.ShapeDtypeStruct


def flag_with(leaves: Iterable[Leaf]) -> Leaf:
    """Return the leaf of a bool that follows from arrays."""
    return Leaf(np.dtype(bool), (), place=together(leaves))


def row_of(array: Any) -> Leaf:
    """Return the leaf of one row of an array."""
    return Leaf(array.dtype, tuple(array.shape[1:]), place=_axes(array))


def weakened(array: Any) -> Any:
    """Return the array as one that gives way to the dtypes of others, as a Python number does."""
    dtype = array.dtype
    return lax.convert_element_type_p.bind(array, new_dtype=dtype, weak_type=True, sharding=None)


def spec(leaf: Leaf) -> Any:
    """What JAX traces a function with, in place of an array."""
    return _unplaced(leaf) if leaf.place is None else ARRAYS.placeholder(leaf)


def _unplaced(leaf: Leaf) -> Any:
    return _struct(leaf.shape, leaf.dtype, weak_type=leaf.weak)


class JaxPossibly(Possibly):
    """A variable of a traced program that may have no value."""

    __slots__ = ()

    def __jax_array__(self) -> Any:
        """Return the value as an operand."""
        return self.read()


class JaxMaybe(Maybe):
    """A variable of a traced program that may be None."""

    __slots__ = ()

    def __jax_array__(self) -> Any:
        """Return the value as an operand."""
        return self.read()


# What users see in Python's own messages.
JaxPossibly.__name__ = JaxPossibly.__qualname__ = "Array"
JaxMaybe.__name__ = JaxMaybe.__qualname__ = "Array"

ARRAYS = JaxArrays()
FORMS = Forms(ARRAYS, JaxPossibly, JaxMaybe)


def truth(value: object) -> Any:
    """Return the truth of a value as a bool scalar.

    Raises: StagingError, which surfaces as ValueError, for an array of several elements.
    """
    if isinstance(value, Held):
        value = value.read()
    if not is_array(value):
        return bool(value)
    array = jnp.asarray(value)
    if array.size != 1:
        raise not_one_truth(f"an array {_leaf_of(array)}")
    scalar = array if array.shape == () else array.reshape(())
    return scalar if scalar.dtype == jnp.bool_ else scalar != 0


def _flatten_held(value: Held) -> tuple[tuple[Any], None]:
    return (read_outside(value),), None


# What leaves a traced function is flattened: a variable without a value is refused there.
for _kind in (JaxPossibly, JaxMaybe):
    tree_util.register_pytree_node(_kind, _flatten_held, lambda _, children: children[0])


# A list that refuses every use refuses to leave a traced function, too.
tree_util.register_pytree_node(Parted, refuse_outside, lambda _, __: None)

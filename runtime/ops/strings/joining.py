"""Joining and splitting of strings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import IncompatibleShapesError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import STRING, sample
from runtime.core.shapes import Dims, TensorShape, as_dims
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int, static_text
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.base.node_forms import Place
from runtime.ops.strings.elements import each, one_string


def _joined_shape(inputs: Sequence[Tensor]) -> TensorShape:
    """Return the shape of the inputs that are not scalars. Raise ValueError if they differ."""
    if all(tensor.shape.rank == 0 for tensor in inputs):
        return TensorShape([])
    shape = TensorShape(None)
    for tensor in inputs:
        if tensor.shape.rank != 0:
            if not shape.is_compatible_with(tensor.shape):
                raise IncompatibleShapesError.of(
                    f"Input shapes do not match: {shape} vs. {tensor.shape}"
                )
            shape = shape.merge_with(tensor.shape)
    return shape


@op(
    "StringJoin",
    {"*inputs": STRING},
    infer=lambda *inputs, separator: spec_of(dtypes.string, as_dims(_joined_shape(inputs))),
    kernel=lambda xp, *inputs, separator: each(
        lambda *parts: separator.encode().join(parts), object, *inputs
    ),
    samples=(sample(["a", "b"], "c", separator="-"), sample("a", separator="")),
)
def join(inputs: Sequence[TensorLike], separator: str = "", name: str | None = None) -> Tensor:
    """Join strings element by element.

    Args:
      inputs: Tensors of strings, of one shape or scalars.
      separator: text between the strings.

    Returns: Tensor of strings, of that shape.
    Raises: InvalidArgumentError if the shapes differ.

    >>> print(join([["a", "b"], "c"], separator="-"))
    tf.Tensor([b'a-c' b'b-c'], shape=(2,), dtype=string)
    """
    tensors = [convert_to_tensor(part, dtypes.string) for part in inputs]
    _joined_shape(tensors)
    return join.op(*tensors, separator=static_text("separator", separator), name=name)


def _reduce_join_dims(x: Tensor, axis: int | None) -> Dims:
    """Return the dimensions without that of `axis`."""
    dims = x.spec.dims
    if axis is None:
        return ()
    if dims is None:
        return None
    position = rules.normalize_axis(axis, len(dims))
    return (*dims[:position], *dims[position + 1 :])


def _reduce_join(xp: Namespace, x: Array, separator: str, axis: int | None) -> Array:
    rows = x.reshape(1, -1) if axis is None else np.moveaxis(x, axis, -1)
    count = int(np.prod(rows.shape[:-1]))
    joined = map(separator.encode().join, rows.reshape(count, rows.shape[-1]).tolist())
    return np.fromiter(joined, object, count).reshape(() if axis is None else rows.shape[:-1])


def _write_reduce_join(place: Place) -> list[Ref]:
    """Export over one axis: of several, that of the flattened strings."""
    axis, separator = place.op.attrs["axis"], place.op.attrs["separator"]
    inputs = list(place.inputs)
    if axis is None:
        shape = place.constant(np.array([-1], np.int32), "shape")
        inputs = place.part("Reshape", [*inputs, shape], "Reshape")
    indices = place.constant(np.int32(axis or 0), "reduction_indices")
    return place.main("ReduceJoin", [*inputs, indices], separator=separator)


@op(
    "ReduceJoin",
    {"inputs": STRING},
    infer=lambda x, separator, axis: x.spec.with_dims(_reduce_join_dims(x, axis)),
    kernel=_reduce_join,
    node=NodeForm(write=_write_reduce_join),
    samples=(
        sample([["a", "b"], ["c", "d"]], separator="+", axis=None),
        sample([["a", "b", "c"], ["d", "e", "f"]], separator="", axis=-1),
    ),
)
def reduce_join(
    inputs: TensorLike, axis: int | None = None, *, separator: str = "", name: str | None = None
) -> Tensor:
    """Join the strings along an axis, or all of them in row-major order.

    Args:
      inputs: Tensor of strings.
      axis: one axis; None: all of them.
      separator: text between the strings.

    Returns: Tensor of strings without that axis; a scalar if `axis` is None.
    Raises: ValueError if `axis` is out of range.

    >>> print(reduce_join([["a", "b"], ["c", "d"]], separator="+"))
    tf.Tensor(b'a+b+c+d', shape=(), dtype=string)
    >>> print(reduce_join([["a", "b"], ["c", "d"]], axis=0))
    tf.Tensor([b'ac' b'bd'], shape=(2,), dtype=string)
    """
    return reduce_join.op(
        inputs,
        separator=static_text("separator", separator),
        axis=None if axis is None else static_int("axis", axis),
        name=name,
    )


def _object_array(parts: list[bytes]) -> Array:
    result = np.empty(len(parts), object)
    result[:] = parts
    return result


@op(
    "StringSplitScalar",
    {"input": STRING},
    infer=lambda x, **attrs: x.spec.with_dims((None,)),
    kernel=lambda xp, x, sep, maxsplit: _object_array(
        np.asarray(x).item().split(sep.encode() or None, maxsplit)
    ),
    samples=(sample("a b c", sep="", maxsplit=-1),),
)
def split(
    input: TensorLike, sep: str | None = None, maxsplit: int = -1, name: str | None = None
) -> Tensor:
    """Split one string.

    Args:
      input: string scalar.
      sep: separator; None or "": any whitespace.
      maxsplit: maximum number of splits; -1: no maximum.

    Returns: Vector of strings.
    Raises: UnimplementedError for several strings, whose parts would be a ragged tensor.

    >>> print(split("a b c"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    separator = "" if sep is None else static_text("sep", sep)
    return split.op(one_string("strings.split", input), sep=separator, maxsplit=maxsplit, name=name)


@op(
    "StringBytesSplitScalar",
    {"input": STRING},
    infer=lambda x: x.spec.with_dims((None,)),
    kernel=lambda xp, x: _object_array([bytes([byte]) for byte in np.asarray(x).item()]),
    samples=(sample("abc"),),
)
def bytes_split(input: TensorLike, name: str | None = None) -> Tensor:
    """Split one string into bytes.

    Args:
      input: string scalar.

    Returns: Vector of strings of length 1.
    Raises: UnimplementedError for several strings, whose parts would be a ragged tensor.

    >>> print(bytes_split("abc"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    return bytes_split.op(one_string("strings.bytes_split", input), name=name)

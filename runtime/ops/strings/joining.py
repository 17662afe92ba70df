"""Joining and splitting of strings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError
from runtime.core.node_form import NodeForm
from runtime.core.opdef import STRING, sample
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import reshape
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.arguments import static_ints, static_text
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.base.node_forms import moved_ints
from runtime.ops.strings.elements import each, one_string


def _joined_shape(inputs: Sequence[Tensor]) -> TensorShape:
    """Return the shape of the inputs that are no scalars. Raise ValueError if they differ."""
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
    return join.op(*tensors, separator=separator, name=name)


def _reduce_join(
    xp: Namespace, x: Array, axis: tuple[int, ...], keepdims: bool, separator: str
) -> Array:
    joined = [rules.normal_axis(entry, x.ndim) for entry in axis]
    kept = [i for i in range(x.ndim) if i not in joined]
    rows = np.transpose(x, [*kept, *reversed(joined)]).reshape(*(x.shape[i] for i in kept), -1)
    result = np.empty(rows.shape[:-1], object)
    for position in np.ndindex(result.shape):
        result[position] = separator.encode().join(rows[position])
    if keepdims:
        return result.reshape([1 if i in joined else n for i, n in enumerate(x.shape)])
    return result


@op(
    "ReduceJoin",
    {"inputs": STRING},
    infer=lambda x, axis, keepdims, separator: x.spec.with_dims(
        rules.reduced_dims(x.spec.dims, axis, keepdims)
    ),
    kernel=_reduce_join,
    node=NodeForm(
        moved=(moved_ints("axis", "reduction_indices"),), renamed={"keepdims": "keep_dims"}
    ),
    samples=(
        sample([["a", "b"], ["c", "d"]], axis=(0,), keepdims=False, separator="+"),
        sample([["a", "b"], ["c", "d"]], axis=(1, 0), keepdims=True, separator=""),
    ),
)
def reduce_join(
    inputs: TensorLike,
    axis: object = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Join the strings along axes.

    Args:
      inputs: Tensor of strings.
      axis: an axis, or several in the order of joining; None: all, the last first.
      keepdims: whether reduced axes stay, with length 1.
      separator: text between the strings.

    Returns: Tensor of strings without those axes.
    Raises:
      InvalidArgumentError: if an axis is out of range.
      ValueError: if `axis` is None, `keepdims` is true and the rank is unknown.

    >>> print(reduce_join([["a", "b"], ["c", "d"]], axis=0, separator="+"))
    tf.Tensor([b'a+c' b'b+d'], shape=(2,), dtype=string)
    """
    x = convert_to_tensor(inputs, dtypes.string)
    if axis is not None:
        chosen = static_ints("axis", axis)
    elif x.shape.rank is not None:
        chosen = tuple(reversed(range(x.shape.rank)))
    elif keepdims:
        raise ValueError("reduce_join over all axes needs to know how many there are; give `axis`")
    else:
        x, chosen = reshape(x, [-1]), (0,)
    return reduce_join.op(x, axis=chosen, keepdims=bool(keepdims), separator=separator, name=name)


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

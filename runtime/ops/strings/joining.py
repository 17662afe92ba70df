"""Joining and splitting of strings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.errors import IncompatibleShapesError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import STRING, sample
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import static_text
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


def _write_reduce_join(place: Place) -> list[Ref]:
    """Export over one axis of the flattened strings."""
    flat = place.part(
        "Reshape", [*place.inputs, place.constant(np.array([-1], np.int32), "shape")], "Reshape"
    )
    axis = place.constant(np.int32(0), "reduction_indices")
    return place.main("ReduceJoin", [*flat, axis], **place.op.attrs)


@op(
    "ReduceJoin",
    {"inputs": STRING},
    infer=lambda x, separator: x.spec.with_dims(()),
    kernel=lambda xp, x, separator: np.array(separator.encode().join(x.ravel().tolist()), object),
    node=NodeForm(write=_write_reduce_join),
    samples=(sample([["a", "b"], ["c", "d"]], separator="+"),),
)
def reduce_join(inputs: TensorLike, *, separator: str = "", name: str | None = None) -> Tensor:
    """Join all strings of a tensor to one, in row-major order.

    Args:
      inputs: Tensor of strings.
      separator: text between the strings.

    Returns: String scalar.

    >>> print(reduce_join([["a", "b"], ["c", "d"]], separator="+"))
    tf.Tensor(b'a+b+c+d', shape=(), dtype=string)
    """
    return reduce_join.op(inputs, separator=static_text("separator", separator), name=name)


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

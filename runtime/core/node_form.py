"""The form of an op type in TensorFlow's graphs: how its operations correspond to nodes.

Most op types are equal: same type, inputs and attributes. A form holds the differences. It belongs
to the definition, so that the exporter names no op type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from runtime.core.dtypes import DType


@dataclass(frozen=True)
class Ref:
    """An output of a node, or an argument of a function.

    Attributes:
      node: the name of the node or argument.
      dtype: the dtype.
      flat: the index among all outputs of the node.
      port, index: the named output, and the index in it; no port for an argument.
    """

    node: str
    dtype: DType
    flat: int = 0
    port: str | None = None
    index: int = 0


class Moved(NamedTuple):
    """An attribute that is a constant input in TensorFlow.

    Attributes:
      attr: the attribute.
      position: the index among TensorFlow's inputs; -1: the last.
      name: the suffix of the constant's name after the node's name.
      array: `array(value, operation)` returns the constant.
    """

    attr: str
    position: int
    name: str
    array: Callable[[Any, Any], Any]


@dataclass(frozen=True, eq=False)
class NodeForm:
    """TensorFlow's form of an op type.

    Attributes:
      type: TensorFlow's op type, or a function that tells it for an operation; None: the same.
      signature: the signature of an op type that TensorFlow lacks, as a row of
        `runtime.export.signature_table`, without the name.
      renamed: TensorFlow's names of attributes, where they differ.
      moved: attributes that are inputs in TensorFlow.
      fixed: attributes that TensorFlow lacks, with the only supported value.
      omitted: attributes that TensorFlow does not need.
      encode: conversions of attribute values to TensorFlow's.
      write: `write(place)` adds the nodes of an operation, a `runtime.export.nodes.Place`, and
        returns the results; None: one node, as the other fields say.
      elements: `elements(operation)` yields lists of tensors, each with the spec of its elements.
    """

    type: str | Callable[[Any], str] | None = None
    signature: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)
    moved: tuple[Moved, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    omitted: tuple[str, ...] = ()
    encode: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    write: Callable[[Any], list[Ref]] | None = None
    elements: Callable[[Any], Iterable[tuple[Any, Any]]] | None = None

"""Conversion of attributes to and from AttrValue messages."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DType
from runtime.core.shapes import as_dims
from runtime.core.spec import spec_of_array
from runtime.export.messages import AttrValue, NameAttrList
from runtime.export.tensors import array_of, dims_of, dtype_of, shape_message, tensor_message

_SLOTS = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type", "func": "func"}
_SLOTS |= {"shape": "shape", "tensor": "tensor"}
_KINDS = {slot: kind for kind, slot in _SLOTS.items()}


def attr_message(kind: str, value: Any) -> AttrValue:
    """Convert an attribute to a message.

    Args:
      kind: `int`, `float`, `bool`, `string`, `type`, `shape`, `tensor`, `func` (by name), or
        `list(...)` of one of them.
      value: a Python value, a dtype, dimensions, an array.

    >>> print(attr_message("list(int)", (1, 2)))
    list {
      i: 1
      i: 2
    }
    <BLANKLINE>
    """
    message = AttrValue()
    if kind.startswith("list("):
        message.list.SetInParent()
        slot = _SLOTS[kind[5:-1]]
        for item in value:
            getattr(message.list, slot).append(_stored(slot, item))
        return message
    slot = _SLOTS[kind]
    stored = _stored(slot, value)
    if slot in ("shape", "tensor", "func"):
        getattr(message, slot).CopyFrom(stored)
    else:
        setattr(message, slot, stored)
    return message


def _stored(slot: str, value: Any) -> Any:
    if slot == "shape":
        return shape_message(as_dims(value))
    if slot == "tensor":
        return tensor_message(value, spec_of_array(value).dtype)
    if slot == "func":
        return NameAttrList(name=value)
    if slot == "type":
        return value.enum if isinstance(value, DType) else int(value)
    if slot == "s":
        return value.encode() if isinstance(value, str) else bytes(value)
    return {"i": int, "f": float, "b": bool}[slot](value)


def kind_of(message: AttrValue) -> str:
    """Return the kind of an attribute: `int`, `list(type)`, ...; `list` if empty, "" if unset.

    >>> kind_of(AttrValue(b=True))
    'bool'
    """
    slot = message.WhichOneof("value")
    if slot != "list":
        return _KINDS.get(slot or "", slot or "")
    found = [item.name for item, _ in message.list.ListFields()]
    return f"list({_KINDS[found[0]]})" if found else "list"


def attr_value(message: AttrValue) -> Any:
    """Return the value of an attribute: a Python value, `DType`, dimensions, array or function
    name.

    Raises:
      ValueError: if nothing is set, or a dtype is unknown.

    >>> attr_value(AttrValue(i=3)), attr_value(AttrValue(type=1))
    (3, tf.float32)
    """
    slot = message.WhichOneof("value")
    if slot is None:
        raise ValueError("an attribute has no value")
    if slot != "list":
        return _loaded(slot, getattr(message, slot))
    for item, values in message.list.ListFields():
        return [_loaded(item.name, value) for value in values]
    return []


def _loaded(slot: str, value: Any) -> Any:
    if slot == "shape":
        return dims_of(value)
    if slot == "tensor":
        return array_of(value)
    if slot == "type":
        return dtype_of(value)
    return value.name if slot == "func" else value

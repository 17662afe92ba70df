"""Classes of messages, made by the library `protobuf` from tables of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from textwrap import indent
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message

_Field = descriptor_pb2.FieldDescriptorProto
_TYPES = dict(_Field.Type.items())


def message_classes(
    module: str, tables: Mapping[str, str], enums: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    """Return the classes of messages of the package `tensorflow`, by name.

    They are in a pool of their own, so a program may import TensorFlow too.

    Args:
      module: the name of the module that declares them.
      tables: for each message lines `number name kind`. The kind is a scalar type, an enum or a
        message: `*kind` is repeated, `key>kind` a map, and of the fields `kind?group` of one group
        at most one is set. A message `Outer.Inner` follows `Outer`.
      enums: the numbers of each enum by name.

    >>> point = message_classes(__name__, {"Point": "1 x int32"}, {})["Point"]
    >>> point(x=3).SerializeToString()
    b'\\x08\\x03'
    """
    declared = descriptor_pb2.FileDescriptorProto(
        name=f"{module}.proto", package="tensorflow", syntax="proto3"
    )
    for name, numbers in enums.items():
        values = declared.enum_type.add(name=name).value
        for label, number in numbers.items():
            values.add(name=label, number=number)
    messages: dict[str, Any] = {}
    for name, table in tables.items():
        outer, _, own = name.rpartition(".")
        kinds = messages[outer].nested_type if outer else declared.message_type
        messages[name] = kinds.add(name=own)
        for line in table.strip().splitlines():
            _add_field(messages[name], *line.split(), scope=f".tensorflow.{name}", enums=enums)
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(declared.SerializeToString())
    found = {name: pool.FindMessageTypeByName(f"tensorflow.{name}") for name in tables}
    classes = {name: message_factory.GetMessageClass(each) for name, each in found.items()}
    for kind in classes.values():
        kind.__module__ = module
        native = kind.__str__
        kind.__str__ = lambda message, native=native: "".join(_lines(message, native))
    return classes


def _add_field(
    message: Any, number: str, name: str, kind: str, *, scope: str, enums: Mapping[str, Any]
) -> None:
    kind, _, group = kind.partition("?")
    key, _, kind = kind.rpartition(">")
    if key:
        entry = "".join(map(str.title, name.split("_"))) + "Entry"
        pair = message.nested_type.add(name=entry)
        pair.options.map_entry = True
        _add_field(pair, "1", "key", key, scope=scope, enums=enums)
        _add_field(pair, "2", "value", kind, scope=scope, enums=enums)
        kind = f"*{scope}.{entry}"
    field = message.field.add(name=name, number=int(number), label=_Field.LABEL_OPTIONAL)
    if kind.startswith("*"):
        field.label, kind = _Field.LABEL_REPEATED, kind[1:]
    named = _Field.TYPE_ENUM if kind in enums else _Field.TYPE_MESSAGE
    field.type = _TYPES.get(f"TYPE_{kind.upper()}", named)
    if field.type == named:
        field.type_name = kind if kind.startswith(".") else f".tensorflow.{kind}"
    if group:
        groups = [each.name for each in message.oneof_decl]
        if group not in groups:
            message.oneof_decl.add(name=group)
            groups.append(group)
        field.oneof_index = groups.index(group)


def _lines(message: Message, native: Callable[[Message], str]) -> Iterator[str]:
    """Yield the text form, with the entries of maps in the order of their keys.

    That of the library, `native`, has them in an order that differs between processes.
    """
    for field, value in message.ListFields():
        inner = field.message_type
        if inner is None:
            yield native(type(message)(**{field.name: value}))
            continue
        if inner.GetOptions().map_entry:
            entry = message_factory.GetMessageClass(inner)
            held = [entry(key=key, value=value[key]) for key in sorted(value)]
        else:
            held = [value] if isinstance(value, Message) else value
        for each in held:
            yield f"{field.name} {{\n{indent(''.join(_lines(each, native)), '  ')}}}\n"

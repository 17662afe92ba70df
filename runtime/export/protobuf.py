"""The behavior of protocol buffer messages: fields by name, bytes, text and equality."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from runtime.export import scalars
from runtime.export.scalars import KINDS, DecodeError, Kind

_DEPTH = 100


@dataclass(frozen=True)
class Field:
    """One field of a message.

    Attributes:
      number, name: as in the format.
      kind: the name of a scalar kind or of a message.
      repeated: whether it holds any number of values.
      key: for a map, the kind of its keys.
      group: at most one field of a group is set.
    """

    number: int
    name: str
    kind: str
    repeated: bool = False
    key: str | None = None
    group: str | None = None

    @property
    def scalar(self) -> Kind | None:
        """The scalar kind; None for messages."""
        return KINDS.get(self.kind)


def _fields(text: str) -> dict[str, Field]:
    """Parse a table: `*kind` is repeated, `key>kind` a map, `kind?g` a field of group g."""
    found = {}
    for line in text.strip().splitlines():
        number, name, kind = line.split()
        kind, _, group = kind.partition("?")
        key, arrow, value = kind.rpartition(">")
        repeated = value.startswith("*")
        found[name] = Field(
            int(number),
            name,
            value.removeprefix("*"),
            repeated,
            key if arrow else None,
            group or None,
        )
    return found


class Message:
    """The base class of messages."""

    FIELDS: ClassVar[dict[str, Field]] = {}
    _BY_NUMBER: ClassVar[dict[int, Field]] = {}

    def __init_subclass__(cls, fields: str, name: str | None = None) -> None:
        """Parse the table of fields."""
        cls.FIELDS = _fields(fields)
        cls._BY_NUMBER = {item.number: item for item in cls.FIELDS.values()}
        MESSAGES[name or cls.__name__] = cls

    def __init__(self, **values: object) -> None:
        """Set fields. Raises ValueError for an unknown name."""
        self._clear()
        for name, value in values.items():
            self._assign(name, value)

    def _clear(self) -> None:
        set_ = object.__setattr__
        set_(self, "_values", {})
        set_(self, "_unknown", [])
        set_(self, "_attach", None)

    def _assign(self, name: str, value: Any) -> None:
        item = self.FIELDS.get(name)
        if item is None:
            raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        if item.key is not None:
            held = getattr(self, name)
            for key, entry in value.items():
                if item.scalar is None:
                    held[key].CopyFrom(entry)
                else:
                    held[key] = entry
        elif item.repeated:
            getattr(self, name).extend(value)
        elif item.scalar is None:
            getattr(self, name).CopyFrom(value)
        else:
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """Return the value of a field, or the default of an unset field."""
        item = type(self).FIELDS.get(name)
        if item is None:
            raise AttributeError(name)
        if name in self._values:
            return self._values[name]
        if item.key is not None:
            held: Any = Map(self, item)
        elif item.repeated:
            held = Repeated(self, item)
        elif item.scalar is None:
            held = MESSAGES[item.kind]()
            object.__setattr__(held, "_attach", (self, item))
            return held
        else:
            return item.scalar.default
        self._values[name] = held
        return held

    def __setattr__(self, name: str, value: object) -> None:
        """Set a scalar field.

        Raises:
          AttributeError: for other fields.
          TypeError, ValueError: for invalid values.
        """
        item = self.FIELDS.get(name)
        if item is None:
            raise AttributeError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        if item.scalar is None or item.repeated or item.key is not None:
            raise AttributeError(
                f"Assignment not allowed to {'repeated' if item.repeated else 'message'} field "
                f'"{name}" in protocol message object.'
            )
        self._put(item, item.scalar.checked(name, value))

    def _put(self, item: Field, value: object) -> None:
        if item.group is not None:
            for other in self.FIELDS.values():
                if other.group == item.group and other is not item:
                    self._values.pop(other.name, None)
        self._values[item.name] = value
        self._changed()

    def _changed(self) -> None:
        if self._attach is not None:
            parent, item = self._attach
            object.__setattr__(self, "_attach", None)
            parent._put(item, self)

    def SetInParent(self) -> None:
        """Mark an empty message as set."""
        self._changed()

    def HasField(self, name: str) -> bool:
        """Return whether a message, or a field of a group, is set. Raises ValueError for other
        fields.
        """
        item = self.FIELDS.get(name)
        if item is None or item.repeated or item.key is not None:
            raise ValueError(
                f'Protocol message {type(self).__name__} has no singular "{name}" field.'
            )
        if item.scalar is not None and item.group is None:
            raise ValueError(f'Field "{name}" does not tell whether it is set.')
        return name in self._values

    def WhichOneof(self, group: str) -> str | None:
        """Return the field of a group that is set. Raises ValueError if there is no such group."""
        names = [item.name for item in self.FIELDS.values() if item.group == group]
        if not names:
            raise ValueError(
                f'Protocol message {type(self).__name__} has no oneof "{group}" field.'
            )
        return next((name for name in names if name in self._values), None)

    def ListFields(self) -> list[tuple[Field, Any]]:
        """Return the fields that are set, in the order of their numbers."""
        return [
            (item, self._values[item.name])
            for _, item in sorted(self._BY_NUMBER.items())
            if item.name in self._values and self._is_set(item, self._values[item.name])
        ]

    def _is_set(self, item: Field, value: Any) -> bool:
        if item.repeated or item.key is not None:
            return bool(len(value))
        if item.scalar is None or item.group is not None:
            return True
        return not scalars.is_default(value, item.scalar)

    def Clear(self) -> None:
        """Clear all fields."""
        self._values.clear()
        self._unknown.clear()

    def CopyFrom(self, other: Message) -> None:
        """Copy another message of this type. Raises TypeError for another type."""
        if other is not self:
            _require_same(self, other)
            self.Clear()
            self.MergeFrom(other)
            self._changed()

    def MergeFrom(self, other: Message) -> None:
        """Merge the fields of another message of this type. Raises TypeError for another type."""
        _require_same(self, other)
        self._merge(other.SerializeToString(), 0)

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """Return the message as bytes; equal messages have equal bytes."""
        parts: list[bytes] = []
        for item, value in self.ListFields():
            parts += _encoded(item, value)
        return b"".join([*parts, *self._unknown])

    def ParseFromString(self, data: bytes) -> int:
        """Parse bytes, replacing all fields.

        Returns:
          The number of bytes.

        Raises:
          DecodeError: if the bytes are not a message of this type; also a ValueError.
        """
        self.Clear()
        return self.MergeFromString(data)

    def MergeFromString(self, data: bytes) -> int:
        """Parse bytes and merge their fields; see `ParseFromString`."""
        try:
            self._merge(bytes(data), 0)
        except DecodeError as error:
            raise DecodeError(
                f"Error parsing message with type 'tensorflow.{type(self).__name__}': {error}"
            ) from None
        self._changed()
        return len(data)

    @classmethod
    def FromString(cls, data: bytes) -> Self:
        """Return the message in the bytes; see `ParseFromString`."""
        message = cls()
        message.ParseFromString(data)
        return message

    def _merge(self, data: bytes, depth: int) -> None:
        if depth > _DEPTH:
            raise DecodeError(f"messages are nested more than {_DEPTH} deep")
        for number, wire_type, value, whole in scalars.fields(data):
            item = self._BY_NUMBER.get(number)
            if item is None or not _read(self, item, wire_type, value, depth):
                self._unknown.append(whole)

    def __eq__(self, other: object) -> bool:
        """Compare all fields."""
        if not isinstance(other, Message) or type(other) is not type(self):
            return NotImplemented
        return self.SerializeToString() == other.SerializeToString()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """Return the text form."""
        return "".join(lines(self, ""))

    __repr__ = __str__


MESSAGES: dict[str, type[Message]] = {}
"""The message classes by name; each registers itself."""


def _require_same(message: Message, other: object) -> None:
    if type(other) is not type(message):
        raise TypeError(
            f"Parameter must be an instance of the same class: expected {type(message).__name__}, "
            f"got {type(other).__name__}."
        )


class Repeated(list[Any]):
    """The values of a repeated field."""

    def __init__(self, owner: Message, item: Field) -> None:
        """Start empty."""
        super().__init__()
        self._owner, self._item = owner, item

    def _checked(self, value: Any) -> Any:
        kind = self._item.scalar
        if kind is not None:
            return kind.checked(self._item.name, value)
        copy = MESSAGES[self._item.kind]()
        copy.CopyFrom(value)
        return copy

    def append(self, value: object) -> None:
        """Append a value; a message is copied."""
        super().append(self._checked(value))
        self._owner._changed()

    def extend(self, values: Iterable[Any]) -> None:
        """Append values."""
        for value in values:
            self.append(value)
        self._owner._changed()

    def add(self, **values: object) -> Any:
        """Append a message with these fields, and return it."""
        message = MESSAGES[self._item.kind](**values)
        super().append(message)
        self._owner._changed()
        return message


class Map(dict[Any, Any]):
    """The entries of a map; accessing a missing message creates it."""

    def __init__(self, owner: Message, item: Field) -> None:
        """Start empty."""
        super().__init__()
        self._owner, self._item = owner, item

    def __missing__(self, key: object) -> Any:
        """Create a message. Raises KeyError in a map of scalars."""
        if self._item.scalar is not None:
            raise KeyError(key)
        message = MESSAGES[self._item.kind]()
        super().__setitem__(KINDS[self._item.key or ""].checked(self._item.name, key), message)
        self._owner._changed()
        return message

    def __setitem__(self, key: object, value: object) -> None:
        """Set a scalar. Raises ValueError in a map of messages."""
        kind = self._item.scalar
        if kind is None:
            raise ValueError("Direct assignment of submessage not allowed; use CopyFrom.")
        own_key = KINDS[self._item.key or ""].checked(self._item.name, key)
        super().__setitem__(own_key, kind.checked(self._item.name, value))
        self._owner._changed()


def _payload(item: Field, value: Any) -> tuple[int, bytes]:
    kind = item.scalar
    if kind is None:
        return scalars.LENGTH, value.SerializeToString()
    return kind.wire_type, kind.encode(value)


def _encoded(item: Field, value: Any) -> Iterator[bytes]:
    if item.key is not None:
        keys = KINDS[item.key]
        for key in sorted(value):
            entry = scalars.field(1, keys.wire_type, keys.encode(key))
            entry += scalars.field(2, *_payload(item, value[key]))
            yield scalars.field(item.number, scalars.LENGTH, entry)
    elif not item.repeated:
        yield scalars.field(item.number, *_payload(item, value))
    elif item.scalar is not None and item.scalar.wire_type != scalars.LENGTH:
        packed = b"".join(map(item.scalar.encode, value))
        yield scalars.field(item.number, scalars.LENGTH, packed)
    else:
        for entry in value:
            yield scalars.field(item.number, *_payload(item, entry))


def _read(message: Message, item: Field, wire_type: int, value: Any, depth: int) -> bool:
    """Decode a field; return False if its wire type is wrong."""
    kind = item.scalar
    if item.key is not None:
        return wire_type == scalars.LENGTH and _read_entry(message, item, value, depth)
    if kind is None:
        if wire_type == scalars.LENGTH:
            _message_of(message, item)._merge(value, depth + 1)
        return wire_type == scalars.LENGTH
    if item.repeated and wire_type == scalars.LENGTH and kind.wire_type != scalars.LENGTH:
        list.extend(getattr(message, item.name), kind.decode_all(value))
        return True
    if wire_type != kind.wire_type:
        return False
    decoded = kind.decode(value)
    if item.repeated:
        list.append(getattr(message, item.name), decoded)
    else:
        message._put(item, decoded)
    return True


def _message_of(message: Message, item: Field) -> Message:
    """Return the message that a field merges into: a new one if repeated, else the existing one."""
    if item.repeated:
        own = MESSAGES[item.kind]()
        list.append(getattr(message, item.name), own)
        return own
    held: Message = getattr(message, item.name)
    held._changed()
    return held


def _read_entry(message: Message, item: Field, data: bytes, depth: int) -> bool:
    keys, kind = KINDS[item.key or ""], item.scalar
    key: Any = keys.default
    value: Any = MESSAGES[item.kind]() if kind is None else kind.default
    for number, wire_type, part, _ in scalars.fields(data):
        if number == 1 and wire_type == keys.wire_type:
            key = keys.decode(part)
        elif number == 2 and kind is None and wire_type == scalars.LENGTH:
            value._merge(part, depth + 1)
        elif number == 2 and kind is not None and wire_type == kind.wire_type:
            value = kind.decode(part)
    dict.__setitem__(getattr(message, item.name), key, value)
    return True


def lines(message: Message, indent: str) -> Iterator[str]:
    """Yield the lines of the text form."""
    for item, value in message.ListFields():
        if item.key is not None:
            for key in sorted(value):
                yield f"{indent}{item.name} {{\n"
                yield f"{indent}  key: {KINDS[item.key].text(key)}\n"
                yield from _shown(item, "value", value[key], f"{indent}  ")
                yield f"{indent}}}\n"
        elif item.repeated:
            for entry in value:
                yield from _shown(item, item.name, entry, indent)
        else:
            yield from _shown(item, item.name, value, indent)


def _shown(item: Field, name: str, value: Any, indent: str) -> Iterator[str]:
    if item.scalar is not None:
        yield f"{indent}{name}: {item.scalar.text(value)}\n"
        return
    yield f"{indent}{name} {{\n"
    yield from lines(value, f"{indent}  ")
    yield f"{indent}}}\n"

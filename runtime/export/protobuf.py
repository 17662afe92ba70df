"""The behavior of protocol buffer messages: fields by name, bytes, text and equality."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from runtime.export import scalars
from runtime.export.scalars import KINDS, LENGTH, DecodeError, Kind

_DEPTH = 100
"""Messages that hold each other are read up to this depth, as protocol buffers do."""


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

    def wire(self, value: Any) -> tuple[int, bytes]:
        """Return the wire type and the bytes of a value."""
        kind = self.scalar
        if kind is None:
            return LENGTH, value.SerializeToString()
        return kind.wire_type, kind.encode(value)


def _fields(text: str) -> dict[str, Field]:
    """Parse a table: `*kind` is repeated, `key>kind` a map, `kind?g` a field of group g."""
    found = {}
    for line in text.strip().splitlines():
        number, name, kind = line.split()
        kind, _, group = kind.partition("?")
        key, _, value = kind.rpartition(">")
        repeated = value.startswith("*")
        found[name] = Field(
            int(number), name, value.removeprefix("*"), repeated, key or None, group or None
        )
    return found


class Message:
    """The base class of messages."""

    FIELDS: ClassVar[dict[str, Field]] = {}
    _BY_NUMBER: ClassVar[dict[int, Field]] = {}

    def __init_subclass__(cls, fields: str) -> None:
        cls.FIELDS = _fields(fields)
        cls._BY_NUMBER = {item.number: item for item in cls.FIELDS.values()}
        MESSAGES[cls.__name__] = cls

    def __init__(self, **values: Any) -> None:
        """Set fields. Raises ValueError for an unknown name."""
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_attach", None)
        for name, value in values.items():
            item = self.FIELDS.get(name)
            if item is None:
                raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
            if item.key is not None:
                getattr(self, name).copy_from(value)
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
        if item.key is None and not item.repeated:
            if item.scalar is not None:
                return item.scalar.default
            held: Any = MESSAGES[item.kind]()
            object.__setattr__(held, "_attach", (self, item))
            return held
        held = Repeated(self, item) if item.key is None else Map(self, item)
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
        self.SetInParent()

    def SetInParent(self) -> None:
        """Mark a message as set, also if it is empty."""
        if self._attach is not None:
            parent, item = self._attach
            object.__setattr__(self, "_attach", None)
            parent._put(item, self)

    def WhichOneof(self, group: str) -> str | None:
        """Return the field of a group that is set.

        Args:
          group: the name of a group, of whose fields at most one is set.

        Returns: The name of the field; None if none is set.
        Raises: ValueError if there is no such group.
        """
        names = [item.name for item in self.FIELDS.values() if item.group == group]
        if not names:
            raise ValueError(
                f'Protocol message {type(self).__name__} has no oneof "{group}" field.'
            )
        return next((name for name in names if name in self._values), None)

    def _set(self) -> Iterator[tuple[Field, Any]]:
        """Yield the fields that are set, in the order of their numbers."""
        for _, item in sorted(self._BY_NUMBER.items()):
            value = self._values.get(item.name)
            if item.key is not None or item.repeated:
                is_set = bool(value)
            elif item.scalar is None or item.group is not None:
                is_set = item.name in self._values
            else:
                is_set = value is not None and not scalars.is_default(value, item.scalar)
            if is_set:
                yield item, value

    def CopyFrom(self, other: Message) -> None:
        """Replace all fields by those of another message.

        Args:
          other: a message of this type.

        Raises: TypeError for a message of another type.
        """
        if type(other) is not type(self):
            raise TypeError(
                "Parameter must be an instance of the same class: expected "
                f"{type(self).__name__}, got {type(other).__name__}."
            )
        self.ParseFromString(other.SerializeToString())

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """Return the message in the binary format of protocol buffers.

        Args:
          deterministic: has no effect: equal messages always have equal bytes.
        """
        return b"".join(part for item, value in self._set() for part in _encoded(item, value))

    def ParseFromString(self, data: bytes) -> int:
        """Parse bytes, replacing all fields; fields that the message lacks are left out.

        Args:
          data: the bytes of a message.

        Returns: The number of bytes.

        Raises:
          DecodeError: if the bytes are not a message of this type; also a ValueError.
        """
        self._values.clear()
        try:
            self._read(bytes(data), 0)
        except DecodeError as error:
            raise DecodeError(
                f"Error parsing message with type 'tensorflow.{type(self).__name__}': {error}"
            ) from None
        self.SetInParent()
        return len(data)

    @classmethod
    def FromString(cls, data: bytes) -> Self:
        """Return the message in the bytes.

        Args:
          data: the bytes of a message.

        Raises: DecodeError as for `ParseFromString`.
        """
        message = cls()
        message.ParseFromString(data)
        return message

    def _read(self, data: bytes, depth: int) -> None:
        if depth > _DEPTH:
            raise DecodeError(f"messages are nested more than {_DEPTH} deep")
        for number, wire_type, value in scalars.fields(data):
            item = self._BY_NUMBER.get(number)
            if item is not None:
                _read_field(self, item, wire_type, value, depth)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or type(other) is not type(self):
            return NotImplemented
        return self.SerializeToString() == other.SerializeToString()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "".join(_lines(self, ""))

    __repr__ = __str__


MESSAGES: dict[str, type[Message]] = {}
"""The message classes by name; each registers itself."""


class Repeated(list[Any]):
    """The values of a repeated field."""

    def __init__(self, owner: Message, item: Field) -> None:
        super().__init__()
        self._owner, self._item = owner, item

    def append(self, value: object) -> None:
        """Append a value; a message is copied."""
        kind = self._item.scalar
        if kind is None:
            self.add().CopyFrom(value)
        else:
            super().append(kind.checked(self._item.name, value))
            self._owner.SetInParent()

    def extend(self, values: Iterable[Any]) -> None:
        """Append values."""
        for value in values:
            self.append(value)
        self._owner.SetInParent()

    def add(self, **values: object) -> Any:
        """Append a message with these fields, and return it."""
        message = MESSAGES[self._item.kind](**values)
        super().append(message)
        self._owner.SetInParent()
        return message


class Map(dict[Any, Any]):
    """The entries of a map; accessing a missing message creates it."""

    def __init__(self, owner: Message, item: Field) -> None:
        super().__init__()
        self._owner, self._item = owner, item

    def __missing__(self, key: object) -> Any:
        """Create a message. Raises KeyError in a map of scalars."""
        if self._item.scalar is not None:
            raise KeyError(key)
        message = MESSAGES[self._item.kind]()
        self._store(key, message)
        return message

    def __setitem__(self, key: object, value: object) -> None:
        """Set a scalar. Raises ValueError in a map of messages."""
        kind = self._item.scalar
        if kind is None:
            raise ValueError("Direct assignment of submessage not allowed; use CopyFrom.")
        self._store(key, kind.checked(self._item.name, value))

    def _store(self, key: object, value: object) -> None:
        super().__setitem__(KINDS[self._item.key or ""].checked(self._item.name, key), value)
        self._owner.SetInParent()

    def copy_from(self, entries: dict[Any, Any]) -> None:
        """Add copies of entries."""
        for key, value in entries.items():
            if self._item.scalar is None:
                self[key].CopyFrom(value)
            else:
                self[key] = value


def _encoded(item: Field, value: Any) -> Iterator[bytes]:
    if item.key is not None:
        keys = KINDS[item.key]
        for key in sorted(value):
            entry = scalars.field(1, keys.wire_type, keys.encode(key))
            entry += scalars.field(2, *item.wire(value[key]))
            yield scalars.field(item.number, LENGTH, entry)
    elif not item.repeated:
        yield scalars.field(item.number, *item.wire(value))
    elif item.scalar is not None and item.scalar.wire_type != LENGTH:
        packed = b"".join(map(item.scalar.encode, value))
        yield scalars.field(item.number, LENGTH, packed)
    else:
        for entry in value:
            yield scalars.field(item.number, *item.wire(entry))


def _read_field(message: Message, item: Field, wire_type: int, value: Any, depth: int) -> None:
    """Add a value to a field; one of another wire type is left out."""
    kind = item.scalar
    if item.key is not None and wire_type == LENGTH:
        _read_entry(getattr(message, item.name), item, value, depth)
    elif kind is None and wire_type == LENGTH:
        held = getattr(message, item.name)
        inner = held.add() if item.repeated else held
        inner.SetInParent()
        inner._read(value, depth + 1)
    elif kind is None or item.key is not None:
        return
    elif item.repeated and wire_type == LENGTH != kind.wire_type:
        packed = map(kind.decode, scalars.unpacked(value, kind.wire_type))
        list.extend(getattr(message, item.name), packed)
    elif wire_type == kind.wire_type and item.repeated:
        list.append(getattr(message, item.name), kind.decode(value))
    elif wire_type == kind.wire_type:
        message._put(item, kind.decode(value))


def _read_entry(entries: Map, item: Field, data: bytes, depth: int) -> None:
    keys, kind = KINDS[item.key or ""], item.scalar
    key: Any = keys.default
    value: Any = MESSAGES[item.kind]() if kind is None else kind.default
    for number, wire_type, part in scalars.fields(data):
        if number == 1 and wire_type == keys.wire_type:
            key = keys.decode(part)
        elif number == 2 and kind is None and wire_type == LENGTH:
            value._read(part, depth + 1)
        elif number == 2 and kind is not None and wire_type == kind.wire_type:
            value = kind.decode(part)
    dict.__setitem__(entries, key, value)


def _lines(message: Message, indent: str) -> Iterator[str]:
    """Yield the lines of the text form."""
    for item, value in message._set():
        if item.key is not None:
            for key in sorted(value):
                yield f"{indent}{item.name} {{\n"
                yield f"{indent}  key: {KINDS[item.key].text(key)}\n"
                yield from _shown(item, "value", value[key], f"{indent}  ")
                yield f"{indent}}}\n"
        else:
            for entry in value if item.repeated else (value,):
                yield from _shown(item, item.name, entry, indent)


def _shown(item: Field, name: str, value: Any, indent: str) -> Iterator[str]:
    if item.scalar is not None:
        yield f"{indent}{name}: {item.scalar.text(value)}\n"
        return
    yield f"{indent}{name} {{\n"
    yield from _lines(value, f"{indent}  ")
    yield f"{indent}}}\n"

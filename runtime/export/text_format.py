"""The text form of protocol buffer messages.

>>> from runtime.export.messages import NodeDef
>>> node = Parse('name: "x" op: "Const" input: ["a", "b"]', NodeDef())
>>> node.input
['a', 'b']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

from runtime.export.protobuf import MESSAGES, Field, Message
from runtime.export.scalars import KINDS, TYPE_NUMBERS

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<word>[A-Za-z_][A-Za-z0-9_.]*)
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?|inf|nan))
    |(?P<mark>[{}<>\[\]:,;-])""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f"}
_LETTERS |= {b"v": b"\v"}
_OCTAL = re.compile(r"[+-]?0[0-9]+")
_CLOSING = {"{": "}", "<": ">"}
_DEPTH = 100

Kind = TypeVar("Kind", bound=Message)


class ParseError(ValueError):
    """A text is not a message of the expected type."""


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


def MessageToString(message: Message) -> str:
    """Return the text form of a message, like `str`."""
    return str(message)


def Parse(text: str | bytes, message: Kind) -> Kind:
    """Merge the text form of a message into a message, and return it.

    Args:
      text: the text form.
      message: the message that receives the fields.

    Raises:
      ParseError: with line and column, if the text is not a message of this type; also a
        ValueError.
    """
    try:
        shown = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1  # type: ignore[arg-type]
        raise ParseError(f"{line}:1 : The text is not valid UTF-8.") from None
    _Parser(shown).fields(message, None, 0)
    return message


class _Parser:
    """A recursive-descent parser that reads tokens on demand."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._next = next(self._tokens)

    def _take(self) -> _Token:
        token = self._next
        self._next = next(self._tokens, token)
        return token

    def _try(self, *texts: str) -> str | None:
        token = self._next
        if token.kind not in ("string", "end") and token.text in texts:
            return self._take().text
        return None

    def _expect(self, text: str) -> None:
        if self._try(text) is None:
            raise _error(self._next, f'Expected "{text}".')

    def fields(self, message: Message, end: str | None, depth: int) -> None:
        """Parse fields until `end`; None: until the end of the text."""
        if depth > _DEPTH:
            raise _error(self._next, f"Messages are nested more than {_DEPTH} deep.")
        while not (self._next.kind == "end" if end is None else self._try(end)):
            token = self._take()
            if token.kind != "word":
                raise _error(token, f'Expected "{end}".' if end else "Expected a field name.")
            item = message.FIELDS.get(token.text)
            if item is None:
                raise _error(
                    token,
                    f'Message type "tensorflow.{type(message).__name__}" has no field named '
                    f'"{token.text}".',
                )
            self._field(message, item, depth)
            self._try(",", ";")

    def _field(self, message: Message, item: Field, depth: int) -> None:
        if item.scalar is None or item.key is not None:
            self._try(":")
        else:
            self._expect(":")
        if self._try("["):
            while not self._try("]"):
                self._value(message, item, depth)
                if self._try(",") is None and self._next.text != "]":
                    raise _error(self._next, 'Expected "]".')
        else:
            self._value(message, item, depth)

    def _value(self, message: Message, item: Field, depth: int) -> None:
        if item.key is not None:
            self._entry(message, item, depth)
        elif item.scalar is None:
            target = getattr(message, item.name)
            if item.repeated:
                target = target.add()
            else:
                target.SetInParent()
            self._message(target, depth)
        elif item.repeated:
            getattr(message, item.name).append(self._scalar(item.kind, item.name))
        else:
            setattr(message, item.name, self._scalar(item.kind, item.name))

    def _message(self, message: Message, depth: int) -> None:
        opening = self._try("{", "<")
        if opening is None:
            raise _error(self._next, 'Expected "{".')
        self.fields(message, _CLOSING[opening], depth + 1)

    def _entry(self, message: Message, item: Field, depth: int) -> None:
        opening = self._try("{", "<")
        if opening is None:
            raise _error(self._next, 'Expected "{".')
        key: Any = KINDS[item.key or ""].default
        held = MESSAGES[item.kind]() if item.scalar is None else item.scalar.default
        while self._try(_CLOSING[opening]) is None:
            token = self._take()
            if token.text == "key":
                self._expect(":")
                key = self._scalar(item.key or "", "key")
            elif token.text == "value" and isinstance(held, Message):
                self._try(":")
                self._message(held, depth)
            elif token.text == "value":
                self._expect(":")
                held = self._scalar(item.kind, "value")
            else:
                raise _error(token, f'Expected "{_CLOSING[opening]}".')
            self._try(",", ";")
        if isinstance(held, Message):
            getattr(message, item.name)[key].CopyFrom(held)
        else:
            getattr(message, item.name)[key] = held

    def _scalar(self, kind: str, name: str) -> Any:
        token = self._take()
        if kind in ("string", "bytes"):
            data = self._string(token)
            try:
                return KINDS[kind].checked(name, data)
            except UnicodeDecodeError:
                raise _error(token, "The string is not valid UTF-8.") from None
        sign = -1 if token.text == "-" else 1
        value = _number(self._take() if sign < 0 else token, kind)
        try:
            return KINDS[kind].checked(name, value * sign if sign < 0 else value)
        except (TypeError, ValueError) as error:
            raise _error(token, str(error)) from None

    def _string(self, token: _Token) -> bytes:
        if token.kind != "string":
            raise _error(token, f"Expected string but found: {token.text!r}")
        parts = [token.text[1:-1]]
        while self._next.kind == "string":
            parts.append(self._take().text[1:-1])
        return b"".join(_unescaped(part) for part in parts)


def _tokens(text: str) -> Iterator[_Token]:
    at, line, start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _error(_Token("", text[at], line, at - start + 1), f"Unexpected {text[at]!r}.")
        if match.lastgroup != "space":
            yield _Token(match.lastgroup or "", match.group(), line, at - start + 1)
        newlines = match.group().count("\n")
        if newlines:
            line += newlines
            start = at + match.group().rindex("\n") + 1
        at = match.end()
    yield _Token("end", "", line, at - start + 1)


def _unescaped(text: str) -> bytes:
    def character(match: re.Match[bytes]) -> bytes:
        code = match.group(1)
        if code[:1].isdigit():
            return bytes([int(code, 8) & 0xFF])
        if code[:1] == b"x" and len(code) > 1:
            return bytes([int(code[1:], 16)])
        return _LETTERS.get(code, code)

    return _ESCAPE.sub(character, text.encode())


def _number(token: _Token, kind: str) -> Any:
    text = token.text
    if kind == "bool" and text in ("true", "True", "t", "false", "False", "f"):
        return text[0] in "tT"
    if kind == "DataType" and text in TYPE_NUMBERS:
        return TYPE_NUMBERS[text]
    if kind in ("float", "double"):
        words = {"inf": "inf", "infinity": "inf", "nan": "nan"}
        bare = words.get(text.lower(), text.rstrip("fF"))
        try:
            return float(bare)
        except ValueError:
            raise _error(token, f"Couldn't parse float: {text!r}") from None
    try:
        return int(text, 8 if _OCTAL.fullmatch(text) else 0)
    except ValueError:
        raise _error(token, f"Couldn't parse integer: {text!r}") from None


def _error(token: _Token, text: str) -> ParseError:
    return ParseError(f"{token.line}:{token.column} : {text}")

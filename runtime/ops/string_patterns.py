"""Strings and regular expressions."""

from __future__ import annotations

import functools
import re
import sys
import unicodedata

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arguments import static_text
from runtime.ops.define import define_op
from runtime.ops.string_elements import decoded, each, encoded, invalid, string_op


@functools.lru_cache(256)
def _pattern(source: str) -> re.Pattern[str]:
    try:
        return re.compile(_in_python(source), re.ASCII)
    except re.error as error:
        raise invalid(f"Invalid pattern: {source}, error: {error}") from None


_PROPERTY = r"\\[pP](?:\{\^?\w+\}|\w)"
_QUOTED = r"\\Q.*?(?:\\E|\Z)"
_POINT = r"\\x\{[0-9a-fA-F]+\}"
_SET = rf"\[\^?\]?(?:\[:\^?\w+:\]|{_PROPERTY}|{_POINT}|\\.|[^\]\\])*\]"
_TOKENS = re.compile(rf"{_QUOTED}|{_PROPERTY}|{_POINT}|\\.|{_SET}|\(\?(?:<?[=!]|P=)|.", re.DOTALL)
_MEMBERS = re.compile(rf"\[:\^?\w+:\]|{_PROPERTY}|{_POINT}|\\.|.", re.DOTALL)
_NAMED = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": "\\x00-\\x7f",
    "blank": "\\t ",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\t\\n\\v\\f\\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}


def _in_python(source: str) -> str:
    """A pattern of RE2 in Python's syntax."""
    ends = {} if "(?m" in source else {"$": r"\Z"}
    return "".join(ends.get(token) or _token(token) for token in _TOKENS.findall(source))


def _token(token: str) -> str:
    """What stands for a part of a pattern that Python writes in another way, or has not."""
    if token.startswith(r"\Q"):
        return re.escape(token[2:].removesuffix(r"\E"))
    if token == r"\z":
        return r"\Z"
    if re.fullmatch(_PROPERTY, token):
        return f"[{_property(token)}]"
    if re.fullmatch(_POINT, token):
        return re.escape(chr(int(token[3:-1], 16)))
    if token.startswith("(?"):
        raise re.error(f"invalid perl operator: {token}")
    if re.fullmatch(r"\\[1-9]", token):
        raise re.error(f"invalid escape sequence: {token}")
    return _character_set(token) if len(token) > 1 and token[0] == "[" else token


def _character_set(token: str) -> str:
    opening = re.match(r"\[\^?\]?", token)
    assert opening is not None
    start = opening.group()
    return start + "".join(map(_member, _MEMBERS.findall(token[len(start) : -1]))) + "]"


def _member(token: str) -> str:
    if token.startswith("[:"):
        name = token[2:-2].removeprefix("^")
        if name not in _NAMED:
            raise re.error(f"invalid character class range: {token}")
        return _outside(_NAMED[name]) if token[2] == "^" else _NAMED[name]
    if re.fullmatch(_PROPERTY, token):
        return _property(token)
    if re.fullmatch(_POINT, token):
        return re.escape(chr(int(token[3:-1], 16)))
    return r"\[" if token == "[" else token


def _outside(members: str) -> str:
    """The characters that are not in a set."""
    return (
        _ranges([i for i in range(128) if not re.match(f"[{members}]", chr(i))]) + "\x80-\U0010ffff"
    )


def _property(token: str) -> str:
    """The characters of a general category, or all others."""
    name = token[2:].strip("{}")
    negated = (token[1] == "P") != name.startswith("^")
    name = name.removeprefix("^")
    found = [codes for category, codes in _categories().items() if category.startswith(name)]
    if not found:
        raise re.error(f"invalid character class range: {token}")
    members = {code for codes in found for code in codes}
    if negated:
        members = set(range(sys.maxunicode + 1)) - members
    return _ranges(sorted(members))


@functools.cache
def _categories() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for code in range(sys.maxunicode + 1):
        found.setdefault(unicodedata.category(chr(code)), []).append(code)
    return found


def _ranges(codes: list[int]) -> str:
    """Characters, given by their numbers in order, as ranges of a set."""
    parts, first = [], 0
    for i, code in enumerate(codes):
        if i + 1 == len(codes) or codes[i + 1] != code + 1:
            parts.append(f"{re.escape(chr(codes[first]))}-{re.escape(chr(code))}")
            first = i + 1
    return "".join(parts)


def _rewritten(match: re.Match[str], rewrite: str) -> str:
    def referred(found: re.Match[str]) -> str:
        mark = found.group(1)
        return mark if mark == "\\" else match.group(int(mark)) or ""

    return re.sub(r"\\([0-9\\])", referred, rewrite)


def _replaced(data: bytes, pattern: str, rewrite: str, replace_global: bool) -> bytes:
    text, rule = decoded(data), _pattern(pattern)
    marks = re.findall(r"\\([0-9\\])", rewrite)
    if any(mark != "\\" and int(mark) > rule.groups for mark in marks):
        return data
    parts: list[str] = []
    place, last = 0, -1
    while (found := rule.search(text, place)) is not None:
        if found.start() == found.end() == last:
            if place >= len(text):
                break
            parts.append(text[place])
            place, last = place + 1, -1
            continue
        parts += [text[place : found.start()], _rewritten(found, rewrite)]
        place = last = found.end()
        if not replace_global:
            break
    return encoded("".join([*parts, text[place:]]))


_REPLACE = string_op(
    "StaticRegexReplace",
    _replaced,
    sample(["aXb"], pattern="X", rewrite="y", replace_global=True),
)
_FULL_MATCH = define_op(
    "StaticRegexFullMatch",
    {"input": STRING},
    lambda x, pattern: x.spec.with_dtype(dtypes.bool),
    lambda xp, x, pattern: each(
        lambda data: _pattern(pattern).fullmatch(decoded(data)) is not None, np.bool_, x
    ),
    samples=(sample(["abc", "x"], pattern="abc?"),),
)


def regex_replace(
    input: TensorLike,
    pattern: str,
    rewrite: str,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""The strings with what matches a pattern replaced.

    Args:
      input: strings.
      pattern: a regular expression in the syntax of RE2, without flags in the middle and
        names of scripts.
      rewrite: the replacement; `\1` to `\9` stand for groups, `\0` for all that matched.
      replace_global: whether all matches are replaced, or the first only.
      name: the name of the operation.

    Raises: InvalidArgumentError for a pattern that is none.

    >>> print(regex_replace("one two", r"(\w+) (\w+)", r"\2 \1"))
    tf.Tensor(b'two one', shape=(), dtype=string)
    """
    source = static_text("pattern", pattern)
    _pattern(source)
    return _REPLACE(
        input,
        pattern=source,
        rewrite=static_text("rewrite", rewrite),
        replace_global=replace_global,
        name=name,
    )


def regex_full_match(input: TensorLike, pattern: str, name: str | None = None) -> Tensor:
    """Whether strings match a pattern from their beginning to their end.

    Args:
      input: strings.
      pattern: a regular expression in the syntax of RE2, without flags in the middle and
        names of scripts.
      name: the name of the operation.

    Raises: InvalidArgumentError for a pattern that is none.

    >>> print(regex_full_match(["ab", "abc"], "ab?"))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    source = static_text("pattern", pattern)
    _pattern(source)
    return _FULL_MATCH(input, pattern=source, name=name)

"""Strings and regular expressions."""

from __future__ import annotations

import functools
import re

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


def _in_python(source: str) -> str:
    """A pattern in Python's syntax: `$` and `\\z` mean the very end of the text."""
    if "(?m" in source:
        return source
    tokens = re.findall(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", source, re.DOTALL)
    return "".join({"$": r"\Z", r"\z": r"\Z"}.get(token, token) for token in tokens)


def _rewritten(match: re.Match[str], rewrite: str) -> str:
    def referred(found: re.Match[str]) -> str:
        mark = found.group(1)
        return mark if mark == "\\" else match.group(int(mark)) or ""

    return re.sub(r"\\([0-9\\])", referred, rewrite)


def _replaced(data: bytes, pattern: str, rewrite: str, replace_global: bool) -> bytes:
    text, rule = decoded(data), _pattern(pattern)
    if any(int(number) > rule.groups for number in re.findall(r"\\([0-9])", rewrite)):
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
      pattern: a regular expression, in the part of the syntax that RE2 and Python share.
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
      pattern: a regular expression, in the part of the syntax that RE2 and Python share.
      name: the name of the operation.

    Raises: InvalidArgumentError for a pattern that is none.

    >>> print(regex_full_match(["ab", "abc"], "ab?"))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    source = static_text("pattern", pattern)
    _pattern(source)
    return _FULL_MATCH(input, pattern=source, name=name)

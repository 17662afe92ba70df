r"""Strings and regular expressions.

RE2 matches in linear time, so no pattern makes a program hang. TensorFlow uses it too, so patterns
mean the same.

>>> print(regex_full_match("a" * 10000 + "!", "(a+)+$"))
tf.Tensor(False, shape=(), dtype=bool)
"""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np
import re2

from runtime.core import dtypes
from runtime.core.opdef import STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import static_text
from runtime.ops.base.define import op
from runtime.ops.strings.elements import decoded, each, encoded, invalid, string_map

_UTF8_LENGTH = 4
"""Maximum number of bytes of a character in UTF-8 (RFC 3629)."""

_REFERENCE = re.compile(rb"\\(.?)", re.DOTALL)


@functools.lru_cache(256)
def _pattern(source: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(encoded(source), options)
    except re2.error as error:
        raise invalid(f"Invalid pattern: {source}, error: {decoded(error.args[0])}") from None


def _check_rewrite(rewrite: str, pattern: str) -> None:
    """Raise InvalidArgumentError for another escape than a backslash or a group of the pattern."""
    groups = _pattern(pattern).groups
    for mark in _REFERENCE.findall(encoded(rewrite)):
        if mark != b"\\" and not mark.isdigit():
            raise invalid(
                f"Invalid rewrite: {rewrite}, error: a backslash is followed by a digit or a "
                "backslash"
            )
        if mark.isdigit() and int(mark) > groups:
            raise invalid(
                f"Invalid rewrite: {rewrite}, error: it refers to group {int(mark)}, and the "
                f"pattern {pattern} has {groups}"
            )


def _rewritten(match: Any, rewrite: bytes) -> bytes:
    def referred(found: re.Match[bytes]) -> bytes:
        mark = found.group(1)
        return mark if mark == b"\\" else match.group(int(mark)) or b""

    return _REFERENCE.sub(referred, rewrite)


def _character(data: bytes, offset: int) -> bytes:
    """The UTF-8 character at an offset; one byte if there is none."""
    return encoded(decoded(data[offset : offset + _UTF8_LENGTH])[:1])


def _replaced(data: bytes, pattern: str, rewrite: str, replace_global: bool) -> bytes:
    """Replace as RE2's `GlobalReplace` does: no empty match at the end of the last match."""
    rule, template = _pattern(pattern), encoded(rewrite)
    parts: list[bytes] = []
    offset, last = 0, -1
    while offset <= len(data) and (found := rule.search(data, offset)) is not None:
        start, end = found.span()
        parts.append(data[offset:start])
        if start == end == last:
            skipped = _character(data, start)
            parts.append(skipped)
            offset = start + max(1, len(skipped))
            continue
        parts.append(_rewritten(found, template))
        offset = last = end
        if not replace_global:
            break
    return b"".join([*parts, data[offset:]])


@string_map(
    "StaticRegexReplace",
    _replaced,
    sample(["aXb"], pattern="X", rewrite="y", replace_global=True),
)
def regex_replace(
    input: TensorLike,
    pattern: str,
    rewrite: str,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""Replace the matches of a pattern in each string.

    Args:
      input: Tensor of strings.
      pattern: a regular expression in the syntax of RE2.
      rewrite: the replacement; `\1` to `\9` refer to groups, `\0` to the whole match.
      replace_global: whether all matches are replaced, or the first only.
      name: name for the operation.

    Returns:
      Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError: if RE2 does not accept the pattern, or if the rewrite has another
        escape or refers to a group that the pattern does not have.

    >>> print(regex_replace("one two", r"(\w+) (\w+)", r"\2 \1"))
    tf.Tensor(b'two one', shape=(), dtype=string)
    """
    source, replacement = static_text("pattern", pattern), static_text("rewrite", rewrite)
    _check_rewrite(replacement, source)
    return regex_replace.op(
        input, pattern=source, rewrite=replacement, replace_global=replace_global, name=name
    )


@op(
    "StaticRegexFullMatch",
    {"input": STRING},
    infer=lambda x, pattern: x.spec.with_dtype(dtypes.bool),
    kernel=lambda xp, x, pattern: each(
        lambda data: _pattern(pattern).fullmatch(data) is not None, np.bool_, x
    ),
    samples=(sample(["abc", "x"], pattern="abc?"),),
)
def regex_full_match(input: TensorLike, pattern: str, name: str | None = None) -> Tensor:
    """Return whether each string matches a pattern as a whole.

    Args:
      input: Tensor of strings.
      pattern: a regular expression in the syntax of RE2.
      name: name for the operation.

    Returns:
      bool Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError: if RE2 does not accept the pattern.

    >>> print(regex_full_match(["ab", "abc"], "ab?"))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    source = static_text("pattern", pattern)
    _pattern(source)
    return regex_full_match.op(input, pattern=source, name=name)

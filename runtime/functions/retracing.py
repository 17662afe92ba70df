"""Diagnosis of retraces: which argument differs, and the remedy."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from runtime.core.places import user_place
from runtime.core.spec import TensorSpec
from runtime.core.structure import Node
from runtime.functions.trace_type import CallType, Identity, LeafType, Literal

LOG = logging.getLogger("runtime.function")
"""Logger for each retrace (level INFO), with a warning if they are frequent."""

_FIRST_WARNING = 5
_WINDOW = 100
_COMPARED = 32


def difference(known: Iterable[CallType], new: CallType) -> list[str]:
    """Describe how a call differs from the most similar traced call, one text per argument.

    >>> from runtime.functions.trace_type import call_type
    >>> old, new = call_type({"x": 1, "n": 2})[0], call_type({"x": 1, "n": 3})[0]
    >>> difference([old], new)
    ['`n`: 2 -> 3 (pass a tensor where the value need not decide the graph)']
    """
    recent = deque(known, maxlen=_COMPARED)
    candidates = [_differences(old, new) for old in reversed(recent)]
    return min(candidates, key=len, default=[])


def _differences(old: CallType, new: CallType) -> list[str]:
    before, after = dict(_leaves(old)), dict(_leaves(new))
    texts = []
    for path in {**before, **after}:
        if path not in before or path not in after:
            texts.append(f"`{path}`: another structure")
        elif before[path] != after[path]:
            texts.append(f"`{path}`: {_change(before[path], after[path])}")
    return texts or ["the structure of an argument"]


def _leaves(call: CallType) -> Iterator[tuple[str, LeafType]]:
    types = iter(call.leaves)
    assert call.node is not None
    for name, part in zip(call.node.keys, call.node.parts, strict=True):
        yield from _leaves_of(str(name), part, types)


def _leaves_of(
    path: str, node: Node | None, types: Iterator[LeafType]
) -> Iterator[tuple[str, LeafType]]:
    if node is None:
        yield path, next(types)
        return
    named = isinstance(node.keys, tuple) and len(node.keys) == len(node.parts)
    for position, part in enumerate(node.parts):
        key = node.keys[position] if named else position
        yield from _leaves_of(f"{path}[{key!r}]", part, types)


def _change(old: LeafType, new: LeafType) -> str:
    text = f"{_shown(old)} -> {_shown(new)}"
    if isinstance(old, TensorSpec) and isinstance(new, TensorSpec):
        if old.dtype is new.dtype:
            return f"{text} (reduce_retracing=True or an input_signature covers both shapes)"
        return f"{text} (pass tensors of one dtype)"
    if isinstance(new, Literal) and new.kind in (bool, int, float):
        return f"{text} (pass a tensor where the value need not decide the graph)"
    if isinstance(new, Identity):
        return f"{text} (another object; pass the same object, or tensors)"
    return text


def _shown(kind: LeafType) -> str:
    if not isinstance(kind, Literal):
        return str(kind)
    if isinstance(kind.text, frozenset):
        return "{" + ", ".join(sorted(text for _, text in kind.text)) + "}"
    return str(kind.text)


class Retraces:
    """Counts the traces of one function and reports them.

    Args:
      function: the Python function.
      name: its name.

    Attributes:
      count: the number of traces.
      last: the differences that caused the last trace, one text per argument.
    """

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        """Start at zero."""
        self._function = function
        self._name = name
        self._at: deque[int] = deque(maxlen=_WINDOW)
        self._warn_at = _FIRST_WARNING
        self.count = 0
        self.last: list[str] = []

    def add(self, causes: list[str], seconds: float, calls: int) -> None:
        """Report one trace.

        Args:
          causes: the differences from earlier calls; empty for the first trace.
          seconds: its duration.
          calls: the number of calls, including this one.
        """
        self.count += 1
        self.last = causes
        self._at.append(calls)
        if not causes:
            return
        cause = "; ".join(causes)
        LOG.info("%s is recorded again (%.1f ms): %s", self._name, seconds * 1e3, cause)
        recorded = sum(at > calls - _WINDOW for at in self._at)
        if recorded >= _FIRST_WARNING and self.count >= self._warn_at:
            self._warn_at = 2 * self.count
            self._warn(recorded, min(calls, _WINDOW), seconds, cause)

    def _warn(self, recorded: int, calls: int, seconds: float, cause: str) -> None:
        place = user_place()
        LOG.warning(
            "%d out of the last %d calls to %r triggered tf.function retracing. Tracing is "
            "expensive and the last one took %.1f ms. Its cause: %s.%s",
            recorded,
            calls,
            self._function,
            seconds * 1e3,
            cause,
            f"\n  called at {place}" if place else "",
        )

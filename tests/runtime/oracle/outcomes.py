"""What a program did, in a form in which two libraries can be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

TOLERANCES = {"float16": 2e-3, "float32": 4e-6, "float64": 1e-12, "complex64": 4e-6}


@dataclass(frozen=True)
class Raised:
    """A program ended with an exception, of which these are the classes."""

    kinds: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.kinds[0]}: {self.text.strip().splitlines()[0] if self.text.strip() else ''}"


@dataclass(frozen=True, eq=False)
class Array:
    """A tensor or array."""

    dtype: str
    value: Any

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.value.shape)} {self.value.tolist()}"


def outcome(program: Callable[[Any], Any], tf: Any) -> Any:
    """What a program gives with one library, or what it raises."""
    try:
        return described(program(tf))
    except Exception as error:
        kinds = tuple(k.__name__ for k in type(error).__mro__ if k.__name__ not in _ROOTS)
        return Raised(kinds, str(error))


_ROOTS = ("object", "BaseException")


def described(value: Any) -> Any:
    """Tensors as arrays, containers as plain containers, everything else as it is."""
    if isinstance(value, Mapping):
        return {str(key): described(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [described(part) for part in value]
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return value
    kind = type(value).__name__
    if kind in ("DType", "TensorShape", "TensorSpec"):
        return str(value)
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, bytes):
        return Array("string", np.array(value, dtype=object))
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return Array("string" if array.dtype.kind in "OSU" else array.dtype.name, array)
    raise TypeError(f"a program gave a {kind}")


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two outcomes are the same.

    An exception agrees with one of a class that it is, or of which it is: programs that catch the
    one catch the other.
    """
    if isinstance(ours, Raised) or isinstance(theirs, Raised):
        return isinstance(ours, Raised) and isinstance(theirs, Raised) and _caught(ours, theirs)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(agree(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(agree, ours, theirs))
    if isinstance(ours, Array) and isinstance(theirs, Array):
        return ours.dtype == theirs.dtype and equal(ours.value, theirs.value)
    return type(ours) is type(theirs) and bool(ours == theirs or ours != ours)


def alike(graph: Any, plain: Any) -> bool:
    """Whether a graph gives what the plain program gives: Python's numbers become tensors."""
    if isinstance(graph, dict) and isinstance(plain, dict):
        return list(graph) == list(plain) and all(alike(graph[k], plain[k]) for k in graph)
    if isinstance(graph, list) and isinstance(plain, list):
        return len(graph) == len(plain) and all(map(alike, graph, plain))
    if isinstance(graph, Array) and isinstance(plain, (bool, int, float, complex)):
        return equal(graph.value, np.asarray(plain, graph.value.dtype))
    return agree(graph, plain)


def _caught(ours: Raised, theirs: Raised) -> bool:
    return theirs.kinds[0] in ours.kinds


def equal(ours: Any, theirs: Any) -> bool:
    """Whether two arrays have one shape and the same elements, up to rounding."""
    if ours.shape != theirs.shape:
        return False
    if ours.dtype.kind not in "fc":
        return bool(np.array_equal(ours, theirs))
    tolerance = TOLERANCES.get(ours.dtype.name, 1e-12)
    return bool(np.allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True))


def shown(value: Any, limit: int = 160) -> str:
    """An outcome on one line."""
    text = " ".join(_text(value).split())
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value) if isinstance(value, (Array, Raised)) else repr(value)

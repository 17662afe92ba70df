"""Assertions about arrays and tensors, alone or in structures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from runtime.core.aliases import Array
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.testing.containers import ContainerCase
from runtime.testing.sessions import SessionCase


class ArrayCase(SessionCase, ContainerCase):
    """Assertions about arrays, tensors and values that convert to arrays.

    They evaluate tensors first, both sides in one run.
    """

    def _array(self, value: object) -> Any:
        if isinstance(value, Tensor) or hasattr(value, "read_value"):
            value = self.evaluate(value)
        if isinstance(value, np.ndarray):
            return value
        if isinstance(value, (list, tuple)):
            value = [self._array(part) for part in value]
        try:
            return np.array(value)
        except ValueError as error:
            if "inhomogeneous" not in str(error):
                raise
            return np.array(value, dtype=object)

    def evaluate_if_both_tensors(self, a: object, b: object) -> tuple[Any, Any]:
        """Return the values of two symbolic tensors from one run; other values as they are."""
        if isinstance(a, SymbolicTensor) and isinstance(b, SymbolicTensor):
            first, second = self.evaluate((a, b))
            return first, second
        return a, b

    def _arrays(self, a: object, b: object) -> tuple[Any, Any]:
        a, b = self.evaluate_if_both_tensors(a, b)
        return self._array(a), self._array(b)

    def _same_shape(self, a: Array, b: Array, msg: str | None) -> None:
        if a.shape == b.shape:
            return
        contents = f" with contents {b}" if b.ndim <= 3 or b.size < 500 else ""
        text = f"Shape mismatch: expected {a.shape}, got {b.shape}{contents}."
        self.fail(self._formatMessage(msg, text))

    def assertAllEqual(self, a: object, b: object, msg: str | None = None) -> None:
        """Assert that shapes and all elements are equal; NaN equals NaN.

        Args:
          a: the expected value.
          b: the actual value.
          msg: text appended to the failure message.
        """
        first, second = self._arrays(a, b)
        self._same_shape(first, second, msg)
        same = first == second
        if _has_nan(first) and _has_nan(second):
            same = np.logical_or(same, np.logical_and(np.isnan(first), np.isnan(second)))
        if np.all(same):
            return
        where, x, y = _unequal(np.logical_not(same), first, second)
        lines = [msg, where.replace("#", "not equal where"), f"not equal lhs = {x!r}"]
        lines.append(f"not equal rhs = {y!r}")
        self.fail("\n".join(["Arrays are not equal", *_said(lines)]))

    def assertAllClose(
        self, a: object, b: object, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Assert `|a - b| <= atol + rtol * |b|` for all elements; NaN is close to NaN.

        Args:
          a: the expected value: an array, tensor or number, or a structure (lists, tuples, named
            tuples, mappings) of them.
          b: the actual value, of the same structure.
          rtol, atol: relative and absolute tolerance.
          msg: text appended to the failure message.

        Raises: ValueError if the structures differ.
        """
        self._close(a, b, (rtol, atol), "", msg or "")

    def _close(self, a: Any, b: Any, within: tuple[float, float], path: str, msg: str) -> None:
        a, b = (x._asdict() if hasattr(x, "_asdict") else x for x in (a, b))
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            self._close_mappings(a, b, within, path, msg)
            return
        said = f"Mismatched value: a{path} is different from b{path}. {msg}"
        if not isinstance(a, (list, tuple)):
            self._close_arrays(a, b, within, said)
            return
        try:
            first, second = self._arrays(a, b)
            plain = first.dtype != object and second.dtype != object
        except (ValueError, TypeError, NotImplementedError):
            plain = False
        if plain:
            self._close_arrays(first, second, within, said)
            return
        if len(a) != len(b):
            raise ValueError(
                f"Mismatched length: a{path} has {len(a)} items, but b{path} has {len(b)} items. "
                f"{msg}"
            )
        for at, (x, y) in enumerate(zip(a, b, strict=True)):
            self._close(x, y, within, f"{path}[{at}]", msg)

    def _close_mappings(
        self, a: object, b: object, within: tuple[float, float], path: str, msg: str
    ) -> None:
        if not (isinstance(a, Mapping) and isinstance(b, Mapping)):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg}")
        self.assertCountEqual(
            a.keys(),
            b.keys(),
            f"mismatched keys: a{path} has keys {a.keys()}, but b{path} has keys {b.keys()}. {msg}",
        )
        for key in a:
            self._close(a[key], b[key], within, f"{path}[{key}]", msg)

    def _close_arrays(self, a: object, b: object, within: tuple[float, float], msg: str) -> None:
        rtol, atol = within
        first, second = self._arrays(a, b)
        self._same_shape(first, second, msg)
        dtype = first.dtype
        first, second = _comparable(first), _comparable(second)
        if np.allclose(first, second, rtol, atol, equal_nan=True):
            return
        with np.errstate(invalid="ignore"):
            apart = np.logical_not(np.isclose(first, second, rtol, atol, equal_nan=True))
            where, x, y = _unequal(apart, first, second)
            lines = [msg, where.replace("#", "not close where"), f"not close lhs = {x}"]
            lines += [f"not close rhs = {y}", f"not close dif = {np.abs(x - y)}"]
            lines.append(f"not close tol = {atol + rtol * np.abs(y)}")
        lines.append(f"dtype = {dtype}, shape = {first.shape}")
        title = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}"
        self.fail("\n".join([title, *_said(lines)]))


def _said(lines: Iterable[str | None]) -> list[str]:
    return [line for line in lines if line]


def _has_nan(array: Array) -> bool:
    return array.dtype.kind in "fcV" and bool(np.isnan(array).any())


def _comparable(array: Array) -> Any:
    """Return the array in a dtype in which NumPy can compute differences."""
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def _unequal(wrong: Array, a: Array, b: Array) -> tuple[str, Any, Any]:
    """Return where elements differ, with `#` for the verb, and these elements."""
    if not np.ndim(wrong):
        return "", a, b
    places = np.nonzero(wrong)
    return f"# = {places}", a[places], b[places]

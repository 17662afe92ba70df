"""`and` and `or` of which the operands have no common type: their truth is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow import forms
from runtime.control_flow.forms import Mismatch
from runtime.control_flow.truth import TruthOnly, truth
from runtime.core.errors import StagingError, VariantError
from runtime.core.places import user_place


class Operands:
    """The operands of `and` or `or`: the value `a`, and what `b` returns.

    If the two have no common type, the result has only a truth, which is all that an `if`, a
    `while` or another `and` asks for.

    Args:
      word: `and` or `or`.
      a: the first value.
      b: returns the other one.
    """

    def __init__(self, word: str, a: Any, b: Callable[[], Any]) -> None:
        """Holds them."""
        self.name = f"the result of `{word}`"
        self._a = a
        self._b = b
        self._second: Any = None
        self._refusal: StagingError | None = None
        self._has_first = False

    def second(self) -> Any:
        """The value of `b`, or its truth; is traced before `first`, unless `a` is a bool."""
        self._second = value = self._b()
        self._refusal = self._refusal_of(value)
        return value if self._refusal is None else truth(value)

    def first(self) -> Any:
        """The value of `a`, or its truth."""
        self._has_first = True
        return self._a if self._refusal is None else truth(self._a)

    def result(self, value: Any) -> Any:
        """What the expression returns, of which `value` is what the branches gave."""
        if self._refusal is None:
            return value
        # Where the first operand is known, the other one may be the result.
        return TruthOnly(value, self._refusal) if self._has_first else self._second

    def _refusal_of(self, value: Any) -> StagingError | None:
        """The error for a use of the result as anything but a truth; None if it has a type."""
        for each in (self._a, value):
            if isinstance(each, TruthOnly):
                return each.refusal
        left, right = forms.form_of(self._a), forms.form_of(value)
        try:
            forms.join(self.name, left, right)
        except Mismatch as mismatch:
            return _refusal(self.name, mismatch)
        return None


def _refusal(name: str, mismatch: Mismatch) -> StagingError:
    left, right = map(forms.describe, (mismatch.left, mismatch.right))
    place = user_place()
    where = f"\n  {place}" if place else ""
    return StagingError(
        f"{name} is {left} or {right}, as the program decides when it runs.{where}",
        public=VariantError,
        remedy="Give both operands one type, or ask for its truth only: as a test, or by bool().",
    )

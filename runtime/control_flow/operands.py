"""`and` and `or` whose operands have no common type: only their truth is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.staging import ProgramName
from runtime.control_flow import forms, joins
from runtime.control_flow.joins import Mismatch
from runtime.control_flow.truth import TruthOnly, truth
from runtime.core.errors import StagingError, VariantError
from runtime.core.places import user_line


class Operands:
    """The operands of `and` or `or`: the value `a`, and the result of `b`.

    The result may be None, or one of several functions. If they have no common type otherwise, it
    has only a truth. An `if`, a `while` or another `and` needs nothing else.

    Args:
      word: `and` or `or`.
      a: the first value.
      b: returns the other one.
    """

    def __init__(self, word: str, a: object, b: Callable[[], Any]) -> None:
        """Store the operands."""
        self.name = ProgramName(f"the result of `{word}`")
        self._a = a
        self._b = b
        self._second: Any = None
        self._refusal: StagingError | None = None
        self._has_first = False

    def second(self) -> Any:
        """Return the value of `b`, or its truth; traced before `first` unless `a` is a bool."""
        self._second = value = self._b()
        self._refusal = self._refusal_of(value)
        return value if self._refusal is None else truth(value)

    def first(self) -> Any:
        """Return the value of `a`, or its truth."""
        self._has_first = True
        return self._a if self._refusal is None else truth(self._a)

    def result(self, value: Any) -> Any:
        """Return the result of the expression, given the result of the branches."""
        if self._refusal is None:
            return value
        # If the first operand is known, the second one may be the result.
        return TruthOnly(value, self._refusal) if self._has_first else self._second

    def _refusal_of(self, value: object) -> StagingError | None:
        """Return the error for a use of the result as more than a truth; None if it has a type."""
        for each in (self._a, value):
            if isinstance(each, TruthOnly):
                return each.refusal
        try:
            joins.join(self.name, forms.form_of(self._a), forms.form_of(value))
        except Mismatch as mismatch:
            return _refusal(self.name, mismatch)
        except StagingError as error:  # a deque, or a set, is the result of no branch
            return error.with_traceback(None)
        return None


def _refusal(name: str, mismatch: Mismatch) -> StagingError:
    left, right = map(forms.describe, (mismatch.left, mismatch.right))
    return StagingError(
        f"{name} is {left} or {right}, as the program decides when it runs.{user_line()}\n",
        public=VariantError,
        remedy="Give both operands one type, or ask for its truth only: as a test, or by bool().",
    )

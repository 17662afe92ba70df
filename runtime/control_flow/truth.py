"""The truth of a value as a bool scalar, with the semantics of Python's `bool`.

The result of `and` and `or` whose operands have no common type is known by its truth alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from autograph.operators.alternatives import asked_by_own_code, split
from autograph.operators.sizes import truth_if_asked
from autograph.staging import ProgramName, is_one_of
from runtime.control_flow.values import forms, joins
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.joins import Mismatch
from runtime.control_flow.values.partial_dicts import PartialDict
from runtime.core import dtypes
from runtime.core.errors import StagingError, VariantError
from runtime.core.places import called, user_line
from runtime.core.shapes import element_count
from runtime.core.tensor import Operators, Tensor, is_operand
from runtime.core.thread import STATE
from runtime.ops.array.creation import zeros
from runtime.ops.array.dimensions import size
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.effects.output import raise_when
from runtime.ops.math.logic import not_equal


class TruthOnly(Operators):
    """A value of which only the truth is known, because the alternatives have no common type.

    Any other use raises `refusal`.
    """

    def __init__(self, held: Tensor, refusal: StagingError) -> None:
        self.held = held
        self.refusal = refusal

    @property
    def __autograph_truth_only__(self) -> StagingError:
        """The error of a question for its identity."""
        return self.refusal

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Raise for the program, which asks for the class of the value."""
        if asked_by_own_code():
            return type(self)
        raise self.refusal

    @property
    def spec(self) -> NoReturn:
        """Raise, like every request for a tensor."""
        raise self.refusal

    def __tf_tensor__(self, dtype: object, name: str | None) -> NoReturn:
        """Raise the refusal."""
        raise self.refusal

    def __repr__(self) -> str:
        return f"<{self.held!r}, known by its truth>"


# Python's own messages show the class name to users.
TruthOnly.__name__ = TruthOnly.__qualname__ = "Tensor"


def truth(value: object) -> Tensor:
    """Return the truth of a value as a bool scalar.

    Raises:
      StagingError: for a tensor of several elements; surfaces as ValueError.

    >>> print(truth(convert_to_tensor(2)))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    if is_one_of(value):
        return split(value, truth)  # type: ignore[no-any-return]
    if isinstance(value, TruthOnly):
        return value.held
    if isinstance(value, GrowingList):
        return value.size() > 0  # type: ignore[no-any-return]
    if isinstance(value, PartialDict):
        return value.any()
    asked = truth_if_asked(value)
    if not is_operand(asked):
        return convert_to_tensor(bool(asked))
    tensor = convert_to_tensor(asked)
    if tensor.dtype is not dtypes.bool:
        tensor = not_equal(tensor, zeros([], tensor.dtype))
    dims = tensor.spec.dims
    if dims == ():
        return tensor
    count = element_count(dims)
    if count == 1:
        return reshape(tensor, [])
    subject = f"the truth of {called(value, 'the tensor')} ({tensor.spec})"
    remedy = "Use runtime.reduce_all or runtime.reduce_any."
    if count is None:
        words = f"{subject} is ambiguous unless it has one element. {remedy}"
        raise_when(not_equal(size(tensor), 1), ValueError(words))
        return reshape(tensor, [])
    number = "several elements" if count else "no elements"
    text = f"{subject} is ambiguous: it has {number}. {remedy}"
    raise ValueError(text) if STATE.graph is None else StagingError(text, public=ValueError)


class Operands:
    """The operands of `and` or `or`: the value `a`, and the result of `b`.

    The result may be None, or one of several functions. If they have no common type otherwise, it
    has only a truth. An `if`, a `while` or another `and` needs nothing else.
    """

    def __init__(self, word: str, a: object, b: Callable[[], Any]) -> None:
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

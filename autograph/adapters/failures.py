"""The checks of a staged program: which one fails first, and what does not run after it.

In Python nothing runs after a failed `assert` or a `raise`. A staged program computes on, so the
number of the first failed check is one more output of each branch, and one more variable of each
loop that has checks. Later checks hold, later prints are silent and loops end where it is not 0.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.adapters.possibly import Guard, assuming, assumptions, resolved
from autograph.adapters.refusals import place_of, refusal
from autograph.errors import StagingError, Unwinding
from autograph.reach.classes import is_of_tensor_library
from autograph.values import Value

FAILURE = "the number of the failed check"
"""What errors call the output that blocks have besides their variables."""


class Block:
    """A block that is being traced.

    Attributes:
      failure: the number of its first failed check; 0: none failed.
      trace: identifies the trace of the library in which the block started.
      is_pure: whether it must not have effects.
      raises: whether it always ends by an exception.
    """

    def __init__(self, trace: object, is_pure: bool) -> None:
        """Start without a failed check."""
        self.failure: Any = 0
        self.raises = False
        self.trace = trace
        self.is_pure = is_pure


class HasEffects(Unwinding):
    """Leaves the trace of a pure block at its first effect."""

    def __init__(self, block: Block) -> None:
        """Store the block."""
        super().__init__()
        self.block = block


class _Stack(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.tests: list[tuple[Any, Guard]] = []
        self.traces: list[tuple[Any, Any]] = []
        self.checks: list[BaseException] = []


class Failures:
    """The blocks around the statement that is being traced, in one thread.

    Args:
      select: `select(test, a, b)` of the library, for scalars; an attribute, too.
      truth: the truth of a value as a bool scalar; an attribute, too.
      trace: identifies the trace that is running. Arrays of another trace are used only where
        the adapter started the inner one.
      negated, conjoined: `not a` and `a and b`, of bool scalars.
    """

    def __init__(
        self,
        select: Callable[[Any, Any, Any], Any],
        truth: Callable[[Any], Any],
        trace: Callable[[], Any] = lambda: None,
        negated: Callable[[Any], Any] = operator.invert,
        conjoined: Callable[[Any, Any], Any] = operator.and_,
    ) -> None:
        """Start without a block."""
        self._negated = negated
        self._conjoined = conjoined
        self.select = select
        self.truth = truth
        self.trace = trace
        self._stack = _Stack()

    # ---- where the trace is ----

    @contextmanager
    def block(self, is_pure: bool = False) -> Iterator[Block]:
        """A block, while it is traced."""
        stack = self._stack
        block = Block(self.trace(), is_pure)
        stack.blocks.append(block)
        try:
            with assumptions():
                yield block
        finally:
            stack.blocks.pop()

    @contextmanager
    def program(self) -> Iterator[Callable[[Any], Any]]:
        """A call of a program, while it is traced: an error that follows a check is refused.

        Yields: the function that completes its result, after what the checks tell of it.

        Raises: StagingError in its place. Errors of the library itself pass.
        """
        stack = self._stack
        before, stack.checks = stack.checks, []
        try:
            with assumptions():
                yield lambda result: resolved((result,))[0]
        except (StagingError, RecursionError):
            raise
        except Exception as error:
            # Where the library runs operations one by one, a check raises its own error.
            is_check = any(error is each for each in stack.checks)
            if not stack.checks or is_check or is_of_tensor_library(type(error)):
                raise
            raise _too_early(stack.checks[0], error) from error
        finally:
            stack.checks = before

    @contextmanager
    def trace_inside(self, outer: object) -> Iterator[None]:
        """A trace that the adapter starts; `outer` is what `trace` gave before it."""
        self._stack.traces.append((self.trace(), outer))
        try:
            yield
        finally:
            self._stack.traces.pop()

    @contextmanager
    def given(self, test: object, outcome: bool) -> Iterator[None]:
        """Effects happen only where the test has this outcome, although the block runs anyhow."""
        tests = self._stack.tests
        tests.append((self.trace(), Guard(test, outcome)))
        try:
            with assuming(test, outcome):
                yield
        finally:
            tests.pop()

    def _usable(self) -> list[Any]:
        usable = [self.trace()]
        for inner, outer in reversed(self._stack.traces):
            if inner != usable[-1]:
                break
            usable.append(outer)
        return usable

    @property
    def inside(self) -> bool:
        """Whether a branch, or the body of a loop, is being traced."""
        return bool(self._stack.blocks)

    # ---- effects ----

    def end_block(self) -> None:
        """Record that the block that is being traced always raises."""
        if self._stack.blocks:
            self._stack.blocks[-1].raises = True

    def note_check(self, error: BaseException) -> None:
        """Record a check that raises an error when the program runs."""
        self._stack.checks.append(error)

    def begin_effect(self) -> None:
        """Raise HasEffects if one of the blocks must not have any."""
        for block in self._stack.blocks:
            if block.is_pure:
                raise HasEffects(block)

    def reached(self) -> Any:
        """Return whether Python would reach this place: True, or a bool scalar."""
        usable = self._usable()
        reached = self.none_failed()
        for trace, guard in self._stack.tests:
            if trace in usable:
                taken = self.truth(guard.test)
                reached = self.both(reached, taken if guard.outcome else self.not_(taken))
        return reached

    def none_failed(self) -> Any:
        """Return whether every check so far held: True, or a bool scalar."""
        usable = self._usable()
        blocks = [block for block in self._stack.blocks if block.trace in usable]
        holds: Any = True
        for block in blocks:
            holds = self.both(holds, block.failure < 1)
        return holds

    def fail(self, condition: object, number: int) -> None:
        """Record that the check of this number, above 0, fails where `condition` holds."""
        self.note(number if condition is True else self.select(condition, number, 0))

    def note(self, failure: object) -> None:
        """Record the number of a failed check, or 0, in the block that is being traced."""
        blocks = self._stack.blocks
        if blocks and blocks[-1].trace == self.trace():
            blocks[-1].failure = self.first(blocks[-1].failure, failure)

    # ---- scalars ----

    def first(self, a: Value, b: Value) -> Any:
        """Return the first of two numbers of failed checks that is not 0."""
        if type(a) is int:
            return b if a == 0 else a
        return a if type(b) is int and b == 0 else self.select(a < 1, b, a)

    def both(self, a: Value, b: Value) -> Any:
        """`a and b`, of bool scalars or Python bools."""
        if type(a) is bool:
            return b if a else False
        return a if b is True else self._conjoined(a, b)

    def not_(self, a: Value) -> Any:
        """`not a`, of a bool scalar or a Python bool."""
        return not a if type(a) is bool else self._negated(a)


def _too_early(check: BaseException, error: Exception) -> StagingError:
    """Create the error for a trace that ends with an error after a staged check."""
    return refusal(
        f"{type(error).__name__} ({error}) is raised while the program is traced, after a check "
        f"that may raise {type(check).__name__} when it runs: which of them is known only then, "
        "and the trace needs a result.",
        "Return a value where the check holds.",
        place=place_of(error),
    )

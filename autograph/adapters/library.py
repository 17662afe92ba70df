"""What the staging libraries that are not ours have in common.

An adapter derives its class from `Library` and says what its tensor library does differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.adapters.iterables import (
    Enumerate,
    Items,
    Listed,
    Map,
    Range,
    Reversed,
    Rows,
    Zip,
)
from autograph.adapters.loops import Ways, for_loop
from autograph.adapters.possibly import Possibly, negation
from autograph.adapters.refusals import no_other_way, refusal
from autograph.staging import register

Outputs = tuple[Any, ...]


def value_of(value: Any) -> Any:
    """The value; of a variable that may have none, what it holds. Raises StagingError."""
    return value.read() if isinstance(value, Possibly) else value


class Library:
    """A staging library; see `autograph.staging.StagingLibrary`.

    Args:
      ways: how the library stages statements.
      possibly: its class of variables that may have no value.
      is_array: whether a value is an array of it, traced or not.
      truth: gives the truth of a value as a bool scalar; raises StagingError if it has several.
      builtins: the built-in functions besides those that go through items.
    """

    arrays: str
    """What messages call several arrays."""

    def __init__(
        self,
        ways: Ways,
        possibly: type[Possibly],
        is_array: Callable[[Any], bool],
        truth: Callable[[Any], Any],
        builtins: Mapping[str, Callable[..., Any]],
    ) -> None:
        """Registers the classes that lead to this library."""
        self._ways = ways
        self._is_array = is_array
        self._truth = truth
        self._builtins: dict[str, Callable[..., Any]] = {
            **builtins,
            "bool": truth,
            "enumerate": self._enumerate,
            "map": self._map,
            "range": self._range,
            "reversed": self._reversed,
            "zip": self._zip,
        }
        # A class of its own leads from the items to the library.
        self._kinds = {
            kind: type(kind.__name__, (kind,), {"__doc__": kind.__doc__})
            for kind in (Range, Enumerate, Zip, Map, Reversed)
        }
        for kind in (possibly, *self._kinds.values()):
            register(kind, self)  # type: ignore[arg-type]

    # ---- what differs ----

    def negated(self, truth: Any) -> Any:
        """`not truth`, of a bool scalar."""
        raise NotImplementedError

    def stacked(self, items: Sequence[Any]) -> Any:
        """One array with these rows. Raises Unsettled."""
        raise NotImplementedError

    def flipped(self, array: Any) -> Any:
        """The array with its last row first."""
        raise NotImplementedError

    def count(self, start: Any, stop: Any, step: Any) -> Any:
        """The number of items of a range."""
        raise NotImplementedError

    def least(self, a: Any, b: Any) -> Any:
        """The smaller of two lengths, one of which is traced."""
        raise NotImplementedError

    # ---- control flow ----

    def stages(self, value: Any) -> bool:
        """Whether the value is traced, or made of what is traced."""
        return self._ways.is_traced(value) or isinstance(value, Items)

    def cond(
        self,
        test: Any,
        if_fn: Callable[[], Outputs],
        else_fn: Callable[[], Outputs],
        names: tuple[str, ...],
    ) -> Outputs:
        """The outputs of one of two branches."""
        return self._ways.cond(test, if_fn, else_fn, names)

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., Outputs],
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """The state after a loop."""
        with no_other_way():
            return self._ways.while_loop(test_fn, body_fn, init, names, options)

    def for_loop(
        self,
        iterable: Any,
        body_fn: Callable[..., Outputs],
        extra_test: Callable[..., Any] | None,
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """The state after a loop over items."""
        items = self.items(iterable)
        with no_other_way():
            return for_loop(self._ways, items, body_fn, extra_test, init, names, options)

    # ---- operators and built-in functions ----

    def and_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a and b()`."""
        return self.cond(a, lambda: (b(),), lambda: (a,), ("the result of `and`",))[0]

    def or_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a or b()`."""
        return self.cond(a, lambda: (a,), lambda: (b(),), ("the result of `or`",))[0]

    def not_(self, a: Any) -> Any:
        """`not a`."""
        value = value_of(a)
        return negation(value, self.negated(self._truth(value)))

    def builtin(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The built-in function on arrays; NotImplemented for Python's own."""
        function = self._builtins.get(name)
        if function is None:
            return NotImplemented
        return function(*map(value_of, args), **kwargs)

    # ---- what loops go through ----

    def items(self, value: Any) -> Items:
        """What a loop goes through. Raises StagingError if it does not tell how much that is."""
        value = value_of(value)
        if isinstance(value, Items):
            return value
        if self._is_array(value):
            return Rows(value)
        if isinstance(value, range):
            return Range(value.start, value.stop, value.step, lambda *_: len(value))
        if hasattr(value, "__len__") and hasattr(value, "__iter__"):
            sequence = value if isinstance(value, (list, tuple)) else list(value)
            return Listed(sequence, self.stacked)
        raise refusal(
            f"a {type(value).__name__} goes together with {self.arrays} in one loop, but it does "
            "not tell how many items it has.",
            "Make a list of it.",
        )

    def _range(self, *bounds: Any) -> Any:
        start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        return self._kinds[Range](start, stop, step, self.count)

    def _enumerate(self, iterable: Any, start: Any = 0) -> Any:
        return self._kinds[Enumerate](self.items(iterable), start)

    def _zip(self, *iterables: Any, strict: bool = False) -> Any:
        parts = [self.items(iterable) for iterable in iterables]
        lengths = [part.length() for part in parts]
        if strict and not all(isinstance(length, int) for length in lengths):
            raise refusal(
                "zip(strict=True) compares lengths that are known only when the program runs.",
                "Leave strict out.",
            )
        if strict and len(set(lengths)) > 1:
            raise ValueError(f"zip() arguments have different lengths: {lengths}")
        return self._kinds[Zip](parts, self._shortest)

    def _shortest(self, lengths: list[Any]) -> Any:
        least = lengths[0]
        for length in lengths[1:]:
            known = isinstance(least, int) and isinstance(length, int)
            least = min(least, length) if known else self.least(least, length)
        return least

    def _map(self, function: Callable[..., Any], *iterables: Any) -> Any:
        return self._kinds[Map](function, self._zip(*iterables))

    def _reversed(self, iterable: Any) -> Any:
        return self._kinds[Reversed](self.items(iterable), self.flipped)


def quantified(
    elements: Callable[[str, Any], Any], name: str, reduce: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """`any` or `all` of an array.

    Args:
      elements: an array of one dimension, of the value given to the function of that name.
      reduce: what the library calls it.
    """
    return lambda iterable: reduce(elements(name, iterable) != 0)

"""What the staging libraries that are not ours have in common.

An adapter derives its class from `Library` and says what its tensor library does differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from autograph.adapters import builtin_functions, mathematics, tables
from autograph.adapters.failures import FAILURE, Failures, HasEffects
from autograph.adapters.forms import Forms, FromNone, may_be_none
from autograph.adapters.iterables import (
    Items,
    Listed,
    Range,
    Rows,
)
from autograph.adapters.layout import flags_of
from autograph.adapters.loops import Test, Ways, for_loop, unrolled
from autograph.adapters.possibly import (
    Held,
    WeakGuard,
    assume,
    implying,
    negation,
    resolved,
    weak_outcomes,
)
from autograph.adapters.recursion import counted
from autograph.adapters.refusals import Unsettled, no_other_way, refusal
from autograph.errors import signals
from autograph.staging import CannotRoll, register, trace
from autograph.values import Value

Outputs = tuple[Any, ...]


def value_of(value: object) -> Any:
    """Return the value; of a variable that may have none, what it holds. Raises StagingError."""
    return value.read() if isinstance(value, Held) else value


class Library:
    """A staging library; see `autograph.staging.StagingLibrary`.

    Args:
      ways: how the library stages statements.
      failures: its checks.
      forms: of its arrays.
      is_array: whether a value is an array of it, traced or not.
      truth: gives the truth of a value as a bool scalar; raises StagingError if it has several.
      builtins: the built-in functions besides those that go through items.
      others: further classes of values that are traced.
    """

    arrays: str
    """What messages call several arrays."""

    namespace: Any = None
    """The library's functions, for those of `math`; None: these need numbers of Python."""

    several_truths: type[Exception] = TypeError
    """What the library raises for the truth of several elements."""

    tree_map: Callable[..., Any]
    """Calls a function with the leaves of structures, where there is a namespace."""

    needs_result = True

    def __init__(
        self,
        ways: Ways,
        failures: Failures,
        forms: Forms,
        is_array: Callable[[Any], bool],
        truth: Callable[[Any], Any],
        builtins: Mapping[str, Callable[..., Any]],
        others: tuple[type, ...] = (),
    ) -> None:
        """Register the classes that lead to this library."""
        self._ways = ways
        self.forms = forms
        self.failures = failures
        self.is_array = is_array
        self.truth = truth
        self._builtins = {**builtin_functions.functions(self), **builtins}
        # A class of its own leads from the items to the library.
        self.kinds = {
            kind: type(kind.__name__, (kind,), {"row": staticmethod(self.known_row)})
            for kind in builtin_functions.KINDS
        }
        self._others = (Items, *others)
        for kind in (forms.possibly, forms.maybe, *others, *self.kinds.values()):
            register(kind, self)  # type: ignore[arg-type]

    def called(self, function: FunctionType, target: Any) -> Any:
        """Count calls in branches and loops: they may be recursive."""
        return counted(self, function, target) if trace.depth else target

    # ---- what differs ----

    def negated(self, truth: object) -> Any:
        """`not truth`, of a bool scalar."""
        raise NotImplementedError

    def equal(self, a: object, b: object) -> Any:
        """`a == b`, of an array and an array or another value."""
        return a == b

    def shape(self, array: Any) -> Sequence[Any]:
        """Return the shape of an array."""
        return tuple(array.shape)

    def stacked(self, items: Sequence[Any]) -> Any:
        """One array with these rows. Raises Unsettled."""
        raise NotImplementedError

    def flipped(self, array: object) -> Any:
        """Return the array with its last row first."""
        raise NotImplementedError

    def count(self, start: object, stop: object, step: object) -> Any:
        """Return the number of items of a range."""
        raise NotImplementedError

    def least(self, a: object, b: object) -> Any:
        """Return the smaller of two lengths, one of which is traced."""
        raise NotImplementedError

    def scalar_index(self, index: object) -> Any:
        """Return an index as a signed integer scalar. Raises TypeError for other values."""
        raise NotImplementedError

    def stack(self, arrays: Sequence[Any]) -> Any:
        """One array with these rows, which have one shape and dtype."""
        raise NotImplementedError

    def row(self, array: object, position: object) -> Any:
        """Return the row at a position that is in range."""
        raise NotImplementedError

    def known_row(self, array: Any, position: int) -> Any:
        """Return the row at a position that is a number of Python."""
        return array[position]

    def with_row(self, array: object, position: object, row: object) -> Any:
        """Another array, with another row at a position that is in range."""
        raise NotImplementedError

    def set_array_item(self, array: object, index: object, value: object) -> Any:
        """What an array becomes by `array[index] = value`."""
        raise NotImplementedError

    def number(self, value: object) -> Any:
        """Return a number of Python, or an array of one element, as a scalar that is a float."""
        raise NotImplementedError

    def key_error(self, key: object) -> KeyError:
        """What Python raises for a key that a dict does not have."""
        return KeyError("the key is not in the dict")

    def rows_were_read(self, items: Sequence[Any], item: object) -> None:
        """Called with an item that was read from several at a traced index."""

    def rows_were_replaced(self, olds: Sequence[Any], value: object, news: Sequence[Any]) -> None:
        """Called with the items before and after the one at a traced index became `value`."""

    def fail_when(self, condition: object, error: BaseException) -> None:
        """Raise when the program runs; `condition` holds only where Python gets there."""
        raise NotImplementedError

    def after_statement(self, failure: object) -> None:
        """Called after a staged statement, with the number of its first failed check or 0."""

    # ---- control flow ----

    def stages(self, value: object) -> bool:
        """Return whether the value is traced, or made of what is traced."""
        return self._ways.is_traced(value) or isinstance(value, self._others)

    def represents_bool(self, value: object) -> bool | None:
        """Return whether a value represents a bool of Python; None: it may."""
        form = None if isinstance(value, Items) else self.forms.of(value_of(value))
        is_bool = form is not None and form.described() == "bool[]"
        return None if is_bool else False

    def cond(
        self,
        test: object,
        if_fn: Callable[[], Outputs],
        else_fn: Callable[[], Outputs],
        names: tuple[str, ...],
    ) -> Outputs:
        """Return the outputs of one of two branches."""

        left = set()

        def outputs(branch: Callable[[], Outputs], outcome: bool) -> Outputs:
            with self.failures.block() as block:
                values = resolved(branch())
            if not block.raises:
                left.add(outcome)
            return (block.failure, *values)

        if_outputs, else_outputs = partial(outputs, if_fn, True), partial(outputs, else_fn, False)
        found = self._noted(self._ways.cond(test, if_outputs, else_outputs, (FAILURE, *names)))
        if len(left) == 1:  # what follows runs only after this branch
            assume(test, *left)
        return found

    def _noted(self, outputs: Outputs) -> Outputs:
        failure, *values = outputs
        self.failures.note(failure)
        self.after_statement(failure)
        return tuple(values)

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., Outputs],
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """Return the state after a loop."""
        test_fn = self._unless_failed(test_fn) or test_fn

        def loop(names: tuple[str, ...]) -> Outputs:
            try:
                with self.failures.block(is_pure=True) as block:
                    return self._ways.while_loop(test_fn, body_fn, init, names, options)
            except HasEffects as found:
                if found.block is not block:
                    raise
            return self._while_with_effects(test_fn, body_fn, init, names, options)

        return _settled(loop, init, names)

    def _unless_failed(self, test_fn: Test | None) -> Test | None:
        """Return the test of a loop that does not run if a check before it failed."""
        holds = self.failures.none_failed()
        if holds is True:
            return test_fn
        if test_fn is None:
            return lambda *state: holds
        return lambda *state: self.failures.both(holds, self.truth(test_fn(*state)))

    def _while_with_effects(
        self,
        test_fn: Test,
        body_fn: Callable[..., Outputs],
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """Stage a loop that carries the outcome of its test, which is evaluated in the body."""
        failures = self.failures
        ended: list[tuple[int, bool]] = []

        def body(go_on: object, failure: object, *state: object) -> Outputs:
            with failures.given(go_on, True), failures.block() as block:
                after = resolved(body_fn(*state))
                test = test_fn(*after)
                ended[:] = flags_of(after, test, False)
                more = self.truth(test)
            more = failures.both(more, block.failure < 1)
            return (more, failures.first(failure, block.failure), *after)

        first = self.truth(test_fn(*init))
        named = ("the test of the loop", FAILURE, *names)
        outputs = self._ways.while_loop(_first, body, (first, 0, *init), named, options)
        after = self._noted(outputs[1:])
        for position, outcome in ended:
            assume(after[position], outcome)
        return after

    def for_loop(
        self,
        iterable: object,
        body_fn: Callable[..., Outputs],
        extra_test: Callable[..., Any] | None,
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """Return the state after a loop over items."""
        items = self.items(iterable)
        if not isinstance(items.length(), int):
            extra_test = self._unless_failed(extra_test)

        def loop(names: tuple[str, ...]) -> Outputs:
            return self._with_or_without_effects(
                partial(self._for, items), body_fn, extra_test, init, names, options
            )

        return _settled(loop, init, names)

    def roll_for(
        self,
        items: range,
        body_fn: Callable[..., Outputs],
        extra_test: Test | None,
        init: Outputs,
        names: tuple[str, ...],
        numbers: Mapping[int, Sequence[Any]],
    ) -> Outputs:
        """One staged loop in place of a Python loop; see `Ways.rolled`."""
        way = self._ways.rolled
        if way is None:
            raise CannotRoll

        def loop(
            body_fn: Callable[..., Any],
            test_fn: Test | None,
            init: Outputs,
            names: tuple[str, ...],
            *_: object,
        ) -> Outputs:
            added = len(init) - carried
            moved = {position + added: values for position, values in numbers.items()}
            return way(items, body_fn, test_fn, init, names, moved)

        carried = len(init)
        return self._with_or_without_effects(loop, body_fn, extra_test, init, names, {})

    def _with_or_without_effects(
        self, loop: Callable[..., Outputs], body_fn: Callable[..., Outputs], *others: Any
    ) -> Outputs:
        """Stage a loop, which carries the number of its first failed check if it has checks."""
        try:
            with self.failures.block(is_pure=True) as block:
                return loop(body_fn, *others)
        except HasEffects as found:
            if found.block is not block:
                raise
        return self._for_with_effects(loop, body_fn, *others)

    @property
    def ways(self) -> Ways:
        """How statements inside of a statement are staged: with its checks."""
        return self._ways._replace(cond=self.cond)

    def _for(self, items: Items, *loop: Any) -> Outputs:
        return for_loop(self.ways, items, *loop)

    def _for_with_effects(
        self,
        loop: Callable[..., Outputs],
        body_fn: Callable[..., Outputs],
        extra_test: Test | None,
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """Stage a loop that ends when a check fails.

        Where it is unrolled, and has no other test, its checks are those of the statement around
        it, as in a loop over a list: a list that grows would be as long as no check decides.
        """
        failures = self.failures

        def test(failure: Value, *state: object) -> Any:
            more = True if extra_test is None else self.truth(extra_test(*state))
            return failures.both(more, failure < 1)

        def body(item: object, failure: object, *state: object) -> Outputs:
            with failures.block() as block:
                after = resolved(body_fn(item, *state))
            return (failures.first(failure, block.failure), *after)

        def rest(items: Items, start: int, stop: int, state: Outputs) -> Outputs:
            values = self._noted(state)
            return (0, *unrolled(self.ways, items, start, stop, body_fn, None, values, names))

        one_by_one = rest if extra_test is None else None
        return self._noted(loop(body, test, (0, *init), (FAILURE, *names), options, one_by_one))

    # ---- checks ----

    def assert_(self, test: object, message: Callable[[], Any]) -> None:
        """A check that raises AssertionError when the program runs."""
        try:
            error: Exception = AssertionError(message())
        except Exception as raised:
            error = raised
        self.raise_when(self.failures.not_(self.truth(test)), error)
        assume(test, True)

    def raise_when(self, condition: object, error: BaseException) -> None:
        """Raise the error when the program runs and gets there, where the condition holds."""
        self.failures.begin_effect()
        holds = self.failures.both(self.truth(condition), self.failures.reached())
        if holds is not False:
            self.failures.note_check(error)
            self.fail_when(holds, error)

    def raise_here(self, error: BaseException) -> None:
        """Raise the error when the program runs and gets there."""
        self.raise_when(True, error)
        self.failures.end_block()

    # ---- text ----

    def text(self, value: object, conversion: str, spec: object) -> Any:
        """Refuse a text that only the running program knows."""
        raise refusal(
            f"{self.arrays} would become text, but their values are known when the program runs.",
            "Leave it out of the text, or return the value and make the text outside.",
        )

    def join_text(self, parts: Sequence[Any]) -> Any:
        """Return the text of the parts, which are strings."""
        return "".join(parts)

    def print_text(self, text: object, stream: str) -> None:
        """Refuse what is printed in a staged statement."""
        raise refusal(
            "`print` is in a staged branch or loop, and the staged program prints nothing.",
            "Return the value, and print it outside of the program.",
        )

    # ---- operators and built-in functions ----

    def and_(self, a: object, b: Callable[[], Any]) -> Any:
        """`a and b()`."""
        told: list[WeakGuard] = []
        result = self.cond(
            a, lambda: (_told(b(), True, told),), lambda: (a,), ("the result of `and`",)
        )[0]
        return implying(result, True, [*weak_outcomes(a, True), *told])

    def or_(self, a: object, b: Callable[[], Any]) -> Any:
        """`a or b()`."""
        told: list[WeakGuard] = []
        result = self.cond(
            a, lambda: (a,), lambda: (_told(b(), False, told),), ("the result of `or`",)
        )[0]
        return implying(result, False, [*weak_outcomes(a, False), *told])

    def not_(self, a: object) -> Any:
        """`not a`."""
        value = value_of(a)
        return negation(value, self.negated(self.truth(value)))

    def builtin(self, name: str, *args: object, **kwargs: object) -> Any:
        """Call the built-in function on arrays; NotImplemented for Python's own."""
        function = self._builtins.get(name)
        if function is not None:
            return function(*map(value_of, args), **kwargs)
        _, _, of_math = name.partition("math.")
        if self.namespace is None or of_math not in mathematics.FUNCTIONS:
            return NotImplemented
        if trace.rolling:
            raise CannotRoll  # Python would compute in double precision
        numbers = [self.number(value_of(each)) for each in args]
        result = mathematics.call(of_math, self.namespace, numbers, self.raise_when, **kwargs)
        return self._builtins["int"](result) if of_math in mathematics.INTEGERS else result

    def chosen_between(self, *values: Any) -> Sequence[Any]:
        """Return two values as the `where` of the library takes them."""
        return values

    def disjoined(self, a: Any, b: Any) -> Any:
        """`a or b`, of bool scalars."""
        return a | b

    def either(self, a: object, b: object) -> Any:
        """`a or b`, of bool scalars or Python bools."""
        if type(a) is bool:
            return True if a else b
        return a if b is False else self.disjoined(a, b)

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""
        container, item = value_of(container), value_of(item)
        if isinstance(container, str):
            return item in container
        found: Any = False
        for member in self.members(container):
            same = True if member is item else self.truth(self.equal(member, item))
            found = self.either(found, same)
        return found

    def members(self, container: Any) -> Iterable[Any]:
        """What `in` compares, of a container that is no string."""
        return container

    # ---- items ----

    def get_item(self, target: object, index: object) -> Any:
        """`target[index]` of a container of Python's, with a traced index."""
        return tables.get_item(self, target, _index_of(index))

    def set_item(self, target: object, index: object, value: object) -> Any:
        """What an array, or a container of Python's, becomes by `target[index] = value`."""
        target, index, value = value_of(target), _index_of(index), value_of(value)
        if self.is_array(target):
            return self.set_array_item(target, index, value)
        return tables.set_item(self, target, index, value)

    def call_method(self, target: object, name: str, *args: object, **kwargs: object) -> Any:
        """Call a container method with traced values."""
        if kwargs or not args or not self._ways.is_traced(args[0]):
            return NotImplemented
        return tables.call_method(self, target, name, *map(value_of, args))

    # ---- what loops go through ----

    def items(self, value: object) -> Items:
        """What a loop goes through. Raises StagingError if it does not tell how much that is."""
        value = value_of(value)
        if isinstance(value, Items):
            return value
        if self.is_array(value):
            return self.kinds[Rows](value, self.shape(value))
        if isinstance(value, range):
            return self.kinds[Range](value.start, value.stop, value.step, lambda *_: len(value))
        if hasattr(value, "__len__") and hasattr(value, "__iter__"):
            sequence = value if isinstance(value, (list, tuple)) else list(value)
            return self.kinds[Listed](sequence, self.stacked)
        raise refusal(
            f"a {type(value).__name__} goes together with {self.arrays} in one loop, but it does "
            "not tell how many items it has.",
            "Make a list of it.",
        )


def _told(value: Any, outcome: bool, guards: list[WeakGuard]) -> Any:
    """Add what is known if a value has an outcome; return the value."""
    guards += weak_outcomes(value, outcome)
    return value


def _settled(
    loop: Callable[[tuple[str, ...]], Outputs], init: Outputs, names: tuple[str, ...]
) -> Outputs:
    """Return the state after a loop; if nothing else will do, what starts as None is optional."""
    mark = signals.mark()
    with no_other_way():
        try:
            return loop(names)
        except Unsettled:
            pairs = list(zip(init, names, strict=True))
            optional = [value is None and may_be_none(name) for value, name in pairs]
            if not any(optional):
                raise
            signals.forget(mark)
            named = zip(optional, names, strict=True)
            return loop(tuple(FromNone(name) if is_it else name for is_it, name in named))


def _index_of(index: object) -> Any:
    if isinstance(index, tuple):
        return tuple(map(value_of, index))
    return value_of(index)


def _first(value: object, *_: object) -> Any:
    return value

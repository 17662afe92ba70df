"""A tensor library of one page, to see what the operators ask of a library.

A `Value` is known only "when the program runs": its truth cannot be asked for. The library runs
the program at once, and writes down what it was asked to stage.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph


class Library:
    name = "tiny"

    def __init__(self) -> None:
        self.staged: list[str] = []

    def stages(self, value: Any) -> bool:
        return True

    def cond(self, test: Any, if_fn: Any, else_fn: Any, names: tuple[str, ...]) -> Any:
        self.staged.append(f"cond {', '.join(names)}")
        outputs = if_fn(), else_fn()
        assert len(outputs[0]) == len(outputs[1]) == len(names)
        return outputs[0] if test.held else outputs[1]

    def while_loop(
        self, test_fn: Any, body_fn: Any, init: Any, names: tuple[str, ...], options: Any
    ) -> Any:
        self.staged.append(f"while {', '.join(names)} {dict(options) or ''}".rstrip())
        state = init
        while test_fn(*state).held:
            state = body_fn(*state)
        return state

    def for_loop(
        self,
        iterable: Any,
        body_fn: Any,
        extra_test: Any,
        init: Any,
        names: tuple[str, ...],
        options: Any,
    ) -> Any:
        self.staged.append(f"for {', '.join(names)} {dict(options) or ''}".rstrip())
        state = init
        for item in iterable.held:
            state = body_fn(Value(item), *state)
            if extra_test is not None and not held(extra_test(*state)):
                break
        return state

    def and_(self, a: Any, b: Callable[[], Any]) -> Any:
        self.staged.append("and")
        return Value(a.held and held(b()))

    def or_(self, a: Any, b: Callable[[], Any]) -> Any:
        self.staged.append("or")
        return Value(a.held or held(b()))

    def not_(self, a: Any) -> Any:
        self.staged.append("not")
        return Value(not a.held)

    def contains(self, container: Any, item: Any) -> Any:
        self.staged.append("in")
        return Value(held(item) in map(held, held(container)))

    def assert_(self, test: Any, message: Callable[[], Any]) -> None:
        self.staged.append("assert")
        if not test.held:
            raise AssertionError(f"when it ran: {message()}")

    def raise_when(self, condition: Any, error: BaseException) -> None:
        self.staged.append(f"raise {type(error).__name__}")
        if condition.held:
            raise error

    def builtin(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if name != "len":
            return NotImplemented
        self.staged.append(name)
        return Value(len(args[0].held))

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        self.staged.append("set_item")
        changed = list(target.held)
        changed[held(index)] = held(value)
        return Value(changed)


LIBRARY = Library()


def held(value: Any) -> Any:
    return value.held if isinstance(value, Value) else value


class Value:
    __autograph_staging__ = LIBRARY

    def __init__(self, held: Any) -> None:
        self.held = held

    def __bool__(self) -> bool:
        raise TypeError("the truth of a Value is known only when the program runs")

    def __iter__(self) -> Any:
        raise TypeError("the items of a Value are known only when the program runs")

    def __getitem__(self, index: Any) -> Value:
        return Value(self.held[held(index)])

    def __repr__(self) -> str:
        return f"Value({self.held!r})"

    def __hash__(self) -> int:
        return hash(self.held)


def _operator(name: str) -> Callable[[Value, Any], Value]:
    def apply(self: Value, other: Any) -> Value:
        return Value(getattr(self.held, name)(held(other)))

    return apply


for _name in ("add", "sub", "mul", "lt", "le", "gt", "ge", "eq", "ne", "mod", "floordiv", "radd"):
    setattr(Value, f"__{_name}__", _operator(f"__{_name}__"))


def run(text: str, *args: Any) -> Any:
    """Call the converted function `f` of a text; a Value comes back as what it holds."""
    function = autograph.to_graph(autograph.exec(text)["f"])
    return unwrapped(function(*args))


def unwrapped(result: Any) -> Any:
    if isinstance(result, Value):
        return result.held
    if isinstance(result, tuple | list):
        return type(result)(map(unwrapped, result))
    return result

"""What Python itself calls in classes of the user's is staged as well, and agrees with eager."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.conversion.guard import is_adopted

XS = (-8, 0, 3, 6, 12)


def agrees(function: Callable[..., Any], values: tuple[int, ...] = XS) -> None:
    """Eager and traced give the same for each value, with a single graph."""
    traced = tf.function(function)
    for value in values:
        expected = function(tf.constant(value))
        np.testing.assert_array_equal(traced(tf.constant(value)), expected)
    assert traced.experimental_get_tracing_count() == 1


class Vec:
    def __init__(self, x: Any) -> None:
        if x > 0:
            self.x = x
        else:
            self.x = -x

    @property
    def big(self) -> Any:
        if self.x > 10:
            return tf.constant(1)
        return tf.constant(0)

    @big.setter
    def big(self, value: Any) -> None:
        if value > 5:
            self.x = value
        else:
            self.x = value * 10

    @big.deleter
    def big(self) -> None:
        if self.x > 3:
            self.x = self.x - 3

    @functools.cached_property
    def half(self) -> Any:
        if self.x > 5:
            return self.x // 2
        return self.x

    def __add__(self, other: Any) -> Any:
        x = self.x
        if other.x > 5:
            x = x + other.x
        return Vec(x)

    def __radd__(self, other: Any) -> Any:
        return other + self.x if self.x > 4 else other - self.x

    def __iadd__(self, other: Any) -> Any:
        if other > 2:
            self.x = self.x + other
        return self

    def __neg__(self) -> Any:
        return -self.x if self.x > 5 else self.x

    def __lt__(self, other: Any) -> Any:
        return other.x > 100 if self.x > 5 else self.x < other.x

    def __eq__(self, other: object) -> Any:
        return self.x == 3 if self.x > 2 else self.x == 0

    def __getitem__(self, index: int) -> Any:
        return self.x + index if self.x > 4 else self.x - index

    def __setitem__(self, index: int, value: Any) -> None:
        if value > 4:
            self.x = value + index
        else:
            self.x = value - index

    def __enter__(self) -> Any:
        return self.x if self.x > 4 else -self.x

    def __exit__(self, *error: object) -> None:
        if self.x > 4:
            self.x = self.x + 1

    def __getattr__(self, name: str) -> Any:
        if name == "x" or name.startswith("_"):
            raise AttributeError(name)
        return self.x if self.x > 5 else 0 * self.x

    def __call__(self, y: Any) -> Any:
        return self.x + y if y > 4 else self.x

    def __matmul__(self, other: Any) -> Any:
        if other.x > 5:
            return self.x + other.x
        return self.x


def test_constructor_operator_and_property() -> None:
    def f(x: Any) -> Any:
        v = Vec(x) + Vec(x)
        return v.x + v.big

    agrees(f)


def test_setter_and_deleter() -> None:
    def f(x: Any) -> Any:
        v = Vec(x)
        v.big = x + 1
        before = v.x
        del v.big
        return before * 100 + v.x

    agrees(f)


USES: dict[str, Callable[[Any, Any], Any]] = {
    "cached property": lambda v, x: v.half + v.half,
    "reflected": lambda v, x: 1 + v,
    "in place": lambda v, x: v.__iadd__(x).x,
    "unary": lambda v, x: -v,
    "less": lambda v, x: v < Vec(x + 1),
    "equal": lambda v, x: v == 3,
    "item": lambda v, x: v[2],
    "missing attribute": lambda v, x: v.missing + v.other,
    "object that is called": lambda v, x: v(x),
    "called by a built-in": lambda v, x: list(map(v, [x, x + 1]))[1],
    "results of both branches": lambda v, x: v @ Vec(x + 2),
}


@pytest.mark.parametrize("use", USES)
def test_operators(use: str) -> None:
    agrees(lambda x: USES[use](Vec(x), x))


def test_statements_that_call_methods() -> None:
    def f(x: Any) -> Any:
        v = Vec(x)
        v += x
        v[1] = x + v.x
        with v as entered:
            inside = entered + v.x
        return inside * 1000 + v.x

    agrees(f)


class Counting:
    """An iterator over tensors."""

    def __init__(self, x: Any) -> None:
        self.x = x
        self.count = 0

    def __iter__(self) -> Iterator[Any]:
        if self.x > 3:
            self.x = self.x * 2
        return self

    def __next__(self) -> Any:
        self.count += 1
        if self.count > 3:
            raise StopIteration
        if self.x > 5:
            return self.x
        return self.x + self.count


def test_iteration() -> None:
    def f(x: Any) -> Any:
        total = x
        for item in Counting(x):
            total = total + item
        return total + sum(list(Counting(x)))

    agrees(f)


class Truth:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __bool__(self) -> Any:
        if self.x > 3:
            return self.x > 5
        return self.x > 1


def test_truth_of_an_object_is_what_its_method_computes() -> None:
    def f(x: Any) -> Any:
        return 1 if Truth(x) else 2

    assert [tf.function(f)(tf.constant(x)).numpy() for x in range(8)] == [*map(f, range(8))]


@dataclass
class Point:
    x: Any
    y: Any = field(default=0)
    norm: Any = field(init=False, default=0)

    def __post_init__(self) -> None:
        if self.x > 0:
            self.norm = self.x + self.y
        else:
            self.norm = self.y - self.x

    def __mul__(self, factor: Any) -> Any:
        if factor > 2:
            return Point(self.x * factor, self.y)
        return Point(self.x, self.y)


def test_dataclass() -> None:
    generated = Point.__init__.__code__

    def f(x: Any) -> Any:
        point = Point(x, 2) * x
        return point.norm + point.x

    agrees(f)
    assert Point.__init__.__code__ is generated
    assert is_adopted(vars(Point)["__post_init__"])


class Slots:
    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x if x > 0 else -x

    def __add__(self, other: int) -> Any:
        return self.x + other if self.x > 4 else self.x


class Loud:
    """A mixin."""

    x: Any

    def __invert__(self) -> Any:
        if self.x > 5:
            return self.x * 1000
        return self.x


class Derived(Slots, Loud):
    __slots__ = ("more",)

    def __init__(self, x: Any) -> None:
        super().__init__(x)
        if x > 3:
            self.more = x
        else:
            self.more = x + 1

    def __add__(self, other: int) -> Any:
        before = super().__add__(other)
        return before + self.more if self.more > 5 else before


def test_slots_super_and_mixins() -> None:
    def f(x: Any) -> Any:
        d = Derived(x)
        return d + 3 + ~d

    agrees(f)


class Meta(type):
    def __getitem__(cls, x: Any) -> Any:
        return cls(x) if isinstance(x, int) else cls(x + 1)

    def __matmul__(cls, x: Any) -> Any:
        return x + 1 if x > 3 else x

    @property
    def level(cls) -> int:
        return 3


class Made(metaclass=Meta):
    __start: Any

    @staticmethod
    def __new__(cls, x: Any) -> Any:
        self = super().__new__(cls)
        self.__start = x if x > 0 else -x
        return self

    @classmethod
    def make(cls, x: Any) -> Any:
        return cls(x) if cls.level else None

    @property
    def start(self) -> Any:
        if self.__start > 5:
            return self.__start
        return self.__start * 3


def test_metaclass_new_and_private_names() -> None:
    agrees(lambda x: Made[x].start + Made.make(x).start + (Made @ x))


class Described:
    """A descriptor."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        return instance.x if instance.x > 3 else instance.x - 1


class Model:
    """Met as an argument, with what it holds."""

    shown = Described()

    def __init__(self, layers: list[Any]) -> None:
        self.x = tf.constant(4)
        self.layers = {"all": layers}

    def __call__(self, x: Any) -> Any:
        return x + self.shown


class Layer:
    def __init__(self, scale: int) -> None:
        self.scale = scale

    def __rmul__(self, x: Any) -> Any:
        return x * self.scale if x > 3 else x

    @property
    def doubled(self) -> Any:
        return self.scale * 2 if tf.constant(self.scale) > 2 else self.scale


MODEL = Model([Layer(5)])


@tf.function
def through_argument(model: Model, x: Any) -> Any:
    return model.shown + model.layers["all"][0].doubled + x


@tf.function
def through_global(x: Any) -> Any:
    return MODEL.shown + MODEL.layers["all"][0].doubled + x


def test_values_held_by_arguments_and_globals() -> None:
    own = Model([Layer(3)])
    assert int(through_argument(own, tf.constant(1))) == 11
    assert int(through_global(tf.constant(1))) == 15


def test_values_held_by_closures() -> None:
    class Local:
        @property
        def value(self) -> Any:
            return x if x > 3 else -x

    x = tf.constant(3)
    held = Local()
    assert int(tf.function(lambda: held.value)()) == -3


def test_branches_that_return_different_objects_are_refused_by_name() -> None:
    class Pair(Vec):
        def __add__(self, other: Any) -> Any:
            if other.x > 5:
                return Vec(other.x)
            return Pair(self.x)

    @tf.function
    def f(x: Any) -> Any:
        return (Pair(x) + Pair(x)).x

    with pytest.raises(
        TypeError, match=r"(?s)`return value`.*Vec.*Pair.*in __add__|Pair"
    ) as caught:
        f(tf.constant(3))
    assert "if other.x > 5" in str(caught.value) or "test_user_classes" in str(caught.value)


@functools.total_ordering
class Ordered:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, other: object) -> Any:
        return self.x == other.x if self.x > 0 else self.x < 0  # type: ignore[attr-defined]

    def __lt__(self, other: Any) -> Any:
        return self.x < other.x if self.x > 0 else self.x > other.x


def test_total_ordering() -> None:
    agrees(lambda x: Ordered(x) < Ordered(x + 1))
    agrees(lambda x: Ordered(x) >= Ordered(x + 1))
    agrees(lambda x: Ordered(x) > Ordered(6) or Ordered(x) <= Ordered(-8))


@functools.singledispatch
def cost(item: Any) -> Any:
    return 0


@cost.register(list)
def cost_of_list(items: Any) -> Any:
    return items[0] if items[0] > 3 else -1


class Counted:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Counted):
            return other == 3
        return self.x == other.x if self.x > 0 else self.x == -3

    def __lt__(self, other: object) -> Any:
        return self.x < 3 and self != other

    @functools.singledispatchmethod
    def add(self, item: Any) -> None:
        if self.x > 3:
            self.x += 1

    @add.register
    def _(self, item: list) -> None:  # type: ignore[type-arg]
        if item[0] > 3:
            self.x += item[0]


def test_singledispatch() -> None:
    agrees(lambda x: cost([x]) + cost(None))

    def program(x: Any) -> Any:
        counted = Counted(x)
        counted.add([x])
        counted.add(None)
        return counted.x

    agrees(program)
    agrees(lambda x: cost([x] if x > 0 else [x + 20]))


def test_a_method_negates_the_equality_of_the_program() -> None:
    agrees(lambda x: Counted(x) < Counted(-8))
    agrees(lambda x: Counted(x) < 3)

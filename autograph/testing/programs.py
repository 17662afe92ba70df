"""The programs of `check_library`, as users write them.

They are loaded as a module of a user: functions of `autograph` itself run unconverted.
"""

# ruff: noqa: D103, SIM108

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]

CASES: dict[Function, tuple[tuple[Any, ...], ...]] = {}
"""The arguments that each program is run on: numbers, and lists of numbers for arrays."""


def _program(*cases: tuple[Any, ...]) -> Callable[[Function], Function]:
    def add(function: Function) -> Function:
        CASES[function] = cases
        return function

    return add


@_program((2.0,), (-3.0,))
def absolute(x: Any) -> Any:
    if x > 0:
        return x
    return -x


@_program((0.5,), (5.0,), (50.0,))
def three_ways(x: Any) -> Any:
    if x < 1:
        y = x * 2
    elif x < 10:
        y = x + 1
    else:
        y = x - 1
    return y


@_program((1.0, 2.0), (2.0, 1.0))
def two_variables(x: Any, y: Any) -> Any:
    if x > y:
        x, y = y, x
    return x, y


@_program((1,), (-1,))
def number_or_float(n: Any) -> Any:
    y: Any = 1
    if n > 0:
        y = 2.5
    return y


@_program((2.0,), (0.1,))
def expression(x: Any) -> Any:
    return (x if x > 1 else 1.0) * 3


@_program((2.0,), (-2.0,), (9.0,))
def and_or_not(x: Any) -> Any:
    if (x > 0 and not x > 5) or x < -5:
        return x or 1.0
    return x and 3.0


@_program((3,), (30,))
def chained(n: Any) -> Any:
    return 1 if 0 < n < 10 else 2


@_program((4.0,), (-4.0,))
def one_branch_assigns(x: Any) -> Any:
    scale = 1.0
    if x > 0:
        half = x / 2
        scale = half * half
    return scale


@_program((3.0,), (0.5,), (-1.0,))
def nested(x: Any) -> Any:
    if x > 0:
        if x > 1:
            return x * 10
        x += 1
    return x


@_program((6.0,), (600.0,))
def doubling(x: Any) -> Any:
    while x < 100:
        x = x * 2
    return x


@_program((6,), (27,))
def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@_program((2.0,), (50.0,))
def newton(x: Any) -> Any:
    guess = x
    while abs(guess * guess - x) > 0.0001:
        guess = (guess + x / guess) / 2
    return guess


@_program((48, 36), (7, 3))
def gcd(a: Any, b: Any) -> Any:
    while b != 0:
        a, b = b, a % b
    return a


@_program((5,), (0,))
def counts(n: Any) -> Any:
    total = 0
    for i in range(n):
        total = total + i
    return total


@_program((7,), (2,))
def skips(n: Any) -> Any:
    total = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        total += i
    return total


@_program(([1.0, 2.0, -1.0, 4.0],), ([1.0, 2.0],))
def until_negative(xs: Any) -> Any:
    total = 0.0
    for x in xs:
        if x < 0:
            break
        total += x
    return total


@_program(([1.0, -2.0, 3.0],), ([1.0, 2.0],))
def first_negative(xs: Any) -> Any:
    for x in xs:
        if x < 0:
            return x
    return 0.0


@_program(([3.0, 1.0, 2.0],), ([1.0, 5.0, 4.0],))
def largest(xs: Any) -> Any:
    best = xs[0]
    for x in xs:
        if x > best:
            best = x
    return best


@_program(([3.0, 1.0],), ([1.0, 3.0],))
def loop_else(xs: Any) -> Any:
    for x in xs:
        if x > 10:
            found = 1
            break
    else:
        found = 0
    return found


@_program(([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]))
def dot(xs: Any, ys: Any) -> Any:
    total = 0.0
    for x, y in zip(xs, ys, strict=False):
        total = total + x * y
    return total


@_program(([1.0, -2.0, 3.0],), ([10.0, -2.0, 3.0],))
def weighted(xs: Any) -> Any:
    total = 0.0
    for i, x in enumerate(xs):
        assert x < 9, "large"
        total += i * x
    return total


@_program((3,), (9,))
def while_true(n: Any) -> Any:
    count = 0
    while True:
        count += 2
        if count > n:
            return count


@_program((4, 3))
def loops_in_loops(a: Any, b: Any) -> Any:
    total = 0
    for i in range(a):
        j = 0
        while j < b:
            total = total + i * j
            j = j + 1
    return total


@_program((1.0, 0.1), (3.0, 0.1))
def structures(x: Any, rate: Any) -> Any:
    state = {"x": x, "steps": 0}
    while state["x"] > 0.5:
        state["x"] = state["x"] * (1 - rate)
        state["steps"] = state["steps"] + 1
    return state


class _Counter:
    def __init__(self) -> None:
        self.total: Any = 0.0

    def add(self, x: Any) -> None:
        if x > 0:
            self.total = self.total + x


@_program(([1.0, -2.0, 3.0],))
def objects(xs: Any) -> Any:
    counter = _Counter()
    for i in range(3):
        counter.add(xs[i])
    return counter.total


@_program((2.0,), (-2.0,))
def closures(x: object) -> Any:
    calls = 0

    def step(value: Any) -> Any:
        nonlocal calls
        if value > 0:
            calls = calls + 1
            return value / 2
        return value

    return step(step(x)), calls


@_program((2.0,), (-2.0,))
def asserts(x: Any) -> Any:
    assert x > 0, "not positive"
    return x * 2


@_program((2.0,), (-2.0,))
def raises(x: Any) -> Any:
    if x < 0:
        raise ValueError("negative")
    return x * 2


@_program((0.5, 1.5), (3.0, 2.0))
def extremes(x: Any, y: Any) -> Any:
    return max(x, y) - min(x, 1.0)


@_program((1.0,), (4.0,))
def bisection(target: Any) -> Any:
    low, high = 0.0, 10.0
    while high - low > 0.001:
        middle = (low + high) / 2
        if middle * middle < target:
            low = middle
        else:
            high = middle
    return low

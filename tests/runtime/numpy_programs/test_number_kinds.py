"""A number that is an int of NumPy on one way and a float on another stays one of both."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import Program, check_refused, difference, each

NUMBERS = np.array([5, 3, 9, 1, 4])


def least(x):
    best = np.inf
    for number in x:
        if number < best:
            best = number
    return best


def least_and_its_place(x):
    best, place = np.inf, -1
    for i in range(len(x)):
        if x[i] < best:
            best, place = x[i], i
    return best, place


def least_by_min(x):
    best = float("inf")
    for number in x:
        best = min(best, number)
    return best


def largest_below(x, limit):
    best = -math.inf
    for number in x:
        if number < limit:
            best = max(best, number)
    return best


def two_largest(x):
    first = second = -np.inf
    for number in x:
        if number > first:
            second = first
            first = number
        elif number > second:
            second = number
    return first, second


def closest(x):
    best, pair = np.inf, (-1, -1)
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            distance = abs(x[i] - x[j])
            if distance < best:
                best = distance
                pair = i, j
    return pair, best


def gain(x):
    low, best = float("inf"), 0
    for price in x:
        if price < low:
            low = price
        elif price - low > best:
            best = price - low
    return best


def computes_with_it(x, limit):
    best = np.inf
    for number in x:
        if number > limit and number < best:
            best = number
    return best + 1, best * 2, -best, abs(best), best, [best], best is None


def functions_of_it(x, limit):
    best = np.inf
    for number in x:
        if number > limit and number < best:
            best = number
    return np.isinf(best), np.sqrt(best), x < best, f"{best}", float(best)


def stores_it(m):
    out, whole = np.zeros(len(m)), np.zeros(len(m), int)
    for i in range(len(m)):
        best = np.inf
        for j in range(m.shape[1]):
            if m[i, j] < best:
                best = m[i, j]
        out[i] = best
        whole[i] = best
    return out, whole


def adds_it(m):
    total = 0
    for i in range(len(m)):
        best = np.inf
        for j in range(m.shape[1]):
            if m[i, j] < best:
                best = m[i, j]
        total += best
    return total


def adds_it_to_itself(x):
    best = np.inf
    for number in x:
        if number < best:
            best = number
    return best + best, 0 + best + best, sum([best, best])


def best_pair(x):
    best = np.inf, -1
    for i in range(len(x)):
        if x[i] < best[0]:
            best = x[i], i
    return best


def int_or_half(x, limit):
    number = x[0] if x[0] > limit else 0.5
    return number, number * 2, np.sqrt(number), max(number, 0.25), number // 1


def none_or_number(x, limit):
    found = None
    for number in x:
        if number > limit:
            found = number
    return np.array([1, 2]) + found, np.sqrt(found)


@each(
    (least, (NUMBERS,)),
    (least, (NUMBERS[:0],)),
    (least, (NUMBERS[:1].astype(np.int32),)),
    (least, (NUMBERS * 0.5,)),
    (least_and_its_place, (NUMBERS,)),
    (least_by_min, (NUMBERS,)),
    (largest_below, (NUMBERS, 5)),
    (largest_below, (NUMBERS, 0)),
    (two_largest, (NUMBERS,)),
    (two_largest, (NUMBERS[:1],)),
    (closest, (NUMBERS,)),
    (gain, (NUMBERS,)),
    (computes_with_it, (NUMBERS, 2)),
    (computes_with_it, (NUMBERS, 100)),
    (functions_of_it, (NUMBERS, 2)),
    (functions_of_it, (NUMBERS, 100)),
    (stores_it, (np.arange(6).reshape(2, 3),)),
    (adds_it, (np.arange(6).reshape(2, 3),)),
    (adds_it_to_itself, (NUMBERS,)),
    (adds_it_to_itself, (NUMBERS.astype(np.int32),)),
    (best_pair, (NUMBERS,)),
    (best_pair, (NUMBERS.astype(np.int8),)),
    (int_or_half, (NUMBERS, 2)),
    (int_or_half, (NUMBERS, 7)),
    (none_or_number, (NUMBERS, 2)),
)
def test_an_int_of_numpy_or_a_float_is_either(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""
    assert difference(program, *arguments, jit_compile=True) == ""


def test_an_array_of_one_of_two_dtypes_is_refused_at_the_line() -> None:
    def scaled(x, limit):
        number = x[0] if x[0] > limit else 0.5
        return number * x

    check_refused(scaled, (NUMBERS, 2), "`return value` is", 2)


def asks_for_an_int(c):
    found = 0
    if c < 0:
        found = 2.5
    return 1 if isinstance(found, int) else 2


def asks_for_the_type(c):
    found = 0 if c > 0 else 2.5
    return type(found) is int


def shows_it(c):
    found = 0 if c > 0 else 2.5
    return f"{found}"


@each(
    (asks_for_an_int, (np.int64(7),), "`found` is an int or a float, as a staged statement", 4),
    (asks_for_the_type, (np.int64(7),), "`found` is an int or a float, as a staged statement", 2),
    (shows_it, (np.int64(7),), "is an int or a float", 2),
)
def test_whether_a_number_of_python_is_an_int_or_a_float_is_known_to_the_graph_alone(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)

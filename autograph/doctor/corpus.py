"""Functions that `autograph doctor` converts and runs: each shows one kind of control flow."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

ARGUMENTS: dict[str, list[tuple[object, ...]]] = {
    "sign": [(3,), (-3,), (0,)],
    "grade": [(95,), (80,), (12,)],
    "total_up_to": [([1, 2, -1, 200, 5],), ([],)],
    "collatz": [(1,), (27,)],
    "first_factor": [(91,), (97,)],
    "index_of": [([4, 5, 6], 6), ([4, 5, 6], 7)],
    "primes": [(1,), (50,)],
    "checked_root": [(9.0,), (-1.0,)],
    "within": [(1, 2, 3), (1, 9, 3)],
    "maybe_set": [(True,), (False,)],
    "running_maxima": [([3, 1, 4, 1, 5],), ([],)],
    "counter_calls": [(4,), (0,)],
    "parse_all": [(["1", "x", "3"],), ([],)],
    "describe": [([],), ([1],), ({"kind": "box", "size": 3},), ("text",)],
    "halve_until_odd": [(48,), (7,)],
    "nested_sums": [([[1, 2], [3, -1, 9], []],)],
    "last_word": [("a b c",), ("",)],
}


def sign(x: int) -> int:
    """Early return from an if."""
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0


def grade(points: int) -> str:
    """A chain of elif."""
    if points >= 90:
        letter = "A"
    elif points >= 75:
        letter = "B"
    else:
        letter = "C"
    return letter


def total_up_to(values: list[int]) -> int:
    """A loop with break and continue."""
    total = 0
    for value in values:
        if value < 0:
            continue
        if value > 100:
            break
        total += value
    return total


def collatz(n: int) -> int:
    """A while loop with an if expression."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def first_factor(n: int) -> int | None:
    """A return inside a loop."""
    for candidate in range(2, n):
        if n % candidate == 0:
            return candidate
    return None


def index_of(values: list[int], wanted: int) -> int:
    """A loop with else."""
    for index, value in enumerate(values):  # noqa: B007
        if value == wanted:
            break
    else:
        index = -1
    return index


def primes(limit: int) -> list[int]:
    """Nested loops with a flag."""
    found: list[int] = []
    for n in range(2, limit):
        is_prime = True
        for p in found:
            if n % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(n)
    return found


def checked_root(x: float) -> float:
    """An assertion with a message."""
    assert x >= 0, f"{x} is negative"
    root = x
    while abs(root * root - x) > 1e-9:
        root = (root + x / root) / 2
    return round(root, 6)


def within(low: int, x: int, high: int) -> bool:
    """Chained comparisons and logic."""
    return low <= x < high or (not low > x and x == high)


def maybe_set(flag: bool) -> int:
    """A variable that may stay undefined."""
    if flag:
        value = 1
    return value


def running_maxima(values: Iterable[int]) -> list[int]:
    """An inner generator function."""

    def maxima() -> Iterator[int]:
        best = None
        for value in values:
            if best is None or value > best:
                best = value
            yield best

    return list(maxima())


def counter_calls(times: int) -> list[int]:
    """A closure that changes an outer variable."""
    count = 0

    def step() -> int:
        nonlocal count
        if count < 3:
            count += 1
        return count

    return [step() for _ in range(times)]


def parse_all(texts: list[str]) -> tuple[list[int], int]:
    """Exceptions and a context manager in a loop."""
    numbers: list[int] = []
    failures = 0
    for text in texts:
        with contextlib.suppress(ZeroDivisionError):
            try:
                number = int(text)
            except ValueError:
                failures += 1
                continue
            finally:
                failures += 0
            numbers.append(number)
    return numbers, failures


def describe(value: object) -> str:
    """A match statement."""
    match value:
        case []:
            text = "nothing"
        case [only]:
            text = f"just {only}"
        case {"kind": kind, "size": int(size)} if size > 1:
            text = f"{kind} of {size}" if kind else str(size)
        case _:
            text = "something else"
    return text


def halve_until_odd(n: int) -> tuple[int, int]:
    """An endless loop that is left in its middle."""
    halvings = 0
    while True:
        if n % 2:
            break
        n //= 2
        halvings += 1
    return n, halvings


def nested_sums(rows: list[list[int]]) -> list[int]:
    """Loops in loops, and a jump out of the inner one."""
    sums: list[int] = []
    for row in rows:
        total = 0
        for value in row:
            if value < 0:
                break
            total += value
        sums.append(total)
    return sums


def last_word(text: str) -> str:
    """An assignment inside a test."""
    if (words := text.split()) and words[-1]:
        return words[-1]
    return "-"

"""Plain Python without a tensor, a construct in each function; `plain` measures them converted."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any


def branches(count: int) -> int:
    """`if`, `elif` and `else` in a loop."""
    total = 0
    for i in range(count):
        if i % 3 == 0:
            total += i
        elif i % 3 == 1:
            total -= i
        else:
            total += 1
    return total


def nested_loops(count: int) -> int:
    """A `while` in a `for`, with `break` and `continue`."""
    found = 0
    for i in range(2, count // 8 + 3):
        divisor = 2
        while divisor * divisor <= i:
            if i % divisor == 0:
                break
            divisor += 1
        else:
            if i % 4 == 3:
                continue
            found += 1
    return found


def early_return(count: int) -> int:
    """A `return` in nested loops."""
    for i in range(count):
        for j in range(3):
            if i * j > 2 * count - 10:
                return i
    return -1


class Account:
    """An object with a method and a property."""

    def __init__(self, start: int) -> None:
        self.total = start
        self.entries: list[int] = []

    @property
    def doubled(self) -> int:
        """A computed attribute."""
        return self.total * 2

    def add(self, amount: int) -> int:
        """Change two attributes."""
        if amount > 3:
            self.total += amount
        self.entries.append(amount)
        return self.total


def attribute_writes(count: int) -> int:
    """Attributes that are assigned in a branch."""
    account = Account(1)
    for i in range(count):
        if i & 1:
            account.total += i
        else:
            account.last = i  # type: ignore[attr-defined]
    return account.total


def item_writes(count: int) -> list[int]:
    """Items of a list that are assigned and updated."""
    row = [0] * 16
    for i in range(count):
        row[i % 16] = i
        row[(i + 1) % 16] += 2
    return row


def dict_writes(count: int) -> dict[int, int]:
    """Items of a dict that are assigned after a test for the key."""
    table: dict[int, int] = {}
    for i in range(count):
        key = i % 37
        if key in table:
            table[key] += 1
        else:
            table[key] = 0
    return table


def path_writes(count: int) -> list[list[int]]:
    """Items of an item of an attribute."""
    account = Account(0)
    account.rows = [[0, 0], [0, 0]]  # type: ignore[attr-defined]
    for i in range(count):
        account.rows[i & 1][0] = i  # type: ignore[attr-defined]
        account.rows[0][1] += i  # type: ignore[attr-defined]
    return account.rows  # type: ignore[attr-defined,no-any-return]


def _square(value: int) -> int:
    return value * value


def function_calls(count: int) -> int:
    """Calls of a function of the module."""
    total = 0
    for i in range(count):
        total += _square(i)
    return total


def method_calls(count: int) -> int:
    """Calls of methods that change their object."""
    account = Account(0)
    for i in range(count):
        account.add(i % 7)
    return account.doubled


def objects(count: int) -> int:
    """Objects made in a loop."""
    total = 0
    for i in range(count):
        total += Account(i).doubled
    return total


def builtin_calls(count: int) -> int:
    """Calls of built-in functions."""
    total = 0
    for i in range(count):
        total += len(str(max(i, 7))) + abs(-i)
        if isinstance(total, float):
            total = int(total)
    return total


def list_methods(count: int) -> int:
    """Methods of lists, dicts, sets and deques."""
    stack, seen, queue, table = [0], {1}, deque([2]), {3: 4}
    for i in range(count):
        stack.append(i)
        seen.add(i % 11)
        queue.append(stack.pop())
        table.get(queue.popleft(), 0)
    return len(stack) + len(seen)


def comprehensions(count: int) -> int:
    """List, dict and set comprehensions with filters."""
    odd = [i * 3 for i in range(count) if i & 1]
    table = {i: i + 1 for i in odd}
    return len({value % 5 for value in table.values() if value > 3})


def _numbers(count: int) -> Iterator[int]:
    for i in range(count):
        if i % 3:
            yield i


def generators(count: int) -> int:
    """A generator function and generator expressions."""
    return sum(i + 1 for i in _numbers(count)) + any(i > count for i in range(count))


def exceptions(count: int) -> int:
    """Exceptions that are raised and caught."""
    caught = 0
    for i in range(count):
        try:
            if i % 5 == 0:
                raise KeyError(i)
        except KeyError:
            caught += 1
    return caught


def logic(count: int) -> int:
    """`and`, `or`, `not`, comparisons and conditional expressions."""
    hits = 0
    for i in range(count):
        if (0 < i < 900 and i % 7 != 3) or not i % 11:
            hits += 1 if i != 5 and i is not None else 2
    return hits


def searches(count: int) -> int:
    """`in` of a tuple, `==` of tuples and sorting by a key."""
    hits = 0
    pairs = [(i % 5, i) for i in range(count)]
    for pair in sorted(pairs, key=lambda each: -each[0]):
        if pair[0] in (1, 3) or pair == (2, 7):
            hits += 1
    return hits


def texts(count: int) -> int:
    """f-strings, `format`, `%` and `join`."""
    size = 0
    for i in range(count):
        size += len(f"{i}:{i:>4}") + len("{}".format(i)) + len("%d" % i)  # noqa: UP031, UP032
        size += len(",".join(["a", "b"]))
    return size


def closures(count: int) -> int:
    """Functions that are made and called in a loop."""
    total = 0
    for i in range(count):

        def added(value: int, step: int = i) -> int:
            return value + step if value > step else step

        total += added(3)
    return total


def library_calls(count: int) -> int:
    """Functions of the standard library that call functions of the program."""
    table = Counter(i % 3 for i in range(count))
    return reduce(lambda left, right: left + right, table.values()) + sum(
        map(_square, range(count))
    )


def recursion(count: int) -> int:
    """A recursive function."""
    return _fib(max(count.bit_length() + 4, 5))


def _fib(number: int) -> int:
    if number < 2:
        return number
    return _fib(number - 1) + _fib(number - 2)


def unpacking(count: int) -> int:
    """Targets of several names, in a loop over pairs."""
    left, right = 0, 1
    for position, (one, other) in enumerate(zip(range(count), range(count), strict=True)):
        left, right = right, (left + one * other + position) % 997
    return left


def matches(count: int) -> int:
    """`match` on numbers and shapes."""
    total = 0
    for i in range(count):
        match (i % 3, i):
            case (0, _):
                total += 1
            case (1, value) if value > 10:
                total += 2
            case _:
                total += 3
    return total


def wide_state(count: int) -> int:
    """A branch that changes several variables, among large objects."""
    data = [[i] for i in range(count)]
    table = dict.fromkeys(range(count), data)
    a = b = c = d = 0
    for i in range(count):
        if i % 2:
            a, b, c, d = b + 1, c, d, a
        else:
            d += len(data[i]) + len(table)
    return a + b + c + d


KERNELS: tuple[Callable[[int], Any], ...] = (
    branches, nested_loops, early_return, attribute_writes, item_writes, dict_writes, path_writes,
    function_calls, method_calls, objects, builtin_calls, list_methods, comprehensions, generators,
    exceptions, logic, searches, texts, closures, library_calls, recursion, unpacking, matches,
    wide_state,
)  # fmt: skip

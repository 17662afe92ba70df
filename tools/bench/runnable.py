"""Functions whose converted form is run, here and by the peers; this file imports nothing."""


def loop(n: int) -> int:
    """A loop with a branch."""
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i
        else:
            total -= 1
    return total


def fib(n: int) -> int:
    """A recursion."""
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def clamp(x: float, low: float, high: float) -> float:
    """A function that does nearly nothing, so that the cost of calling it is what shows."""
    if x < low:
        return low
    if x > high:
        return high
    return x

# %% many_iterations_break: (1500,), (10,)
def program(n):
    total = 0
    for i in range(2000):
        if i >= n:
            break
        total += i
    return total


# %% many_iterations_if: (3,), (-3,)
def program(x):
    total = 0
    for i in range(300):
        if x > 0:
            total += i
        else:
            total -= 1
    return total


# %% many_iterations_return: (150,), (999,)
def program(n):
    for i in range(200):
        if i == n:
            return i
    return -1


# %% tf_range: (3,), (0,)
import runtime as tf


def program(n):
    total = 0
    for i in tf.range(n):
        total += i
    return total


# %% tf_range_with_state: (3,), (0,)
import runtime as tf


def program(n):
    v = {"t": 0, "c": [0]}
    for i in tf.range(n):
        v["t"] += i
        v["c"][0] += 1
    return v


# %% tf_range_early_break: (2000000000,), (3,)
import runtime as tf


def program(n):
    total = 0
    for i in tf.range(n) if tf.is_tensor(n) else range(n):
        if i > 5:
            break
        total += 1
    return total


# %% range_huge_early_break: (2000000000,), (3,)
def program(n):
    total = 0
    for i in range(n):
        if i > 5:
            break
        total += 1
    return total


# %% nested_loops_with_state: (3,), (0,)
def program(n):
    grid = [[0, 0], [0, 0]]
    for i in range(n):
        for r in range(2):
            for c in range(2):
                grid[r][c] += r + c + i
    return grid


# %% loop_carries_list_of_pairs: (3,), (0,)
def program(n):
    pairs = [(0, 1), (2, 3)]
    for _ in range(n):
        pairs = [(b, a) for a, b in pairs]
    return pairs


# %% recursion_on_number: (5,), (0,)
def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)


def program(n):
    return fact(n)


# %% fibonacci_recursion: (6,), (1,)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def program(n):
    return fib(n)


# %% mutual_recursion: (6,), (1,)
def even(n):
    if n == 0:
        return True
    return odd(n - 1)


def odd(n):
    if n == 0:
        return False
    return even(n - 1)


def program(n):
    return even(n)


# %% recursion_with_state: (4,), (0,)
CALLS = [0]


def down(n):
    CALLS[0] += 1
    if n > 0:
        down(n - 1)


def program(n):
    down(n)
    return n


# %% recursion_bounded: (4,), (0,)
def down(k, x):
    if k == 0:
        return x
    if x > 2:
        return down(k - 1, x - 1)
    return down(k - 1, x)


def program(x):
    return down(5, x)


# %% hanoi: (3,), (1,)
def hanoi(n, a, b, c):
    if n == 0:
        return 0
    return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


def program(n):
    return hanoi(n, 0, 1, 2)


# %% ackermann: (1, 1), (0, 2)
def ack(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))


def program(m, n):
    return ack(m, n)


# %% power_by_squaring: (5,), (0,)
def power(b, n):
    if n == 0:
        return 1
    half = power(b, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * b


def program(n):
    return power(2, n)


# %% guard_returns: (3,), (77,), (-1,)
def program(x):
    if x == 0:
        return 10
    if x == 1:
        return 11
    if x == 2:
        return 12
    if x == 3:
        return 13
    if x == 4:
        return 14
    if x == 5:
        return 15
    if x < 0:
        return -1
    return 99


# %% while_with_two_exits: (10,), (1000,)
def program(n):
    i = 0
    while i < 100:
        if i * i >= n:
            return i
        i += 1
        if i == 20:
            break
    return -i


# %% while_python_then_staged: (3,), (0,)
def program(n):
    k = 0
    while k < 3:
        j = 0
        while j < n:
            j += 1
        k += 1
    return k, j


# %% while_test_is_vector: ((1, 2),), ((0, 0),)
import numpy as np


def program(xs):
    n = 0
    while xs[0] > n:
        n += 1
    return n


# %% loop_over_rows: (((1, 2), (3, 4)),), (((0, 0), (0, 0)),)
def program(m):
    best = [0, 0]
    for row in m:
        for v in row:
            if v > best[0]:
                best[0] = v
        best[1] += row[0]
    return best


# %% dtype_changes_in_loop: (3,), (0,)
def program(n):
    y = 0
    for i in range(n):
        y = y + 0.5
    return y


# %% shape_changes_in_loop: (3,), (0,)
def program(n):
    v = []
    for i in range(n):
        v = v + [i]
    return v


# %% none_before_loop: (3,), (0,)
def program(n):
    last = None
    for i in range(n):
        last = i
    return -1 if last is None else last


# %% zero_iterations_with_state: (0,), (2,)
class Box:
    def __init__(self):
        self.v = 5


def program(n):
    box = Box()
    for i in range(n):
        box.v = box.v * 2
    return box.v


# %% loop_in_branch: (3,), (-3,)
def program(x):
    v = [0]
    if x > 0:
        for i in range(x):
            v[0] += i
    else:
        v[0] = -1
    return v


# %% branch_in_loop_in_branch: (5,), (-3,)
def program(x):
    d = {"even": 0, "odd": 0}
    if x > 0:
        for i in range(x):
            if i % 2 == 0:
                d["even"] += 1
            else:
                d["odd"] += 1
    return d


# %% enumerate_tensor_with_state: ((4, 5),), ((6, 7),)
def program(xs):
    v = [0, 0]
    for i, k in enumerate(xs):
        v[i] = k
    return v


# %% zip_tensor_with_objects: ((4, -5),), ((-6, 7),)
class Box:
    v = 0


def program(xs):
    boxes = [Box(), Box()]
    for box, k in zip(boxes, xs):
        if k > 0:
            box.v = k
    return [b.v for b in boxes]


# %% set_loop_options: (3,), (0,)
import autograph


def program(n):
    v = [0]
    while v[0] < n:
        autograph.set_loop_options(maximum_iterations=100)
        v[0] += 1
    return v

"""Programs as users write them, which every library of arrays stages in the same way."""

# ruff: noqa: B905, C417, RUF007, RUF021, SIM108, SIM201

import autograph


def summed(xs):
    total = 0
    for x in xs:
        total += x
    return total


def vector_total(m):
    total = 0
    for row in m:
        total += row
    return total


def best(xs):
    best = None
    for x in xs:
        best = x if best is None else max(best, x)
    return best


def any_above(xs, limit):
    return 1 if any(x > limit for x in xs) else 0


def all_rising(xs):
    if all(a < b for a, b in zip(xs, xs[1:])):
        return 1
    return 0


def sum_of_some(xs):
    return sum(x * 2 for x in xs if x > 0)


def any_of_some(xs, limit):
    return any(x > limit for x in xs if x > 0) + 2 * all(x > limit for x in xs if x > 0)


def extremes_of_squares(xs):
    return max(x * x for x in xs) - min(x * x for x in xs)


def any_of_two(xs):
    return 1 if any(x > 2 for x in [xs[0], xs[-1]]) else 0


def last(xs):
    for x in xs:
        y = x * 2
    return y


def for_else(xs, limit):
    for i, x in enumerate(xs):
        if x > limit:
            y = i
            break
    else:
        y = -1
    return y


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def newton(x):
    guess = x
    while True:
        nxt = 0.5 * (guess + x / guess)
        if abs(nxt - guess) < 1e-6:
            break
        guess = nxt
    return nxt


def bounded(x, n):
    i = 0
    while i < n:
        autograph.set_loop_options(maximum_iterations=10)
        x = x * x if x < 2 else x + 1
        i += 1
    return x


def traced_range(n, k):
    acc = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        acc += i * k
    return acc


def dict_state(n, x):
    state = {"a": 1.0, "b": (0, x)}
    for i in range(n):
        a, (b, c) = state["a"], state["b"]
        state = {"a": a * 2, "b": (b + 1, c + i)}
    return state["a"], state["b"]


def growing_list(xs):
    out = []
    for x in xs:
        if len(out) < 2:
            out.append(x)
        else:
            out.append(out[-1] + x)
    return out


def chained(x, lo, hi):
    return 1 if lo < x <= hi and not x == 3 or x > 100 else 0


def contains(x, xs):
    return 1 if x in xs else (2 if x in [1, 2, 3] else 3)


def nested(m, t):
    count = 0
    for row in m:
        for v in row:
            if v < 0:
                break
            if v > t:
                return count, v
            count += 1
    return count, t


def zipped(xs, n):
    s = 0
    for a, b in zip(xs, [1, 2, 3]):
        s = s * n + a * b
    return s


def one_branch_same(c, x):
    if c:
        y = x + 1
    z = 0
    if c:
        z = y * 2
    return z


def walrus(n):
    i = 0
    while (i := i + 1) < n:
        pass
    return i


def rev(xs):
    s = 0
    for i, x in enumerate(reversed(xs), 1):
        s = s * 10 + x * i
    return s


def loop_else(n):
    while n > 0:
        n -= 3
        if n == 1:
            r = "hit" and 1
            break
    else:
        r = 0
    return r


def one_branch(x):
    if x > 0:
        y = 1
    return y


def none_or(x):
    y = None
    if x > 0:
        y = x
    return y


def shape_if(x, v):
    if x > 0:
        v = v[:2]
    return v


def grow_while(x):
    out = []
    while x > 0:
        out.append(x)
        x -= 1
    return out


def flags(xs, t):
    found = False
    for x in xs:
        if not found and x > t:
            found = True
            first = x
    if not found:
        first = -1
    return first


def nested_ret(m):
    for r in m:
        for v in r:
            if v == 3:
                return v * 100
            if v == 4:
                continue
        w = r.sum()
        if w > 20:
            break
    else:
        return -5
    return w


def mapped(xs):
    t = 0
    for v in map(lambda v: v * v if v > 0 else -v, xs):
        t += v
    return t


def while_else_return(x):
    while x > 1:
        x = x / 2
        if x == 1.5:
            return x * 10
    else:
        x = x + 100
    return x


MATRIX = [[1, 2, 4], [3, 9, 9]]
MATRIX_LATE = [[1, 2, 4], [8, 9, 9]]
MATRIX_NEVER = [[6, 7, 9], [8, 14, 14]]
ROWS = [[1, 2, -1, 9], [0, 3, 4, 9]]


def returned_in_a_list(x, y):
    pair = [y, x]
    if x > y:
        return [pair, x]
    pair[0] = x + 10
    return [pair, y]


CASES = [
    (summed, [([1.0, 2.0, 3.0],), ([4.0, 5.0, -1.0],)]),
    (best, [([1.0, 5.0, 2.0],), ([1.0, 0.0, 2.0],)]),
    (any_above, [([1.0, 5.0, 2.0], 4.0), ([1.0, 5.0, 2.0], 5.0)]),
    (all_rising, [([1.0, 2.0, 5.0],), ([1.0, 5.0, 2.0],)]),
    (sum_of_some, [([1.0, -5.0, 2.0],), ([-1.0, -5.0, -2.0],)]),
    (any_of_some, [([3.0, -5.0, 2.0], x) for x in (-9.0, 1.0, 2.5, 7.0)]),
    (extremes_of_squares, [([1.0, -5.0, 2.0],), ([3.0, 3.0, 3.0],)]),
    (any_of_two, [([1.0, 5.0, 2.0],), ([1.0, 0.0, 3.0],)]),
    (last, [([1.0, 5.0],)]),
    (for_else, [([1.0, 5.0], 3.0), ([1.0, 5.0], 9.0)]),
    (collatz, [(6,), (1,), (27,)]),
    (newton, [(2.0,), (9.0,)]),
    (bounded, [(1.5, 3), (1.01, 9), (3.0, 0)]),
    (traced_range, [(10, 2), (0, 2)]),
    (dict_state, [(3, 1.0), (0, 2.0)]),
    (growing_list, [([1.0, 2.0, 3.0, 4.0],)]),
    (chained, [(2, 1, 5), (3, 1, 5), (200, 1, 5), (1, 1, 5)]),
    (contains, [(1, [1, 5]), (3, [7, 5]), (9, [7, 7])]),
    (zipped, [([1, 2, 3, 4], 2), ([1, 7, 3, 4], 5)]),
    (one_branch_same, [(True, 1.0), (False, 1.0)]),
    (walrus, [(5,), (0,)]),
    (rev, [([1, 2, 3],)]),
    (loop_else, [(7,), (9,)]),
    (flags, [([1, 5, 7], 4), ([1, 5, 7], 9)]),
    (mapped, [([1, -2, 3],), ([5, 2, 3],)]),
    (while_else_return, [(12.0,), (7.0,), (0.5,)]),
    (returned_in_a_list, [(1.0, 2.0), (2.0, 1.0)]),
]
"""Each with inputs of the same dtypes and shapes; the plain program takes them as they are."""

ON_ARRAYS = [
    (vector_total, [([[1.0, 2.0], [3.0, 4.0]],)]),
    (nested, [(ROWS, 5), (ROWS, 50)]),
    (nested_ret, [(MATRIX,), (MATRIX_LATE,), (MATRIX_NEVER,), ([[1, 1, 1], [1, 1, 1]],)]),
]
"""The plain program takes these inputs as arrays."""


def raises_after_a_check(x):
    if x > 0:
        raise KeyError("first")
    raise ValueError("second")


def fails_after_a_check(x):
    assert x < 0, "positive"
    return x + [1, 2][2]


REFUSED = [
    (one_branch, (1.0,), UnboundLocalError, "`y` is read, but has a value only if"),
    (none_or, (1.0,), TypeError, "`y` is None after the `else` branch, and float32"),
    (shape_if, (1.0, [1.0, 1.0, 1.0]), TypeError, "`v` is float32.2. after the `if` branch and"),
    (grow_while, (3,), TypeError, "cannot change the length of the list `out`"),
    (raises_after_a_check, (1.0,), TypeError, r"ValueError \(second\) .* may raise KeyError"),
    (fails_after_a_check, (1.0,), TypeError, "IndexError .* after a check that may raise Assert"),
]
"""What cannot be staged, with the error that names why."""

"""Programs that raise and assert, as users write them, with inputs that pass and that fail."""


class Invalid(ValueError):
    """An exception of a user's own."""


def guards(x):
    if x < 0:
        raise ValueError("negative")
    assert x < 100, "too big"
    return x * 2


def no_message(x):
    assert x > 0
    return x


def both_fail(x):
    if x < 0:
        raise KeyError("first")
    if x < 1:
        raise ValueError("second")
    return x


def in_branch(x):
    if x > 0:
        assert x > 1, "small"
        x = x + 1
    else:
        x = x - 1
    return x


def nested_branches(x):
    if x > 0:
        if x > 10:
            if x > 20:
                raise Invalid("deep")
            x = x - 1
        x = x * 2
    return x


def in_else(x):
    if x > 0:
        y = x
    else:
        raise Invalid("not positive")
    return y + 1


def in_loop(n, x):
    while n > 0:
        assert x < 50, "grew"
        x = x * 2
        n = n - 1
    return x


def endless_after_failure(n):
    while n != 0:
        assert n > 0, "missed zero"
        n = n - 2
    return n


def endless_loop_after_check(n):
    if n < 0:
        raise ValueError("negative")
    steps = 0
    while n != 0:
        n = n - 1
        steps = steps + 1
    return steps


def in_loop_and_later(n, x):
    while n > 0:
        if x > 50:
            raise KeyError("loop")
        x = x * 2
        n = n - 1
    if x > 40:
        raise ValueError("later")
    return x


def in_for(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            raise ValueError("negative item")
        total = total + x
    return total


def in_for_with_break(xs):
    total = 0.0
    for x in xs:
        if x > 10:
            break
        assert x >= 0, "negative item"
        total = total + x
    return total


def in_counted(n, x):
    for i in range(n):
        assert i < 5, "too many"
        x = x + i
    return x


def in_nested_loops(n, x):
    while n > 0:
        for i in range(n):
            if x > 20:
                raise Invalid("inner")
            x = x + i
        n = n - 1
    return x


def in_function(x):
    def half(v):
        if v < 1:
            raise ValueError("below one")
        return v / 2

    while x > 3:
        x = half(x)
    return half(x)


def in_loop_test(x):
    def positive(v):
        assert v > -2, "far below"
        return v > 0

    while positive(x):
        x = x - 3
    return x


def while_true(x):
    while True:
        x = x - 1
        if x < -5:
            raise ValueError("below")
        if x == 0:
            break
    return x


def state_before(x):
    kept = [x]
    if x > 0:
        kept[0] = x + 1
        assert kept[0] < 10, "kept"
    return kept[0]


def check_before_raise(x):
    if x > 0:
        assert x > 1, "small"
        raise KeyError("x")
    return x


def raise_in_each_branch(x):
    if x > 0:
        if x > 5:
            raise KeyError("big")
        else:
            raise ValueError("small")
    return x


def second_iteration_raises(xs):
    seen = 0
    for _ in xs:
        seen = seen + 1
        if seen == 2:
            raise Invalid("second")
    return seen


def step_of_range(a, b, step):
    total = 0
    for i in range(a, b, step):
        total = total + i
    return total


CHECKED = [
    (guards, [(1.0,), (-1.0,), (200.0,)]),
    (no_message, [(1.0,), (-1.0,)]),
    (both_fail, [(2.0,), (0.5,), (-1.0,)]),
    (in_branch, [(2.0,), (0.5,), (-7.0,)]),
    (nested_branches, [(-1.0,), (5.0,), (15.0,), (25.0,)]),
    (in_else, [(2.0,), (-2.0,)]),
    (in_loop, [(2, 3.0), (0, 99.0), (9, 3.0)]),
    (endless_after_failure, [(6,), (5,), (-1,)]),
    (endless_loop_after_check, [(6,), (-1,)]),
    (in_loop_and_later, [(1, 3.0), (9, 3.0), (4, 3.0)]),
    (in_for, [([1.0, 2.0],), ([1.0, -2.0],), ([-1.0, 2.0],)]),
    (in_for_with_break, [([1.0, 20.0, -1.0],), ([1.0, 2.0, -1.0],)]),
    (in_counted, [(3, 1.0), (0, 1.0), (9, 1.0)]),
    (in_nested_loops, [(3, 1.0), (6, 1.0), (0, 50.0)]),
    (in_function, [(8.0,), (1.5,), (0.5,)]),
    (in_loop_test, [(6,), (2,), (-5,)]),
    (while_true, [(3,), (-1,)]),
    (check_before_raise, [(-1.0,), (0.5,), (3.0,)]),
    (raise_in_each_branch, [(-1.0,), (9.0,), (3.0,)]),
    (second_iteration_raises, [([1.0, 2.0],), ([-1.0, 2.0],)]),
    (state_before, [(3.0,), (30.0,), (-1.0,)]),
]
"""Each with inputs that pass and others that fail."""

STEPS = [(step_of_range, [(0, 9, 2), (9, 0, -2), (5, 5, 1), (0, 9, 0)])]
"""Where the step of a range may be traced."""


def outcome(function, arguments):
    """What plain Python does: (value, None), or (None, (exception, line))."""
    try:
        return function(*arguments), None
    except Exception as error:
        traceback = error.__traceback__
        while traceback.tb_next is not None:
            traceback = traceback.tb_next
        return None, (error, traceback.tb_lineno)


def shown(error):
    """How a traceback names an exception; an assert without a message is given one."""
    text = str(error) or "assertion failed"
    return f"{type(error).__name__}: {text}"

# %% match_tuple: (3, 1), (3, 2), (0, 1)
def program(a, b):
    match (a, b):
        case (0, _):
            return 1
        case (_, 1):
            return 2
        case (p, q):
            return p + q


# %% match_number: (1,), (2,), (9,)
def program(x):
    match x:
        case 1:
            y = 10
        case 2 | 3:
            y = 20
        case _:
            y = 30
    return y


# %% match_guard: (1,), (-2,)
def program(x):
    match x:
        case v if v > 0:
            return v
        case v:
            return -v


# %% match_writes: (1,), (2,)
def program(x):
    state = [0, 0]
    match x:
        case 1:
            state[0] = 5
        case _:
            state[1] = 6
    return state


# %% match_class: (1,), (2,)
from dataclasses import dataclass


@dataclass
class P:
    a: int
    b: int


def program(x):
    match P(x, 1):
        case P(1, b):
            return b
        case P(a, _):
            return a * 10


# %% match_mapping: (1,), (2,)
def program(x):
    match {"k": x}:
        case {"k": 1}:
            return 10
        case {"k": v}:
            return v


# %% match_sequence: (1,), (2,)
def program(x):
    match [x, 2, 3]:
        case [1, *rest]:
            return len(rest)
        case [v, *_]:
            return v


# %% walrus_in_if: (3,), (-3,)
def program(x):
    if (y := x * 2) > 0:
        return y
    return -y


# %% walrus_in_and: (3,), (-3,)
def program(x):
    y = 0
    if x > 0 and (y := x + 1) > 2:
        return y
    return y - 100


# %% walrus_in_or: (3,), (-3,)
def program(x):
    y = 0
    if x > 0 or (y := x + 1) > 2:
        return y
    return y - 100


# %% walrus_in_while: (3,), (0,)
def program(n):
    total = 0
    while (n := n - 1) >= 0:
        total += n
    return total, n


# %% walrus_in_conditional: (3,), (-3,)
def program(x):
    z = 0
    y = (z := x) if x > 0 else 7
    return y, z


# %% or_with_effect: (3,), (-3,)
def program(x):
    seen = [0]

    def note():
        seen[0] += 1
        return x < -1

    y = x > 0 or note()
    return y, seen


# %% and_with_effect: (3,), (-3,)
def program(x):
    seen = [0]

    def note():
        seen[0] += 1
        return x > 2

    y = x > 0 and note()
    return y, seen


# %% or_values: (3,), (0,)
def program(x):
    return x or 5


# %% and_values: (3,), (0,)
def program(x):
    return x and 5


# %% and_append: (3,), (-3,)
def program(x):
    v = []
    x > 0 and v.append(1)
    return len(v)


# %% not_in: (3,), (-3,)
def program(x):
    return not (x > 0 and x < 5)


# %% chain_with_effect: (3,), (-3,)
def program(x):
    seen = [0]

    def mid():
        seen[0] += 1
        return x

    y = 0 < mid() < 5
    return y, seen


# %% return_in_finally: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            return 1
    finally:
        return 2


# %% return_in_finally_under_test: (3,), (-3,)
def program(x):
    try:
        y = x + 1
    finally:
        if x > 0:
            return 5
    return y


# %% effect_in_finally: (3,), (-3,)
def program(x):
    v = [0, 0]
    try:
        if x > 0:
            v[0] = 1
    finally:
        v[1] = 2
    return v


# %% return_in_try: (3,), (-3,)
def program(x):
    v = [0]

    def f():
        try:
            if x > 0:
                return 1
            return 2
        finally:
            v[0] += 1

    return f(), v


# %% except_of_python_error: (3,), (-3,)
def program(x):
    d = {"a": 1}
    try:
        y = d["b"]
    except KeyError:
        y = 0
        if x > 0:
            y = x
    return y


# %% raise_in_branch: (3,), (-3,)
def program(x):
    if x < 0:
        raise ValueError("negative")
    return x


# %% raise_in_branch_state: (3,), (-3,)
def program(x):
    v = [0]
    if x < 0:
        v[0] = 1
        raise ValueError("negative")
    v[0] = 2
    return v


# %% raise_caught: (3,), (-3,)
def program(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = 1
    except ValueError:
        y = 2
    return y


# %% raise_own_class: (3,), (-3,)
class Bad(Exception):
    def __init__(self, code):
        self.code = code


def program(x):
    if x < 0:
        raise Bad(5)
    return x


# %% raise_in_loop: (3,), (9,)
def program(n):
    total = 0
    for i in range(n):
        if i > 5:
            raise IndexError("too far")
        total += i
    return total


# %% assert_statement: (3,), (-3,)
def program(x):
    assert x > 0, "positive"
    return x


# %% assert_in_loop: (3,), (9,)
def program(n):
    for i in range(n):
        assert i < 5
    return n


# %% suppress: (3,), (-3,)
import contextlib


def program(x):
    y = 0
    with contextlib.suppress(KeyError):
        if x > 0:
            y = 1
        {}["a"]
        y = 2
    return y


# %% del_variable_in_branch: (3,), (-3,)
def program(x):
    y = 1
    if x > 0:
        z = x * 2
        y = z
        del z
    return y


# %% del_variable_in_both: (3,), (-3,)
def program(x):
    z = 1
    if x > 0:
        y = z + x
        del z
    else:
        y = z
        del z
    return y


# %% del_then_read: (3,), (-3,)
def program(x):
    z = 1
    if x > 0:
        del z
    return z


# %% loop_variable_after: (3,), (1,)
def program(n):
    for i in range(n):
        pass
    return i


# %% loop_variable_after_empty: (3,), (0,)
def program(n):
    for i in range(n):
        pass
    return i


# %% loop_variable_before: (3,), (0,)
def program(n):
    i = -1
    for i in range(n):
        pass
    return i


# %% loop_variable_of_tensor: ((1, 2),), ((5, 6),)
def program(xs):
    for v in xs:
        pass
    return v


# %% loop_variable_after_break: (3,), (9,)
def program(n):
    for i in range(10):
        if i == n:
            break
    return i


# %% for_else: (3,), (9,)
def program(n):
    for i in range(5):
        if i == n:
            y = 1
            break
    else:
        y = 2
    return y


# %% for_else_with_state: (3,), (9,)
def program(n):
    v = [0, 0]
    for i in range(5):
        if i == n:
            v[0] = i
            break
    else:
        v[1] = 1
    return v


# %% while_else: (3,), (9,)
def program(n):
    i = 0
    while i < 5:
        if i == n:
            break
        i += 1
    else:
        i = -1
    return i


# %% break_and_continue: (3,), (9,)
def program(n):
    total = 0
    for i in range(10):
        if i == 2:
            continue
        if i > n:
            break
        total += i
    return total


# %% break_with_state: (3,), (0,)
def program(n):
    v = []
    count = [0]
    while True:
        if count[0] >= n:
            break
        count[0] += 1
    return count


# %% continue_with_state: ((1, -2, 3),), ((-1, -2, -3),)
def program(xs):
    d = {"pos": 0, "seen": 0}
    for v in xs:
        d["seen"] += 1
        if v < 0:
            continue
        d["pos"] += v
    return d


# %% return_in_loop_with_state: (3,), (9,)
def program(n):
    v = [0]

    def f():
        for i in range(5):
            v[0] += 1
            if i == n:
                return i
        return -1

    return f(), v


# %% nested_breaks: (3,), (0,)
def program(n):
    count = [0, 0]
    for i in range(3):
        for j in range(3):
            if j >= n:
                break
            count[0] += 1
        else:
            count[1] += 1
        if i >= n:
            break
    return count


# %% while_with_python_list: (3,), (0,)
def program(n):
    todo = [1, 2, 3]
    total = 0
    while todo:
        v = todo.pop()
        if v > n:
            total += v
    return total


# %% while_true_return: (3,), (9,)
def program(n):
    i = 0
    while True:
        if i * i > n:
            return i
        i += 1


# %% loop_over_list_modified: (3,), (-3,)
def program(x):
    v = [1, 2, 3]
    total = 0
    for k in v:
        if x > 0:
            v[2] = 10
        total += k
    return total


# %% loop_over_growing_list: (3,), (-3,)
def program(x):
    v = [x]
    for k in v:
        if len(v) < 3:
            v.append(k + 1)
    return v


# %% loop_over_dict_changed: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    for k in d:
        if x > 0:
            d[k] += x
    return d


# %% with_statement: (3,), (-3,)
class Manager:
    def __init__(self):
        self.log = [0]

    def __enter__(self):
        self.log[0] += 1
        return self

    def __exit__(self, *e):
        self.log[0] += 10


def program(x):
    m = Manager()
    with m:
        if x > 0:
            m.log[0] += 100
    return m.log


# %% with_early_return: (3,), (-3,)
class Manager:
    def __init__(self):
        self.log = [0]

    def __enter__(self):
        self.log[0] += 1
        return self

    def __exit__(self, *e):
        self.log[0] += 10


def program(x):
    m = Manager()

    def f():
        with m:
            if x > 0:
                return 1
            m.log[0] += 100
        return 2

    return f(), m.log


# %% conditional_expression_effects: (3,), (-3,)
def program(x):
    v = [0, 0]

    def put(i):
        v[i] += 1
        return i

    y = put(0) if x > 0 else put(1)
    return y, v


# %% conditional_expression_nested: (3,), (-3,), (0,)
def program(x):
    return 1 if x > 0 else (-1 if x < 0 else 0)


# %% augmented_in_branch: (3,), (-3,)
def program(x):
    y = 10
    if x > 0:
        y -= x
        y *= 2
        y //= 3
        y %= 5
    return y


# %% tuple_assignment_in_branch: (3,), (-3,)
def program(x):
    a, b = 1, 2
    if x > 0:
        a, b = b, a + x
    return a, b


# %% chained_assignment: (3,), (-3,)
def program(x):
    a = b = 0
    if x > 0:
        a = b = x
    return a, b


# %% star_assignment: (3,), (-3,)
def program(x):
    a, *b = [1, 2, 3]
    if x > 0:
        a, *b = [4, 5, 6]
    return a, b


# %% annotated_assignment: (3,), (-3,)
def program(x):
    y: int = 0
    if x > 0:
        y: int = x
    return y


# %% pass_only: (3,), (-3,)
def program(x):
    if x > 0:
        pass
    else:
        pass
    return x


# %% import_in_branch: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        import math

        y = math.gcd(4, 6)
    return y


# %% nested_function_in_branch: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:

        def f(v):
            return v + 1

        y = f(x)
    return y


# %% class_in_branch: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:

        class Box:
            v = 5

        y = Box.v
    return y


# %% expression_statement: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.__setitem__(0, 5)
    return v


# %% yield_style_accumulate: ((1, 2, 3),), ((0, 0, 0),)
def program(xs):
    def gen():
        total = 0
        for v in xs:
            total += v
            yield total

    return list(gen())


# %% async_function: (3,), (-3,)
import asyncio


def program(x):
    v = [0]

    async def put():
        if x > 0:
            v[0] = x
        return v[0]

    coroutine = put()
    try:
        coroutine.send(None)
    except StopIteration as e:
        return e.value
    return -1


# %% lambda_with_conditional: (3,), (-3,)
def program(x):
    f = lambda v: v if v > 0 else -v
    return f(x)


# %% default_from_tensor: (3,), (-3,)
def program(x):
    def f(v=x):
        return v if v > 0 else 0

    return f()


# %% keyword_only: (3,), (-3,)
def helper(a, /, b=1, *args, c, **kw):
    if a > 0:
        return a + b + sum(args) + c + kw.get("d", 0)
    return 0


def program(x):
    return helper(x, 2, 3, 4, c=5, d=6)


# %% unpack_call: (3,), (-3,)
def helper(a, b, c):
    return a * 100 + b * 10 + c


def program(x):
    v = [x, 1]
    d = {"c": 2}
    return helper(*v, **d) if x > 0 else helper(*v, c=0)

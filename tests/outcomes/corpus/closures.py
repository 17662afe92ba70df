# %% nonlocal_in_branch: (3,), (-3,)
def program(x):
    n = 1

    def add():
        nonlocal n
        n += x

    if x > 0:
        add()
    return n


# %% nonlocal_under_test: (3,), (-3,)
def program(x):
    n = 1

    def add():
        nonlocal n
        if x > 0:
            n = 5

    add()
    return n


# %% nonlocal_in_loop: (3,), (0,)
def program(k):
    n = 0

    def add(v):
        nonlocal n
        n += v

    for i in range(k):
        add(i)
    return n


# %% nonlocal_two_levels: (3,), (-3,)
def program(x):
    n = 0

    def outer():
        def inner():
            nonlocal n
            n = 7

        if x > 0:
            inner()

    outer()
    return n


# %% nonlocal_in_callback: (3,), (-3,)
def each(values, f):
    for v in values:
        f(v)


def program(x):
    best = 0

    def see(v):
        nonlocal best
        if v > best:
            best = v

    each([1, x, 2], see)
    return best


# %% counter_factory: (3,), (-3,)
def make():
    n = 0

    def up():
        nonlocal n
        n += 1
        return n

    return up


def program(x):
    up = make()
    up()
    if x > 0:
        up()
    return up()


# %% two_closures_one_cell: (3,), (-3,)
def make():
    n = 0

    def put(v):
        nonlocal n
        n = v

    def get():
        return n

    return put, get


def program(x):
    put, get = make()
    if x > 0:
        put(x)
    return get()


# %% two_closures_in_loop: (3,), (0,)
def make():
    n = 0

    def put(v):
        nonlocal n
        n = n + v

    def get():
        return n

    return put, get


def program(k):
    put, get = make()
    for i in range(k):
        put(i)
    return get()


# %% global_counter_factory: (3,), (-3,), (4,)
def make():
    n = 0

    def up():
        nonlocal n
        n += 1
        return n

    return up


up = make()


def program(x):
    if x > 0:
        up()
    return x


# %% late_binding: (3,), (-3,)
def program(x):
    fs = [lambda: i for i in range(3)]
    return [f() + x for f in fs]


# %% late_binding_changed: (3,), (-3,)
def program(x):
    n = 1
    f = lambda: n
    if x > 0:
        n = 2
    return f()


# %% default_binding: (3,), (-3,)
def program(x):
    n = 1
    f = lambda n=n: n
    if x > 0:
        n = 2
    return f(), n


# %% global_in_branch: (3,), (-3,), (4,)
N = 0


def program(x):
    global N
    if x > 0:
        N = x
    return x


# %% global_incremented: (3,), (-3,), (4,)
N = 0


def program(x):
    global N
    if x > 0:
        N += 1
    return x


# %% global_incremented_and_returned: (3,), (-3,), (4,)
N = 0


def program(x):
    global N
    if x > 0:
        N += 1
    return N


# %% global_in_helper: (3,), (-3,), (4,)
N = 0


def helper():
    global N
    N = 5


def program(x):
    if x > 0:
        helper()
    return x


# %% global_in_helper_read_after: (3,), (-3,)
N = 0


def helper():
    global N
    N = 5


def program(x):
    global N
    N = 1
    if x > 0:
        helper()
    return N


# %% global_in_loop: (3,), (0,)
TOTAL = 0


def program(n):
    global TOTAL
    TOTAL = 0
    for i in range(n):
        TOTAL += i
    return TOTAL


# %% global_read_only: (3,), (-3,)
K = 4


def program(x):
    if x > K:
        return K
    return x


def between():
    global K
    K = -10


# %% global_rebound_list: (3,), (-3,), (4,)
V = [0]


def program(x):
    global V
    if x > 0:
        V = [x]
    return x


# %% global_made: (3,), (-3,)
def program(x):
    global MADE
    MADE = 1
    if x > 0:
        MADE = 2
    return MADE


# %% global_object_method: (3,), (-3,), (4,)
class Counter:
    def __init__(self):
        self.n = 0

    def up(self):
        self.n += 1


C = Counter()


def program(x):
    if x > 0:
        C.up()
    return x


# %% global_object_method_returned: (3,), (-3,), (4,)
class Counter:
    def __init__(self):
        self.n = 0

    def up(self):
        self.n += 1
        return self.n


C = Counter()


def program(x):
    y = 0
    if x > 0:
        y = C.up()
    return y


# %% global_nested_data: (3,), (-3,), (4,)
STATE = {"a": [0, {"b": 0}]}


def program(x):
    if x > 0:
        STATE["a"][1]["b"] += x
    else:
        STATE["a"][0] -= 1
    return x


# %% closure_over_loop_variable: (3,), (0,)
def program(n):
    total = 0
    for i in range(n):
        def f():
            return i * 2

        total += f()
    return total


# %% closure_over_argument: (3,), (-3,)
def program(x):
    def f():
        return x if x > 0 else 0

    x = x + 1
    return f()


# %% recursive_closure: (3,), (-3,)
def program(x):
    def down(k):
        if k == 0:
            return x
        return down(k - 1) + 1

    return down(3)


# %% accumulator_argument: (3,), (-3,)
def program(x, acc=None):
    if acc is None:
        acc = []
    if x > 0:
        acc.append(1)
    else:
        acc.append(2)
    return acc


# %% mutable_default: (3,), (-3,), (4,)
def helper(k, seen=[0]):
    if k > 0:
        seen[0] += 1
    return seen[0]


def program(x):
    return helper(x)


# %% decorator_state: (3,), (-3,)
def logged(f):
    log = []

    def inner(x):
        log.append(1)
        return f(x), len(log)

    return inner


def program(x):
    @logged
    def double(v):
        return v * 2

    y = 0
    if x > 0:
        y, _ = double(x)
    return double(x)[1]


# %% nonlocal_none_to_value: (3,), (-3,)
def program(x):
    best = None

    def see(v):
        nonlocal best
        if best is None or v > best:
            best = v

    for v in (1, 2):
        see(v * x)
    return best


# %% class_in_closure: (3,), (-3,)
def program(x):
    total = 0

    class Adder:
        def add(self, v):
            nonlocal total
            total += v

    a = Adder()
    if x > 0:
        a.add(x)
    return total


# %% lambda_writes_by_walrus: (3,), (-3,)
def program(x):
    seen = {}
    put = lambda v: seen.update(v=v)
    put(0)
    if x > 0:
        put(x)
    return seen


# %% nested_three: (3,), (-3,)
def program(x):
    a = 0

    def f():
        b = 0

        def g():
            nonlocal a, b
            if x > 0:
                a += 1
                b += 2
            return b

        return g() + g()

    y = f()
    return a, y


# %% unbound_free_variable: (3,), (-3,)
def program(x):
    def f():
        return later

    if x > 0:
        later = 1
    else:
        later = 2
    return f()


# %% free_variable_deleted: (3,), (-3,)
def program(x):
    v = 1

    def f():
        return v

    y = f()
    del v
    return y + x


# %% nonlocal_in_while_test: (3,), (0,)
def program(n):
    i = 0

    def more():
        nonlocal i
        i += 1
        return i <= n

    total = 0
    while more():
        total += i
    return total, i


# %% nonlocal_with_break: (3,), (1,)
def program(n):
    count = 0

    def up():
        nonlocal count
        count += 1

    for i in range(10):
        if i >= n:
            break
        up()
    return count


# %% generator_closure: (3,), (-3,)
def program(x):
    n = 0

    def up():
        nonlocal n
        n += 1
        return n

    v = [up() for _ in range(3)]
    if x > 0:
        up()
    return v, n

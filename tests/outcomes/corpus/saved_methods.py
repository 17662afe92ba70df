# %% saved_append: (3,), (-3,)
def program(x):
    items = [1]
    put = items.append
    if x > 0:
        put(x)
    return items


# %% saved_append_length: (3,), (-3,)
def program(x):
    items = []
    put = items.append
    if x > 0:
        put(1)
    else:
        put(2)
    return items


# %% saved_append_in_loop: (3,), (0,)
def program(n):
    items = []
    put = items.append
    for i in range(n):
        put(i * i)
    return items


# %% saved_update: (3,), (-3,)
def program(x):
    d = {"a": 1}
    put = d.update
    if x > 0:
        put(a=x)
    return d


# %% saved_setitem: (3,), (-3,)
def program(x):
    v = [1, 2]
    put = v.__setitem__
    if x > 0:
        put(0, x)
    return v


# %% saved_own_method: (3,), (-3,)
class Counter:
    def __init__(self):
        self.n = 0

    def add(self, k):
        self.n += k


def program(x):
    c = Counter()
    add = c.add
    if x > 0:
        add(x)
    return c.n


# %% saved_own_method_in_loop: (3,), (0,)
class Counter:
    def __init__(self):
        self.n = 0

    def add(self, k):
        self.n += k


def program(n):
    c = Counter()
    add = c.add
    for i in range(n):
        add(i)
    return c.n


# %% partial_of_append: (3,), (-3,)
import functools


def program(x):
    items = [0]
    put = functools.partial(items.append, 5)
    if x > 0:
        put()
    return len(items)


# %% partial_of_setitem: (3,), (-3,)
import functools


def program(x):
    v = [0, 0]
    put = functools.partial(v.__setitem__, 0)
    if x > 0:
        put(x)
    return v


# %% partial_of_function: (3,), (-3,)
import functools


def store(v, i, k):
    v[i] = k


def program(x):
    v = [0, 0]
    put = functools.partial(store, v, 1)
    if x > 0:
        put(x)
    return v


# %% partial_of_method: (3,), (-3,)
import functools


class Box:
    def __init__(self):
        self.v = [0, 0]

    def put(self, i, k):
        self.v[i] = k


def program(x):
    box = Box()
    put = functools.partial(box.put, 1)
    if x > 0:
        put(x)
    return box.v


# %% partialmethod: (3,), (-3,)
import functools


class Box:
    def __init__(self):
        self.v = 0

    def put(self, a, b):
        self.v = a + b

    put_ten = functools.partialmethod(put, 10)


def program(x):
    box = Box()
    if x > 0:
        box.put_ten(x)
    return box.v


# %% operator_setitem: (3,), (-3,)
import operator


def program(x):
    v = [1, 2]
    if x > 0:
        operator.setitem(v, 0, x)
    return v


# %% operator_delitem: (3,), (-3,)
import operator


def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        operator.delitem(d, "a")
    return len(d)


# %% operator_iadd_list: (3,), (-3,)
import operator


def program(x):
    v = [1]
    if x > 0:
        operator.iadd(v, [x])
    return len(v)


# %% operator_iadd_number: (3,), (-3,)
import operator


def program(x):
    n = 1
    if x > 0:
        n = operator.iadd(n, x)
    return n


# %% operator_ior_dict: (3,), (-3,)
import operator


def program(x):
    d = {"a": 1}
    if x > 0:
        operator.ior(d, {"a": x})
    return d


# %% operator_methodcaller: (3,), (-3,)
import operator


def program(x):
    v = [1, 2]
    reverse = operator.methodcaller("reverse")
    if x > 0:
        reverse(v)
    return v


# %% operator_attrgetter: (3,), (-3,)
import operator


class Box:
    def __init__(self):
        self.v = [1]


def program(x):
    box = Box()
    get = operator.attrgetter("v")
    if x > 0:
        get(box)[0] = x
    return box.v


# %% operator_itemgetter: (3,), (-3,)
import operator


def program(x):
    grid = [[1], [2]]
    get = operator.itemgetter(1)
    if x > 0:
        get(grid)[0] = x
    return grid


# %% unbound_list_method: (3,), (-3,)
def program(x):
    v = [1, 2]
    if x > 0:
        list.reverse(v)
    return v


# %% unbound_append: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        list.append(v, x)
    return len(v)


# %% unbound_dict_update: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        dict.update(d, a=x)
    return d


# %% unbound_own_method: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0

    def put(self, k):
        self.v = k


def program(x):
    box = Box()
    if x > 0:
        Box.put(box, x)
    return box.v


# %% methods_in_dict: (3,), (-3,)
def program(x):
    up, down = [0], [0]
    table = {"up": up.__setitem__, "down": down.__setitem__}
    if x > 0:
        table["up"](0, x)
    else:
        table["down"](0, x)
    return up, down


# %% methods_in_list: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0

    def one(self):
        self.v += 1

    def ten(self):
        self.v += 10


def program(x):
    box = Box()
    steps = [box.one, box.ten, box.one]
    for step in steps:
        if x > 0:
            step()
    return box.v


# %% getattr_method: (3,), (-3,)
def program(x):
    v = [3, 1, 2]
    if x > 0:
        getattr(v, "sort")()
    return v


# %% callback: (3,), (-3,)
def on_positive(x, callback):
    if x > 0:
        callback(x)


def program(x):
    seen = [0]
    on_positive(x, lambda v: seen.__setitem__(0, v))
    return seen


# %% callback_append: (3,), (-3,)
def on_positive(x, callback):
    if x > 0:
        callback(x)


def program(x):
    seen = []
    on_positive(x, seen.append)
    return len(seen)


# %% callback_own_method: (3,), (-3,)
class Listener:
    def __init__(self):
        self.heard = 0

    def hear(self, v):
        self.heard = v


def emit(x, listeners):
    for each in listeners:
        if x > 0:
            each(x)


def program(x):
    a, b = Listener(), Listener()
    emit(x, [a.hear, b.hear])
    return a.heard, b.heard


# %% map_with_method: (3,), (-3,)
def program(x):
    v = []
    if x > 0:
        list(map(v.append, [1, 2]))
    return len(v)


# %% saved_reverse: (3,), (-3,)
def program(x):
    v = [1, 2, 3]
    flip = v.reverse
    if x > 0:
        flip()
    return v


# %% saved_sort: (3,), (-3,)
def program(x):
    v = [3, 1, 2]
    sort = v.sort
    if x > 0:
        sort()
    return v


# %% saved_pop: (3,), (-3,)
def program(x):
    v = [3, 1, 2]
    pop = v.pop
    y = 0
    if x > 0:
        y = pop()
    return y, len(v)


# %% saved_method_of_global: (3,), (-3,), (4,)
LOG = [0, 0]
put = LOG.__setitem__


def program(x):
    if x > 0:
        put(0, x)
    return x


# %% saved_append_of_global: (3,), (-3,), (4,)
LOG = []
put = LOG.append


def program(x):
    if x > 0:
        put(1)
    return x


# %% reduce_with_effect: (3,), (-3,)
import functools


def program(x):
    seen = [0]

    def step(a, b):
        if x > 0:
            seen[0] += b
        return a + b

    total = functools.reduce(step, [1, 2, 3], 0)
    return total, seen


# %% lru_cache: (3,), (-3,)
import functools


@functools.lru_cache
def double(k):
    return k * 2


def program(x):
    y = 0
    if x > 0:
        y = double(4)
    return y + x


# %% singledispatch: (3,), (-3,)
import functools


@functools.singledispatch
def put(v, k):
    raise TypeError


@put.register
def _(v: list, k):
    v[0] = k


def program(x):
    v = [0]
    if x > 0:
        put(v, x)
    return v


# %% wrapped_function: (3,), (-3,)
import functools

CALLS = [0]


def counted(f):
    @functools.wraps(f)
    def inner(*args):
        CALLS[0] += 1
        return f(*args)

    return inner


@counted
def double(k):
    return k * 2


def program(x):
    y = 0
    if x > 0:
        y = double(x)
    return y


# %% star_import_of_operator: (3,), (-3,)
from operator import setitem as put


def program(x):
    d = {1: 1}
    if x > 0:
        put(d, 1, x)
    return d


# %% compose: (3,), (-3,)
def compose(f, g):
    return lambda v: f(g(v))


def program(x):
    out = [0]

    def save(v):
        if v > 0:
            out[0] = v
        return v

    f = compose(save, lambda v: v + 1)
    y = f(x)
    return y, out

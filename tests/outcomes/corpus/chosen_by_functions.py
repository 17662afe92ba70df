# %% own_order: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    return V(x, 1.0) < V(2.0, 3.0)


# %% own_order_in_a_conditional: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    a, b = (V(x, 1.0), V(2.0, 3.0))
    return (a if a < b else b).b


# %% least_by_own_order: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    return min(V(x, 1.0), V(2.0, 3.0)).b


# %% greatest_by_own_order: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    return max([V(x, 1.0), V(2.0, 3.0), V(2.0, 5.0)]).b


# %% least_by_own_order_changed: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    q = [V(x, 1.0), V(2.0, 3.0), V(1.0, x)]
    m = min(q)
    m.b = 10.0
    return (q[0].b, q[1].b, q[2].b)


# %% sorted_by_own_order: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    q = [V(x, 1.0), V(2.0, 3.0), V(1.0, x)]
    s = sorted(q)
    return (s[0].b, s[1].b, s[2].b)


# %% least_object_by_key_changed: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    q = [V(x, 1.0), V(2.0, 3.0), V(1.0, x)]
    m = min(q, key=lambda v: v.a)
    m.b = 10.0
    return (q[0].b, q[1].b, q[2].b)


# %% least_list_changed: (1.,),(2.,),(3.,)
def program(x):
    q = [[x, 1.0], [2.0, 3.0], [1.0, x]]
    m = min(q)
    m[1] = 10.0
    return q


# %% least_row_by_key_changed: (1.,),(2.,),(3.,)
def program(x):
    q = [[x, 1.0], [2.0, 3.0], [1.0, x]]
    m = min(q, key=lambda r: r[0])
    m[1] = 10.0
    return q


# %% first_of_sorted_changed: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    q = [V(x, 1.0), V(2.0, 3.0), V(1.0, x)]
    s = sorted(q, key=lambda v: v.a)
    s[0].b = 10.0
    return (q[0].b, q[1].b, q[2].b)


# %% sorted_in_place_by_key: (1.,),(2.,),(3.,)
class V:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __lt__(self, o):
        if self.a == o.a:
            return self.b < o.b
        return self.a < o.a

    def __gt__(self, o):
        if self.a == o.a:
            return self.b > o.b
        return self.a > o.a


def program(x):
    q = [V(x, 1.0), V(2.0, 3.0), V(1.0, x)]
    q.sort(key=lambda v: -v.a)
    return (q[0].b, q[1].b, q[2].b)


# %% get_or_other_changed: (1.,),(-1.,)
def program(x):
    d = {'a': [1.0]}
    other = [2.0]
    if x > 0:
        d['b'] = [x]
    r = d.get('b', other)
    r[0] = 7.0
    return (other, d['a'])


# %% setdefault_changed: (1.,),(-1.,)
def program(x):
    d = {'a': [1.0]}
    if x > 0:
        d['b'] = [x]
    r = d.setdefault('b', [5.0])
    r[0] = 7.0
    return d


# %% next_or_first_changed: (1.,),(-1.,),(5.,)
def program(x):
    q = [[1.0, x], [2.0, x]]
    r = next((e for e in q if e[0] > x), q[0])
    r[0] = 7.0
    return q


# %% first_of_sorted_rows_changed: (1.,),(-1.,),(5.,)
def program(x):
    q = [[1.0, x], [2.0, x], [0.0, x]]
    r = sorted(q, key=lambda e: e[0] * x)
    r[0][0] = 7.0
    return q


# %% filtered_rows_changed: (1.,),(-1.,),(5.,)
def program(x):
    q = [[1.0, x], [2.0, x], [0.0, x]]
    r = list(filter(lambda e: e[0] > x, q))
    for e in r:
        e[0] = 7.0
    return q


# %% chosen_row_in_a_list: (1.,),(-1.,)
def program(x):
    q = [[1.0, x], [2.0, x], [0.0, x]]
    r = q[0] if x > 0 else q[1]
    s = [r, q[2]]
    s[0][0] = 5.0
    return q


# %% greatest_key: (1.,),(-1.,)
def program(x):
    q = {'a': [1.0, x], 'b': [2.0, x]}
    k = max(q, key=lambda n: q[n][0] * x)
    q[k][0] = 9.0
    return q


# %% two_rows_swapped: (1.,),(-1.,)
def program(x):
    q = [[1.0, x], [2.0, x], [0.0, x]]
    a, b = (q[0], q[1]) if x > 0 else (q[1], q[0])
    a[0] += b[0]
    return q


# %% greater_of_two_grows: (1.,),(-1.,)
def program(x):
    q = [[1.0, x], [2.0, x], [0.0, x]]
    m = max(q[0], q[1], key=lambda e: e[0] * x)
    m.append(3.0)
    return q


# %% least_of_enumerate_changed: (1.,),(-1.,)
def program(x):
    q = [[1.0, x], [2.0, x], [0.0, x]]
    t = min(enumerate(q), key=lambda e: e[1][0] * x)
    t[1][0] = 5.0
    return q


# %% item_of_least_tuple_changed: (1.,),(-1.,)
def program(x):
    q = [(1.0, [x]), (2.0, [x])]
    t = min(q, key=lambda e: e[0] * x)
    t[1][0] = 5.0
    return q


# %% item_of_least_tuple_without_key_changed: (1.,),(-1.,)
def program(x):
    q = [(1.0 * x, [x]), (2.0 * x, [x])]
    t = min(q)
    t[1][0] = 5.0
    return q


# %% reduced_row_changed: (1.,),(-1.,)
def program(x):
    import functools
    q = [[1.0 * x], [2.0 * x]]
    t = functools.reduce(lambda a, b: a if a[0] > b[0] else b, q)
    t[0] = 5.0
    return q


# %% row_after_and: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]
    t = x > 0 and q[0]
    if t is not False:
        t[0] = 5.0
    return q


# %% row_from_a_lambda: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]
    f = lambda a, b: a if a[0] > b[0] else b
    t = f(q[0], q[1])
    t[0] = 5.0
    return q


# %% row_from_a_function: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]

    def f(a, b):
        if a[0] > b[0]:
            return a
        return b
    t = f(q[0], q[1])
    t[0] = 5.0
    return q


# %% reduced_by_a_function: (1.,),(-1.,)
import functools


def program(x):
    q = [[1.0 * x], [2.0 * x]]

    def f(a, b):
        if a[0] > b[0]:
            return a
        return b
    t = functools.reduce(f, q)
    t[0] = 5.0
    return q


# %% reduced_object_changed: (1.,),(-1.,)
import functools


class Q:

    def __init__(self, v):
        self.v = v


def program(x):
    q = [Q(1.0 * x), Q(2.0 * x)]
    t = functools.reduce(lambda a, b: a if a.v > b.v else b, q)
    t.v = 5.0
    return (q[0].v, q[1].v)


# %% row_from_a_partial: (1.,),(-1.,)
import functools


def program(x):
    q = [[1.0 * x], [2.0 * x]]
    t = functools.partial(lambda a, b: a if a[0] > b[0] else b, q[0])(q[1])
    t[0] = 5.0
    return q


# %% rows_from_map: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]
    t = list(map(lambda a, b: a if a[0] > b[0] else b, q, q[::-1]))
    t[0][0] = 5.0
    return q


# %% rows_from_a_comprehension: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]
    t = [a if a[0] > b[0] else b for a, b in zip(q, q[::-1])]
    t[0][0] = 5.0
    return q


# %% rows_appended: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]
    r = []
    for a, b in zip(q, q[::-1]):
        r.append(a if a[0] > b[0] else b)
    r[0][0] = 5.0
    return q


# %% row_in_a_dict: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]
    d = {'m': q[0] if x > 0 else q[1]}
    d['m'][0] = 5.0
    return q


# %% row_as_attribute: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]

    class Z:
        pass
    z = Z()
    z.m = q[0] if x > 0 else q[1]
    z.m[0] = 5.0
    return q


# %% row_passed_on: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]

    def f(r):
        r[0] = 5.0
    f(q[0] if x > 0 else q[1])
    return q


# %% item_of_a_conditional: (1.,),(-1.,)
def program(x):
    q = [[1.0 * x], [2.0 * x]]
    (q[0] if x > 0 else q[1])[0] = 5.0
    return q

# %% interval: (3,), (-3,)
class Interval:
    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi
    def __contains__(self, v):
        return self.lo <= v < self.hi
def program(x):
    r = 0
    if x in Interval(0, 5):
        r = 1
    return r, x not in Interval(0, 5), x in Interval(x, 9)

# %% contains_and_iter_differ: (3,), (1,)
class Odd:
    def __iter__(self):
        return iter([1, 2, 3])
    def __contains__(self, v):
        return v == 1
def program(x):
    return x in Odd(), x not in Odd()

# %% contains_python_item: (3,), (1,)
class Bag:
    def __init__(self, v):
        self.v = v
    def __contains__(self, v):
        return self.v == v
def program(x):
    return 3 in Bag(x), 1 in Bag(x), 3 not in Bag(x)

# %% contains_by_iter: (3,), (1,)
class Bag:
    def __init__(self, v):
        self.v = v
    def __iter__(self):
        yield self.v
        yield 7
def program(x):
    return 3 in Bag(x), 7 in Bag(1), x in Bag(3)

# %% contains_with_effect: (3,), (1,)
class Asked:
    def __init__(self):
        self.times = 0
    def __contains__(self, v):
        self.times += 1
        return v > 2
def program(x):
    a = Asked()
    r = 1 if x in a else 2
    return r, a.times, 5 in a, a.times

# %% contains_number_answer: (3,), (1,)
class Odd:
    def __contains__(self, v):
        return v - 1
def program(x):
    return x in Odd(), x not in Odd()

# %% contains_user_list: (3,), (1,)
from collections import UserList
def program(x):
    u = UserList([1, 2])
    return x in u, 1 in u, x not in u

# %% contains_dict_subclass: (3,), (1,)
class D(dict):
    def __contains__(self, k):
        return k > 2
def program(x):
    return x in D({1: 2}), 7 in D()

# %% contains_list_subclass: (3,), (1,)
class L(list):
    def __contains__(self, k):
        return k > 2
def program(x):
    return x in L([1]), 7 in L()

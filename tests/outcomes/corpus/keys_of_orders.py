# %% key_itemgetter: ((1, -2, 4),), ((5, 0, 2),)
import operator
def program(xs):
    return max(enumerate(xs), key=operator.itemgetter(1))[0]
# %% key_lambda: ((1, -2, 4),), ((5, 0, 2),)
def program(xs):
    return max(enumerate(xs), key=lambda z: z[1])[0]
# %% key_abs: ((1, -2, 4),), ((5, 0, 2),)
def program(xs):
    return max(xs, key=abs), sorted(xs, key=abs)
# %% key_neg: ((1, -2, 4),), ((5, 0, 2),)
import operator
def program(xs):
    return max(xs, key=operator.neg), min(list(xs), key=operator.neg)
# %% key_partial: ((1, -2, 4),), ((5, 0, 2),)
import functools
def f(k, z):
    return (z - k) % 3
def program(xs):
    return max(xs, key=functools.partial(f, 1)), sorted(list(xs), key=functools.partial(f, 1))
# %% key_bound: ((1, -2, 4),), ((5, 0, 2),)
def program(xs):
    d = {1: 2, -2: 5, 4: 1, 5: 0, 0: 9, 2: 3}
    return max(xs, key=d.get)
# %% key_getitem: ((1, -2, 4),), ((5, 0, 2),)
def program(xs):
    d = [3, 4, 2, 0, 9, 1]
    return max(range(3), key=xs.__getitem__), sorted(range(3), key=lambda i: xs[i])
# %% key_default: ((1, -2, 4),), ((5, 0, 2),)
import operator
def program(xs):
    return max(enumerate(xs), key=operator.itemgetter(1), default=(0, 0))[1], sorted(enumerate(xs), key=operator.itemgetter(1))[0][0]

# %% tuple_slice_returned: (1,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    return t[x:]
# %% tuple_slice_compared: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    u = t[x:]
    return u == (3, 4, 5), u == [3, 4, 5], len(u), u != (4, 5), u < (3, 5), (3, 4, 5) == u, [4, 5] == u
# %% tuple_slice_isinstance: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    u = t[x:]
    return isinstance(u, tuple), isinstance(u, list), type(u) is tuple
# %% tuple_slice_added: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    return t[x:] + t[:x]
# %% tuple_slice_added_list: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    return t[x:] + [1]
# %% tuple_slice_append: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    u = t[x:]
    u.append(3)
    return u
# %% tuple_slice_set: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    u = t[x:]
    u[0] = 5
    return u
# %% tuple_slice_hash: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    u = t[x:]
    return {u: 1}[u]
# %% tuple_slice_text: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    u = t[x:]
    return f"{u}", str(u)
# %% tuple_slice_merged: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    if x > 2:
        t = t[x:]
    return t
# %% tuple_slice_iterated: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    r = 0
    for each in t[x:]:
        r += each
    return r, sum(t[x:]), max(t[x:]), list(t[x:]), tuple(t[1:x]), sorted(t[x:])
# %% tuple_known: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    return t[x:x + 2]
# %% tuple_reversed: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    return t[::-1][x:], t[x::2]
# %% list_slice: (2,), (3,)
def program(x):
    t = [1, 2, 3, 4, 5]
    return t[x:], t[x:] == [4, 5], t[x:] == (4, 5)
# %% tuple_slice_attribute: (2,), (3,)
class C:
    pass
def program(x):
    t = (1, 2, 3, 4, 5)
    c = C()
    c.t = t[x:]
    return c.t
# %% tuple_slice_loop: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    for i in range(x):
        t = t[1:]
    return t
# %% tuple_iadd: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    u = t[x:]
    w = u
    u += (9,)
    return u, w
# %% tuple_multiplied: (2,), (3,)
def program(x):
    t = (1, 2)
    return t * x, (1,) * x, [1] * x
# %% tuple_slice_read: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    r = 0
    for each in t[x:]:
        r += each
    u = t[x:]
    return r, sum(u), max(u), list(u), sorted(u), len(u), u[0], u[-1], 4 in u, u.index(5), u[1:][0], u == (4, 5), u == [4, 5]
# %% tuple_slice_joined: (2,), (3,)
def program(x):
    t = (1, 2, 3, 4, 5)
    return list(t[x:] + (9,)), list((8,) + t[x:]), list(t[x:] * 2), list(t[x:] + t[:x])
# %% tuple_slice_of_pairs: (0,), (1,)
def program(x):
    t = ((1, 2), (3, 4), (5, 6))
    r = 0
    for a, b in t[x:]:
        r += a * b
    return r, t[x:][0]
# %% named_tuple_sliced: (0,), (1,)
import collections
Point = collections.namedtuple("Point", "a b c")
def program(x):
    p = Point(x, 2, 3)
    return list(p[x:]), sum(p[x:])

# %% max_and_min_of_lists: (3, 1), (1, 3), (2, 2)
def program(a, b):
    return max([a, b], [b, a]), min([[a, 1], [b, 2], [2, a]])

# %% max_of_lists_of_other_lengths: (3, 1), (1, 3)
def program(a, b):
    best = max([a], [a, b])
    return best[0], len(best)

# %% max_of_list_then_changed: (3, 1), (1, 3)
def program(a, b):
    one, other = [a, b], [b, a]
    best = max(one, other)
    best[0] = 7
    return best, a

# %% max_of_list_then_original_read: (3, 1), (1, 3)
def program(a, b):
    one, other = [a, b], [b, a]
    best = max(one, other)
    best[0] = 7
    return one, other

# %% max_of_named_tuples: (3, 1), (1, 3), (1, 2)
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: int
def program(a, b):
    p, q = Point(a, b), Point(1, 2)
    return max(p, q), min([q, p]).y

# %% max_of_own_order: (3, 1), (1, 3)
class Shortest(list):
    def __lt__(self, other):
        return len(self) > len(other)
    def __gt__(self, other):
        return len(self) < len(other)
def program(a, b):
    return len(max([Shortest([a, b]), Shortest([a]), Shortest([a, b, 1])]))

# %% max_of_list_and_tuple: (3, 1), (1, 3)
def program(a, b):
    try:
        return max((a, b), [1, 2])
    except TypeError:
        return a

# %% list_and_tuple_without_order: (3, 1), (1, 3)
def program(a, b):
    return max([(a, b), [1, 2]])

# %% filtered_items_of_dict: (1, 2), (3, 4), (0, 5)
def program(a, b):
    d = {"x": a, "y": b}
    kept = [v for v in d.values() if v > 2]
    return [k for k, v in d.items() if v > 2], kept, [v * 2 for k, v in d.items() if k != "x"]

# %% filtered_display: (1, 2), (3, 4), (0, 5)
def program(a, b):
    return [v for v in (a, b, 3) if v > 2], [v for v in [a, b] if v]

# %% filtered_keys_deleted: (1, 2), (3, 4)
def program(a, b):
    d = {"x": a, "y": b}
    for k in [k for k, v in d.items() if v > 2]:
        del d[k]
    return d

# %% most_common_of_counter: (3,), (-3,), (1,)
from collections import Counter
def program(x):
    c = Counter()
    c["a"] += x
    c["b"] += 1
    return c.most_common(1)[0][1], c.most_common(), c.most_common(-1), c.most_common(5)

# %% most_common_names: (1, 2), (3, 1), (2, 2)
from collections import Counter
def program(x, y):
    c = Counter({"u": x, "v": y, "w": 2})
    return [k for k, n in c.most_common(2)]

# %% most_common_of_keys_chosen_by_tensor: ((1, 2, 3),), ((2, 2),)
from collections import Counter
def program(xs):
    c = Counter(even=0, odd=0)
    for v in xs:
        c["even" if v % 2 == 0 else "odd"] += 1
    return c.most_common(1)[0][0]

# %% most_common_of_new_keys: ((1, 2, 3),), ((2, 2),)
from collections import Counter
def program(xs):
    c = Counter()
    for v in xs:
        c["even" if v % 2 == 0 else "odd"] += 1
    return c.most_common(1)

# %% most_common_of_python: (3,)
from collections import Counter
def program(x):
    return Counter("abracadabra").most_common(2), x

# %% own_most_common: (3,), (0,)
from collections import Counter
class Least(Counter):
    def most_common(self, n=None):
        return super().most_common()[::-1]
def program(x):
    return Least({"a": x, "b": 1}).most_common()

# %% largest_of_negative_count: (3, -1), (0, 2)
import heapq
def program(x, n):
    return heapq.nlargest(-1, [x, 1, 2]), heapq.nsmallest(0, [x, 1]), len(heapq.nlargest(n, [x, 1, 2]))

# %% zip_of_texts_and_tensor: ((1, 2, 3),), ((4, 1, 6),)
def program(xs):
    d = dict(zip("abc", xs))
    return d, max(d, key=d.get), dict(enumerate(xs)), {k: v for k, v in zip(range(2, 9, 2), xs)}

# %% zip_in_staged_loop: ((1, 2, 3),), ((4, 1, 6),)
def program(xs):
    s, best = 0, "none"
    for i, v in zip(range(5), xs):
        s += i * v
    for i, v in enumerate(xs):
        s += i * v
    for name, v in zip(["a", "b", "c"], xs):
        if v > 2:
            best = name
    return s, best

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

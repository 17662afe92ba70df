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

# %% tuples_of_variables_compared: (3, 4), (1, 1), (9, 2)
def program(a, b):
    p, q = (a, b), (b, a)
    return p < q, p <= q, p > q, p >= q, p == q, p != q

# %% nested_tuples_of_variables_compared: (3, 4), (1, 1), (9, 2)
def program(a, b):
    p, q = (a, (b, 1)), (a, (a, 2))
    return p < q, p == q, p == [a, (b, 1)], p == 3

# %% tuples_of_other_lengths_compared: (3, 4), (1, 1)
def program(a, b):
    p, q = (a,), (b, 1)
    return p < q, q < p, p == q

# %% lists_of_variables_compared: (3, 4), (3, 3), (5, 3)
def program(a, b):
    p, q = [a, 1], [b, 1]
    if p < q:
        return 1
    return 2

# %% dates_between: (5, 2020), (7, 2021), (1, 2019), (6, 2021)
def program(a, b):
    date = (b, a)
    if (2020, 1) <= date < (2021, 6):
        return 1
    return 0

# %% chosen_tuple_compared: (3, 1), (1, 3), (5, 5)
def program(a, b):
    p = (a, 1) if a > b else (b, 2)
    q = (3, 1)
    if p < q:
        return 1
    return 2 if p == q else 3

# %% tuple_as_loop_test: (3, 1), (0, 3)
def program(a, b):
    p = (0, 0)
    while p < (a, b):
        p = (p[0] + 1, p[1])
    return p

# %% tuple_and_number_have_no_order: (3, 1), (1, 3)
def program(a, b):
    p = (a, b)
    try:
        return p < 3
    except TypeError:
        return 7

# %% named_tuples_sorted: (3, 1), (1, 3), (1, 2), (1, 1)
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: int
def program(a, b):
    points = [Point(a, 4), Point(1, b), Point(b, a)]
    by_y = sorted(points, key=lambda point: point.y)
    return [point.x for point in sorted(points)], by_y[0].x, sorted(points, reverse=True)[0]

# %% named_tuple_found_in_a_list: (3, 1), (1, 3), (1, 2)
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: int
def program(a, b):
    points = [Point(a, 4), Point(1, b)]
    return (1, 3) in points, Point(b, 4) in points, (a, b) == Point(1, 2), [a, b] == Point(1, 2)

# %% named_tuple_with_own_order: (3, 1), (1, 3)
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    def __lt__(self, other):
        return self.x > other.x
def program(a, b):
    return [point.x for point in sorted([Point(4), Point(7)])], max(Point(a), Point(5)).x

# %% named_tuple_with_attributes_sorted: (3, 1), (1, 3)
from typing import NamedTuple
class Pair(NamedTuple):
    x: int
class Point(Pair):
    def place(self, name):
        self.name = name
        return self
def program(a, b):
    points = sorted([Point(a).place("a"), Point(b).place("b")])
    return points[0].name == "a"

# %% sorted_named_tuple_asked_for_identity: (3, 1), (1, 3)
from typing import NamedTuple
class Point(NamedTuple):
    x: int
def program(a, b):
    points = [Point(a), Point(b)]
    return sorted(points)[0] is points[0]

# %% sorted_tuple_asked_for_identity: (3, 1), (1, 3)
def program(a, b):
    points = [(a, 1), (b, 2)]
    return sorted(points)[0] is points[0]

# %% chosen_tuple_asked_for_identity: (3, 1), (1, 3)
def program(a, b):
    p, q = (a, 1), (b, 2)
    r = p
    if a > b:
        r = q
    return r is p, r is q

# %% greatest_tuple_asked_for_identity: (3, 1), (1, 3)
def program(a, b):
    p, q = (a, 1), (b, 2)
    return max(p, q) is p

# %% identity_of_tuples_that_python_knows: (3, 1), (1, 3)
def program(a, b):
    p, q, nothing = (a, 1), (b, 2, 3), ()
    r = p
    return r is p, p is q, p is nothing, p is None, p is not r, (1, 2) is p[0]

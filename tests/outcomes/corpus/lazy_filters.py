# %% filter_reads_what_the_loop_changes: ((1, 2, 3, 4), 4), ((9, 1), 3)
def program(xs, limit):
    out = []
    for x in filter(lambda v: v < limit, list(xs)):
        limit -= 1
        out.append(x)
    return out

# %% filter_reads_an_attribute_that_changes: (1, 4), (9, 3)
class Box:
    def __init__(self, n):
        self.n = n
def program(a, n):
    out, box = [], Box(n)
    for x in filter(lambda v: v < box.n, [a, 2, 3, 4]):
        box.n -= 1
        out.append(x)
    return out, box.n

# %% filter_with_effect: (1,), (3,)
def program(x):
    seen, out = [], []
    def keeps(v):
        seen.append(v)
        return v > 1
    for _ in filter(keeps, [x, 2, 0]):
        out.append(len(seen))
    return out, seen

# %% filter_read_twice: (1,), (-3,)
def program(x):
    it = filter(lambda v: v > 0, [x, 2, -1])
    return sum(it), sum(it), list(it)

# %% filter_left_by_break: (1,), (7,)
def program(x):
    total = 0
    for v in filter(lambda v: v > 0, [1, -2, x, 3]):
        if v > 5:
            break
        total += v
    return total

# %% filter_read_after_break: (1,), (7,)
def program(x):
    it = filter(lambda v: v > 0, [1, -2, x, 3])
    for v in it:
        if v > 5:
            break
    return sum(it)

# %% filter_of_python: (1,), (7,)
import itertools
def program(x):
    it = filter(lambda v: v > 0, [1, -1, 2])
    first = next(it)
    return first, list(it), x, tuple(itertools.takewhile(lambda v: v < 4, itertools.count()))

# %% filter_zipped: (1,), (-7,)
def program(x):
    return [a * b for a, b in zip(filter(lambda v: v > 0, [x, 2, 3]), [4, 5, 6])]

# %% filter_in_builtins: (1,), (-7,)
def program(x):
    xs = [x, 2, -1]
    kept = len(list(filter(lambda v: v > 0, xs)))
    return kept, max(filter(lambda v: v > 5, xs), default=x), any(v > 1 for v in filter(lambda v: v > 0, xs))

# %% filter_in_branch: (1,), (-7,)
def program(x):
    total = 0
    if x > 0:
        for v in filter(lambda v: v > x, [1, 2, 3]):
            total += v
    return total

# %% filters_nested: (1,), (-7,), (5,)
def program(x):
    return list(filter(lambda v: v < 3, filter(lambda v: v > 0, [x, 1, 2, 4])))

# %% takewhile_of_numbers: ((1, 2, 5, 1),), ((7, 1),), ((1, 1),)
import itertools
def program(xs):
    return [2 * x for x in itertools.takewhile(lambda v: v < 4, xs)]

# %% takewhile_reads_what_the_loop_changes: (1, 4), (9, 3)
from itertools import takewhile
def program(a, n):
    out = []
    for x in takewhile(lambda v: v < n, [a, 2, 3, 4]):
        n -= 1
        out.append(x)
    return out, n

# %% takewhile_with_else: (1,), (-1,), (9,)
from itertools import takewhile
def program(a):
    for x in takewhile(lambda v: v > 0, [2, a, 3]):
        if x > 5:
            return x
    else:
        return -5

# %% takewhile_asks_once_more: (1,), (-1,)
from itertools import takewhile
def program(a):
    asked = []
    def keeps(v):
        asked.append(v)
        return v > 0
    return sum(takewhile(keeps, [2, a, 3])), asked

# %% dropwhile_reads_what_the_loop_changes: (1, 4), (9, 3)
from itertools import dropwhile
def program(a, n):
    out = []
    for x in dropwhile(lambda v: v < n, [a, 2, 3, 4]):
        n += 1
        out.append(x)
    return out, n

# %% dropwhile_of_numbers: ((1, 2, 5, 1),), ((7, 1),), ((1, 1),)
import itertools
def program(xs):
    return list(itertools.dropwhile(lambda v: v < 4, xs))

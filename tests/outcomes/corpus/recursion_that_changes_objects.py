# %% union_find: (0, 1, 2), (0, 0, 1), (3, 4, 3)
class UnionFind:
    def __init__(self, n):
        self.p = list(range(n))
        self.rank = [0] * n

    def find(self, x):
        if self.p[x] != x:
            self.p[x] = self.find(self.p[x])
        return self.p[x]

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.rank[a] < self.rank[b]:
            a, b = b, a
        self.p[b] = a
        if self.rank[a] == self.rank[b]:
            self.rank[a] += 1
        return True


def program(a, b, c):
    sets = UnionFind(5)
    count = 0
    if sets.union(a, b):
        count += 1
    if sets.union(b, c):
        count += 1
    if sets.union(a, c):
        count += 1
    return count, sets.p, sets.rank, sets.find(c)


# %% path_compression: (4,), (0,), (2,)
def find(p, x):
    if p[x] != x:
        p[x] = find(p, p[x])
    return p[x]


def program(x):
    p = [0, 0, 1, 2, 3]
    root = find(p, x)
    return root, p


# %% path_halving_of_an_argument: ([0, 0, 1, 2, 3], 4), ([0, 1, 2, 3, 4], 2)
def find(p, x):
    if p[x] != x:
        p[x] = p[p[x]]
        return find(p, p[x])
    return x


def program(p, x):
    return find(p, x)


# %% depth_first_search: (1, 1), (1, -1), (-1, 1)
def visit(edges, v, seen):
    seen[v] = True
    for w in range(3):
        if edges[v][w] and not seen[w]:
            visit(edges, w, seen)


def program(a, b):
    edges = [[False, a > 0, False], [False, False, b > 0], [True, False, False]]
    seen = [False] * 3
    visit(edges, 0, seen)
    return seen


# %% search_with_marks_of_order: (1, 1), (-1, 1)
class Search:
    def __init__(self, edges):
        self.edges = edges
        self.order = [-1] * len(edges)
        self.time = 0

    def visit(self, v):
        self.order[v] = self.time
        self.time += 1
        for w in range(len(self.edges)):
            if self.edges[v][w] > 0 and self.order[w] < 0:
                self.visit(w)


def program(a, b):
    search = Search([[0, a, 1], [b, 0, 0], [1, a, 0]])
    search.visit(0)
    return search.order, search.time


# %% counter_attribute: (5,), (0,)
class Fibonacci:
    def __init__(self):
        self.calls = 0

    def at(self, n):
        self.calls += 1
        if n > 1:
            return self.at(n - 1) + self.at(n - 2)
        return n


def program(x):
    f = Fibonacci()
    return f.at(x), f.calls


# %% counter_in_a_closure: (5,), (0,)
def program(x):
    calls = 0

    def at(n):
        nonlocal calls
        calls += 1
        if n > 1:
            return at(n - 1) + at(n - 2)
        return n

    return at(x), calls


# %% table_of_results: (6,), (1,), (0,)
def program(x):
    known = [-1] * 8

    def at(n):
        if known[n] >= 0:
            return known[n]
        if n < 2:
            known[n] = n
        else:
            known[n] = at(n - 1) + at(n - 2)
        return known[n]

    return at(x), known


# %% hanoi: (3,), (0,)
def move(n, pegs, a, b, c):
    if n > 0:
        move(n - 1, pegs, a, c, b)
        pegs[a] -= 1
        pegs[c] += 1
        move(n - 1, pegs, b, a, c)


def program(x):
    pegs = [0, 0, 0]
    pegs[0] = x
    move(x, pegs, 0, 1, 2)
    return pegs


# %% flood_fill: (1, 2), (0, 0)
def fill(grid, r, c, old, new):
    if r < 0 or c < 0 or r >= 3 or c >= 3:
        return 0
    if grid[r][c] != old:
        return 0
    grid[r][c] = new
    return (
        1
        + fill(grid, r + 1, c, old, new)
        + fill(grid, r - 1, c, old, new)
        + fill(grid, r, c + 1, old, new)
        + fill(grid, r, c - 1, old, new)
    )


def program(r, c):
    grid = [[0, 1, 0], [0, 1, 1], [0, 0, 1]]
    return fill(grid, r, c, grid[r][c], 7), grid


# %% in_place_reversal: (4,), (1,), (0,)
def reverse(v, i, j):
    if i < j:
        v[i], v[j] = v[j], v[i]
        reverse(v, i + 1, j - 1)


def program(x):
    v = [1, 2, 3, 4, 5]
    reverse(v, 0, x)
    return v


# %% quicksort: (3, 1, 2), (1, 2, 3), (2, 2, 1)
def sort(v, low, high):
    if low < high:
        pivot, i = v[high], low
        for j in range(3):
            if j >= low and j < high and v[j] < pivot:
                v[i], v[j] = v[j], v[i]
                i += 1
        v[i], v[high] = v[high], v[i]
        sort(v, low, i - 1)
        sort(v, i + 1, high)


def program(a, b, c):
    v = [a, b, c]
    sort(v, 0, 2)
    return v


# %% two_names_of_one_list: (4,), (0,)
class Pair:
    def __init__(self, v):
        self.one = v
        self.other = v

    def add(self, n):
        if n > 0:
            self.one[n] += 1
            self.add(n - 1)
            self.other[n] *= 2


def program(x):
    v = [1, 2, 3, 4, 5]
    pair = Pair(v)
    pair.add(x)
    return v, pair.one is pair.other, pair.other


# %% list_in_a_tuple: (3,), (0,)
def add(pair, n):
    if n > 0:
        pair[0][n] += pair[1]
        add(pair, n - 1)


def program(x):
    v = [1, 2, 3, 4]
    add((v, x), x)
    return v


# %% copy_of_the_list: (3,), (0,)
def add(v, w, n):
    if n > 0:
        v[n] += w[n]
        add(v, w[:], n - 1)


def program(x):
    v = [1, 2, 3, 4]
    add(v, v, x)
    return v


# %% returned_list: (3,), (0,)
def add(v, n):
    if n > 0:
        v[n] += n
        return add(v, n - 1)
    return v


def program(x):
    v = [1, 2, 3, 4]
    w = add(v, x)
    w[0] = 9
    return v, w is v


# %% dict_of_counts: (5,), (0,)
def count(d, n):
    if n > 0:
        if n % 2 == 0:
            d["even"] += 1
        else:
            d["odd"] += n
        count(d, n - 1)


def program(x):
    d = {"even": 0, "odd": 0}
    count(d, x)
    return d


# %% growing_list: (3,), (0,)
def collect(v, n):
    if n > 0:
        v.append(n)
        collect(v, n - 1)


def program(x):
    v = []
    collect(v, x)
    return v


# %% new_object_at_each_call: (3,), (0,)
class Box:
    def __init__(self, v):
        self.v = v


def add(box, n):
    if n > 0:
        box.v += n
        return add(Box(box.v), n - 1)
    return box.v


def program(x):
    return add(Box(1), x)


# %% two_functions: (5,), (2,), (0,)
total = [0, 0]


def even(n):
    total[0] += 1
    if n > 0:
        odd(n - 1)


def odd(n):
    total[1] += n
    if n > 0:
        even(n - 1)


def program(x):
    total[:] = [0, 0]
    even(x)
    return total[:]


# %% float_sums: (4,), (0,)
def split(parts, n, share):
    if n > 0:
        parts[n] += share / 2
        split(parts, n - 1, share / 2)
        parts[0] += 1


def program(x):
    parts = [0, 0.5, 0.25, 1.0, 2.0]
    split(parts, x, 8.0)
    return parts


# %% error_after_a_change: (3,), (1,)
def down(v, n):
    v[n] += 1
    if n == 0:
        raise ValueError("bottom")
    if n > 2:
        return down(v, n - 1)
    return down(v, n - 2)


def program(x):
    v = [0, 0, 0, 0]
    return down(v, x), v


# %% objects_in_a_list: (3,), (0,)
class Box:
    def __init__(self, v):
        self.v = v


def swap(boxes, n):
    if n > 0:
        boxes[0], boxes[1] = boxes[1], boxes[0]
        boxes[0].v += n
        swap(boxes, n - 1)


def program(x):
    boxes = [Box(1), Box(10)]
    swap(boxes, x)
    return boxes[0].v, boxes[1].v


# %% names_in_a_list: (3,), (0,)
def rename(names, n):
    if n > 0:
        names[0], names[1] = names[1] + "x", names[0]
        rename(names, n - 1)


def program(x):
    names = ["a", "b"]
    rename(names, x)
    return names


# %% optional_attribute: (3,), (0,)
class Last:
    def __init__(self):
        self.value = None

    def down(self, n):
        if n > 0:
            self.down(n - 1)
            self.value = n


def program(x):
    last = Last()
    last.down(x)
    return last.value


# %% attribute_set_by_the_first_call: (3,), (0,)
class Trail:
    def down(self, n):
        if n > 0:
            self.deepest = n
            return self.down(n - 1) + self.deepest
        return 0


def program(x):
    trail = Trail()
    return trail.down(x)


# %% int_that_becomes_a_float: (3,), (0,)
class Sum:
    def __init__(self):
        self.total = 0

    def add(self, n):
        if n > 0:
            self.total += n / 2
            self.add(n - 1)


def program(x):
    s = Sum()
    s.add(x)
    return s.total


# %% list_chosen_by_a_tensor: (3,), (-1,), (0,)
def add(v, w, n):
    t = v if n % 2 == 0 else w
    if n > 0:
        t[0] += n
        add(v, w, n - 1)


def program(x):
    v, w = [0, 0], [5, 5]
    add(v, w, x)
    return v, w


# %% swapped_arguments: (3,), (2,), (0,)
def add(v, w, n):
    if n > 0:
        v[0] += n
        add(w, v, n - 1)


def program(x):
    v, w = [0, 0], [5, 5]
    add(v, w, x)
    return v, w


# %% change_before_and_after: (3,), (0,)
log = [0, 0]


def down(n):
    log[0] = log[0] * 2 + n
    if n > 0:
        down(n - 1)
        log[1] = log[1] * 3 + log[0] + n


def program(x):
    log[:] = [1, 1]
    down(x)
    return log[:]


# %% undone_on_the_way_out: (3,), (0,)
def paths(marks, n):
    if n <= 0:
        return marks[0] + marks[1] * 10
    found = 0
    for i in range(2):
        marks[i] += 1
        found = found + paths(marks, n - 1)
        marks[i] -= 1
    return found


def program(x):
    marks = [0, 0]
    return paths(marks, x), marks


# %% called_twice: (3,), (0,)
def down(v, n):
    if n > 0:
        v[0] += n
        down(v, n - 1)


def program(x):
    v = [0, 1]
    down(v, x)
    v[1] += v[0]
    down(v, x + 1)
    return v


# %% in_a_staged_loop: (3,), (0,)
def down(v, n):
    if n > 0:
        v[0] += n
        down(v, n - 1)


def program(x):
    v = [0, 1]
    i = 0
    while i < x:
        down(v, i)
        i += 1
    return v


# %% in_one_branch: (3,), (-3,)
def down(v, n):
    if n > 0:
        v[0] += n
        down(v, n - 1)


def program(x):
    v = [0, 1]
    if x > 0:
        down(v, x)
    else:
        v[1] = 7
    return v

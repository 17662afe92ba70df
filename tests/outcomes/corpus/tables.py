# %% list_of_numbers: (1,), (0,), (2,)
def program(i):
    table = [10, 20, 30]
    return table[i]


# %% out_of_range: (1,), (5,)
def program(i):
    table = [10, 20, 30]
    return table[i]


# %% negative_index: (-1,), (-3,), (-4,)
def program(i):
    table = [10, 20, 30]
    return table[i]


# %% tuple_of_numbers: (1,), (0,)
def program(i):
    return (10, 20, 30)[i]


# %% list_of_floats: (1,), (0,)
def program(i):
    return [0.5, 1.5, 2.5][i]


# %% list_of_bools: (1,), (0,)
def program(i):
    return [True, False][i]


# %% list_of_tensors: (1,), (0,)
def program(i):
    return [i * 2, i * 3][i]


# %% list_of_ints_and_floats: (1,), (0,)
def program(i):
    return [1, 2.5][i]


# %% list_of_texts: (1,), (0,)
def program(i):
    return ["a", "b"][i]


# %% rows: (1,), (0,)
def program(i):
    return [[1, 2], [3, 4]][i]


# %% item_of_row: (1, 0), (0, 1)
def program(i, j):
    return [[1, 2], [3, 4]][i][j]


# %% item_of_ragged_row: (1, 0), (0, 1)
def program(i, j):
    return [[1, 2], [3]][i][j]


# %% dict_of_numbers: (1,), (2,)
def program(x):
    return {1: 10, 2: 20}[x]


# %% dict_single: (1,), (2,)
def program(x):
    return {1: 10}[x]


# %% dict_get: (1,), (2,)
def program(x):
    return {1: 10}.get(x, 0)


# %% dict_get_none: (1,), (2,)
def program(x):
    y = {1: 10}.get(x)
    return 0 if y is None else y


# %% dict_in: (1,), (2,)
def program(x):
    return x in {1: 10}


# %% dict_of_texts: (1,), (2,)
def program(x):
    return {1: "a", 2: "b"}[x]


# %% dict_of_functions: (1,), (2,)
def program(x):
    table = {1: lambda: 10, 2: lambda: 20}
    return table[x]()


# %% list_of_functions: (1,), (0,)
def program(i):
    steps = [lambda v: v + 1, lambda v: v * 2]
    return steps[i](5)


# %% write_item: (1,), (0,)
def program(i):
    table = [0, 0, 0]
    table[i] = 7
    return table


# %% write_out_of_range: (1,), (9,)
def program(i):
    table = [0, 0, 0]
    table[i] = 7
    return table


# %% write_negative: (-1,), (-3,), (-9,)
def program(i):
    table = [0, 0, 0]
    table[i] = 7
    return table


# %% add_item: (1,), (0,)
def program(i):
    table = [1, 2, 3]
    table[i] += 10
    return table


# %% write_dict: (1,), (2,)
def program(x):
    d = {1: 0, 2: 0}
    d[x] = 5
    return d


# %% write_dict_new_key: (1,), (3,)
def program(x):
    d = {1: 0, 2: 0}
    d[x] = 5
    return len(d)


# %% count_in_dict: ((1, 2, 1),), ((2, 2, 2),)
def program(xs):
    d = {1: 0, 2: 0}
    for v in xs:
        d[v] += 1
    return d


# %% write_row_item: (1, 0), (0, 1)
def program(i, j):
    grid = [[0, 0], [0, 0]]
    grid[i][j] = 5
    return grid


# %% write_in_branch: (1,), (0,)
def program(i):
    table = [0, 0]
    if i > 0:
        table[i] = 7
    return table


# %% alias_sees_write: (1,), (0,)
def program(i):
    table = [0, 0]
    other = table
    table[i] = 7
    return other


# %% attribute_table: (1,), (0,)
class Box:
    def __init__(self):
        self.w = [0, 0, 0]


def program(i):
    box = Box()
    box.w[i] = 4
    return box.w


# %% self_table: (1,), (0,)
class Box:
    def __init__(self):
        self.w = [0, 0, 0]

    def put(self, i, v):
        self.w[i] = v

    def get(self, i):
        return self.w[i]


def program(i):
    box = Box()
    box.put(i, 4)
    return box.get(i), box.get(i + 1)


# %% global_table: (1,), (0,)
TABLE = [10, 20, 30]


def program(i):
    return TABLE[i]


def between():
    TABLE[1] = 99


# %% global_table_written: (1,), (0,)
TABLE = [10, 20, 30]


def program(i):
    TABLE[i] = 5
    return i


# %% slice_by_tensor: (1,), (0,)
def program(i):
    return [1, 2, 3][i:]


# %% slice_length: (1,), (0,)
def program(i):
    return len([1, 2, 3][i:])


# %% slice_of_fixed_length: (1,), (0,)
def program(i):
    return [1, 2, 3, 4][i : i + 2]


# %% prefix_sum: (2,), (0,)
def program(n):
    return sum([1, 2, 3, 4][:n])


# %% reversed_index: (1,), (0,)
def program(i):
    v = [1, 2, 3]
    return v[len(v) - 1 - i]


# %% index_of_comprehension: (1,), (0,)
def program(i):
    squares = [k * k for k in range(5)]
    return squares[i]


# %% lookup_in_loop: (4,), (0,)
def program(n):
    days = [31, 28, 31, 30]
    total = 0
    for i in range(n):
        total += days[i]
    return total


# %% lookup_in_while: (3,), (0,)
def program(n):
    nexts = [1, 2, 3, 0]
    i, steps = 0, 0
    while i < n:
        i = nexts[i]
        steps += 1
    return i, steps


# %% fibonacci_table: (6,), (2,)
def program(n):
    dp = [0] * 10
    dp[1] = 1
    for i in range(2, n + 1):
        dp[i] = dp[i - 1] + dp[i - 2]
    return dp[n]


# %% climbing_stairs: (5,), (1,)
def program(n):
    dp = [1] * 12
    i = 2
    while i <= n:
        dp[i] = dp[i - 1] + dp[i - 2]
        i += 1
    return dp[n]


# %% coin_change: (11,), (3,)
def program(amount):
    dp = [0] + [99] * 12
    for a in range(1, amount + 1):
        for coin in (1, 2, 5):
            if a >= coin:
                dp[a] = min(dp[a], dp[a - coin] + 1)
    return dp[amount]


# %% knapsack: (6,), (1,)
def program(capacity):
    weights, values = [1, 2, 3], [6, 10, 12]
    dp = [0] * 10
    for k in range(3):
        w = capacity
        while w >= weights[k]:
            dp[w] = max(dp[w], dp[w - weights[k]] + values[k])
            w -= 1
    return dp[capacity]


# %% grid_paths: (3, 3), (1, 2)
def program(m, n):
    dp = [[1] * 4 for _ in range(4)]
    for i in range(1, m):
        for j in range(1, n):
            dp[i][j] = dp[i - 1][j] + dp[i][j - 1]
    return dp[m - 1][n - 1]


# %% edit_distance: (3,), (2,)
def program(n):
    a, b = [1, 2, 3], [1, 3, 4]
    dp = [[0] * 4 for _ in range(4)]
    for i in range(4):
        dp[i][0] = i
        dp[0][i] = i
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            dp[i][j] = min(dp[i - 1][j] + 1, dp[i][j - 1] + 1, dp[i - 1][j - 1] + cost)
    return dp[n][n]


# %% longest_increasing: ((3, 1, 2, 5),), ((4, 3, 2, 1),)
def program(xs):
    best = [1] * 4
    for i in range(4):
        for j in range(i):
            if xs[j] < xs[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best)


# %% sieve: (10,), (2,)
def program(n):
    prime = [True] * 20
    p = 2
    while p * p <= n:
        if prime[p]:
            for k in range(p * p, n + 1, p):
                prime[k] = False
        p += 1
    count = 0
    for i in range(2, n + 1):
        if prime[i]:
            count += 1
    return count


# %% union_find: (0, 2), (1, 3)
def find(parent, i):
    while parent[i] != i:
        i = parent[i]
    return i


def program(a, b):
    parent = [0, 1, 2, 3]
    ra, rb = find(parent, a), find(parent, b)
    parent[ra] = rb
    return find(parent, a) == find(parent, b), parent


# %% union_find_class: (0, 2), (1, 1)
class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.count = n

    def find(self, i):
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def union(self, a, b):
        ra, rb = self.find(a), self.find(b)
        if ra != rb:
            self.parent[ra] = rb
            self.count -= 1


def program(a, b):
    u = UnionFind(4)
    u.union(a, b)
    u.union(1, 2)
    return u.count, u.find(a) == u.find(b)


# %% dijkstra: (0,), (2,)
def program(start):
    inf = 999
    graph = [[0, 4, 1, 0], [0, 0, 0, 1], [0, 2, 0, 5], [0, 0, 0, 0]]
    dist = [inf] * 4
    done = [False] * 4
    dist[start] = 0
    for _ in range(4):
        u, best = -1, inf
        for v in range(4):
            if not done[v] and dist[v] < best:
                u, best = v, dist[v]
        if u == -1:
            break
        done[u] = True
        for v in range(4):
            w = graph[u][v]
            if w > 0 and dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
    return dist


# %% bellman_ford: (0,), (2,)
def program(start):
    edges = [(0, 1, 4), (0, 2, 1), (2, 1, 2), (1, 3, 1)]
    dist = [999] * 4
    dist[start] = 0
    for _ in range(3):
        for u, v, w in edges:
            if dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
    return dist


# %% binary_search: (7,), (4,), (1,)
def program(x):
    v = [1, 3, 5, 7, 9]
    lo, hi = 0, 4
    while lo <= hi:
        mid = (lo + hi) // 2
        if v[mid] == x:
            return mid
        if v[mid] < x:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1


# %% two_sum: (9,), (1,)
def program(target):
    v = [2, 7, 11, 15]
    for i in range(4):
        for j in range(i + 1, 4):
            if v[i] + v[j] == target:
                return i, j
    return -1, -1


# %% two_pointers: (9,), (14,)
def program(target):
    v = [1, 3, 6, 8, 11]
    i, j = 0, 4
    while i < j:
        s = v[i] + v[j]
        if s == target:
            break
        if s < target:
            i += 1
        else:
            j -= 1
    return i, j


# %% histogram: ((1, 2, 2),), ((0, 0, 3),)
def program(xs):
    counts = [0] * 4
    for v in xs:
        counts[v] += 1
    return counts


# %% counting_sort: ((3, 1, 2, 1),), ((0, 0, 3, 3),)
def program(xs):
    counts = [0] * 4
    for v in xs:
        counts[v] += 1
    out = []
    for v in range(4):
        for _ in range(counts[v]):
            out.append(v)
    return out


# %% permutation_cycle: (0,), (3,)
def program(start):
    p = [1, 2, 0, 3]
    i, n = p[start], 1
    while i != start:
        i = p[i]
        n += 1
    return n


# %% game_of_life_cell: (1, 1), (0, 0)
def program(r, c):
    grid = [[0, 1, 0], [0, 1, 0], [0, 1, 0]]
    total = 0
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if (dr != 0 or dc != 0) and 0 <= r + dr < 3 and 0 <= c + dc < 3:
                total += grid[r + dr][c + dc]
    return total


# %% state_machine: ((0, 1, 1),), ((1, 1, 0),)
def program(xs):
    table = [[0, 1], [2, 1], [2, 0]]
    state = 0
    for v in xs:
        state = table[state][v]
    return state


# %% interpreter: (3,), (0,)
def program(x):
    code = [0, 1, 0, 2]
    pc = 0
    while pc < 4:
        op = code[pc]
        if op == 0:
            x += 1
        elif op == 1:
            x *= 2
        else:
            break
        pc += 1
    return x, pc


# %% matrix_multiplication: ((1, 2, 3, 4),), ((0, 1, 1, 0),)
def program(xs):
    a = [[xs[0], xs[1]], [xs[2], xs[3]]]
    out = [[0, 0], [0, 0]]
    for i in range(2):
        for j in range(2):
            for k in range(2):
                out[i][j] += a[i][k] * a[k][j]
    return out


# %% matrix_power: (3,), (0,)
def program(n):
    a, r = [[1, 1], [1, 0]], [[1, 0], [0, 1]]
    while n > 0:
        r = [[sum(r[i][k] * a[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
        n -= 1
    return r[0][1]


# %% rotate_index: (1,), (5,)
def program(k):
    v = [1, 2, 3]
    return [v[(i + k) % 3] for i in range(3)]


# %% index_by_bool: (3,), (-3,)
def program(x):
    return ["no", "yes"][x > 0]


# %% number_by_bool: (3,), (-3,)
def program(x):
    return [10, 20][x > 0]


# %% dict_by_bool: (3,), (-3,)
def program(x):
    return {True: 1, False: 2}[x > 0]


# %% dict_by_tuple: (1, 0), (0, 0)
def program(i, j):
    return {(0, 0): 1, (1, 0): 2}[i, j]


# %% dict_of_rows: (1,), (2,)
def program(x):
    return {1: [1, 2], 2: [3, 4]}[x][0]


# %% dict_key_missing: (1,), (9,)
def program(x):
    return {1: 10, 2: 20}[x]


# %% pascal: (4,), (1,)
def program(n):
    row = [1, 0, 0, 0, 0, 0]
    for i in range(1, n + 1):
        j = i
        while j > 0:
            row[j] = row[j] + row[j - 1]
            j -= 1
    return row


# %% index_method: (3,), (5,), (9,)
def program(x):
    return [1, 3, 5].index(x)


# %% count_method: (3,), (9,)
def program(x):
    return [1, 3, 3].count(x)


# %% range_index: (2,), (0,), (9,)
def program(i):
    return range(5, 15, 2)[i]


# %% string_table: (2,), (0,)
def program(i):
    return "abc"[i] == "c"


# %% text_of_day: (0,), (1,)
DAYS = ("Mon", "Tue", "Wed")


def program(i):
    return DAYS[i % 3]


# %% float_index: (1.0,), (0.0,)
def program(x):
    return [1, 2, 3][x]


# %% objects_by_index: (1,), (0,)
class Box:
    def __init__(self, v):
        self.v = v


def program(i):
    boxes = [Box(1), Box(2)]
    return boxes[i].v


# %% objects_by_index_written: (1,), (0,)
class Box:
    def __init__(self, v):
        self.v = v


def program(i):
    boxes = [Box(1), Box(2)]
    boxes[i].v = 10
    return [b.v for b in boxes]


# %% row_by_index_written: (1,), (0,)
def program(i):
    grid = [[1, 2], [3, 4]]
    row = grid[i]
    row[0] = 9
    return grid


# %% row_by_index_appended: (1,), (0,)
def program(i):
    buckets = [[], []]
    buckets[i].append(7)
    return len(buckets[0]), len(buckets[1])


# %% del_by_index: (1,), (0,)
def program(i):
    v = [1, 2, 3]
    del v[i]
    return v


# %% pop_by_index: (1,), (0,)
def program(i):
    v = [1, 2, 3]
    y = v.pop(i)
    return y, v


# %% insert_by_index: (1,), (0,)
def program(i):
    v = [1, 2, 3]
    v.insert(i, 9)
    return v


# %% slice_assignment: (1,), (0,)
def program(i):
    v = [1, 2, 3, 4]
    v[i : i + 2] = [8, 9]
    return v


# %% minus_index: (1,), (2,)
def program(i):
    return [1, 2, 3][-i]


# %% bytes_index: (1,), (0,)
def program(i):
    return b"ab"[i]


# %% array_index: (1,), (0,)
import numpy as np

A = np.array([1.0, 2.0, 3.0])


def program(i):
    return A[i]


# %% array_item_write: (1,), (0,)
import numpy as np


def program(i):
    a = np.zeros(3)
    a[i] = 1.0
    return a


# %% none_in_values: (3,), (-3,)
def program(x):
    slot = {"k": None, "j": 2}
    if x > 0:
        slot["k"] = 1
    return None in slot.values()


# %% number_in_values: (3,), (-3,)
def program(x):
    d = {"a": x, "b": 2}
    if x in d.values():
        x = x + 1
    return x, 2 in d.values(), 5 not in d.values(), -3 in d.values()


# %% number_in_values_of_dict_that_gains_a_key: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 2
    return 2 in d.values()


# %% pair_in_items: (3,), (-3,)
def program(x):
    d = {"a": x, "b": 2}
    return ("a", 3) in d.items(), ("b", x) in d.items()

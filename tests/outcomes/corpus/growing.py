# %% stack_class: (3,), (-3,)
class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)

    def pop(self):
        return self.items.pop()


def program(x):
    s = Stack()
    s.push(1)
    if x > 0:
        s.push(x)
    return s.pop(), len(s.items)


# %% stack_in_loop: (3,), (0,)
class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)


def program(n):
    s = Stack()
    for i in range(n):
        s.push(i)
    return s.items


# %% append_in_branch: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(x)
    return v


# %% append_in_branch_length: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(x)
    return len(v)


# %% append_in_both: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(x)
    else:
        v.append(-x)
    return v


# %% append_then_index: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(x)
    return v[-1]


# %% append_then_sum: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(x)
    return sum(v)


# %% append_then_iterate: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(x)
    total = 0
    for k in v:
        total += k
    return total


# %% append_twice: (3, 1), (-3, 1), (3, -1)
def program(x, y):
    v = []
    if x > 0:
        v.append(x)
    if y > 0:
        v.append(y)
    return v


# %% append_in_loop_with_test: ((3, -1, 2),), ((-1, -2, -3),)
def program(xs):
    v = []
    for x in xs:
        if x > 0:
            v.append(x)
    return v


# %% append_tuples: ((3, -1, 2),), ((-1, -2, -3),)
def program(xs):
    v = []
    for x in xs:
        v.append((x, x * 2))
    return v


# %% append_tuples_with_test: ((3, -1, 2),), ((-1, -2, -3),)
def program(xs):
    v = []
    for i, x in enumerate(xs):
        if x > 0:
            v.append((i, x))
    return v


# %% append_lists: (3,), (0,)
def program(n):
    v = []
    for i in range(n):
        v.append([i, i + 1])
    return v


# %% pop_in_branch: (3,), (-3,)
def program(x):
    v = [1, 2, 3]
    y = 0
    if x > 0:
        y = v.pop()
    return y, v


# %% pop_first: (3,), (-3,)
def program(x):
    v = [1, 2, 3]
    y = 0
    if x > 0:
        y = v.pop(0)
    return y, len(v)


# %% pop_in_loop: (2,), (0,)
def program(n):
    v = [1, 2, 3]
    total = 0
    for _ in range(n):
        total += v.pop()
    return total, len(v)


# %% pop_of_empty: (2,), (5,)
def program(n):
    v = [1, 2, 3]
    total = 0
    for _ in range(n):
        total += v.pop()
    return total


# %% pop_until_empty: ((3, 1, 2),), ((0, 0, 0),)
def program(xs):
    stack = []
    for x in xs:
        if x > 0:
            stack.append(x)
    total = 0
    while stack:
        total = total * 10 + stack.pop()
    return total


# %% insert_in_branch: (3,), (-3,)
def program(x):
    v = [1, 2]
    if x > 0:
        v.insert(0, x)
    return v


# %% insert_in_loop: (3,), (0,)
def program(n):
    v = []
    for i in range(n):
        v.insert(0, i)
    return v


# %% extend_in_branch: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.extend([2, x])
    return v


# %% iadd_in_branch: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v += [2, x]
    return v


# %% iadd_of_alias: (3,), (-3,)
def program(x):
    v = [1]
    w = v
    if x > 0:
        w += [2]
    return len(v)


# %% add_in_branch: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v = v + [x]
    return v


# %% remove_in_branch: (3,), (-3,)
def program(x):
    v = [1, 2, 3]
    if x > 0:
        v.remove(2)
    return v


# %% clear_in_branch: (3,), (-3,)
def program(x):
    v = [1, 2, 3]
    if x > 0:
        v.clear()
    return len(v)


# %% heappush: (3,), (-3,)
import heapq


def program(x):
    h = [2, 5]
    if x > 0:
        heapq.heappush(h, 1)
    return h[0], len(h)


# %% heappush_of_tensor: (3,), (-3,)
import heapq


def program(x):
    h = [2, 5]
    heapq.heappush(h, x)
    return h[0]


# %% heap_in_loop: ((3, 1, 2),), ((5, 4, 6),)
import heapq


def program(xs):
    h = []
    for x in xs:
        heapq.heappush(h, x)
    return heapq.heappop(h), heapq.heappop(h)


# %% heappop_in_branch: (3,), (-3,)
import heapq


def program(x):
    h = [1, 4, 2]
    y = 0
    if x > 0:
        y = heapq.heappop(h)
    return y, h


# %% heapreplace: (3,), (-3,)
import heapq


def program(x):
    h = [1, 4, 2]
    if x > 0:
        heapq.heapreplace(h, 3)
    return h


# %% heap_by_hand: ((3, 1, 2),), ((5, 4, 6),)
def push(h, n, v):
    h[n] = v
    i = n
    while i > 0 and h[(i - 1) // 2] > h[i]:
        h[i], h[(i - 1) // 2] = h[(i - 1) // 2], h[i]
        i = (i - 1) // 2


def program(xs):
    h = [0, 0, 0]
    for n in range(3):
        push(h, n, xs[n])
    return h[0]


# %% nlargest: ((3, 1, 2),), ((5, 4, 6),)
import heapq


def program(xs):
    return heapq.nlargest(2, xs)


# %% insort: (3,), (-3,)
import bisect


def program(x):
    v = [1, 5]
    if x > 0:
        bisect.insort(v, 3)
    return v


# %% counter_increment: (3,), (-3,)
from collections import Counter


def program(x):
    c = Counter()
    if x > 0:
        c["pos"] += 1
    else:
        c["neg"] += 1
    return c["pos"], c["neg"]


# %% counter_in_loop: ((3, -1, 2),), ((-5, -4, -6),)
from collections import Counter


def program(xs):
    c = Counter()
    for x in xs:
        if x > 0:
            c["pos"] += 1
        else:
            c["neg"] += 1
    return c["pos"], c["neg"]


# %% counter_of_values: ((3, 1, 3),), ((5, 5, 5),)
from collections import Counter


def program(xs):
    c = Counter()
    for x in xs:
        c[x] += 1
    return c[3]


# %% defaultdict_list: (3,), (-3,)
from collections import defaultdict


def program(x):
    d = defaultdict(list)
    if x > 0:
        d["pos"].append(x)
    else:
        d["neg"].append(x)
    return len(d["pos"]), len(d["neg"])


# %% defaultdict_int: (3,), (-3,)
from collections import defaultdict


def program(x):
    d = defaultdict(int)
    if x > 0:
        d["pos"] += x
    return d["pos"]


# %% defaultdict_in_loop: ((3, -1, 2),), ((-5, -4, -6),)
from collections import defaultdict


def program(xs):
    d = defaultdict(int)
    for x in xs:
        key = "pos"
        d[key] += x
    return d["pos"]


# %% setdefault_in_branch: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d.setdefault("a", []).append(1)
    return len(d)


# %% dict_pop: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    y = 0
    if x > 0:
        y = d.pop("a")
    return y, len(d)


# %% dict_pop_default: (3,), (-3,)
def program(x):
    d = {"a": 1}
    y = 0
    if x > 0:
        y = d.pop("zz", 7)
    return y, d


# %% dict_popitem: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d.popitem()
    return len(d), "b" in d


# %% dict_del: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
    return "a" in d, d.get("a", -1)


# %% dict_del_in_both: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
    else:
        del d["a"]
    return d


# %% dict_clear: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d.clear()
    return len(d)


# %% dict_update_new: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d.update(b=2)
    return d.get("b", 0)


# %% dict_gains_key: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = 1
    return "a" in d


# %% dict_gains_key_then_read: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = 1
    return d["a"]


# %% dict_gains_other_keys: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = 1
    else:
        d["b"] = 2
    return d.get("a", 0), d.get("b", 0)


# %% dict_iterated_after_gain: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 2
    total = 0
    for k in d:
        total += d[k]
    return total


# %% queue_by_list: (3,), (1,)
def program(n):
    queue = [n]
    total = 0
    while queue:
        v = queue.pop(0)
        total += v
        if v > 1:
            queue.append(v - 1)
    return total


# %% bfs: (0,), (2,)
from collections import deque


def program(start):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}
    seen, queue = set(), deque([start])
    order = []
    while queue:
        v = queue.popleft()
        if v in seen:
            continue
        seen.add(v)
        order.append(v)
        queue.extend(graph[v])
    return order


# %% dfs_stack: (0,), (2,)
def program(start):
    graph = [[1, 2], [3], [3], []]
    stack, seen = [start], [False] * 4
    count = 0
    while stack:
        v = stack.pop()
        if seen[v]:
            continue
        seen[v] = True
        count += 1
        for w in graph[v]:
            stack.append(w)
    return count


# %% balanced: ((1, 1, -1, -1),), ((1, -1, -1, 1),)
def program(xs):
    stack = []
    for x in xs:
        if x > 0:
            stack.append(x)
        else:
            if len(stack) == 0:
                return False
            stack.pop()
    return len(stack) == 0


# %% monotonic_stack: ((2, 1, 3),), ((3, 2, 1),)
def program(xs):
    stack, out = [], [0, 0, 0]
    for i in range(3):
        while stack and xs[stack[-1]] < xs[i]:
            out[stack.pop()] = i
        stack.append(i)
    return out


# %% moving_window: ((2, 1, 3, 4),), ((3, 2, 1, 0),)
from collections import deque


def program(xs):
    window, out = deque(maxlen=2), []
    for x in xs:
        window.append(x)
        out.append(sum(window))
    return out


# %% linked_list: (3,), (-3,)
class Node:
    def __init__(self, v, rest=None):
        self.v = v
        self.rest = rest


def program(x):
    head = None
    for k in range(3):
        head = Node(k + x, head)
    total = 0
    while head is not None:
        if head.v > 0:
            total += head.v
        head = head.rest
    return total


# %% tree_insert: (3,), (9,)
class Node:
    def __init__(self, v):
        self.v = v
        self.left = None
        self.right = None


def insert(node, v):
    if node is None:
        return Node(v)
    if v < node.v:
        node.left = insert(node.left, v)
    else:
        node.right = insert(node.right, v)
    return node


def program(x):
    root = Node(5)
    root = insert(root, x)
    return root.left is not None


# %% matrix_rows_appended: (3,), (0,)
def program(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(2):
            row.append(i * j)
        rows.append(row)
    return rows


# %% list_grows_in_method: (3,), (-3,)
class Log:
    def __init__(self):
        self.lines = []

    def note(self, x):
        if x > 0:
            self.lines.append(x)


def program(x):
    log = Log()
    log.note(x)
    log.note(1)
    log.note(-1)
    return log.lines


# %% global_list_grows: (3,), (-3,), (4,)
LOG = []


def program(x):
    if x > 0:
        LOG.append(x)
    return x


# %% global_list_grows_length: (3,), (-3,), (4,)
LOG = []


def program(x):
    if x > 0:
        LOG.append(1)
    return len(LOG)


# %% global_dict_grows: (3,), (-3,), (4,)
SEEN = {}


def program(x):
    if x > 0:
        SEEN["a"] = x
    return x


# %% string_list: (3,), (-3,)
def program(x):
    v = ["a"]
    if x > 0:
        v.append("b")
    return v


# %% bool_list: ((3, -1),), ((0, 0),)
def program(xs):
    v = []
    for x in xs:
        v.append(x > 0)
    return v


# %% merge_sorted: ((1, 4),), ((5, 0),)
def program(xs):
    a, b = [xs[0], xs[0] + 2], [xs[1], xs[1] + 1]
    out, i, j = [], 0, 0
    while i < 2 and j < 2:
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    while i < 2:
        out.append(a[i])
        i += 1
    while j < 2:
        out.append(b[j])
        j += 1
    return out


# %% prime_factors: (12,), (7,)
def program(n):
    out = []
    d = 2
    while n > 1:
        while n % d == 0:
            out.append(d)
            n //= d
        d += 1
    return out


# %% unique_in_order: ((1, 2, 1),), ((3, 3, 3),)
def program(xs):
    out = []
    for x in xs:
        if x not in out:
            out.append(x)
    return out


# %% running_maximum: ((1, 3, 2),), ((3, 2, 1),)
def program(xs):
    out = []
    for x in xs:
        if not out or x > out[-1]:
            out.append(x)
        else:
            out.append(out[-1])
    return out


# %% list_truth: (3,), (-3,)
def program(x):
    v = []
    if x > 0:
        v.append(1)
    if v:
        return 1
    return 0


# %% list_not: (3,), (-3,)
def program(x):
    v = []
    if x > 0:
        v.append(1)
    return not v


# %% list_copied_after_growth: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(2)
    w = list(v)
    w.append(9)
    return len(v), len(w)


# %% list_reversed_after_growth: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(2)
    return v[::-1]


# %% list_compared_after_growth: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(2)
    return v == [1, 2]


# %% list_contains_after_growth: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(2)
    return 2 in v


# %% list_written_after_growth: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(2)
    v[0] = 9
    return v


# %% list_written_out_of_range_after_growth: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        v.append(2)
    v[1] = 9
    return v

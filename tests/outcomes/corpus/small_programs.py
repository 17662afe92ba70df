# %% row_alias_mult: (3,), (-3,)
def program(x):
    g = [[0] * 2] * 2
    if x > 0:
        g[0][1] = x
    return g

# %% remove_while_iterating: (3,), (-3,)
def program(x):
    v = [1, 2, x, 4]
    for a in v:
        if a > 1:
            v.remove(a)
    return v

# %% remove_copy_iterating: (3,), (-3,)
def program(x):
    v = [1, 2, x, 4]
    for a in v[:]:
        if a > 1:
            v.remove(a)
    return v

# %% append_while_iterating: (3,), (-3,)
def program(x):
    v = [x, 1]
    for a in v:
        if a > 0 and len(v) < 6:
            v.append(a - 1)
    return v

# %% iter_sentinel: (3,), (-3,)
def program(x):
    data = [1, 2, 0, 5]
    it = iter(data)
    out = []
    for v in iter(lambda: next(it), 0):
        out.append(v + x)
    return out, list(it)

# %% shared_iterator: (3,), (-3,)
def program(x):
    it = iter([1, x, 3, 4])
    out = []
    for a in it:
        b = next(it)
        out.append(a - b if x > 0 else a + b)
    return out

# %% any_short_circuit: (3,), (-3,)
def program(x):
    seen = []
    def check(v):
        seen.append(v)
        return v > 1
    r = any(check(v) for v in [x, 2, 5])
    return r, len(seen)

# %% all_effects: (3,), (-3,)
def program(x):
    n = 0
    def check(v):
        nonlocal n
        n += 1
        return v > 1
    r = all(check(v) for v in [x, 2, 0, 5])
    return r, n

# %% and_effects: (3,), (-3,)
def program(x):
    n = [0]
    def bump():
        n[0] += 1
        return True
    r = x > 0 and bump() and bump()
    return n[0], r

# %% default_mutable: (3,), (-3,)
def add(v, acc=[]):
    if v > 0:
        acc.append(v)
    return acc
def program(x):
    add(1)
    return len(add(x))

# %% counter_global: (3,), (-3,)
count = 0
def bump(v):
    global count
    if v > 0:
        count += v
def program(x):
    bump(x)
    bump(2)
    return count

# %% class_counter: (3,), (-3,)
class Node:
    made = 0
    def __init__(self, v):
        Node.made += 1
        self.v = v
        self.id = Node.made
def program(x):
    a = Node(x)
    if x > 0:
        b = Node(1)
    return Node.made, a.id

# %% generator_list: (3,), (-3,)
def evens(xs):
    for v in xs:
        if v % 2 == 0:
            yield v
def program(x):
    return list(evens([x, 2, 4, x + 1]))

# %% generator_sum: (3,), (-3,)
def evens(xs):
    for v in xs:
        if v % 2 == 0:
            yield v
def program(x):
    return sum(evens([x, 2, 4, x + 1]))

# %% generator_take: (3,), (0,)
import itertools
def nat():
    i = 0
    while True:
        yield i
        i += 1
def program(n):
    return list(itertools.islice(nat(), 4)), n

# %% islice_n: (3,), (0,)
import itertools
def program(n):
    return list(itertools.islice(itertools.count(), n))

# %% yield_from: (3,), (-3,)
def walk(t):
    if isinstance(t, list):
        for c in t:
            yield from walk(c)
    else:
        yield t
def program(x):
    return list(walk([1, [x, [2, x + 1]], 3]))

# %% tree_insert: (3,), (7,), (5,)
class Node:
    def __init__(self, v):
        self.v = v
        self.left = None
        self.right = None
def insert(root, v):
    if root is None:
        return Node(v)
    if v < root.v:
        root.left = insert(root.left, v)
    else:
        root.right = insert(root.right, v)
    return root
def program(x):
    root = None
    for v in [5, 2, 8]:
        root = insert(root, v)
    return root.left.v + x

# %% tree_insert_tensor: (3,), (7,), (5,)
class Node:
    def __init__(self, v):
        self.v = v
        self.left = None
        self.right = None
def insert(root, v):
    if root is None:
        return Node(v)
    if v < root.v:
        root.left = insert(root.left, v)
    else:
        root.right = insert(root.right, v)
    return root
def depth(n):
    return 0 if n is None else 1 + max(depth(n.left), depth(n.right))
def program(x):
    root = Node(5)
    insert(root, x)
    return depth(root)

# %% tree_search: (3,), (7,), (5,)
class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right
def find(n, v):
    if n is None:
        return False
    if n.v == v:
        return True
    return find(n.left, v) if v < n.v else find(n.right, v)
def program(x):
    return find(Node(5, Node(3), Node(8, Node(7))), x)

# %% tree_max_path: (3,), (-7,)
class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right
def program(x):
    best = -1000
    def go(n):
        nonlocal best
        if n is None:
            return 0
        l = max(go(n.left), 0)
        r = max(go(n.right), 0)
        best = max(best, n.v + l + r)
        return n.v + max(l, r)
    go(Node(x, Node(2, None, Node(x)), Node(-3)))
    return best

# %% tree_walk_stack: (3,), (7,), (5,)
class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right
def program(x):
    n = Node(5, Node(3), Node(8, Node(7)))
    steps = 0
    while n is not None and n.v != x:
        n = n.left if x < n.v else n.right
        steps += 1
    return steps, n is None

# %% linked_list_reverse: (3,), (-3,)
class L:
    def __init__(self, v, next=None):
        self.v, self.next = v, next
def program(x):
    head = L(1, L(x, L(3)))
    prev = None
    while head:
        head.next, prev, head = prev, head, head.next
    out = []
    while prev:
        out.append(prev.v)
        prev = prev.next
    return out

# %% linked_list_merge: (3,), (-3,)
class L:
    def __init__(self, v, next=None):
        self.v, self.next = v, next
def program(x):
    a, b = L(1, L(4)), L(x)
    dummy = cur = L(0)
    while a and b:
        if a.v < b.v:
            cur.next, a = a, a.next
        else:
            cur.next, b = b, b.next
        cur = cur.next
    cur.next = a or b
    out = []
    n = dummy.next
    while n:
        out.append(n.v)
        n = n.next
    return out

# %% lru_cache_class: (3,), (1,)
from collections import OrderedDict
class LRU:
    def __init__(self, cap):
        self.cap = cap
        self.d = OrderedDict()
    def get(self, k):
        if k not in self.d:
            return -1
        self.d.move_to_end(k)
        return self.d[k]
    def put(self, k, v):
        self.d[k] = v
        self.d.move_to_end(k)
        if len(self.d) > self.cap:
            self.d.popitem(last=False)
def program(x):
    c = LRU(2)
    c.put("a", x)
    c.put("b", 2)
    c.get("a")
    c.put("c", 3)
    return c.get("a"), c.get("b")

# %% matrix_class: (3,), (-3,)
class Matrix:
    def __init__(self, rows):
        self.rows = rows
    def __getitem__(self, ij):
        i, j = ij
        return self.rows[i][j]
    def __setitem__(self, ij, v):
        i, j = ij
        self.rows[i][j] = v
    def __matmul__(self, o):
        n = len(self.rows)
        return Matrix([[sum(self[i, k] * o[k, j] for k in range(n)) for j in range(n)] for i in range(n)])
    def __eq__(self, o):
        return self.rows == o.rows
def program(x):
    m = Matrix([[x, 1], [0, 1]])
    p = m @ m
    if p[0, 0] > 5:
        p[1, 1] = 9
    return p.rows, p == m

# %% stack_queue: (3,), (-3,)
class Queue:
    def __init__(self):
        self.inbox, self.outbox = [], []
    def push(self, v):
        self.inbox.append(v)
    def pop(self):
        if not self.outbox:
            while self.inbox:
                self.outbox.append(self.inbox.pop())
        return self.outbox.pop()
def program(x):
    q = Queue()
    q.push(x)
    q.push(2)
    a = q.pop()
    if x > 0:
        q.push(7)
    return a, q.pop()

# %% min_stack: (3,), (-3,)
class MinStack:
    def __init__(self):
        self.s = []
    def push(self, v):
        m = v if not self.s else min(v, self.s[-1][1])
        self.s.append((v, m))
    def pop(self):
        return self.s.pop()[0]
    def minimum(self):
        return self.s[-1][1]
def program(x):
    s = MinStack()
    s.push(1)
    s.push(x)
    a = s.minimum()
    if x < 0:
        s.pop()
    return a, s.minimum()

# %% event_queue: (3,), (1,)
import heapq
def program(x):
    events = []
    heapq.heappush(events, (x, 0))
    heapq.heappush(events, (2, 1))
    heapq.heappush(events, (4, 2))
    out = []
    while events:
        t, k = heapq.heappop(events)
        out.append(k)
    return out

# %% nlargest: (3,), (1,)
import heapq
def program(x):
    return heapq.nlargest(2, [x, 2, 5]), heapq.nsmallest(1, [x, 2])

# %% context_timer: (3,), (-3,)
class Scale:
    def __init__(self, log):
        self.log = log
    def __enter__(self):
        self.log.append(1)
        return self
    def __exit__(self, *a):
        self.log.append(2)
        return False
def program(x):
    log = []
    with Scale(log) as s:
        if x > 0:
            s.log.append(x)
    return log

# %% validation: (3,), (-3,), (200,)
def check(v):
    if v < 0:
        raise ValueError("negative")
    if v > 100:
        raise OverflowError("big")
    return v
def program(x):
    return check(x) + 1

# %% validation_caught: (3,), (-3,), (200,)
def check(v):
    if v < 0:
        raise ValueError("negative")
    return v
def program(x):
    try:
        return check(x)
    except ValueError:
        return 0

# %% retry_loop: (3,), (0,)
def program(x):
    attempts = 0
    while attempts < 5:
        attempts += 1
        if attempts * x >= 6:
            break
    else:
        attempts = -1
    return attempts

# %% nested_break_else: (3,), (9,)
def program(x):
    for i in range(1, 5):
        for j in range(1, 5):
            if i * j == x:
                break
        else:
            continue
        return i, j
    return 0, 0

# %% slice_assign: (3,), (-3,)
def program(x):
    v = [1, 2, 3, 4]
    if x > 0:
        v[1:3] = [x]
    return v

# %% slice_delete: (3,), (-3,)
def program(x):
    v = [1, 2, 3, 4]
    if x > 0:
        del v[1:3]
    return v, len(v)

# %% slice_step: (3,), (-3,)
def program(x):
    v = [0] * 6
    v[::2] = [x] * 3
    if x > 0:
        v[1::2] = [1, 2, 3]
    return v

# %% star_unpack: ((1, 2, 3, 4),), ((5, 6),)
def program(xs):
    first, *mid, last = xs
    return first, len(mid), last, sum(mid)

# %% nested_unpack: (3,), (-3,)
def program(x):
    pts = [((1, x), "a"), ((x, 2), "b")]
    t = 0
    for (p, q), name in pts:
        if p > q:
            t += p
    return t

# %% kwargs_passing: (3,), (-3,)
def f(a, *args, k=1, **kw):
    r = a * k + sum(args)
    if "extra" in kw:
        r += kw["extra"]
    return r
def program(x):
    return f(x), f(x, 1, 2, k=2), f(1, extra=x)

# %% partial_apply: (3,), (-3,)
from functools import partial
def program(x):
    add = partial(lambda a, b, c: a + b * c, x)
    return add(2, 3), list(map(partial(pow, 2), [1, 2]))

# %% compose_functions: (3,), (-3,)
from functools import reduce
def program(x):
    fs = [lambda v: v + 1, lambda v: v * 2, abs]
    return reduce(lambda acc, f: f(acc), fs, x)

# %% decorator_count: (3,), (-3,)
import functools
def counted(f):
    @functools.wraps(f)
    def wrapper(*a):
        wrapper.calls += 1
        return f(*a)
    wrapper.calls = 0
    return wrapper
@counted
def inc(v):
    return v + 1 if v > 0 else v - 1
def program(x):
    return inc(inc(x))

# %% memo_decorator: (3,), (-3,)
import functools
def memo(f):
    cache = {}
    @functools.wraps(f)
    def wrapper(k):
        if k not in cache:
            cache[k] = f(k)
        return cache[k]
    return wrapper
@memo
def slow(k):
    return k * k
def program(x):
    return slow(x) + slow(2)

# %% property_based: (3.0,), (-3.0,)
class Temp:
    def __init__(self, c):
        self._c = c
    @property
    def f(self):
        return self._c * 9 / 5 + 32
    @f.setter
    def f(self, v):
        self._c = (v - 32) * 5 / 9
def program(x):
    t = Temp(x)
    if t.f > 32:
        t.f = 50.0
    return t._c

# %% op_overload_poly: (3,), (-3,)
class Poly:
    def __init__(self, *c):
        self.c = list(c)
    def __add__(self, o):
        n = max(len(self.c), len(o.c))
        a = self.c + [0] * (n - len(self.c))
        b = o.c + [0] * (n - len(o.c))
        return Poly(*[p + q for p, q in zip(a, b)])
    def __mul__(self, o):
        r = [0] * (len(self.c) + len(o.c) - 1)
        for i, p in enumerate(self.c):
            for j, q in enumerate(o.c):
                r[i + j] += p * q
        return Poly(*r)
    def __call__(self, x):
        r = 0
        for k in reversed(self.c):
            r = r * x + k
        return r
def program(x):
    p = Poly(1, x) * Poly(x, 2) + Poly(5)
    return p.c, p(2), p(x)

# %% fraction: (3, 4), (2, -6)
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
class Frac:
    def __init__(self, n, d):
        if d < 0:
            n, d = -n, -d
        g = gcd(abs(n), d)
        self.n, self.d = n // g, d // g
    def __add__(self, o):
        return Frac(self.n * o.d + o.n * self.d, self.d * o.d)
    def __lt__(self, o):
        return self.n * o.d < o.n * self.d
def program(a, b):
    f = Frac(a, b) + Frac(1, 2)
    return f.n, f.d, f < Frac(1, 1)

# %% shapes_polymorphic: (3.0,), (-3.0,)
class Circle:
    def __init__(self, r): self.r = r
    def area(self): return 3.0 * self.r * self.r
class Square:
    def __init__(self, s): self.s = s
    def area(self): return self.s * self.s
def program(x):
    shapes = [Circle(x), Square(2.0), Circle(1.0)]
    best = max(shapes, key=lambda s: s.area())
    return sum(s.area() for s in shapes), best.area()

# %% shape_chosen: (3.0,), (-3.0,)
class Circle:
    def __init__(self, r): self.r = r
    def area(self): return 3.0 * self.r * self.r
class Square:
    def __init__(self, s): self.s = s
    def area(self): return self.s * self.s
def program(x):
    s = Circle(x) if x > 0 else Square(x)
    return s.area()

# %% strategy_dict: (3,), (-3,)
def program(x):
    rules = [(lambda v: v > 2, "big"), (lambda v: v < 0, "neg"), (lambda v: True, "other")]
    for test, name in rules:
        if test(x):
            return name

# %% bit_set: ((1, 3, 3, 5),), ((0,),)
def program(xs):
    mask = 0
    for v in xs:
        if mask & (1 << v):
            continue
        mask |= 1 << v
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n

# %% prng: (42,), (1,)
def program(seed):
    out = []
    for _ in range(5):
        seed = (seed * 1103 + 12345) % 32768
        out.append(seed % 10)
    return out

# %% checksum: ((1, 200, 3),), ((255, 255),)
def program(data):
    a, b = 1, 0
    for d in data:
        a = (a + d) % 251
        b = (b + a) % 251
    return b << 8 | a

# %% moving_average: ((1.0, 2.0, 4.0, 8.0),), ((0.0, 0.0, 3.0),)
from collections import deque
def program(xs):
    w = deque(maxlen=2)
    out = []
    for v in xs:
        w.append(v)
        out.append(sum(w) / len(w))
    return out

# %% moving_window: ((1, 2, 4, 8, 3),), ((5, 1, 3),)
def program(xs):
    k = 3
    s = sum(xs[:k])
    best = s
    for i in range(k, len(xs)):
        s += xs[i] - xs[i - k]
        best = max(best, s)
    return best

# %% sliding_max: ((1, 3, -1, -3, 5),), ((5, 1, 3),)
from collections import deque
def program(xs):
    q = deque()
    out = []
    for i, v in enumerate(xs):
        while q and xs[q[-1]] <= v:
            q.pop()
        q.append(i)
        if q[0] <= i - 2:
            q.popleft()
        out.append(xs[q[0]])
    return out

# %% daily_temps: ((73, 74, 75, 71),), ((30, 20),)
def program(t):
    ans = [0] * len(t)
    stack = []
    for i, v in enumerate(t):
        while stack and t[stack[-1]] < v:
            j = stack.pop()
            ans[j] = i - j
        stack.append(i)
    return ans

# %% kadane_indices: ((-2, 1, -3, 4, -1),), ((-1, -2),)
def program(xs):
    best, cur = xs[0], 0
    start = s = e = 0
    for i, v in enumerate(xs):
        if cur <= 0:
            cur, start = v, i
        else:
            cur += v
        if cur > best:
            best, s, e = cur, start, i
    return best, s, e

# %% two_pointer_3sum: ((-1, 0, 1, 2, -1, -4),), ((0, 0, 0),)
def program(nums):
    nums = sorted(nums)
    out = 0
    for i in range(len(nums) - 2):
        if i > 0 and nums[i] == nums[i - 1]:
            continue
        l, r = i + 1, len(nums) - 1
        while l < r:
            s = nums[i] + nums[l] + nums[r]
            if s < 0:
                l += 1
            elif s > 0:
                r -= 1
            else:
                out += 1
                l += 1
                while l < r and nums[l] == nums[l - 1]:
                    l += 1
    return out

# %% jump_game: ((2, 3, 1, 1, 4),), ((3, 2, 1, 0, 4),)
def program(nums):
    reach = 0
    for i, n in enumerate(nums):
        if i > reach:
            return False
        reach = max(reach, i + n)
    return True

# %% gas_station: ((1, 2, 3, 4, 5), (3, 4, 5, 1, 2)), ((2, 3, 4), (3, 4, 3))
def program(gas, cost):
    if sum(gas) < sum(cost):
        return -1
    start = tank = 0
    for i in range(len(gas)):
        tank += gas[i] - cost[i]
        if tank < 0:
            start, tank = i + 1, 0
    return start

# %% candy: ((1, 0, 2),), ((1, 2, 2),)
def program(r):
    n = len(r)
    c = [1] * n
    for i in range(1, n):
        if r[i] > r[i - 1]:
            c[i] = c[i - 1] + 1
    for i in range(n - 2, -1, -1):
        if r[i] > r[i + 1]:
            c[i] = max(c[i], c[i + 1] + 1)
    return sum(c)

# %% inf_min: ((3, 1, 2),), ((9, 9),)
import math
def program(xs):
    best = math.inf
    where = -1
    for i, v in enumerate(xs):
        if v < best:
            best, where = v, i
    return best, where

# %% inf_dist: (2, 5), (9, 1)
def program(a, b):
    INF = float("inf")
    dist = [0, INF, INF]
    for u, v, w in [(0, 1, a), (1, 2, b), (0, 2, 8)]:
        if dist[u] + w < dist[v]:
            dist[v] = dist[u] + w
    return dist

# %% first_missing: ((3, 4, -1, 1),), ((1, 2, 0),)
def program(nums):
    nums = list(nums)
    n = len(nums)
    for i in range(n):
        while 1 <= nums[i] <= n and nums[nums[i] - 1] != nums[i]:
            j = nums[i] - 1
            nums[i], nums[j] = nums[j], nums[i]
    for i in range(n):
        if nums[i] != i + 1:
            return i + 1
    return n + 1

# %% josephus: (7, 3), (1, 2)
def program(n, k):
    r = 0
    for i in range(2, n + 1):
        r = (r + k) % i
    return r

# %% josephus_list: (3,), (2,)
def program(k):
    people = [1, 2, 3, 4, 5]
    i = 0
    while len(people) > 1:
        i = (i + k - 1) % len(people)
        people.pop(i)
    return people[0]

# %% conway_look_say: (1,), (21,)
def program(n):
    s = str(n)
    out = ""
    i = 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        out += str(j - i) + s[i]
        i = j
    return out

# %% ackermann: (1, 2), (2, 1)
def ack(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
def program(m, n):
    return ack(m, n)

# %% mutual: (4,), (3,)
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
def program(n):
    return even(n), odd(n)

# %% flatten: (3,), (-3,)
def flatten(v):
    out = []
    for e in v:
        if isinstance(e, (list, tuple)):
            out.extend(flatten(e))
        else:
            out.append(e)
    return out
def program(x):
    return flatten([1, [x, (2, [x + 1])], 3])

# %% deep_copy: (3,), (-3,)
import copy
def program(x):
    a = {"k": [x, 2]}
    b = copy.deepcopy(a)
    c = copy.copy(a)
    if x > 0:
        a["k"][0] = 9
    return a, b, c

# %% dict_merge: (3,), (-3,)
def program(x):
    a = {"x": x, "y": 1}
    b = {"y": 2, "z": x}
    m = {**a, **b}
    if x > 0:
        m["x"] += m.pop("z")
    return m

# %% dict_invert: (3,), (-3,)
def program(x):
    d = {"a": x, "b": 2}
    best = max(d, key=d.get)
    return best, sorted(d, key=d.get)

# %% dict_sorted_items: (3,), (-3,)
def program(x):
    d = {"a": x, "b": 2, "c": 1}
    return sorted(d.items(), key=lambda kv: kv[1])

# %% dict_sorted_items_neg: (3,), (-3,)
def program(x):
    d = {"a": x, "b": 2, "c": 1}
    return sorted(d.items(), key=lambda kv: (-kv[1], kv[0]))[0]

# %% defaultdict_groups: (3,), (-3,)
from collections import defaultdict
def program(x):
    g = defaultdict(list)
    for name, v in [("a", x), ("b", 1), ("a", 2)]:
        g[name].append(v)
    return {k: sum(v) for k, v in g.items()}

# %% namedtuple_points: (3,), (-3,)
from collections import namedtuple
P = namedtuple("P", "x y")
def program(x):
    pts = [P(x, 1), P(0, 2), P(1, x)]
    far = max(pts, key=lambda p: p.x ** 2 + p.y ** 2)
    near = min(pts, key=lambda p: abs(p.x) + abs(p.y))
    return far, near.x, far._replace(x=0)

# %% sort_records: (3,), (-3,)
from dataclasses import dataclass
@dataclass(order=True)
class R:
    k: int
    n: str
def program(x):
    rs = [R(x, "a"), R(1, "b"), R(2, "c")]
    rs.sort(key=lambda r: r.k)
    return [r.k for r in rs], rs[0] < rs[1]

# %% sort_records_name: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class R:
    k: int
    n: str
def program(x):
    rs = [R(x, "a"), R(1, "b"), R(2, "c")]
    rs.sort(key=lambda r: r.k)
    return [r.n for r in rs]

# %% printing_table: (3,), (-3,)
def program(x):
    lines = []
    for i in range(2):
        lines.append(f"{i:>3}|{x * i:5d}")
    return "\n".join(lines)

# %% format_float: (3.14159,), (-2.0,)
def program(x):
    return f"{x:.2f} {x:+.1e} {x!r:>10}", "{:08.3f}".format(x), "%5.1f" % x

# %% str_methods: (3,), (-3,)
def program(x):
    s = str(x)
    return s.zfill(4), s.rjust(5, "*"), len(s), s.startswith("-"), s + "!", s * 2

# %% str_int_roundtrip: (345,), (7,)
def program(x):
    return int(str(x)[::-1])

# %% str_digit_sum: (345,), (7,)
def program(x):
    return sum(int(c) for c in str(x))

# %% fizzbuzz_list: (15,), (3,)
def program(n):
    out = []
    for i in range(1, n + 1):
        if i % 15 == 0:
            out.append("FizzBuzz")
        elif i % 3 == 0:
            out.append("Fizz")
        elif i % 5 == 0:
            out.append("Buzz")
        else:
            out.append(str(i))
    return out

# %% matching_seq: (3, 0), (0, 0), (0, 5)
def program(a, b):
    match (a, b):
        case (0, 0):
            return "origin"
        case (0, y):
            return y
        case (x, 0) if x > 2:
            return x * 10
        case _:
            return -1

# %% matching_class: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int
def program(v):
    p = P(v, 2)
    match p:
        case P(x=3, y=y):
            return y
        case P(x, y) if x < 0:
            return x
    return 0

# %% walrus_loop: ((1, 5, 2),), ((9,),)
def program(xs):
    it = iter([1, 2, 3])
    total = 0
    while (v := next(it, None)) is not None:
        total += v * xs[0]
    if (n := len(xs)) > 2:
        total += n
    return total

# %% walrus_tensor: (3,), (-3,)
def program(x):
    if (y := x * 2) > 4 and (z := y + 1) > 0:
        return y, z
    return y, 0

# %% zip_strict: ((1, 2), (3, 4)), ((1, 1), (0, 1))
def program(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True)), [p > q for p, q in zip(a, b)]

# %% enumerate_find: ((1, 2, 3), 2), ((1, 2, 3), 9)
def program(xs, t):
    for i, v in enumerate(xs, start=1):
        if v == t:
            found = i
            break
    else:
        found = None
    return found

# %% next_default: ((1, 2, 3), 2), ((1, 2, 3), 9)
def program(xs, t):
    return next((i for i, v in enumerate(xs) if v == t), -1)

# %% index_default: ((1, 2, 3), 2), ((1, 2, 3), 9)
def program(xs, t):
    xs = list(xs)
    return xs.index(t) if t in xs else -1

# %% tuple_state: (10,), (0,)
def program(n):
    state = (0, 1, "go")
    while state[2] == "go":
        a, b, _ = state
        state = (b, a + b, "go" if a + b < n else "stop")
    return state[0]

# %% bool_flags: ((1, 2, 3),), ((3, 2, 1),), ((1, 1),)
def program(xs):
    up = down = True
    for a, b in zip(xs, xs[1:]):
        if a < b:
            down = False
        if a > b:
            up = False
    return up or down

# %% ternary_chain: (5,), (0,), (-5,)
def program(x):
    return "pos" if x > 0 else "zero" if x == 0 else "neg"

# %% complex_cond: (5, 2), (0, 0), (-5, 9)
def program(a, b):
    return not (a > 3 and b < 3) or (a == b) is True

# %% int_overflow: (3,), (100,)
def program(x):
    y = 1
    for i in range(40):
        y = y * 3
    return y % 1000 + x

# %% int_overflow_tensor: (2000000000,), (3,)
def program(x):
    n = 0
    while n < 3:
        n += 1
    return n * 1000000007 % 998244353, x // 7

# %% floor_division_negative: (7,), (-7,), (0,)
def program(x):
    return x // 2, x % 3, -x // 2, x // -2, x % -3, divmod(x, 4), divmod(x, -4), (-7) // 2, int(x / 2)

# %% float_floor_mod: (7.5,), (-7.5,)
def program(x):
    return x // 2, x % 2, x // -2, x % -2, -x % 3.5, divmod(x, 2)

# %% rounding: (2.5,), (-2.5,), (3.5,), (2.675,)
def program(x):
    return round(x), round(x, 1), int(x), round(x / 2, 2), round(-x)

# %% round_ints: (25,), (-35,), (7,)
def program(x):
    return round(x, -1), round(x), round(x / 10)

# %% bit_operations: (5,), (-5,), (12,)
def program(x):
    return x & 3, x | 8, x ^ 7, ~x, x << 2, x >> 1, (x & -x), bin(5), x & 1 == 1

# %% bit_count_loop: (5,), (255,), (0,)
def program(x):
    n = 0
    while x:
        n += x & 1
        x >>= 1
    return n

# %% float_format: (3.14159,), (-2.5,), (1e10,)
def program(x):
    return f"{x:.2f}", f"{x:8.3f}", f"{x:e}", f"{x:+.1f}", f"{x:g}", str(x > 0)

# %% int_format: (3,), (-42,), (1234567,)
def program(x):
    return f"{x:05d}", f"{x:>6}", f"{x:<6}|", f"{x:^7}", f"{x:,}", f"{x:x}", f"{x:b}", "%d" % x, "%5d" % x

# %% power: (3,), (-3,), (0,)
def program(x):
    return x ** 2, 2 ** 3, x ** 3, (-2) ** 3, abs(x) ** 0.5

# %% power_negative: (3,), (2,)
def program(x):
    return 2 ** -1, x ** -1

# %% min_max_defaults: (3,), (-3,)
def program(x):
    return min(x, 0), max(x, 0, 5), max([x, 1]), min((x, 2), key=abs), max([], default=x)

# %% comparison_mixed: (3,), (1,)
def program(x):
    return x == 3.0, x == True, x != 3, 1 <= x < 3, not x == 1, x is not None

# %% bool_arithmetic: (3,), (-3,)
def program(x):
    return (x > 0) + (x > 2), sum([x > 0, x > 1, x > 5]), (x > 0) * 5, -(x > 0), int(x > 0) - 1, True + x

# %% bool_truthiness: (3,), (0,)
def program(x):
    a = x or 7
    b = x and 8
    c = not x
    d = x if x else 9
    return a, b, c, d, bool(x), (x or None) is None

# %% empty_containers: (3,), (-3,)
def program(x):
    a = [] or x
    b = [x] and 2
    c = {} if x > 0 else {"a": x}
    return a, b, len(c)

# %% multiple_assignment: (3,), (-3,)
def program(x):
    a = b = c = [x]
    b.append(2)
    (d, e), f = (x, 1), [3]
    d, e = e, d
    *g, h = a
    return a, c is a, d, e, f, g, h

# %% swap_in_list: (3,), (-3,)
def program(x):
    v = [3, x, 1]
    for i in range(len(v)):
        for j in range(len(v) - 1):
            if v[j] > v[j + 1]:
                v[j], v[j + 1] = v[j + 1], v[j]
    return v

# %% binary_search: (3,), (8,), (0,)
def program(x):
    v = [1, 3, 5, 7, 9]
    lo, hi = 0, len(v)
    while lo < hi:
        mid = (lo + hi) // 2
        if v[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo

# %% gcd: (12, 18), (7, 3), (5, 0)
def program(a, b):
    while b:
        a, b = b, a % b
    return a

# %% collatz: (6,), (27,), (1,)
def program(x):
    steps = 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    return steps

# %% newton_sqrt: (2.0,), (9.0,)
def program(x):
    g = x
    for _ in range(20):
        n = (g + x / g) / 2
        if abs(n - g) < 1e-6:
            break
        g = n
    return round(g, 3)

# %% fizzbuzz: (3,), (5,), (15,), (7,)
def program(x):
    if x % 15 == 0:
        return "FizzBuzz"
    elif x % 3 == 0:
        return "Fizz"
    elif x % 5 == 0:
        return "Buzz"
    return str(x)

# %% matrix_mult: (3,), (-3,)
def program(x):
    a = [[1, x], [0, 1]]
    b = [[x, 0], [2, 1]]
    n = 2
    c = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i][j] += a[i][k] * b[k][j]
    return c, [sum(r) for r in c], list(zip(*c)), [row[::-1] for row in c]

# %% queue_bfs: (0,), (2,)
from collections import deque
def program(x):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}
    dist = {0: x}
    q = deque([0])
    while q:
        u = q.popleft()
        for v in graph[u]:
            if v not in dist:
                dist[v] = dist[u] + (1 if x > 1 else 2)
                q.append(v)
    return dist

# %% state_machine: ((1, 2, 1, 3),), ((3, 3, 2, 1),)
def program(xs):
    state = "idle"
    n = 0
    for x in xs:
        if state == "idle":
            if x == 1:
                state = "run"
        elif state == "run":
            n += x
            if x == 3:
                state = "idle"
    return state, n

# %% dict_of_functions: (3,), (-3,)
def program(x):
    ops = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b if a > b else b - a}
    return {k: f(x, 2) for k, f in ops.items()}

# %% dict_counts: (3,), (-3,)
def program(x):
    counts = {}
    for c in "abca":
        counts[c] = counts.get(c, 0) + (x if x > 0 else 1)
    return counts, sorted(counts, key=counts.get) if False else sorted(counts)

# %% dict_methods: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": x}
    d.setdefault("c", 3)
    e = dict(d, b=5)
    d.update(e if x > 100 else {"z": x})
    p = d.pop("a")
    return d, p, list(d.items()), {v: k for k, v in e.items()}, d | {"q": 1}

# %% set_operations: (3,), (-3,)
def program(x):
    s = {1, 2, 3}
    t = {2, 3, 4}
    if x > 0:
        s.add(9)
    return s & t, s - t, len(s | t), 9 in s, s <= t, s.isdisjoint({7})

# %% slices: (3,), (-3,)
def program(x):
    v = [x, 1, 2, 3, 4]
    w = v[:]
    w[1:3] = [9]
    del v[::2]
    return v, w, w[-2:], w[::-1], v * 2, [0] * 3 + v

# %% slice_by_tensor: (1,), (3,), (0,)
def program(x):
    v = [10, 20, 30, 40]
    return v[x], v[-1 - x]

# %% string_methods: (3,), (-3,)
def program(x):
    s = "Hello, World" if x > 0 else "bye"
    return s.lower(), s.upper(), s.replace("l", "L"), len(s), s.startswith("H"), s.find("o"), s + "!", s * 2

# %% string_slices: (3,), (-3,)
def program(x):
    s = "abcdef" if x > 0 else "xyz"
    return s[0], s[-1], s[1:3], s[::-1], "b" in s, s == "xyz", s < "m"

# %% string_split: (3,), (-3,)
def program(x):
    s = "a,b" if x > 0 else "c,d"
    a, b = s.split(",")
    return a, b

# %% string_numbers: (3,), (-3,)
def program(x):
    s = str(x)
    return int(s) + 1, float(s), s.zfill(4), s.isdigit(), s.lstrip("-"), repr(x), len(s)

# %% none_handling: (3,), (-3,)
def find(v, x):
    for i, e in enumerate(v):
        if e == x:
            return i
    return None
def program(x):
    i = find([1, 2, 3], x)
    j = find([1, 2, 3], 2)
    return i, j, i is None, -1 if i is None else i + 1

# %% early_returns: (3,), (-3,), (0,), (10,)
def program(x):
    if x < 0:
        return "neg", x
    if x == 0:
        return "zero", 0
    for i in range(5):
        if i * i > x:
            return "small", i
    return "big", x

# %% del_and_rebind: (3,), (-3,)
def program(x):
    y = x
    if x > 0:
        del y
        y = 5
    z = [y, 1]
    del z[0]
    return y, z

# %% global_counter: (3,), (-3,)
N = 0
def bump(x):
    global N
    if x > 0:
        N += 1
    return N
def program(x):
    global N
    N = 0
    a = bump(x)
    b = bump(1)
    return a, b, N

# %% assert_message: (3,), (1,)
def program(x):
    assert x > 0, f"bad {x}"
    assert isinstance([x], list)
    return x

# %% math_functions: (3.0,), (0.5,)
import math
def program(x):
    return math.floor(x), math.ceil(x), math.sqrt(x), math.pi * x, math.hypot(x, 4), math.gcd(12, 18), math.isclose(x, 3.0), math.copysign(1, -x)

# %% zip_enumerate: (3,), (-3,)
def program(x):
    a = [x, 2]
    out = []
    for i, (p, q) in enumerate(zip(a, "ab"), 1):
        if p > 1:
            out.append((i, q))
        else:
            out.append((0, "z"))
    return out, dict(zip("xy", a)), list(map(lambda v: v + 1, a)), list(reversed(a))

# %% itertools_use: (3,), (-3,)
import itertools
def program(x):
    a = list(itertools.accumulate([x, 1, 2]))
    b = list(itertools.chain([x], [2]))
    c = [p * q for p, q in itertools.product([1, x], [2, 3])]
    d = [sum(g) for _, g in itertools.groupby([1, 1, 2], key=lambda v: v)]
    return a, b, c, d, list(itertools.islice(itertools.count(1), 3)), list(itertools.combinations([x, 1, 2], 2))

# %% functools_use: (3,), (-3,)
import functools
def program(x):
    f = functools.partial(pow, x)
    return functools.reduce(lambda a, b: a * b if b > 0 else a, [1, x, 2]), f(2), functools.reduce(max, [1, x])

# %% comprehension_nested: (3,), (-3,)
def program(x):
    return [[i * j for j in range(2)] for i in (x, 1)], [i + j for i in (x, 2) for j in (1, x) if j > 0], {i: x * i for i in range(2)}

# %% any_all_generators: (3,), (-3,)
def program(x):
    v = [x, 1, 2]
    return any(e > 2 for e in v), all(e > 0 for e in v), sum(e for e in v if e > 0), min(e * e for e in v)

# %% isinstance_none_type: (3,), (0,)
def program(x):
    y = x or None
    return isinstance(y, type(None)), type(y) is type(None)

# %% ellipsis_sentinel: (3,), (0,)
MISSING = object()
def f(v=MISSING):
    if v is MISSING:
        return 0
    return v
def program(x):
    return f(), f(x), f(x if x > 0 else MISSING)

# %% sentinel_in_branch: (3,), (0,)
MISSING = object()
def program(x):
    y = MISSING
    if x > 0:
        y = x
    return y is MISSING, y is not MISSING

# %% sentinel_equal: (3,), (0,)
MISSING = object()
def program(x):
    y = MISSING
    if x > 0:
        y = x
    return y == MISSING, y == 3

# %% not_implemented: (3,), (0,)
class A:
    def __init__(self, v):
        self.v = v
    def __eq__(self, o):
        if not isinstance(o, A):
            return NotImplemented
        return self.v == o.v
def program(x):
    return A(x) == A(3), A(x) == 3, A(x) != A(3), A(x) in [A(3)]

# %% nan_compare: (3.0,), (0.0,)
def program(x):
    n = float("nan") if x > 0 else 1.0
    return n == n, n != n, n < 1, n in [n], min(n, 2.0), max(2.0, n)

# %% inf_arith: (3.0,), (-1.0,)
def program(x):
    i = float("inf")
    return x + i, i * x, x / i, i > x, -i < x, min(i, x)

# %% bool_is: (3,), (0,)
def program(x):
    f = x > 0
    g = bool(x)
    return f == True, f is not None, g is True, (not f) is False

# %% bool_key: (3,), (0,)
def program(x):
    d = {True: "a", False: "b"}
    return d[x > 0], ["no", "yes"][x > 0], ("n", "y")[bool(x)]

# %% int_from_bool_loop: ((1, 0, 2),), ((0, 0, 0),)
def program(xs):
    n = 0
    for x in xs:
        n += x > 0
    return n, sum(x > 0 for x in xs), [x > 0 for x in xs].count(True)

# %% string_compare_order: (3,), (0,)
def program(x):
    s = "apple" if x > 0 else "pear"
    return s < "banana", s == "apple", s != "pear", s in ("apple", "kiwi"), s > "aa"

# %% dict_by_string: (3,), (0,)
def program(x):
    s = "a" if x > 0 else "b"
    d = {"a": 1, "b": 2}
    return d[s], s in d, d.get(s), d.get(s + "z", 9)

# %% format_mixed: (3,), (0,)
def program(x):
    s = "a" if x > 0 else "b"
    return f"{s}:{x}", "{} {}".format(s, x), "%s-%d" % (s, x), s + str(x), f"{x!r}", f"{s!r}"

# %% float_of_int_string: (3,), (0,)
def program(x):
    return float(str(x)), int(float(str(x))), str(float(x)), str(x / 2), str(x > 0), str([1, 2]), str(None)

# %% list_repeat_and_concat: (2,), (0,)
def program(x):
    return [7] * x, len([1] * x), [0] * 2 + [x], (x,) * 2, "ab" * x

# %% range_tensor: (3,), (0,), (-1,)
def program(x):
    return sum(range(x)), list(range(2)), [i for i in range(x)], len(range(x)), list(range(x, x + 2))

# %% range_step: (7,), (1,)
def program(x):
    t = 0
    for i in range(x, 0, -2):
        t = t * 10 + i
    return t, i

# %% enumerate_start: (3,), (0,)
def program(x):
    t = 0
    for i, v in enumerate([5, 6], x):
        t += i * v
    return t

# %% reversed_range: (3,), (0,)
def program(x):
    out = 0
    for i in reversed(range(x)):
        out = out * 10 + i
    return out

# %% nested_function_state: (3,), (0,)
def program(x):
    hist = []
    def rec(k):
        hist.append(k)
        if k < 3:
            rec(k + 1)
        return len(hist)
    n = rec(1)
    if x > 0:
        hist.clear()
    return n, len(hist)

# %% sum_of_products: ((1, 2, 3),), ((0, 0, 1),)
def program(xs):
    return sum(a * b for a, b in zip(xs, xs[1:])), sum(x * i for i, x in enumerate(xs)), max(xs) - min(xs)

# %% running_average: ((1, 2, 4),), ((5, 5, 5),)
def program(xs):
    n, mean = 0, 0.0
    for x in xs:
        n += 1
        mean += (x - mean) / n
    return mean, n

# %% count_digits: (12345,), (7,), (0,)
def program(x):
    n = 1
    while x >= 10:
        x //= 10
        n += 1
    return n, x

# %% reverse_digits: (1234,), (-120,), (0,)
def program(x):
    s = -1 if x < 0 else 1
    x = abs(x)
    r = 0
    while x:
        r = r * 10 + x % 10
        x //= 10
    return s * r

# %% primes_until: (20,), (2,), (1,)
def program(x):
    n = 0
    for k in range(2, x + 1):
        j = 2
        while j * j <= k:
            if k % j == 0:
                break
            j += 1
        else:
            n += 1
    return n

# %% swap_without_temp: (3, 5), (0, -1)
def program(a, b):
    a ^= b
    b ^= a
    a ^= b
    return a, b

# %% clamp: (3,), (-3,), (99,)
def clamp(v, lo=0, hi=10):
    return lo if v < lo else hi if v > hi else v
def program(x):
    return clamp(x), clamp(x, hi=2), clamp(x, -5), clamp(*(x, 1, 2))

# %% histogram: ((1, 2, 1, 0),), ((3, 3, 3, 3),)
def program(xs):
    h = [0, 0, 0, 0]
    for x in xs:
        h[x] += 1
    return h, h.index(max(h)), sum(h)

# %% running_max_list: ((1, 3, 2),), ((5, 4, 6),)
def program(xs):
    out = []
    m = None
    for x in xs:
        if m is None or x > m:
            m = x
        out.append(m)
    return out, m

# %% dedupe: ((1, 1, 2),), ((3, 3, 3),)
def program(xs):
    last = None
    n = 0
    for x in xs:
        if x != last:
            n += 1
        last = x
    return n, last

# %% repeat_tensor: (3,), (0,), (-2,)
def program(n):
    v = [n + 1] * n
    if n > 0:
        v[0] = 7
    return v, len(v)

# %% repeat_tensors: (3,), (0,)
def program(n):
    return [n, n + 1] * n, n * [n]

# %% repeat_mixed: (3,), (0,)
def program(n):
    return [n, 1] * n, [1, n] * n

# %% repeat_mixed_float: (3, 0.5), (0, 1.5)
def program(n, x):
    return [x, 1.5] * n

# %% repeat_two_dtypes: (3, 0.5), (0, 1.5)
def program(n, x):
    return [x, n] * n

# %% repeat_bools: (3,), (0,)
def program(n):
    return [n > 1] * n, [n > 1, False] * n

# %% repeat_rows: (3,), (2,)
def program(n):
    v = [[n]] * n
    v[0].append(1)
    return v

# %% repeat_texts: (3,), (2,)
def program(n):
    return ["a"] * n

# %% coin_change_n: ((1, 2, 5), 11), ((2,), 3)
def program(coins, amount):
    dp = [amount + 1] * (amount + 1)
    dp[0] = 0
    for a in range(1, amount + 1):
        for c in coins:
            if a >= c:
                dp[a] = min(dp[a], dp[a - c] + 1)
    return dp[amount] if dp[amount] <= amount else -1

# %% extend_growing: (3,), (0,)
def program(n):
    v = [1]
    v.extend([2] * n)
    return v

# %% extend_growing_empty: ((3, 0, 1),)
def program(xs):
    out = []
    for v, c in enumerate(xs):
        out.extend([v] * c)
    return out

# %% extend_growing_aliased: (3,), (0,)
def program(n):
    v = [1]
    w = v
    d = {"k": v}
    v.extend([2] * n)
    w.append(5)
    if n > 1:
        w.extend([n] * n)
    return v, len(w), d["k"][-1]

# %% plus_growing: (3,), (0,)
def program(n):
    v = [1]
    w = v
    v += [2] * n
    w.append(3)
    return v, w

# %% extend_object: (3,), (0,)
class Log:
    def __init__(self):
        self.rows = []
    def add(self, v, n):
        self.rows.extend([v] * n)
def program(n):
    log = Log()
    log.add(1, n)
    log.add(2, 2)
    log.add(n, n)
    return log.rows, len(log.rows)

# %% extend_by_list_built: ((1, 2, 3),), ((4,),)
def program(xs):
    out = []
    for x in xs:
        part = []
        for i in range(x):
            part.append(i)
        out.extend(part)
    return out

# %% two_additions: (3,), (0,)
def program(n):
    v = [1]
    t = 0
    t += len(v + [2] * n)
    return t, v

# %% in_place_in_branch: (3,), (0,)
def program(n):
    v = [1]
    w = v
    if n > 1:
        v += [n] * n
    return v, w

# %% in_place_attribute: (3,), (0,)
class Log:
    def __init__(self):
        self.rows = []
def program(n):
    log = Log()
    rows = log.rows
    log.rows += [1] * n
    log.rows += [n] * n
    return log.rows, rows

# %% in_place_item: (3,), (0,)
def program(n):
    d = {"k": [1]}
    v = d["k"]
    d["k"] += [n] * n
    return d["k"], len(v)

# %% in_place_argument: (3,), (0,)
def helper(rows, n):
    rows += [n] * n
    return rows
def program(n):
    v = [0]
    w = helper(v, n)
    return v, w, len(w)

# %% in_place_over_lines: (3,), (0,)
def program(n):
    v = [0]
    w = v
    v += (
        [1] * n
    )
    return v, w

# %% set_ior: (3,), (-3,)
def program(x):
    seen = {1}
    w = seen
    other = {2}
    if x > 0:
        other.add(3)
    seen |= other
    return [1 in w, 2 in w, 3 in w]

# %% set_isub: (3,), (-3,)
def program(x):
    seen = {1, 2, 3}
    w = seen
    other = {2}
    if x > 0:
        other.add(3)
    seen -= other
    return [1 in w, 2 in w, 3 in w]

# %% set_iand: (3,), (-3,)
def program(x):
    seen = {1, 2, 3}
    w = seen
    other = {2}
    if x > 0:
        other.add(3)
    seen &= other
    return [1 in w, 2 in w, 3 in w]

# %% set_update: (3,), (-3,)
def program(x):
    seen = {1}
    w = seen
    other = {2}
    if x > 0:
        other.add(3)
    seen.update(other)
    return [1 in w, 2 in w, 3 in w]

# %% dict_ior: (3,), (-3,)
def program(x):
    seen = {1: x}
    w = seen
    other = {2: x}
    if x > 0:
        other[3] = x
    seen |= other
    return [1 in w, 2 in w, 3 in w]

# %% list_iadd: (3,), (-3,)
def program(x):
    seen = [1]
    w = seen
    other = [2]
    if x > 0:
        other.append(3)
    seen += other
    return len(w), sum(w)

# %% counter_iadd: (3,), (-3,)
from collections import Counter
def program(x):
    seen = Counter([1])
    w = seen
    other = Counter([2])
    if x > 0:
        other[3] += 1
    seen += other
    return [w[1], w[2], w[3]]

# %% deque_iadd: (3,), (-3,)
from collections import deque
def program(x):
    seen = deque([1])
    w = seen
    other = [2]
    if x > 0:
        other.append(3)
    seen += other
    return len(w), sum(w)

# %% self_iadd: (3,), (-3,)
class Total:
    def __init__(self):
        self.v = 0
    def __iadd__(self, o):
        self.v += o
        return self
def program(x):
    t = Total()
    u = t
    t += x
    if x > 0:
        t += 1
    return u.v, t is u

# %% list_extend_loop: ((1, 2, 3),), ((0,),)
def program(xs):
    out = []
    for v in xs:
        out.extend([v] * v)
        out += [0] * (v % 2)
    return out, len(out)

# %% list_extend_alias: (3,), (0,)
def program(n):
    out = []
    groups = {"a": out}
    out.extend([n] * n)
    groups["a"].append(1)
    return out, len(groups["a"])

# %% list_repeat_grid: (2,), (3,)
def program(n):
    row = [0] * n
    rows = [row[:] for _ in range(2)]
    rows[0][0] = 1
    return rows, len(rows[1])

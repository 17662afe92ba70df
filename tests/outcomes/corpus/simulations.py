# %% bank_account: (50, 30), (20, 30), (-5, 1)
class Account:
    def __init__(self, balance):
        self.balance = balance
        self.history = []
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("bad amount")
        self.balance += amount
        self.history.append(("d", amount))
    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        return True
def program(a, b):
    acc = Account(100)
    acc.deposit(a)
    ok = acc.withdraw(b)
    return acc.balance, ok

# %% inventory: (5, 2), (1, 3)
from dataclasses import dataclass, field
@dataclass
class Item:
    name: str
    qty: int
    price: float = 2.5
    def total(self):
        return self.qty * self.price
@dataclass
class Inventory:
    items: list = field(default_factory=list)
    def add(self, item):
        self.items.append(item)
    def value(self):
        return sum(i.total() for i in self.items)
    def low(self, n):
        return [i.name for i in self.items if i.qty < n]
def program(a, b):
    inv = Inventory()
    inv.add(Item("x", a))
    inv.add(Item("y", b, 1.5))
    return inv.value()

# %% inventory_low: (5, 2), (1, 3)
from dataclasses import dataclass, field
@dataclass
class Item:
    name: str
    qty: int
def program(a, b):
    items = [Item("x", a), Item("y", b)]
    low = 0
    for i in items:
        if i.qty < 3:
            low += 1
            i.qty = 10
    return low, [i.qty for i in items]

# %% vec2: (1.0, 2.0), (-3.0, 4.0)
from dataclasses import dataclass
@dataclass(frozen=True)
class Vec:
    x: float
    y: float
    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)
    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5
def program(a, b):
    p = Vec(0.0, 0.0)
    v = Vec(a, b)
    for _ in range(10):
        p = p + v * 0.1
        if p.norm() > 2:
            v = v * -1
    return p.x, p.y

# %% game_of_life: (1,), (0,)
def program(a):
    g = [[0, 1, 0], [a, 1, 0], [0, 1, a]]
    for _ in range(2):
        n = [[0] * 3 for _ in range(3)]
        for i in range(3):
            for j in range(3):
                c = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if (di or dj) and 0 <= i + di < 3 and 0 <= j + dj < 3:
                            c += g[i + di][j + dj]
                n[i][j] = 1 if c == 3 or (c == 2 and g[i][j]) else 0
        g = n
    return g

# %% robot_walk: ((0, 1, 1, 2, 0),), ((3, 3, 0),)
def program(moves):
    x = y = 0
    d = 0
    dirs = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    for m in moves:
        if m == 1:
            d = (d + 1) % 4
        elif m == 2:
            d = (d - 1) % 4
        else:
            dx, dy = dirs[d]
            x += dx
            y += dy
    return x, y

# %% robot_visited: ((0, 1, 1, 2, 0),), ((3, 3, 0),)
def program(moves):
    pos = (0, 0)
    seen = {pos}
    for m in moves:
        if m == 0:
            pos = (pos[0] + 1, pos[1])
        else:
            pos = (pos[0], pos[1] + 1)
        seen.add(pos)
    return len(seen)

# %% aoc_depth: ((199, 200, 208, 210, 200, 207),), ((5, 4),)
def program(depths):
    return sum(1 for a, b in zip(depths, depths[1:]) if b > a)

# %% aoc_depth_bool: ((199, 200, 208, 210, 200, 207),), ((5, 4),)
def program(depths):
    return sum(b > a for a, b in zip(depths, depths[1:]))

# %% aoc_commands: (5, 3), (1, 2)
def program(a, b):
    cmds = [("forward", a), ("down", b), ("up", 1), ("forward", 2)]
    h = d = aim = 0
    for c, n in cmds:
        match c:
            case "forward":
                h += n
                d += aim * n
            case "down":
                aim += n
            case "up":
                aim -= n
    return h * d

# %% aoc_intcode: (12, 2), (1, 1)
def program(noun, verb):
    mem = [1, 0, 0, 3, 1, 1, 2, 3, 2, 0, 3, 0, 99]
    mem[1] = noun % 5
    mem[2] = verb
    ip = 0
    while mem[ip] != 99:
        op, a, b, c = mem[ip:ip + 4]
        if op == 1:
            mem[c] = mem[a] + mem[b]
        elif op == 2:
            mem[c] = mem[a] * mem[b]
        ip += 4
    return mem[0]

# %% aoc_intcode_class: (12, 2), (1, 1)
class Computer:
    def __init__(self, program):
        self.mem = program[:]
        self.ip = 0
        self.halted = False
    def step(self):
        op = self.mem[self.ip]
        if op == 99:
            self.halted = True
            return
        a, b, c = self.mem[self.ip + 1], self.mem[self.ip + 2], self.mem[self.ip + 3]
        if op == 1:
            self.mem[c] = self.mem[a] + self.mem[b]
        else:
            self.mem[c] = self.mem[a] * self.mem[b]
        self.ip += 4
    def run(self):
        while not self.halted:
            self.step()
        return self.mem[0]
def program(noun, verb):
    code = [1, 0, 0, 3, 2, 3, 2, 0, 99]
    code[1] = noun % 4
    code[2] = verb
    return Computer(code).run()

# %% aoc_fuel: ((12, 14, 1969),), ((3,),)
def fuel(m):
    total = 0
    while True:
        m = m // 3 - 2
        if m <= 0:
            return total
        total += m
def program(masses):
    return sum(fuel(m) for m in masses)

# %% aoc_lanternfish: ((3, 4, 3, 1, 2), 18), ((1,), 3)
def program(fish, days):
    counts = [0] * 9
    for f in fish:
        counts[f] += 1
    for _ in range(days):
        new = counts.pop(0)
        counts[6] += new
        counts.append(new)
    return sum(counts)

# %% aoc_lanternfish_rot: ((3, 4, 3, 1, 2), 18), ((1,), 3)
def program(fish, days):
    counts = [0] * 9
    for f in fish:
        counts[f] += 1
    for _ in range(days):
        counts = counts[1:] + counts[:1]
        counts[6] += counts[8]
    return sum(counts)

# %% aoc_crabs: ((16, 1, 2, 0, 4),), ((1, 5),)
def program(pos):
    best = None
    for t in range(17):
        cost = sum(abs(p - t) for p in pos)
        if best is None or cost < best:
            best = cost
    return best

# %% aoc_crabs_min: ((16, 1, 2, 0, 4),), ((1, 5),)
def program(pos):
    return min(sum(abs(p - t) for p in pos) for t in range(min(pos), max(pos) + 1))

# %% aoc_bingo: ((7, 4, 9, 5),), ((1, 2, 3, 4),)
def program(draws):
    board = [[1, 2], [7, 4]]
    marked = [[False, False], [False, False]]
    for d in draws:
        for i, row in enumerate(board):
            for j, v in enumerate(row):
                if v == d:
                    marked[i][j] = True
        if any(all(r) for r in marked) or any(all(c) for c in zip(*marked)):
            return d * sum(v for r, m in zip(board, marked) for v, k in zip(r, m) if not k)
    return None

# %% aoc_seats: (1,), (0,)
def program(a):
    g = [[1, a, 2], [1, 1, 0], [2, a, 1]]
    changed = True
    while changed:
        changed = False
        new = [row[:] for row in g]
        for i in range(3):
            for j in range(3):
                occ = sum(1 for x in range(max(0, i - 1), min(3, i + 2)) for y in range(max(0, j - 1), min(3, j + 2)) if (x, y) != (i, j) and g[x][y] == 2)
                if g[i][j] == 1 and occ == 0:
                    new[i][j] = 2
                    changed = True
                elif g[i][j] == 2 and occ >= 4:
                    new[i][j] = 1
                    changed = True
        g = new
    return g

# %% state_machine_enum: ((1, 0, 1, 2),), ((2, 2),)
from enum import Enum
class S(Enum):
    IDLE = 0
    RUN = 1
    DONE = 2
def program(events):
    s = S.IDLE
    for e in events:
        if s is S.IDLE and e == 1:
            s = S.RUN
        elif s is S.RUN and e == 2:
            s = S.DONE
    return s.value

# %% state_machine_intenum: ((1, 0, 1, 2),), ((2, 2),)
from enum import IntEnum
class S(IntEnum):
    IDLE = 0
    RUN = 1
    DONE = 2
def program(events):
    s = S.IDLE
    for e in events:
        if s == S.IDLE and e == 1:
            s = S.RUN
        elif s == S.RUN and e == 2:
            s = S.DONE
    return int(s)

# %% state_machine_str: ((1, 0, 1, 2),), ((2, 2),)
def program(events):
    state = "idle"
    n = 0
    for e in events:
        if state == "idle":
            if e == 1:
                state = "run"
        elif state == "run":
            n += 1
            if e == 2:
                state = "done"
    return state, n

# %% state_table: ((1, 0, 1, 2),), ((2, 2),)
def program(events):
    table = {"idle": {0: "idle", 1: "run", 2: "idle"}, "run": {0: "run", 1: "run", 2: "done"}, "done": {0: "done", 1: "done", 2: "done"}}
    s = "idle"
    for e in events:
        s = table[s][e]
    return s

# %% turnstile: ((0, 1, 1, 0),), ((1,),)
class Turnstile:
    def __init__(self):
        self.locked = True
        self.passed = 0
    def coin(self):
        self.locked = False
    def push(self):
        if not self.locked:
            self.passed += 1
            self.locked = True
def program(events):
    t = Turnstile()
    for e in events:
        if e == 0:
            t.coin()
        else:
            t.push()
    return t.locked, t.passed

# %% traffic_light: (3,), (7,), (0,)
def program(n):
    states = ["red", "green", "yellow"]
    i = 0
    for _ in range(n):
        i = (i + 1) % len(states)
    return states[i]

# %% tokenizer: (3,), (0,)
def program(x):
    text = "12+34*2"
    tokens = []
    num = ""
    for ch in text:
        if ch.isdigit():
            num += ch
        else:
            tokens.append(int(num))
            num = ""
            tokens.append(ch)
    tokens.append(int(num))
    return len(tokens) + x

# %% rpn: (3, 4), (0, 2)
def program(a, b):
    stack = []
    for t in [a, b, "+", 2, "*"]:
        if isinstance(t, str):
            y, x = stack.pop(), stack.pop()
            stack.append(x + y if t == "+" else x * y)
        else:
            stack.append(t)
    return stack[0]

# %% rpn_codes: ((3, 4, -1, 2, -2),), ((5, 6, -1),)
def program(toks):
    stack = []
    for t in toks:
        if t >= 0:
            stack.append(t)
        else:
            y = stack.pop()
            x = stack.pop()
            if t == -1:
                stack.append(x + y)
            else:
                stack.append(x * y)
    return stack[-1]

# %% calculator: (3, 4), (0, 2)
def program(a, b):
    ops = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}
    return [ops[o](a, b) for o in "+-*"]

# %% calculator_by_code: (3, 0), (5, 2)
import operator
def program(a, code):
    ops = [operator.add, operator.sub, operator.mul]
    return ops[code](a, 2)

# %% caesar: (3,), (0,)
def program(k):
    out = ""
    for ch in "abz":
        out += chr((ord(ch) - 97 + k) % 26 + 97)
    return out

# %% caesar_list: (3,), (0,)
def program(k):
    return [(ord(ch) - 97 + k) % 26 for ch in "abz"]

# %% run_length: ((1, 1, 2, 2, 2, 3),), ((5,),)
def program(xs):
    out = []
    prev, count = xs[0], 0
    for x in xs:
        if x == prev:
            count += 1
        else:
            out.append((prev, count))
            prev, count = x, 1
    out.append((prev, count))
    return out

# %% run_length_lists: ((1, 1, 2, 2, 2, 3),), ((5,),)
def program(xs):
    out = []
    for x in xs:
        if out and out[-1][0] == x:
            out[-1][1] += 1
        else:
            out.append([x, 1])
    return out

# %% word_count: (3,), (0,)
def program(k):
    counts = {}
    for w in "a b a c a b".split():
        counts[w] = counts.get(w, 0) + 1
    return [w for w, c in counts.items() if c > 1], counts["a"] > k

# %% histogram_dict: ((1, 2, 1),), ((0, 0, 2),)
def program(xs):
    h = {0: 0, 1: 0, 2: 0}
    for x in xs:
        h[x] += 1
    return h

# %% histogram_get: ((1, 2, 1),), ((0, 0, 2),)
def program(xs):
    h = {}
    for x in xs:
        h[x] = h.get(x, 0) + 1
    return h

# %% histogram_counter: ((1, 2, 1),), ((0, 0, 2),)
from collections import Counter
def program(xs):
    return Counter(xs)[1]

# %% group_parity: ((1, 2, 5),), ((0, 0, 2),)
def program(xs):
    even, odd = [], []
    for x in xs:
        (even if x % 2 == 0 else odd).append(x)
    return even, odd

# %% partition: ((1, 2, 5),), ((0, 0, 2),)
def program(xs):
    even = [x for x in xs if x % 2 == 0]
    odd = [x for x in xs if x % 2]
    return even, odd, len(even) - len(odd)

# %% newton: (2.0,), (100.0,), (0.5,)
def program(a):
    x = a
    while abs(x * x - a) > 1e-4:
        x = (x + a / x) / 2
    return x

# %% newton_limit: (2.0,), (100.0,), (0.5,)
def program(a):
    x = a
    for i in range(50):
        nx = (x + a / x) / 2
        if abs(nx - x) < 1e-5:
            break
        x = nx
    else:
        raise RuntimeError("no convergence")
    return x, i

# %% bisection: (2.0,), (5.0,)
def program(c):
    lo, hi = 0.0, c
    f = lambda v: v * v - c
    for _ in range(30):
        mid = (lo + hi) / 2
        if f(lo) * f(mid) <= 0:
            hi = mid
        else:
            lo = mid
    return (lo + hi) / 2

# %% trapezoid: (4,), (1,)
def program(n):
    h = 1.0 / n
    s = 0.5 * (0.0 + 1.0)
    for i in range(1, n):
        x = i * h
        s += x * x
    return s * h

# %% simpson: (4,), (2,)
def program(n):
    h = 1 / n
    s = 0.0
    for i in range(n + 1):
        x = i * h
        w = 1 if i == 0 or i == n else (4 if i % 2 else 2)
        s += w * x ** 2
    return s * h / 3

# %% rk4: (1.0,), (0.5,)
def program(y):
    def f(t, y):
        return -y + t
    t, h = 0.0, 0.1
    for _ in range(5):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h * k1 / 2)
        k3 = f(t + h / 2, y + h * k2 / 2)
        k4 = f(t + h, y + h * k3)
        y += h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
        t += h
    return y

# %% euler_bounce: (10.0,), (0.0,)
def program(h):
    v = 0.0
    bounces = 0
    for _ in range(100):
        v -= 0.98
        h += v * 0.1
        if h < 0:
            h = -h
            v = -v * 0.9
            bounces += 1
    return h, bounces

# %% gauss_elim: (2.0, 1.0), (0.0, 3.0)
def program(a, b):
    m = [[a, b, 5.0], [1.0, 3.0, 10.0]]
    n = 2
    for i in range(n):
        p = i
        for r in range(i + 1, n):
            if abs(m[r][i]) > abs(m[p][i]):
                p = r
        m[i], m[p] = m[p], m[i]
        for r in range(i + 1, n):
            f = m[r][i] / m[i][i]
            for c in range(i, n + 1):
                m[r][c] -= f * m[i][c]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = m[i][n]
        for c in range(i + 1, n):
            s -= m[i][c] * x[c]
        x[i] = s / m[i][i]
    return x

# %% gauss_swap_if: (2.0, 1.0), (0.0, 3.0)
def program(a, b):
    m = [[a, b], [1.0, 3.0]]
    if abs(m[0][0]) < abs(m[1][0]):
        m[0], m[1] = m[1], m[0]
    return m

# %% det3: (2, 1), (0, 3)
def program(a, b):
    m = [[a, b, 1], [1, 2, 3], [0, 1, b]]
    def det(m):
        if len(m) == 1:
            return m[0][0]
        total = 0
        for j in range(len(m)):
            minor = [row[:j] + row[j + 1:] for row in m[1:]]
            total += (-1) ** j * m[0][j] * det(minor)
        return total
    return det(m)

# %% matmul: (2, 1), (0, 3)
def program(a, b):
    x = [[a, b], [1, 2]]
    y = [[1, a], [b, 1]]
    return [[sum(p * q for p, q in zip(r, c)) for c in zip(*y)] for r in x]

# %% mat_pow: (5,), (0,)
def program(n):
    def mul(a, b):
        return [[a[0][0] * b[0][0] + a[0][1] * b[1][0], a[0][0] * b[0][1] + a[0][1] * b[1][1]],
                [a[1][0] * b[0][0] + a[1][1] * b[1][0], a[1][0] * b[0][1] + a[1][1] * b[1][1]]]
    r = [[1, 0], [0, 1]]
    m = [[1, 1], [1, 0]]
    while n > 0:
        if n % 2 == 1:
            r = mul(r, m)
        m = mul(m, m)
        n //= 2
    return r[0][1]

# %% transpose: (2, 1), (0, 3)
def program(a, b):
    m = [[a, b], [1, 2], [3, 4]]
    return list(map(list, zip(*m)))

# %% gcd_lcm: (12, 18), (7, 3)
import math
def program(a, b):
    def gcd(a, b):
        while b:
            a, b = b, a % b
        return a
    return a * b // gcd(a, b), math.gcd(a, b)

# %% ext_gcd: (12, 18), (7, 3)
def program(a, b):
    def ext(a, b):
        if b == 0:
            return a, 1, 0
        g, x, y = ext(b, a % b)
        return g, y, x - a // b * y
    return ext(a, b)

# %% ext_gcd_loop: (12, 18), (7, 3)
def program(a, b):
    x0, x1, y0, y1 = 1, 0, 0, 1
    while b:
        q, a, b = a // b, b, a % b
        x0, x1 = x1, x0 - q * x1
        y0, y1 = y1, y0 - q * y1
    return a, x0, y0

# %% mod_pow: (3, 5), (2, 0)
def program(a, n):
    return pow(a, n, 7)

# %% prime_factors: (60,), (13,), (1,)
def program(n):
    out = []
    d = 2
    while d * d <= n:
        while n % d == 0:
            out.append(d)
            n //= d
        d += 1
    if n > 1:
        out.append(n)
    return out

# %% divisors: (12,), (1,)
def program(n):
    return [d for d in range(1, n + 1) if n % d == 0]

# %% perfect: (6,), (8,)
def program(n):
    return sum(d for d in range(1, n) if n % d == 0) == n

# %% is_prime: (7,), (9,), (1,)
def program(n):
    if n < 2:
        return False
    for d in range(2, int(n ** 0.5) + 1):
        if n % d == 0:
            return False
    return True

# %% is_prime_all: (7,), (9,), (1,)
def program(n):
    return n > 1 and all(n % d for d in range(2, n))

# %% next_prime: (7,), (13,)
def program(n):
    def is_prime(k):
        return k > 1 and all(k % d != 0 for d in range(2, k))
    n += 1
    while not is_prime(n):
        n += 1
    return n

# %% collatz_list: (6,), (1,)
def program(n):
    seq = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        seq.append(n)
    return seq, len(seq), max(seq)

# %% digits: (1234,), (0,)
def program(n):
    ds = []
    while n:
        n, d = divmod(n, 10)
        ds.append(d)
    return ds[::-1] or [0]

# %% luhn: ((4, 5, 3, 9, 1),), ((1, 8),)
def program(ds):
    total = 0
    for i, d in enumerate(reversed(ds)):
        if i % 2 == 1:
            d = d * 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0

# %% base_convert: (10, 2), (255, 16), (0, 2)
def program(n, b):
    if n == 0:
        return "0"
    s = ""
    while n > 0:
        s = "0123456789abcdef"[n % b] + s
        n //= b
    return s

# %% leap: (2000,), (1900,), (2024,)
def program(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)

# %% day_of_week: (2024, 3), (1999, 12)
def program(y, m):
    t = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    if m < 3:
        y -= 1
    return (y + y // 4 - y // 100 + y // 400 + t[m - 1] + 1) % 7

# %% change_making: (67,), (5,)
def program(cents):
    result = {}
    for name, v in (("quarter", 25), ("dime", 10), ("nickel", 5), ("penny", 1)):
        result[name], cents = divmod(cents, v)
    return {k: v for k, v in result.items()}

# %% change_nonzero: (67,), (5,)
def program(cents):
    result = {}
    for name, v in (("quarter", 25), ("dime", 10), ("nickel", 5), ("penny", 1)):
        n, cents = divmod(cents, v)
        if n:
            result[name] = n
    return result

# %% grade: (95,), (71,), (10,)
def program(score):
    for limit, g in [(90, "A"), (80, "B"), (70, "C")]:
        if score >= limit:
            return g
    return "F"

# %% rock_paper: (0, 1), (2, 2), (1, 0)
def program(a, b):
    if a == b:
        return "draw"
    return "a" if (a - b) % 3 == 1 else "b"

# %% tic_tac_toe: ((1, 1, 1, 0, 2, 2, 0, 0, 0),), ((0, 1, 2, 1, 2, 1, 2, 1, 0),)
def program(b):
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for i, j, k in lines:
        if b[i] and b[i] == b[j] == b[k]:
            return b[i]
    return 0

# %% bank_transfer: (50,), (500,)
class Acc:
    def __init__(self, b):
        self.b = b
        self.log = []
    def move(self, other, n):
        if n <= self.b:
            self.b -= n
            other.b += n
            self.log.append(-n)
            other.log.append(n)
            return True
        return False
def program(n):
    a, b = Acc(100), Acc(0)
    accs = {"a": a, "b": b}
    ok = accs["a"].move(accs["b"], n)
    accs["b"].move(a, 10)
    return ok, a.b, b.b, a.log, b.log

# %% undo_stack: (3,), (-3,)
def program(x):
    doc = [1]
    undo = []
    def do(v):
        undo.append(doc[:])
        doc.append(v)
    do(x)
    if x > 0:
        do(2)
    if undo:
        doc[:] = undo.pop()
    return doc, len(undo)

# %% shared_rows: (3,), (-3,)
def program(x):
    row = [0, 0]
    grid = [row, row, [1, 1]]
    if x > 0:
        grid[0][1] = x
        grid[2] = row
    row.append(5)
    return grid

# %% object_graph: (3,), (-3,)
class N:
    def __init__(self, v):
        self.v = v
        self.nb = []
def program(x):
    a, b, c = N(1), N(2), N(x)
    a.nb += [b, c]
    b.nb.append(c)
    c.nb.append(a)
    if x > 0:
        c.v += 1
    total = 0
    for n in a.nb:
        for m in n.nb:
            total += m.v
    return total

# %% observer_list: (3,), (-3,)
class Bus:
    def __init__(self):
        self.subs = {}
    def on(self, k, f):
        self.subs.setdefault(k, []).append(f)
    def emit(self, k, v):
        return [f(v) for f in self.subs.get(k, [])]
def program(x):
    bus = Bus()
    seen = []
    bus.on("a", lambda v: v + 1)
    bus.on("a", seen.append)
    r = bus.emit("a", x)
    if x > 0:
        bus.emit("a", 9)
    return r[0], seen, bus.emit("zz", 1)

# %% plugin_registry: (3,), (-3,)
REG = {}
def register(name):
    def deco(f):
        REG[name] = f
        return f
    return deco
@register("double")
def double(v):
    return v * 2
@register("clip")
def clip(v):
    return v if v < 3 else 3
def program(x):
    for name in sorted(REG):
        x = REG[name](x)
    return x

# %% pipeline_generators: (3,), (-3,)
def source(n):
    for i in range(n):
        yield i
def scale(it, k):
    for v in it:
        yield v * k
def program(x):
    return list(scale(source(4), x)), sum(scale(source(3), x))

# %% coroutine_avg: (3.0,), (-3.0,)
def averager():
    total, n, avg = 0.0, 0, None
    while True:
        v = yield avg
        total += v
        n += 1
        avg = total / n
def program(x):
    g = averager()
    next(g)
    g.send(x)
    return g.send(1.0)

# %% ring_buffer: ((1, 2, 3, 4),), ((9,),)
class Ring:
    def __init__(self, n):
        self.data = [0] * n
        self.i = 0
    def push(self, v):
        self.data[self.i % len(self.data)] = v
        self.i += 1
    def items(self):
        return self.data
def program(xs):
    r = Ring(3)
    for v in xs:
        r.push(v)
    return r.items(), r.i

# %% ring_buffer_if: ((1, 2, 3, 4),), ((9,),)
class Ring:
    def __init__(self, n):
        self.data = [0] * n
        self.i = 0
    def push(self, v):
        self.data[self.i % len(self.data)] = v
        self.i += 1
def program(xs):
    r = Ring(3)
    for v in xs:
        if v % 2 == 1:
            r.push(v)
    return r.data, r.i

# %% matrix_inplace: (2,), (0,)
def program(n):
    m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    def zero_row(r):
        m[r] = [0, 0, 0]
    def zero_col(c):
        for row in m:
            row[c] = 0
    zero_row(0)
    zero_col(n)
    return m

# %% set_zeroes: (0,), (5,)
def program(a):
    m = [[1, a, 1], [1, 1, 1]]
    rows = [any(v == 0 for v in r) for r in m]
    cols = [any(r[j] == 0 for r in m) for j in range(3)]
    for i in range(2):
        for j in range(3):
            if rows[i] or cols[j]:
                m[i][j] = 0
    return m

# %% tuple_keys: (3,), (-3,)
def program(x):
    d = {(0, 0): x, (0, 1): 2}
    for (i, j), v in list(d.items()):
        d[(j, i)] = v + 1
    return d[(1, 0)], d[(0, 0)], len(d)

# %% grid_walk_dict: (3,), (-3,)
def program(x):
    grid = {(i, j): i * j for i in range(3) for j in range(3)}
    pos = (1, 1)
    total = 0
    for d in [(0, 1), (1, 0), (0, -1)]:
        nxt = (pos[0] + d[0], pos[1] + d[1])
        if nxt in grid:
            pos = nxt
            total += grid[pos] * x
    return total

# %% config_merge: (3,), (-3,)
def merge(a, b):
    out = dict(a)
    for k, v in b.items():
        if isinstance(v, dict) and k in out:
            out[k] = merge(out[k], v)
        else:
            out[k] = v
    return out
def program(x):
    base = {"a": {"x": 1, "y": x}, "b": 2}
    over = {"a": {"y": 5 if x > 0 else x}, "c": x}
    return merge(base, over), base

# %% json_like: (3,), (-3,)
def walk(v):
    if isinstance(v, dict):
        return {k: walk(e) for k, e in v.items()}
    if isinstance(v, list):
        return [walk(e) for e in v]
    return v + 1 if v > 0 else v
def program(x):
    return walk({"a": [1, x, {"b": -x}], "c": x})

# %% sum_nested: (3,), (-3,)
def total(v):
    if isinstance(v, (list, tuple)):
        return sum(total(e) for e in v)
    return v if v > 0 else 0
def program(x):
    return total([1, [x, (2, -x)], []])

# %% validator_errors: (3, 200), (-3, 5)
def program(age, score):
    errors = []
    if age < 0:
        errors.append("age")
    if score > 100:
        errors.append("score")
    return len(errors), "; ".join(errors) or "ok"

# %% parse_ints: (3,), (-3,)
def program(x):
    text = "10,20,,abc,5"
    out = []
    for part in text.split(","):
        try:
            out.append(int(part) * x)
        except ValueError:
            out.append(0)
    return out

# %% parse_expr: (3,), (-3,)
def parse(tokens):
    def expr():
        v = term()
        while tokens and tokens[0] in "+-":
            op = tokens.pop(0)
            t = term()
            v = v + t if op == "+" else v - t
        return v
    def term():
        v = factor()
        while tokens and tokens[0] == "*":
            tokens.pop(0)
            v = v * factor()
        return v
    def factor():
        t = tokens.pop(0)
        if t == "(":
            v = expr()
            tokens.pop(0)
            return v
        return env[t] if t in env else int(t)
    env = {"x": X[0]}
    return expr()
X = [0]
def program(x):
    X[0] = x
    return parse(list("2*(x+3)-x*x"))

# %% vm: (3,), (-3,), (0,)
def program(x):
    code = [("push", x), ("push", 2), ("mul", None), ("dup", None), ("jneg", 6), ("halt", None), ("neg", None), ("halt", None)]
    stack, ip = [], 0
    steps = 0
    while steps < 10:
        steps += 1
        op, arg = code[ip]
        ip += 1
        if op == "push":
            stack.append(arg)
        elif op == "mul":
            stack.append(stack.pop() * stack.pop())
        elif op == "dup":
            stack.append(stack[-1])
        elif op == "neg":
            stack.append(-stack.pop())
        elif op == "jneg":
            if stack.pop() < 0:
                ip = arg
        else:
            break
    return stack[-1]

# %% vm_unrolled: (3,), (-3,)
class VM:
    def __init__(self):
        self.stack = []
    def run(self, code):
        for op, *args in code:
            getattr(self, "op_" + op)(*args)
        return self.stack.pop()
    def op_push(self, v):
        self.stack.append(v)
    def op_add(self):
        self.stack.append(self.stack.pop() + self.stack.pop())
    def op_max(self):
        a, b = self.stack.pop(), self.stack.pop()
        self.stack.append(a if a > b else b)
def program(x):
    return VM().run([("push", x), ("push", 2), ("max",), ("push", x), ("add",)])

# %% brainf: (3,), (1,)
def program(n):
    tape = [0] * 4
    p = 0
    for c in "+>++>+++<<":
        if c == ">":
            p += 1
        elif c == "<":
            p -= 1
        elif c == "+":
            tape[p] += n
    return tape, p

# %% elevator: ((1, 0, 1, 1, 0),), ((0, 0),)
def program(moves):
    floor = 0
    basement = None
    for i, m in enumerate(moves, 1):
        floor += 1 if m == 1 else -1
        if floor == -1 and basement is None:
            basement = i
    return floor, 0 if basement is None else basement

# %% vending: ((5, 10, 25),), ((1, 1),)
class Machine:
    PRICE = 30
    def __init__(self):
        self.credit = 0
        self.sold = 0
    def insert(self, coin):
        if coin not in (5, 10, 25):
            return coin
        self.credit += coin
        if self.credit >= self.PRICE:
            self.sold += 1
            change, self.credit = self.credit - self.PRICE, 0
            return change
        return 0
def program(coins):
    m = Machine()
    back = [m.insert(c) for c in coins]
    return back, m.credit, m.sold

# %% parking: (2,), (5,)
class Lot:
    def __init__(self, n):
        self.free = n
        self.cars = []
    def enter(self, car):
        if self.free == 0:
            raise RuntimeError("full")
        self.free -= 1
        self.cars.append(car)
def program(n):
    lot = Lot(n)
    for c in range(3):
        if lot.free > 0:
            lot.enter(c)
    return lot.free, lot.cars

# %% parking_raise: (2,), (5,)
class Lot:
    def __init__(self, n):
        self.free = n
    def enter(self, car):
        if self.free == 0:
            raise RuntimeError("full")
        self.free -= 1
def program(n):
    lot = Lot(n)
    for c in range(3):
        lot.enter(c)
    return lot.free

# %% snake: ((0, 0, 1, 1),), ((1, 0),)
def program(moves):
    body = [(0, 0), (0, 1)]
    for m in moves:
        hx, hy = body[-1]
        head = (hx + 1, hy) if m == 1 else (hx, hy + 1)
        body.append(head)
        body.pop(0)
    return body

# %% blackjack: ((10, 11, 5),), ((11, 11),), ((2, 3),)
def program(cards):
    total, aces = 0, 0
    for c in cards:
        total += c
        if c == 11:
            aces += 1
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return total, "bust" if total > 21 else "ok"

# %% bowling: ((10, 3, 4, 0, 0),), ((5, 5, 3, 0, 0),)
def program(rolls):
    score = i = 0
    for _ in range(2):
        if rolls[i] == 10:
            score += 10 + rolls[i + 1] + rolls[i + 2]
            i += 1
        elif rolls[i] + rolls[i + 1] == 10:
            score += 10 + rolls[i + 2]
            i += 2
        else:
            score += rolls[i] + rolls[i + 1]
            i += 2
    return score

# %% tennis: ((0, 0, 0, 0),), ((0, 1, 0, 1),)
def program(points):
    names = ["love", "15", "30", "40"]
    s = [0, 0]
    for p in points:
        s[p] += 1
    if max(s) >= 4 and abs(s[0] - s[1]) >= 2:
        return "win"
    if s[0] == s[1]:
        return names[min(s[0], 3)] + "-all"
    return names[min(s[0], 3)] + "-" + names[min(s[1], 3)]

# %% mandelbrot: (0.1, 0.2), (2.0, 2.0)
def program(a, b):
    x = y = 0.0
    n = 0
    while x * x + y * y <= 4 and n < 20:
        x, y = x * x - y * y + a, 2 * x * y + b
        n += 1
    return n

# %% kmeans1d: ((1.0, 2.0, 9.0, 10.0),), ((0.0, 0.0, 5.0, 5.5),)
def program(xs):
    c = [1.0, 8.0]
    for _ in range(3):
        groups = [[], []]
        for v in xs:
            k = 0 if abs(v - c[0]) <= abs(v - c[1]) else 1
            groups[k].append(v)
        c = [sum(g) / len(g) if g else c[i] for i, g in enumerate(groups)]
    return c

# %% kmeans_sums: ((1.0, 2.0, 9.0, 10.0),), ((0.0, 0.0, 5.0, 5.5),)
def program(xs):
    c = [1.0, 8.0]
    for _ in range(3):
        s, n = [0.0, 0.0], [0, 0]
        for v in xs:
            k = 0 if abs(v - c[0]) <= abs(v - c[1]) else 1
            s[k] += v
            n[k] += 1
        c = [s[i] / n[i] if n[i] else c[i] for i in range(2)]
    return c

# %% perceptron: (1.0, -1.0), (0.5, 2.0)
def program(a, b):
    data = [((a, b), 1), ((-1.0, -1.0), -1)]
    w, bias = [0.0, 0.0], 0.0
    for _ in range(4):
        for x, y in data:
            out = 1 if sum(p * q for p, q in zip(w, x)) + bias > 0 else -1
            if out != y:
                w = [p + y * q for p, q in zip(w, x)]
                bias += y
    return w, bias

# %% gradient_descent: (3.0,), (0.0,)
def program(x):
    lr, v = 0.1, 0.0
    for step in range(20):
        g = 2 * (x - 1)
        v = 0.5 * v - lr * g
        x += v
        if abs(g) < 1e-3:
            break
    return x, step

# %% softmax: ((1.0, 2.0, 3.0),), ((0.0, 0.0),)
import math
def program(xs):
    m = max(xs)
    e = [math.exp(v - m) for v in xs]
    s = sum(e)
    return [v / s for v in e]

# %% variance: ((1.0, 2.0, 3.0),), ((0.0, 0.5),)
def program(xs):
    mean = sum(xs) / len(xs)
    return mean, sum((v - mean) ** 2 for v in xs) / len(xs)

# %% median: ((3, 1, 2),), ((4, 1, 3, 2),)
def program(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2

# %% mode: ((3, 1, 3),), ((2, 2, 1, 1),)
def program(xs):
    best, count = xs[0], 0
    for v in xs:
        c = sum(1 for w in xs if w == v)
        if c > count:
            best, count = v, c
    return best, count

# %% normalize: ((1.0, 2.0, 5.0),), ((3.0, 3.0),)
def program(xs):
    lo, hi = min(xs), max(xs)
    if hi == lo:
        return [0.0 for _ in xs]
    return [(v - lo) / (hi - lo) for v in xs]

# %% clip_list: ((1, 20, -5),), ((3, 3),)
def program(xs):
    return [max(0, min(v, 10)) for v in xs], [0 if v < 0 else v for v in xs]

# %% cumulative: ((1, 20, -5),), ((3, 3),)
def program(xs):
    out = []
    t = 0
    for v in xs:
        t += v
        out.append(t)
    return out, out[-1], max(out)

# %% diff_signs: ((1, 20, -5),), ((3, 3),)
def program(xs):
    signs = []
    for a, b in zip(xs, xs[1:]):
        signs.append("+" if b > a else "-" if b < a else "=")
    return "".join(signs)

# %% interpolate: (1.5,), (9.0,), (-1.0,)
def program(x):
    pts = [(0.0, 0.0), (1.0, 10.0), (2.0, 30.0)]
    if x <= pts[0][0]:
        return pts[0][1]
    for (x0, y0), (x1, y1) in zip(pts, pts[1:]):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return pts[-1][1]

# %% horner: (2,), (-1,)
def program(x):
    r = 0
    for c in [3, 0, -2, 5]:
        r = r * x + c
    return r

# %% tax_brackets: (5000.0,), (50000.0,), (0.0,)
def program(income):
    brackets = [(10000.0, 0.1), (30000.0, 0.2), (float("inf"), 0.3)]
    tax, last = 0.0, 0.0
    for limit, rate in brackets:
        if income > limit:
            tax += (limit - last) * rate
            last = limit
        else:
            tax += (income - last) * rate
            break
    return tax

# %% compound: (100.0, 5), (100.0, 0)
def program(p, years):
    history = [p]
    for _ in range(years):
        p = p * 1.05
        history.append(p)
    return p, len(history)

# %% loan: (1000.0,), (50.0,)
def program(balance):
    months = 0
    while balance > 0 and months < 100:
        balance = balance * 1.01 - 100
        months += 1
    return months, max(balance, 0.0)

# %% time_format: (3661,), (59,)
def program(s):
    h, r = divmod(s, 3600)
    m, s = divmod(r, 60)
    return f"{h:02d}:{m:02d}:{s:02d}"

# %% temperature_table: (3,), (0,)
def program(n):
    rows = []
    for c in range(0, 30, 10):
        f = c * 9 / 5 + 32 + n
        rows.append(f"{c:>4} {f:6.1f}")
    return rows

# %% password: (5,), (12,)
def program(n):
    checks = [n >= 8, n < 64, n != 13]
    score = sum(checks)
    return "strong" if all(checks) else f"weak ({score})"

# %% any_all_mixed: ((1, 2, 3),), ((0, 0, 0),)
def program(xs):
    flags = [x > 1 for x in xs]
    return any(flags), all(flags), flags.count(True), sum(flags), flags.index(True) if any(flags) else -1

# %% bool_index: (3,), (-3,)
def program(x):
    return ["no", "yes"][x > 0], (1, 2)[x < 0], {True: 5, False: 6}[x > 0]

# %% bool_list_ops: ((1, 2, 3),), ((0, 0, 0),)
def program(xs):
    flags = [False] * 3
    for i, x in enumerate(xs):
        flags[i] = flags[i - 1] ^ (x > 1)
    return flags, sum(flags) / len(flags)

# %% bool_max: (3, 1), (1, 3)
def program(a, b):
    return max(a > b, a > 0), (a > b) + (a > 0) * 2, abs(a > b), (a > b) == 1, round(a > b)

# %% late_default: (3,), (-3,)
def program(x):
    fs = []
    for i in range(3):
        def f(v, k=i):
            return v * k if v > 0 else k
        fs.append(f)
    return [f(x) for f in fs]

# %% closure_counter: (3,), (-3,)
def make():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get():
        return n
    return inc, get
def program(x):
    inc, get = make()
    inc()
    if x > 0:
        inc(x)
    return get()

# %% static_and_class: (3,), (-3,)
class Temp:
    scale = 2
    @staticmethod
    def f(c):
        return c * 9 // 5 + 32
    @classmethod
    def of(cls, v):
        return cls(v * cls.scale)
    def __init__(self, v):
        self.v = v
    def __repr__(self):
        return f"Temp({self.v})"
    def __bool__(self):
        return self.v > 0
def program(x):
    t = Temp.of(x)
    return Temp.f(x), t.v, repr(t), 1 if t else 0, not t

# %% len_truth_class: (3,), (0,)
class Box:
    def __init__(self):
        self.items = []
    def __len__(self):
        return len(self.items)
    def __iter__(self):
        return iter(self.items)
    def __contains__(self, v):
        return v in self.items
def program(n):
    b = Box()
    for i in range(n):
        b.items.append(i * 2)
    return len(b), 1 if b else 0, 2 in b, sum(b), [v for v in b]

# %% comparable_class: (3, 5), (5, 3), (4, 4)
import functools
@functools.total_ordering
class V:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def __eq__(self, o):
        return (self.a, self.b) == (o.a, o.b)
    def __lt__(self, o):
        return (self.a, self.b) < (o.a, o.b)
def program(a, b):
    p, q = V(a, 1), V(b, 2)
    return p < q, p == q, p != q, p >= q, max(p, q).b

# %% sort_inplace_key_object: (3, 1), (1, 3)
class T:
    def __init__(self, p, n):
        self.p, self.n = p, n
def program(a, b):
    ts = [T(a, 1), T(b, 2), T(2, 3)]
    ts.sort(key=lambda t: -t.p)
    ts[0].n += 10
    return [t.n for t in ts], [t.p for t in ts]

# %% stable_two_key: (3, 1), (1, 3), (2, 2)
def program(a, b):
    rows = [(a, 5), (b, 4), (2, 9)]
    rows.sort(key=lambda r: r[1])
    rows.sort(key=lambda r: r[0], reverse=True)
    return rows

# %% multi_return: (3,), (0,), (-3,)
def classify(x):
    if x > 0:
        return 1, x * 2
    elif x == 0:
        return 0, 0
    return -1, -x
def program(x):
    s, m = classify(x)
    return s * m

# %% exception_cleanup: (3,), (-3,)
def program(x):
    log = []
    try:
        log.append("start")
        y = x + 1
        if y > 100:
            raise ValueError("never")
    finally:
        log.append("end")
    return y, log

# %% while_two_lists: ((1, 3), (2, 4)), ((5,), (1,))
def program(a, b):
    a, b = list(a), list(b)
    out = []
    while a or b:
        if not b or (a and a[0] <= b[0]):
            out.append(a.pop(0))
        else:
            out.append(b.pop(0))
    return out

# %% queue_sim: ((3, 1, 2), 2), ((1, 1), 1)
from collections import deque
def program(jobs, quantum):
    q = deque(enumerate(jobs))
    order = []
    while q:
        i, left = q.popleft()
        if left > quantum:
            q.append((i, left - quantum))
        else:
            order.append(i)
    return order

# %% binary_gap: (9,), (32,), (1041,)
def program(n):
    best = cur = 0
    started = False
    while n:
        if n & 1:
            if started:
                best = max(best, cur)
            started, cur = True, 0
        else:
            cur += 1
        n >>= 1
    return best

# %% swap_bits: (5,), (12,)
def program(n):
    r = 0
    for i in range(8):
        r = (r << 1) | ((n >> i) & 1)
    return r, n & -n, n ^ 255, ~n

# %% catalan: (4,), (0,)
def program(n):
    dp = [1] + [0] * 5
    for i in range(1, 6):
        for j in range(i):
            dp[i] += dp[j] * dp[i - 1 - j]
    return dp[n]

# %% unique_paths: (3, 4), (1, 1)
def program(m, n):
    dp = [[1] * 5 for _ in range(5)]
    for i in range(1, 5):
        for j in range(1, 5):
            dp[i][j] = dp[i - 1][j] + dp[i][j - 1]
    return dp[m - 1][n - 1]

# %% min_path: (3,), (0,)
def program(x):
    g = [[1, x, 1], [1, 5, 1], [4, 2, x]]
    for i in range(3):
        for j in range(3):
            if i and j:
                g[i][j] += min(g[i - 1][j], g[i][j - 1])
            elif i:
                g[i][j] += g[i - 1][j]
            elif j:
                g[i][j] += g[i][j - 1]
    return g[-1][-1]

# %% partition_sum: ((1, 5, 11, 5),), ((1, 2, 5),)
def program(nums):
    total = sum(nums)
    if total % 2:
        return False
    can = [True] + [False] * 30
    for n in nums:
        for s in range(30, 0, -1):
            if s >= n and can[s - n]:
                can[s] = True
    return can[total // 2]

# %% decode_ways: ((1, 2),), ((2, 2, 6),), ((0,),)
def program(ds):
    a, b = 1, 1 if ds[0] != 0 else 0
    for p, q in zip(ds, ds[1:]):
        c = b if q else 0
        if 10 <= p * 10 + q <= 26:
            c += a
        a, b = b, c
    return b

# %% bools2: (3,), (-3,)
def program(x):
    t = 0
    t += x > 1
    t -= x > 5
    return t, (x > 0) * x, x * (x > 0), (x > 0) / 2, 7 // (1 + (x > 0)), 2 ** (x > 0), (x > 0) % 2, [7] * (x > 0)

# %% bools_float: (3.0,), (-3.0,)
def program(x):
    t = 0
    for v in [x, 1.0, -x]:
        t += v > 2
    return t, x * (x > 0), (x > 0) - 0.5

# %% bool_vector: ((1, -2, 3),)
def program(xs):
    return sum(v > 0 for v in xs), sum(1 for v in xs if v > 0)

# %% bool_loop: (5,), (0,)
def program(n):
    t = 0
    i = 0
    while i < n:
        t += i % 2 == 0
        i += 1
    return t

# %% bins: (5,), (-3,), (0,)
def program(x):
    return bin(x), hex(x), oct(x), bin(x).count("1"), bin(x)[2:], bin(x > 2)

# %% chrs: (65,), (97,)
def program(x):
    return chr(x) + chr(x + 1), f"{chr(x)}!", chr(x).lower()

# %% chr_range: (65,), (-5,)
def program(x):
    return chr(x)

# %% bin_float: (2.5,)
def program(x):
    return bin(x)

# %% chr_caught: (65,), (-5,)
def program(x):
    try:
        return chr(x)
    except ValueError:
        return "?"

# %% bool_counts: ((1, -2, 3),), ((0, 0),)
def program(xs):
    pos = neg = 0
    for v in xs:
        pos += v > 0
        neg += v < 0
    return pos, neg, pos - neg, (pos > neg) - (neg > pos)

# %% bool_sign: (3,), (-3,), (0,)
def program(x):
    sign = (x > 0) - (x < 0)
    return sign, sign * x, abs(x) == sign * x

# %% bool_mean: ((1, -2, 3, 4),)
def program(xs):
    return sum(v > 0 for v in xs) / len(xs), sum(v > 0 for v in xs) > 2

# %% bool_carried: ((1, -2, 3, 4),)
def program(xs):
    t = False
    for v in xs:
        t += v > 0
    return t

# %% bool_carried_if: (3,), (-3,)
def program(x):
    n = 0
    ok = x > 1
    if x > 0:
        n = ok + n
    else:
        n = n - ok
    return n

# %% bool_power: (3,), (-3,)
def program(x):
    return (x > 0) ** 2, 2 ** (x > 0), (x > 0) // 1, (x > 0) % 2, (x > 0) << 2, (x > 0) * "ab", (x > 0) & 1

# %% bool_float: (3.5,), (-3.5,)
def program(x):
    return (x > 0) * 2.5, (x > 0) * x, x - (x > 1), 1.5 + (x > 0), (x > 0) / 4

# %% hex_of: (255,), (-1,)
def program(x):
    return hex(x)[2:].upper(), f"{x:x}", int(hex(x), 16) if x > 0 else 0

# %% bits_text: (5,), (0,)
def program(x):
    return bin(x)[2:].zfill(8), bin(x).count("1") % 2 == 0, "".join(reversed(bin(x)[2:]))

# %% grown_by_true_in_numbers: (3,), (-3,)
def program(x):
    l = []
    for i in range(x):
        l.append(0)
    if x > 2:
        l.append(True)
    return max(l) if l else -1

# %% grown_by_true_sorted: (3,), (-3,)
def program(x):
    l = [0]
    if x > 0:
        l.append(1)
    l.append(True)
    return max(l), sorted(l)

# %% number_stored_in_grown_bools: (3,), (-3,)
def program(x):
    l = [True]
    if x > 1:
        l.append(False)
    l.append(1)
    return l

# %% grown_by_bools: (3,), (-3,)
def program(x):
    l = [False]
    if x > 1:
        l.append(True)
    l.append(True)
    l.insert(0, False)
    return l, any(l), l.count(1)

# %% true_stored_in_grown_numbers: (3,), (-3,)
def program(x):
    l = [0]
    if x > 1:
        l.append(1)
    l[0] = True
    return l

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

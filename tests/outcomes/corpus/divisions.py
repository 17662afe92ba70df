# %% mean_of_none: (3,), (0,)
def program(n):
    total, count = 0, 0
    for k in range(n):
        total += k
        count += 1
    return total / count


# %% ratio_in_branch: (3,), (-3,)
def program(x):
    a = 1
    if x < 0:
        a = 0
    return 10 // a, 10 % a


# %% overwritten_quotient: (3,), (0,)
def program(n):
    a, y = 0, 0.0
    for k in range(n):
        a += 1
        for j in range(3):
            y = 4 / (j - 2 + a)
        y = 2.0
    return y


# %% quotient_in_untaken_branch: (3,), (0,)
def program(n):
    a = 5
    for k in range(n):
        a = 0
    if n == 0:
        a = 10 / a
    return a


# %% reciprocal_sum: (4,), (0,)
def program(n):
    total = 0.0
    for k in range(n):
        total += 1 / (k + 1)
    return total


# %% first_reciprocal: (4,), (0,)
def program(n):
    total = 0.0
    for k in range(n):
        total += 1 / k
    return total


# %% gcd_with_zero: (4,), (0,)
def program(n):
    a, b = 12, 18
    if n == 0:
        a, b = 5, 0
    while True:
        a, b = b, a % b
        if b == n - 4:
            break
    return a


# %% float_remainder: (4,), (0,)
def program(n):
    x = 7.5
    for k in range(n):
        x -= 1.5
    return divmod(10.0, x - 1.5)


# %% negative_power: (2,), (0,)
def program(n):
    x = 0.0
    for k in range(n):
        x += 0.5
    return x ** -2


# %% bits_of_truth: (2,), (-2,)
def program(n):
    a = 6
    if n > 0:
        a = 3
    return (a > 4) & a, (a > 4) | 8, 12 ^ (a > 4)


# %% handled_division: (2,), (0,)
def program(n):
    a = 6
    for k in range(n):
        a = k
    try:
        return 10 / a
    except ZeroDivisionError:
        return -1


# %% mean_of_the_large: ([1.0, 2.0, 3.0], 1.5), ([1.0, 2.0], 5.0)
def program(values, least):
    total, count = 0.0, 0
    for value in values:
        if value > least:
            total += value
            count += 1
    return total / count


# %% ratio_of_possible_tensors: (2.0, 4.0), (2.0, -1.0), (-2.0, 4.0), (-2.0, -1.0)
def program(x, y):
    a, b = 0.0, 0.0
    if x > 0:
        a = x
    if y > 0:
        b = y
    return a / b


# %% inverse_of_a_possible_tensor: (2.0,), (-2.0,)
def program(x):
    a = 0.0
    if x > 0:
        a = x
    return 1 / a, 2.0 ** -a


# %% remainder_by_a_possible_tensor: (2,), (-2,)
def program(x):
    a = 0
    if x > 0:
        a = x
    return 5 % a


# %% found_or_zero: ([3.0, 5.0], 4.0), ([3.0, 5.0], 9.0)
def find(values, least):
    for value in values:
        if value > least:
            return value
    return 0


def program(values, least):
    return 10.0 / find(values, least)


# %% product_of_a_possible_tensor: (3,), (-3,)
def program(x):
    total = 7
    if x > 0:
        total = x
    for _ in range(4):
        total = total * 100000
    return total


# %% tensor_by_a_count_that_may_be_zero: (3.0,), (-3.0,)
def program(x):
    count = 2
    if x > 0:
        count = 4
    for _ in range(3):
        count = count - 1
    return x / count

# %% wide_int_beside_a_tensor: (3,), (-3,)
def program(x):
    k = 1
    if x > 0:
        k = 3000000000
    return k - x

# %% weak64_use: (3,), (-3,)
import math
def program(x):
    k = 1
    if x > 0:
        k = 3000000000
    v = [1, 2, 3]
    return v[k % 3], k // 1000000000 + 1, k > x, x in [k], max(k, x), f"{k}", k / 2, [k, x], float(k), k == 1, range(3)[k % 3]

# %% idx64: (1,), (0,)
def program(x):
    k = 0
    t = 5000000000
    if x > 0:
        t = t + 1
        k = t % 3
    v = [x, 5, 7]
    v[k] = 9
    for i in range(k):
        v.append(i)
    return v, "abc"[k]

# %% int_of_double: (7,), (-7,)
def program(x):
    lo = x
    for i in range(3):
        mid = int((lo + 10) / 2)
        lo = mid + x
        k = round(x / 3) + i
    return lo, k

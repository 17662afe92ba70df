# %% stop1: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
import math
def program(x, n, xs):
    at = None
    for e in xs:
        if e > n:
            at = e
    high = -math.inf if (5 if at is None else at) <= x else (5 if at is None else at)
    return high, high > 1
# %% stop2: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
import math
def program(x, n, xs):
    high = -math.inf if x > 0 else n
    return high, high > 1
# %% stop3: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
import math
def program(x, n, xs):
    high = -math.inf if x > 0 else (5 if n > 0 else x)
    return high
# %% stop4: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
import math
def program(x, n, xs):
    at = None
    for e in xs:
        if e > n:
            at = e
    high = -math.inf if x > 0 else (5 if at is None else at)
    return high
# %% stop5: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
import math
def program(x, n, xs):
    at = None
    high = 0.5
    for e in xs:
        if e > high:
            high, at = e, e
    high = -math.inf if x > 0 else (5 if at is None else at)
    return high, at
# %% inv1: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
def program(x, n, xs):
    p = True
    if x > 0:
        p = p ^ True
    return ~p
# %% inv2: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
def program(x, n, xs):
    p = True
    if x > 0:
        for e in range(n):
            p = p ^ True
    else:
        for e in range(n):
            p = not p
    return ~p
# %% inv3: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
def program(x, n, xs):
    p = True
    for e in xs:
        p = p or (True if e > n else False)
    return ~p
# %% inv4: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
def program(x, n, xs):
    p = False
    q = True
    for e in xs:
        p = p or (True if e > n else False)
    return ~p, p ^ q, ~(p ^ q), p & q, ~(p & q), ~(p | q), ~(not p), ~(p == q), ~(p < q)
# %% inv5: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
def chosen(t):
    if t:
        return True
    return False
def program(x, n, xs):
    p = False
    for e in xs:
        p = p or chosen(e > n)
    a = ~p
    k = {True: 5, False: 6}[p]
    return a, k
# %% inv6: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
def chosen(t):
    if t:
        return True
    return False
def program(x, n, xs):
    p = True
    q = p
    for e1 in xs:
        p = p or chosen(e1 > x)
    if xs[1] > 0:
        for e5 in range(n):
            p = p ^ q
    a = ~p
    return a, ~q, ~p
# %% inv7: (3, 2, (1, -2, 4)), (-3, 0, (-1, -1, 0))
def program(x, n, xs):
    p = True
    if x > 0:
        p = p ^ True
    else:
        for e5 in range(n):
            p = not p
    a, b = 1, ~p
    return a, b

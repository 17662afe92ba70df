# %% genexp_nested: ((3, 1, 4),), ((1,),)
def program(xs):
    return min(sum(abs(p - t) for p in xs) for t in range(max(xs) + 1)), [sum(abs(p - t) for p in xs) for t in range(max(xs) + 1)]

# %% genexp_nested_filter: ((3, 1, 4),), ((1,),)
def program(xs):
    return sum(1 for x in xs if all(y <= x for y in xs)), [x for x in xs if any(y > x for y in xs)]

# %% genexp_nested_own_variable: ((3, 1, 4), 2), ((1,), 0)
def program(xs, n):
    rows = [[1, 2], [3, n]]
    return sum(sum(r) for r in rows), max(max(v * n for v in r) for r in rows), any(all(v > n for v in r) for r in rows)

# %% genexp_later: ((3, 1, 4),), ((1,),)
def program(xs):
    gens = [(x for _ in range(2)) for x in [1, 2]]
    return [sum(g) for g in gens], [f() for f in [lambda: x for x in [1, 2]]]

# %% chosen_in_list: (3, 1), (-3, 1)
class Box:
    pass
def program(x, y):
    a, b, c = Box(), Box(), Box()
    p = a if x > 0 else b
    return p in [b, c], p not in (a, b), c in [p], b in [c, p], p in [], p in [p]

# %% matrix_det: (2, 1), (0, 3)
def program(a, b):
    m = [[a, b], [1, 2]]
    return [[sum(m[i][k] * m[k][j] for k in range(2)) for j in range(2)] for i in range(2)]

# %% n_matrix: (2,), (0,), (3,)
def program(n):
    return [sum(i * j for j in range(i)) for i in range(n)], sum(max(i, 2) for i in range(n)), [any(j == 1 for j in range(i)) for i in range(n)]

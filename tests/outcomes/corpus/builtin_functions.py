# %% sorted_by_key: (3,), (-3,)
def program(x):
    return sorted([x, 1, -2], key=lambda v: -v)


# %% sorted_by_abs: (3,), (-3,)
def program(x):
    return sorted([x, 1, -2], key=abs)


# %% sorted_reverse: (3,), (-3,)
def program(x):
    return sorted([x, 1, -2], reverse=True)


# %% sorted_tuples: (3,), (-3,)
def program(x):
    return sorted([(x, 1), (0, 2)])


# %% sorted_tensor_by_key: ((3, 1, 2),), ((1, 5, 3),)
def program(xs):
    return sorted(xs, key=lambda v: -v)


# %% sorted_is_stable: ((3, -3, 2),), ((-2, 2, 1),)
def program(xs):
    return sorted(xs, key=abs)


# %% sorted_tensor: ((3, 1, 2),), ((1, 5, 3),)
def program(xs):
    return sorted(xs)


# %% sort_method: (3,), (-3,)
def program(x):
    v = [x, 1, 2]
    v.sort()
    return v


# %% sort_method_by_key: (3,), (-3,)
def program(x):
    v = [x, 1, 2]
    v.sort(key=lambda k: -k)
    return v


# %% sort_method_in_branch: (3,), (-3,)
def program(x):
    v = [2, 3, 1]
    if x > 0:
        v.sort()
    return v


# %% max_by_key: (3,), (-3,)
def program(x):
    return max([x, 1, 2], key=lambda v: -v)


# %% max_by_abs: (3,), (-3,), (1,)
def program(x):
    return max(x, -2, key=abs)


# %% max_of_list: (3,), (-3,)
def program(x):
    return max([x, 1]), min([x, 1])


# %% max_of_pairs: (3,), (-3,)
def program(x):
    return max((x, 1), (0, 2))


# %% max_ties_first: (2,), (-2,)
def program(x):
    return max([x, -x, 1], key=abs)


# %% min_by_key_of_tensor: ((3, 1, 2),), ((1, 5, 3),)
def program(xs):
    return min(xs, key=lambda v: (v - 2) * (v - 2))


# %% argmax_by_range: ((3, 1, 2),), ((1, 5, 3),)
def program(xs):
    return max(range(3), key=lambda i: xs[i])


# %% max_of_dict_by_get: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": x}
    return max(d, key=d.get)


# %% max_generator: ((3, 1, 2),), ((1, 5, 3),)
def program(xs):
    return max(v * v for v in xs)


# %% max_empty: ((3, 1),), ((-3, -5),)
def program(xs):
    return max((v for v in xs if v > 0), default=0)


# %% max_empty_raises: ((3, 1),), ((-3, -5),)
def program(xs):
    return max(v for v in xs if v > 0)


# %% filter_list: (3,), (-3,)
def program(x):
    return list(filter(lambda v: v > 0, [x, 1, -1]))


# %% filter_length: (3,), (-3,)
def program(x):
    return len(list(filter(lambda v: v > 0, [x, 1, -1])))


# %% filter_sum: (3,), (-3,)
def program(x):
    return sum(filter(lambda v: v > 0, [x, 1, -1]))


# %% filter_tensor: ((3, 1, -2),), ((-1, -5, -3),)
def program(xs):
    return list(filter(lambda v: v > 0, xs))


# %% filter_none: ((3, 0, -2),), ((0, 0, 0),)
def program(xs):
    return list(filter(None, xs))


# %% next_default: (3,), (-3,)
def program(x):
    return next((v for v in [1, 2, 3] if v > x), -1)


# %% next_of_tensor: ((1, 5, 3),), ((0, 0, 0),)
def program(xs):
    return next((v for v in xs if v > 2), -1)


# %% next_without_default: ((1, 5, 3),), ((0, 0, 0),)
def program(xs):
    return next(v for v in xs if v > 2)


# %% next_of_iterator: (3,), (-3,)
def program(x):
    it = iter([x, 1, 2])
    a = next(it)
    b = next(it)
    return a, b, list(it)


# %% sum_with_start: (3,), (-3,)
def program(x):
    return sum((v for v in [x, 1, 2]), 10)


# %% sum_keyword_start: (3,), (-3,)
def program(x):
    return sum([x, 1, 2], start=10)


# %% sum_of_generator_over_tensor: ((1, 5, 3),), ((0, 0, 0),)
def program(xs):
    return sum((v * 2 for v in xs if v > 1), 100)


# %% sum_of_lists: (3,), (-3,)
def program(x):
    return sum([[x], [1]], [])


# %% list_index: (3,), (1,)
def program(x):
    return [1, 2, 3].index(x)


# %% list_index_of_tensors: (3,), (1,)
def program(x):
    v = [x, 2, 3]
    return v.index(3)


# %% list_index_missing: (3,), (7,)
def program(x):
    return [1, 2, 3].index(x)


# %% list_count: (3,), (7,)
def program(x):
    return [1, 3, 3].count(x)


# %% list_contains: (3,), (7,)
def program(x):
    return x in [1, 3], x not in (7, 8)


# %% list_remove: (3,), (1,)
def program(x):
    v = [1, 2, 3]
    v.remove(x)
    return v


# %% list_equality: (3,), (1,)
def program(x):
    return [x, 1] == [3, 1]


# %% list_less: (3,), (1,)
def program(x):
    return [x, 1] < [3, 0]


# %% tuple_less: (3, 1), (2, 5)
def program(a, b):
    return (a, b) < (3, 0)


# %% dict_equality: (3,), (1,)
def program(x):
    return {"a": x} == {"a": 3}


# %% any_list: (3,), (-3,)
def program(x):
    return any([x > 5, x > 2]), all([x > 0, x < 5])


# %% any_short_circuits: (3,), (-3,)
def program(x):
    seen = [0]

    def test(k):
        seen[0] += 1
        return x > k

    return any(test(k) for k in range(4)), seen


# %% all_short_circuits: (3,), (-3,)
def program(x):
    seen = [0]

    def test(k):
        seen[0] += 1
        return x > k

    return all(test(k) for k in range(4)), seen


# %% enumerate_start: ((3, 1),), ((5, 6),)
def program(xs):
    total = 0
    for i, v in enumerate(xs, 10):
        total += i * v
    return total


# %% zip_unequal: ((3, 1, 2),), ((5, 6, 7),)
def program(xs):
    return [a + b for a, b in zip(xs, [1, 2])]


# %% zip_strict: ((3, 1, 2),), ((5, 6, 7),)
def program(xs):
    total = 0
    for a, b in zip(xs, [1, 2], strict=True):
        total += a * b
    return total


# %% map_two: ((3, 1, 2),), ((5, 6, 7),)
def program(xs):
    return list(map(lambda a, b: a * b, xs, [1, 2, 3]))


# %% map_abs: (3,), (-3,)
def program(x):
    return list(map(abs, [x, -1]))


# %% reversed_tensor: ((3, 1, 2),), ((5, 6, 7),)
def program(xs):
    return list(reversed(xs))


# %% reversed_range: (3,), (0,)
def program(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 10 + i
    return total


# %% range_with_step: (10,), (0,)
def program(n):
    total = 0
    for i in range(1, n, 3):
        total = total * 10 + i
    return total


# %% range_downwards: (5,), (0,)
def program(n):
    total = 0
    for i in range(n, 0, -1):
        total = total * 10 + i
    return total


# %% range_step_by_tensor: (2,), (-1,), (0,)
def program(step):
    total = 0
    for i in range(3, 6, step):
        total += i
    return total


# %% range_length: (5,), (0,)
def program(n):
    return len(range(n)), len(range(2, n, 2))


# %% range_contains: (5,), (0,)
def program(x):
    return x in range(3, 10, 2)


# %% range_list: (3,), (0,)
def program(n):
    return list(range(n))


# %% len_tensor: ((3, 1, 2),), ((5, 6, 7),)
def program(xs):
    return len(xs)


# %% min_in_loop: ((3, 1, 2),), ((5, 6, 7),)
def program(xs):
    low = xs[0]
    for v in xs:
        low = min(low, v)
    return low


# %% isinstance_branch: (3,), (-3,)
def program(x):
    v = [x]
    if isinstance(v, list):
        return v[0]
    return 0


# %% callable_branch: (3,), (-3,)
def program(x):
    f = abs
    if callable(f):
        return f(x)
    return x


# %% iter_sentinel: (3,), (1,)
def program(x):
    state = [0]

    def step():
        state[0] += 1
        return state[0]

    total = 0
    for v in iter(step, 4):
        if v < x:
            total += v
    return total


# %% slice_builtin: ((3, 1, 2),), ((5, 6, 7),)
def program(xs):
    return list(xs[slice(0, 2)])


# %% bisect_left: (3,), (9,), (0,)
import bisect


def program(x):
    return bisect.bisect_left([1, 3, 5], x)


# %% bisect_insort: (3,), (9,)
import bisect


def program(x):
    v = [1, 4, 7]
    bisect.insort(v, x)
    return v


# %% insort_in_branch: (3,), (-3,)
import bisect


def program(x):
    v = [1, 4, 7]
    if x > 0:
        bisect.insort(v, 5)
    return v


# %% accumulate: ((3, 1, 2),), ((5, 6, 7),)
import itertools


def program(xs):
    return list(itertools.accumulate(xs))


# %% accumulate_max: ((3, 1, 5),), ((5, 6, 7),)
import itertools


def program(xs):
    return list(itertools.accumulate(xs, max))


# %% takewhile: ((3, 1, 5),), ((5, 6, 7),)
import itertools


def program(xs):
    return list(itertools.takewhile(lambda v: v < 4, xs))


# %% dropwhile: ((3, 1, 5),), ((5, 6, 7),)
import itertools


def program(xs):
    return list(itertools.dropwhile(lambda v: v < 4, xs))


# %% groupby: ((1, 1, 2),), ((1, 2, 2),)
import itertools


def program(xs):
    return [len(list(g)) for _, g in itertools.groupby(xs)]


# %% combinations: ((1, 5, 2),), ((1, 2, 2),)
import itertools


def program(xs):
    return max(a - b for a, b in itertools.combinations(xs, 2))


# %% product: (1,), (2,)
import itertools


def program(x):
    return sum(a * b for a, b in itertools.product([x, 1], [2, 3]))


# %% chain: (1,), (2,)
import itertools


def program(x):
    return list(itertools.chain([x], [1, 2]))


# %% pairwise: ((1, 5, 2),), ((1, 2, 2),)
import itertools


def program(xs):
    return [b - a for a, b in itertools.pairwise(xs)]


# %% islice: ((1, 5, 2),), ((1, 2, 2),)
import itertools


def program(xs):
    return list(itertools.islice(xs, 2))


# %% islice_by_tensor: (2,), (0,)
import itertools


def program(n):
    return list(itertools.islice([1, 2, 3], n))


# %% reduce: ((1, 5, 2),), ((1, 2, 2),)
import functools


def program(xs):
    return functools.reduce(lambda a, b: a * 2 + b, xs)


# %% reduce_max: ((1, 5, 2),), ((1, 2, 2),)
import functools


def program(xs):
    return functools.reduce(lambda a, b: a if a > b else b, xs, 0)


# %% cmp_to_key: ((1, 5, 2),), ((1, 2, 2),)
import functools


def program(xs):
    return sorted(xs, key=functools.cmp_to_key(lambda a, b: b - a))


# %% statistics_mean: (3.0,), (4.0,)
import statistics


def program(x):
    return statistics.mean([x, 1.0, 2.0])


# %% counter_of_tensor: ((1, 1, 2),), ((3, 3, 3),)
from collections import Counter


def program(xs):
    return len(Counter(xs))


# %% set_of_tensor: ((1, 1, 2),), ((3, 3, 3),)
def program(xs):
    return len(set(xs))


# %% dict_of_zip: (3,), (-3,)
def program(x):
    d = dict(zip("ab", [x, 1]))
    return d["a"] + d["b"]


# %% zip_star: (3,), (-3,)
def program(x):
    a, b = zip(*[(x, 1), (2, 3)])
    return a, b


# %% tuple_of_tensor: ((1, 2),), ((3, 4),)
def program(xs):
    a, b = tuple(xs)
    return b, a


# %% print_free_list_building: (2,), (3,)
def program(x):
    return [v for v in range(5) if v % x == 0]


# %% dict_comprehension: (2,), (3,)
def program(x):
    return {k: k * x for k in range(3)}


# %% dict_comprehension_filtered: (2,), (3,)
def program(x):
    return len({k: k for k in range(6) if k % x == 0})


# %% set_comprehension: (2,), (3,)
def program(x):
    return len({k % x for k in range(6)})


# %% nested_comprehension: (2,), (3,)
def program(x):
    return [[i * x + j for j in range(2)] for i in range(2)]


# %% flattened_comprehension: (2,), (3,)
def program(x):
    return [v for row in [[1, x], [x, 2]] for v in row]


# %% conditional_in_comprehension: (2,), (3,)
def program(x):
    return [v if v > x else -v for v in range(5)]


# %% walrus_in_comprehension: (2,), (3,)
def program(x):
    return [y for v in range(4) if (y := v * x) < 5]

# %% pow3: (3,), (-3,)
def program(x):
    return pow(x, 2, 5)

# %% pow3_base: (3,), (2,)
def program(x):
    return pow(2, x, 7)

# %% pow3_mod: (3,), (7,)
def program(m):
    return pow(2, 5, m)

# %% pow3_kw: (3,), (4,)
def program(x):
    return pow(base=x, exp=3, mod=5)

# %% pow3_neg: (3,), (4,)
def program(x):
    return pow(x, -1, 7)

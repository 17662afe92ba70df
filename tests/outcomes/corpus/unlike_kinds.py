# %% length_equals_list: (3,), (-3,)
def program(x):
    a = []
    if x > 0:
        a.append(x)
    return len(a) == [1], [1] == len(a), len(a) != [1], len(a) == (1,), len(a) == {}, len(a) == "1", len(a) == None

# %% argument_equals: (3,), (-3,)
def program(x):
    return x == [3], x != [3], [3] == x, x == (3,), x == {"a": 1}, x == "3", x != "3", "3" == x, x == None, x != None, None == x

# %% computed_equals: (3,), (-3,)
def program(x):
    y = x + 1
    return y == [4], y != (4,), y == {"a": 1}, y == "4", y == None, y == []

# %% bool_equals: (3,), (-3,)
def program(x):
    y = x > 0
    return y == [True], y != [True], y == (1,), y == "True", y == None, y == 1, y == {}

# %% text_equals_list: (3,), (-3,)
def program(x):
    t = "a" if x > 0 else "b"
    return t == ["a"], ["a"] == t, t != ["a"], t == ("a",), t == {"a": 1}, t == None, t == {"a"}

# %% text_equals_number: (3,), (-3,)
def program(x):
    t = "1" if x > 0 else "b"
    return t == 1, 1 == t, t != 1, t == 1.0, t == True, t == b"1"

# %% text_of_value: (3,), (-3,)
def program(x):
    t = str(x)
    return t == 3, t == ["3"], t == "3", t == x, x == t, t != x, t == (x,), [t] == ["3"], [t] == [3]

# %% in_list_of_lists: (3,), (-3,)
def program(x):
    return x in [[3], [4]], x in [[3], 3], x not in [[3]], x in [(3,), "3", None], [x] in [[3]], (x,) in [[3]]

# %% text_in_mixed: (3,), (-3,)
def program(x):
    t = "a" if x > 0 else "b"
    return t in [1, "a"], t in [["a"]], t in ("a", None), t not in [None], t in [["b"], "b"], 1 in [t], None in [t, x]

# %% number_in_texts: (3,), (-3,)
def program(x):
    y = x + 0
    return y in ["3", "4"], y in ["3", 3], y in (None, 3), y in [None], "3" in [y], [3] in [y]

# %% compared_in_if: (3,), (-3,)
def program(x):
    a = []
    if x > 0:
        a.append(x)
    if len(a) == [1]:
        return 1
    if x == [3]:
        return 2
    if (x > 0) == [True]:
        return 3
    t = "a" if x > 0 else "b"
    if t == ["a"]:
        return 4
    if t == 1:
        return 5
    return 0

# %% nested_items: (3,), (-3,)
def program(x):
    return [x] == [[3]], [x, 1] == [3, [1]], (x,) == ([3],), {"a": x} == {"a": [3]}, [[x]] == [3], [x] == 3, 3 == [x], [x] != 3, [x] == "3", [x] == None

# %% float_equals: (3.0,), (-3.0,)
def program(x):
    return x == [3.0], x == "3.0", x == (3.0,), x in [[3.0]], x == {"a": 3.0}, x == set()

# %% dict_compared: (3,), (-3,)
def program(x):
    d = {"a": x}
    return d == [3], d == x, x == d, d == None, d == "a", d != x, d == {"a": [3]}

# %% set_compared: (3,), (-3,)
def program(x):
    return x == {3}, {3} == x, x != {3}, x == frozenset([3]), x == range(3), x == object, x == 3j

# %% bytes_compared: (3,), (-3,)
def program(x):
    t = "a" if x > 0 else "b"
    return t == b"a", b"a" == t, x == b"a", t in [b"a"]

# %% vector_with_list: ((1, 2),), ((3, 4),)
def program(v):
    return (v[0] == [1], v[0] == (1,))

# %% item_of_list: (3,), (-3,)
def program(x):
    rows = [1, 2, 3]
    y = rows[x % 3]
    return y == [1], y == "1", y in [[1]], y == None

# %% loop_counter: (3,), (4,)
def program(x):
    n = 0
    while n < x:
        n += 1
    return n == [3], n in [[3]], n == "3", n == (3,), n != [3], n == None

# %% chained: (3,), (-3,)
def program(x):
    return 3 == x == [3], [3] == [x] == 3, 1 < x != [3]

# %% optional_compared: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    return y == [3], y == "3", y in [[3]], y in [None], y != (3,)

# %% method_eq: (3,), (-3,)
def program(x):
    import operator
    return operator.eq(x, [3]), operator.ne(x, [3]), operator.eq(x, "3")

# %% match_list: (3,), (-3,)
def program(x):
    match x:
        case [a]:
            return 1
        case "3":
            return 2
        case None:
            return 4
        case 3:
            return 3
    return 0

# %% index_in_mixed: (3,), (-3,)
def program(x):
    rows = [[3], "3", None, 3, -3]
    return rows.index(x), rows.count(x)

# %% assert_eq: (3,), (-3,)
def program(x):
    assert x != [3]
    assert not x == [3]
    return x

# %% own_class: (3,), (-3,)
class A:
    def __eq__(self, other):
        return [self, other][1] == [3]
def program(x):
    return A() == x, A() == [3]

# %% any_eq: (3,), (-3,)
def program(x):
    return any(x == r for r in [[3], [4]]), all(r != x for r in [[3], None, "3"])

# %% comprehension_eq: (3,), (-3,)
def program(x):
    return [r == x for r in [3, [3], "3", None]]

# %% sum_eq: (3,), (-3,)
def program(x):
    return sum([x == r for r in [3, [3], "3", None]])

# %% len_list_only: (3,), (-3,)
def program(x):
    a = []
    if x > 0:
        a.append(x)
    return len(a) == [1], [1] == len(a), len(a) != [1], len(a) == (1,)

# %% in_lists: (3,), (-3,)
def program(x):
    return x in [[3], [4]], x in [[3], 3], x not in [[3]], x in ((3,), None, 4), [x] in [[3]], (x,) in [[3]], x + 1 in [[4]]

# %% compared_in_if_len: (3,), (-3,)
def program(x):
    a = []
    if x > 0:
        a.append(x)
    if len(a) == [1]:
        return 1
    if len(a) in [[1], (1,)]:
        return 2
    return 0

# %% bool_in_if: (3,), (-3,)
def program(x):
    if (x > 0) == [True]:
        return 3
    return 0

# %% text_in_if: (3,), (-3,)
def program(x):
    t = "a" if x > 0 else "b"
    if t == ["a"]:
        return 4
    if t == 1:
        return 5
    if t in [["a"], ("a",), b"a", None, 1]:
        return 6
    return 0

# %% length_in_arithmetic: (3.0,), (-3.0,)
def program(x):
    a = [x]
    if x > 0:
        a.append(x)
    return x / len(a), len(a) * 0.5, sum(a) / len(a), 2 ** len(a), len(a) + x

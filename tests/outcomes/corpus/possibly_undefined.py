# %% isinstance_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    r = isinstance(g, list)
    del g
    return r


# %% isinstance_global_fn: (3,), (-3,)
def ask():
    return isinstance(g, list)


def program(x):
    global g
    if x > 0:
        g = x + 1
    return ask()


# %% isinstance_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return isinstance(y, list)


# %% isinstance_local_tensor: (3,), (-3,)
def program(x):
    if x > 0:
        y = x + 1
    return isinstance(y, list)


# %% isinstance_attr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = 1
    return isinstance(b.v, list)


# %% isinstance_attr_list: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = [1]
    return isinstance(b.v, list)


# %% isinstance_global_list: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = [1]
    return isinstance(g, list)


# %% isinstance_global_str: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = "a"
    return isinstance(g, dict)


# %% isinstance_global_none: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = None
    return isinstance(g, type(None))


# %% type_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return type(g) is list


# %% type_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return type(y) is list


# %% type_attr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = 1
    return type(b.v) is list


# %% type_name_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = [1]
    return type(g).__name__


# %% callable_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return callable(g)


# %% callable_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return callable(y)


# %% callable_attr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return callable(b.v)


# %% callable_function_local: (3,), (-3,)
def program(x):
    if x > 0:
        def y():
            return 1
    return callable(y)


# %% callable_function_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        def g():
            return 1
    return callable(g)


# %% is_none_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g is None


# %% is_none_global_none: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = None
    return g is None


# %% is_none_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return y is None


# %% is_not_none_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = x
    return y is not None


# %% is_none_attr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return b.v is None


# %% is_object_global: (3,), (-3,)
def program(x):
    global g
    o = [1]
    if x > 0:
        g = 1
    return g is o


# %% is_type_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g is int


# %% is_local_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = x
        z = y
    return y is z


# %% is_true_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = True
    return g is True


# %% is_ellipsis_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g is ...


# %% eq_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g == 1


# %% eq_global_str: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g == "a"


# %% eq_global_none: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g == None


# %% ne_global_str: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g != "a"


# %% eq_local_str: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return y == "a"


# %% eq_list_of_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return [g] == [1, 2]


# %% eq_tuple_of_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return (y, 2) == (1, 2, 3)


# %% in_global_list: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g in [1, 2]


# %% in_global_empty: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g in []


# %% in_local_empty: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return y in []


# %% in_global_dict: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g in {1: 2}


# %% in_global_emptydict: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g in {}


# %% in_container_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = [1, 2]
    return 1 in g


# %% in_container_local_str: (3,), (-3,)
def program(x):
    if x > 0:
        y = [1, 2]
    return "a" in y


# %% repr_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return repr(g)


# %% str_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return str(g)


# %% fstring_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return f"{g}!"


# %% fstring_repr_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return f"{g!r:>4}!"


# %% percent_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return "%s" % g


# %% format_attr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return "{}".format(b.v)


# %% repr_list_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return repr([g])


# %% fstring_attr_of: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return f"{[b.v, 1]}"


# %% bool_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return bool(g)


# %% not_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return not g


# %% if_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    if g:
        return 1
    return 2


# %% and_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return g and 5


# %% ternary_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return 5 if g else 6


# %% unused_expression_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    g
    return 7


# %% unused_expression_local: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    y
    return 7


# %% unused_attr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    b.v
    return 7


# %% assigned_only_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = x
    z = g
    return 7


# %% passed_to_helper_unused: (3,), (-3,)
def helper(a):
    return 7


def program(x):
    global g
    if x > 0:
        g = x
    return helper(g)


# %% len_of_list_with: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = x
    return len([g, g])


# %% tuple_with_local_len: (3,), (-3,)
def program(x):
    if x > 0:
        y = x
    return len((y, 1))


# %% hasattr_of_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = x
    return hasattr(g, "zzz")


# %% getattr_of_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = x
    return getattr(g, "zzz", 5)


# %% id_eq_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = [1]
    return id(g) == id(g)


# %% store_global_in_attr: (3,), (-3,)
class Box:
    pass


BOX = Box()


def program(x):
    global g
    if x > 0:
        g = 1
    BOX.v = g
    return 3


# %% dict_value_missing: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = 1
    return isinstance(d["a"], set)


# %% dict_value_missing_none: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = 1
    return d["a"] is None


# %% dict_value_missing_eq: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = 1
    return d["a"] == "zz"


# %% dict_value_missing_unused: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = 1
    d["a"]
    return 3


# %% dict_value_type: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = [1]
    return type(d["a"]) is dict


# %% closure_isinstance: (3,), (-3,)
def program(x):
    def ask():
        return isinstance(y, list)

    if x > 0:
        y = 1
    return ask()


# %% closure_is_none: (3,), (-3,)
def program(x):
    def ask():
        return y is None

    if x > 0:
        y = x
    return ask()


# %% closure_unused: (3,), (-3,)
def program(x):
    def ask():
        y
        return 3

    if x > 0:
        y = x
    return ask()


# %% match_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    match g:
        case str():
            return 1
        case _:
            return 2


# %% match_none_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    match g:
        case None:
            return 1
        case _:
            return 2


# %% loop_item_local: (3,), (-3,)
def program(x):
    while x > 0:
        y = 1
        x = x - 1
    return isinstance(y, list)


# %% loop_item_global: (3,), (-3,)
def program(x):
    global g
    while x > 0:
        g = 1
        x = x - 1
    return isinstance(g, list)


# %% loop_is_none_global: (3,), (-3,)
def program(x):
    global g
    while x > 0:
        g = x
        x = x - 1
    return g is None


# %% except_name_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    try:
        return isinstance(g, dict)
    except NameError:
        return 8


# %% return_global_raw: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = x
    return g


# %% return_list_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = x
    return [g, 1]


# %% delattr_then: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 3


def program(x):
    b = Box()
    if x > 0:
        del b.v
    return isinstance(b.v, str)


# %% del_global: (3,), (-3,)
g = 4


def program(x):
    global g
    if x > 0:
        del g
    return 3


# %% del_global_then_read: (3,), (-3,)
g = 4


def program(x):
    global g
    if x > 0:
        del g
    return g


# %% del_global_isinstance: (3,), (-3,)
g = 4


def program(x):
    global g
    if x > 0:
        del g
    return isinstance(g, dict)


# %% del_global_else_assign: (3,), (-3,)
g = 4


def program(x):
    global g
    if x > 0:
        del g
    else:
        g = 5
    return 1


# %% del_global_reassign: (3,), (-3,)
g = 4


def program(x):
    global g
    if x > 0:
        del g
    g = 7
    return g


# %% del_global_unassigned: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        del g
    return 3


# %% isinstance_tuple_args: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = 1
    return isinstance((g, 2), tuple)


# %% sorted_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = [3, 1]
    return sorted(g)


# %% len_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = [3, 1]
    return len(g)


# %% iter_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = [3, 1]
    s = 0
    for a in g:
        s += a
    return s


# %% unpack_global: (3,), (-3,)
def program(x):
    global g
    if x > 0:
        g = (3, 1)
    a, b = g
    return a


# %% len_of_missing: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = 1
    return len([b.v])


# %% len_of_missing_tuple: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return len((1, b.v))


# %% missing_variable_in_list: (3,), (-3,)
def program(x):
    if x > 0:
        v = 1
    return len([v])


# %% missing_appended: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    rows = []
    if x > 0:
        b.v = x
    rows.append(b.v)
    return len(rows)


# %% missing_key_in_list: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = x
    return len([d["a"]])


# %% missing_row_in_list: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = [x, x]
    return len([b.v])


# %% missing_in_condition: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    if x > -5:
        rows = [b.v]
        x = x + len(rows)
    return x


# %% missing_comprehension: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return len([b.v for _ in range(2)])

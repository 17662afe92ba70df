# %% none_beside_tensor_to_caller: (3,), (-3,)
def helper(x):
    if x > 0:
        return None
    return x + 1

def program(x):
    y = helper(x)
    if y is None:
        return 0
    return y * 2

# %% none_beside_tensor_tested_not: (3,), (-3,)
def helper(x):
    if x > 0:
        return x + 1
    return None

def program(x):
    y = helper(x)
    if y is not None:
        return y * 2
    return 7

# %% none_unused: (3,), (-3,)
def helper(x):
    if x > 0:
        return x + 1

def program(x):
    helper(x)
    return x

# %% none_used: (3,), (-3,)
def helper(x):
    if x > 0:
        return x + 1

def program(x):
    y = helper(x)
    return y + 1

# %% none_used_where_set: (3,), (-3,)
def helper(x):
    if x > 0:
        return x + 1

def program(x):
    y = helper(x)
    z = 0
    if x > 0:
        z = y + 1
    return z

# %% none_returned_out: (3,), (-3,)
def program(x):
    if x > 0:
        return x + 1
    return None

# %% none_in_tuple: (3,), (-3,)
def helper(x):
    if x > 0:
        return x + 1, None
    return None, x

def program(x):
    a, b = helper(x)
    r = 0
    if a is not None:
        r = a
    if b is not None:
        r = b * 2
    return r

# %% none_from_nested_if: (3,), (-3,), (30,)
def helper(x):
    if x > 0:
        if x > 10:
            return x
        return None
    return x + 1

def program(x):
    y = helper(x)
    return 0 if y is None else y

# %% none_from_loop: (3,), (-3,), (30,)
def find(x):
    for i in range(5):
        if x == i:
            return i * 10
    return None

def program(x):
    y = find(x)
    if y is None:
        return -1
    return y

# %% none_from_while: (3,), (-3,), (30,)
def find(x):
    i = 0
    while i < 5:
        if x == i:
            return i * 10 + x
        i += 1
    return None

def program(x):
    y = find(x)
    if y is None:
        return -1
    return y

# %% none_from_staged_while: (3,), (-3,), (30,)
def find(x):
    while x > 0:
        if x == 3:
            return x * 10
        x -= 1
    return None

def program(x):
    y = find(x)
    if y is None:
        return -1
    return y

# %% implicit_none_from_staged_while: (3,), (-3,), (30,)
def find(x):
    while x > 0:
        if x == 7:
            return x * 10
        x -= 1

def program(x):
    y = find(x)
    if y is None:
        return -1
    return y

# %% none_conditional_expression: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    if y is None:
        return 0
    return y

# %% none_conditional_argument: (3,), (-3,)
def g(y):
    if y is None:
        return 0
    return y

def program(x):
    return g(x if x > 0 else None)

# %% function_or_none: (3,), (-3,)
def helper(x):
    if x > 0:
        return lambda v: v + 1
    return None

def program(x):
    f = helper(x)
    return x

# %% function_or_none_used: (3,), (-3,)
def helper(x):
    if x > 0:
        return lambda v: v + 1
    return None

def program(x):
    f = helper(x)
    return f(x)

# %% functions_unused: (3,), (-3,)
def helper(x):
    if x > 0:
        return lambda v: v + 1
    return lambda v: v - 1

def program(x):
    f = helper(x)
    return x

# %% functions_used: (3,), (-3,)
def helper(x):
    if x > 0:
        return lambda v: v + 1
    return lambda v: v - 1

def program(x):
    f = helper(x)
    return f(x)

# %% object_or_none_unused: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def helper(x):
    if x > 0:
        return Box(x)
    return None

def program(x):
    b = helper(x)
    return x

# %% object_or_none_tested: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def helper(x):
    if x > 0:
        return Box(x)
    return None

def program(x):
    b = helper(x)
    if b is None:
        return 0
    return b.v

# %% string_or_number_unused: (3,), (-3,)
def helper(x):
    if x > 0:
        return "a"
    return x

def program(x):
    b = helper(x)
    return x

# %% tuple_or_number_unused: (3,), (-3,)
def helper(x):
    if x > 0:
        return 1, x
    return x

def program(x):
    b = helper(x)
    return x

# %% tuple_lengths_unused: (3,), (-3,)
def helper(x):
    if x > 0:
        return 1, x
    return x, 2, 3

def program(x):
    b = helper(x)
    return x

# %% nested_if_functions: (3,), (-3,), (30,)
def program(x):
    if x > 0:
        if x > 10:
            f = lambda v: v + 1
        else:
            f = lambda v: v + 2
    else:
        f = lambda v: v + 3
    return x

# %% loop_variable_functions: (3,), (-3,), (30,)
def program(x):
    f = lambda v: v
    while x > 0:
        f = lambda v: v + 1
        x -= 1
    return x

# %% loop_variable_objects: (3,), (-3,), (30,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    f = None
    while x > 0:
        f = Box(x)
        x -= 1
    return x

# %% loop_variable_objects_used: (3,), (-3,), (30,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    f = Box(0)
    while x > 0:
        f = Box(x)
        x -= 1
    return f.v

# %% none_attribute: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = None

def program(x):
    b = Box()
    if x > 0:
        b.v = x
    if b.v is None:
        return 0
    return b.v

# %% none_attribute_unused: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = None

def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return x

# %% none_item: (3,), (-3,)
def program(x):
    b = [None, 1]
    if x > 0:
        b[0] = x
    if b[0] is None:
        return 0
    return b[0]

# %% none_item_dict: (3,), (-3,)
def program(x):
    b = {"a": None}
    if x > 0:
        b["a"] = x
    return 0 if b["a"] is None else b["a"]

# %% none_captured: (3,), (-3,)
def program(x):
    y = None
    if x > 0:
        y = x

    def inner():
        return 0 if y is None else y

    return inner()

# %% none_method: (3,), (-3,)
class Finder:
    def find(self, x):
        if x > 0:
            return x
        return None

def program(x):
    f = Finder()
    y = f.find(x)
    return -1 if y is None else y

# %% none_method_direct_test: (3,), (-3,)
class Finder:
    def find(self, x):
        if x > 0:
            return x
        return None

def program(x):
    f = Finder()
    if f.find(x) is None:
        return -1
    return f.find(x)

# %% none_or_truth: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    return find(x) or 5

# %% none_if_truth: (3,), (-3,), (0,)
def find(x):
    if x >= 0:
        return x
    return None

def program(x):
    y = find(x)
    if y:
        return 1
    return 2

# %% none_eq_none: (3,), (-3,), (0,)
def find(x):
    if x >= 0:
        return x
    return None

def program(x):
    y = find(x)
    if y == None:
        return 1
    return 2

# %% none_recursion: (3,), (-3,), (0,)
def find(x, n):
    if x == n:
        return x
    if n == 0:
        return None
    return find(x, n - 1)

def program(x):
    y = find(x, 4)
    return -1 if y is None else y

# %% none_passed_on: (3,), (-3,)
def inner(x):
    if x > 0:
        return x
    return None

def outer(x):
    y = inner(x)
    if y is None:
        return None
    return y + 1

def program(x):
    z = outer(x)
    if z is None:
        return 100
    return z

# %% none_passed_on_directly: (3,), (-3,)
def inner(x):
    if x > 0:
        return x
    return None

def outer(x):
    return inner(x)

def program(x):
    z = outer(x)
    if z is None:
        return 100
    return z

# %% none_walrus: (3,), (-3,)
def inner(x):
    if x > 0:
        return x
    return None

def program(x):
    if (z := inner(x)) is None:
        return 100
    return z

# %% leak_conditional: (3,), (-3,)
def program(x):
    return (None if x > 0 else x) is None

# %% leak_list: (3,), (-3,)
def program(x):
    a = [None if x > 0 else x]
    return a[0] is None

# %% leak_argument: (3,), (-3,)
def find(x):
    if x > 0:
        return None
    return x

def asks(y):
    return y is None

def program(x):
    return asks(find(x))

# %% leak_map: (3,), (-3,)
def find(x):
    if x > 0:
        return None
    return x

def program(x):
    return [e is None for e in map(find, [x, x + 1])]

# %% leak_attribute: (3,), (-3,)
class Box:
    pass

def find(x):
    if x > 0:
        return None
    return x

def program(x):
    b = Box()
    b.v = find(x)
    return b.v is None

# %% leak_second_name: (3,), (-3,)
def find(x):
    if x > 0:
        return None
    return x

def program(x):
    y = find(x)
    z = y
    if z is None:
        return 1
    return 2

# %% leak_second_name_tested: (3,), (-3,)
def find(x):
    if x > 0:
        return None
    return x

def program(x):
    y = find(x)
    z = y
    if y is None:
        return 5
    if z is None:
        return 1
    return 2

# %% leak_loop: (3,), (-3,)
def find(x):
    if x > 0:
        return None
    return x

def program(x):
    n = 0
    for i in range(3):
        y = find(x - i)
        if y is None:
            n += 1
        else:
            n += y
    return n

# %% leak_staged_loop: (3,), (-3,)
def find(x):
    if x > 1:
        return None
    return x

def program(x):
    n = 0
    while x > 0:
        y = find(x)
        if y is not None:
            n += y
        x -= 1
    return n

# %% carried_in_loop: (3,), (-3,), (5,)
def find(x):
    if x > 1:
        return x
    return None

def program(x):
    y = find(x)
    i = 0
    while i < 3:
        if y is None:
            y = find(x + i)
        i += 1
    if y is None:
        return -1
    return y

# %% inner_function_asks: (3,), (-3,)
def find(x):
    if x > 1:
        return x
    return None

def program(x):
    y = find(x)

    def ask():
        return y is None

    return ask()

# %% assigned_again: (3,), (-3,)
def find(x):
    if x > 1:
        return x
    return None

def program(x):
    y = find(x)
    if y is None:
        y = 7
    return y + 1

# %% or_default: (3,), (-3,)
def find(x):
    if x > 1:
        return x
    return None

def program(x):
    y = find(x)
    y = 7 if y is None else y
    return y + 1

# %% both_asked: (3,), (-3,), (1,)
def find(x):
    if x > 1:
        return x
    return None

def program(x):
    y = find(x)
    z = find(-x)
    if y is None and z is None:
        return 0
    if y is not None:
        return y
    return z

# %% returned_after_test: (3,), (-3,), (1,)
def find(x):
    if x > 1:
        return x
    return None

def program(x):
    y = find(x)
    if y is not None and y > 2:
        return y
    return -1

# %% object_result_asked: (3,), (-3,), (1,)
class Hit:
    def __init__(self, v):
        self.v = v

def find(x):
    if x > 1:
        return Hit(x)
    return None

def program(x):
    y = find(x)
    if y is None:
        return -1
    return y.v

# %% function_result_unasked: (3,), (-3,), (1,)
def find(x):
    if x > 1:
        return lambda: x
    return None

def program(x):
    y = find(x)
    if x > 10 and y is not None:
        return -1
    return x

# %% default_and_none: (3,), (-3,)
def find(x, default=None):
    if x > 1:
        return x
    return default

def program(x):
    y = find(x)
    return 0 if y is None else y

# %% with_tuple: (3,), (-3,)
def find(x):
    if x > 1:
        return x, x + 1
    return None

def program(x):
    y = find(x)
    if y is None:
        return 0
    a, b = y
    return a * b

# %% bool_result: (3,), (-3,)
def find(x):
    if x > 1:
        return True
    return None

def program(x):
    y = find(x)
    if y is None:
        return 0
    return 1 if y else 2

# %% string_result: (3,), (-3,)
def find(x):
    if x > 1:
        return "big"
    return None

def program(x):
    y = find(x)
    if y is None:
        return "none"
    return y

# %% method_on_self: (3,), (-3,)
class Search:
    def __init__(self, items):
        self.items = items

    def index(self, v):
        for i, item in enumerate(self.items):
            if item == v:
                return i
        return None

def program(x):
    s = Search([1, 3, 5])
    at = s.index(x)
    if at is None:
        return -1
    return at

# %% three_ways: (3,), (-3,), (0,)
def find(x):
    if x > 1:
        return x
    elif x < 0:
        return None
    else:
        return 100

def program(x):
    y = find(x)
    if y is None:
        return 0
    return y

# %% not_equal_none: (3,), (-3,), (0,)
def find(x):
    if x > 1:
        return x

def program(x):
    y = find(x)
    if y != None:
        return y
    return 0

# %% used_without_test_in_branch: (3,), (-3,)
def find(x):
    if x > 1:
        return x

def program(x):
    y = find(x)
    if y is None:
        z = 0
    else:
        z = 1
    return y + z

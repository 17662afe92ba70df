# %% attribute_to_unused_variable: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    y = b.v
    return x


# %% attribute_to_helper: (3,), (-3,)
class Box:
    pass


def helper(value):
    return 7


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return helper(b.v)


# %% attribute_to_attribute: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    b.w = b.v
    return x


# %% attribute_to_attribute_of_argument: (Box(), 3), (Box(), -3)
class Box:
    pass


def program(b, x):
    if x > 0:
        b.v = x
    b.w = b.v
    return x


# %% attribute_in_list: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    if [b.v]:
        return 1
    return 2


# %% attribute_set_by_helper: (3,), (-3,)
class Box:
    pass


def put(b, x):
    b.v = x


def program(x):
    b = Box()
    if x > 0:
        put(b, x)
    y = b.v
    return x


# %% attribute_set_by_setattr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        setattr(b, "v", x)
    y = b.v
    return x


# %% attribute_by_getattr: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    y = getattr(b, "v")
    return x


# %% attribute_deleted: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 1


def program(x):
    b = Box()
    if x > 0:
        del b.v
    y = b.v
    return x


# %% attribute_set_in_loop: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    while x > 0:
        b.v = x
        x = x - 1
    y = b.v
    return x


# %% attribute_of_method: (3,), (-3,)
class Box:
    def put(self, x):
        self.v = x

    def read(self):
        y = self.v
        return 1


def program(x):
    b = Box()
    if x > 0:
        b.put(x)
    return b.read()


# %% attribute_of_list: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = [x]
    return len([b.v, 1])


# %% attribute_before_effect: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    seen = []
    if x > 0:
        b.v = x
    try:
        y = b.v
        seen.append(1)
    except AttributeError:
        seen.append(2)
    return seen[0]


# %% attribute_that_is_never_read: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return x


# %% attribute_only_tested: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    return 1 if hasattr(b, "v") else 2


# %% attribute_read_where_it_is_assigned: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
        y = b.v
    return x


# %% global_in_other_function: (3,), (-3,)
def helper(value):
    return 7


def ask():
    y = g
    return helper(1)


def program(x):
    global g
    if x > 0:
        g = x
    return ask()


# %% global_in_list_of_other_function: (3,), (-3,)
def ask():
    return len([g, g])


def program(x):
    global g
    if x > 0:
        g = x
    return ask()


# %% key_to_unused_variable: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["v"] = x
    y = d["v"]
    return x


# %% key_to_helper: (3,), (-3,)
def helper(value):
    return 7


def program(x):
    d = {}
    if x > 0:
        d["v"] = x
    return helper(d["v"])


# %% key_in_list: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["v"] = x
    return len([d["v"]])


# %% key_added_by_helper: (3,), (-3,)
def put(d, x):
    d["v"] = x


def program(x):
    d = {}
    if x > 0:
        put(d, x)
    y = d["v"]
    return x


# %% variable_to_unused_variable: (3,), (-3,)
def program(x):
    if x > 0:
        v = x
    y = v
    return x


# %% variable_in_list: (3,), (-3,)
def program(x):
    if x > 0:
        v = x
    return len([v])


# %% free_variable_to_unused_variable: (3,), (-3,)
def program(x):
    def ask():
        y = v
        return 1

    if x > 0:
        v = x
    return ask()

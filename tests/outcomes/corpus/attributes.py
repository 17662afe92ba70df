# %% made_in_branch_hasattr: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.v = 1
    return hasattr(box, "v")


# %% made_in_branch_getattr_default: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    return getattr(box, "v", 7)


# %% made_in_branch_read: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    return box.v


# %% made_in_branch_never_read: (3,), (-3,)
class Box:
    def __init__(self):
        self.w = 1


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    return box.w


# %% made_in_both: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.v = 1
    else:
        box.v = 2
    return box.v


# %% deleted_in_branch: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 1


def program(x):
    box = Box()
    if x > 0:
        del box.v
    return hasattr(box, "v")


# %% deleted_in_branch_read: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 1


def program(x):
    box = Box()
    if x > 0:
        del box.v
    return box.v


# %% deleted_in_both: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 1
        self.w = 0


def program(x):
    box = Box()
    if x > 0:
        del box.v
        box.w = 1
    else:
        del box.v
    return box.w, hasattr(box, "v")


# %% deleted_and_made_again: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 1


def program(x):
    box = Box()
    if x > 0:
        del box.v
        box.v = x
    return box.v


# %% class_default_hidden: (3,), (-3,)
class Box:
    v = 10


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    return box.v, Box.v


# %% class_default_shown_again: (3,), (-3,)
class Box:
    v = 10

    def __init__(self):
        self.v = 1


def program(x):
    box = Box()
    if x > 0:
        del box.v
    return box.v


# %% cached_property: (3,), (-3,)
import functools


class Box:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def square(self):
        return self.n * self.n


def program(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
    box.n = 5
    return y, box.square


# %% cached_property_of_tensor: (3,), (-3,)
import functools


class Box:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def square(self):
        return self.n * self.n


def program(x):
    box = Box(x)
    y = 0
    if x > 0:
        y = box.square
    box.n = box.n + 1
    return y, box.square


# %% cached_property_before: (3,), (-3,)
import functools


class Box:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def square(self):
        return self.n * self.n


def program(x):
    box = Box(x)
    y = box.square
    if x > 0:
        y = y + box.square
    return y


# %% lazy_by_hasattr: (3,), (-3,)
class Lazy:
    def get(self):
        if not hasattr(self, "v"):
            self.v = 5
        return self.v


def program(x):
    lazy = Lazy()
    y = 0
    if x > 0:
        y = lazy.get()
    lazy_before = hasattr(lazy, "v")
    return y, lazy_before, lazy.get()


# %% lazy_by_none: (3,), (-3,)
class Lazy:
    def __init__(self):
        self.v = None

    def get(self):
        if self.v is None:
            self.v = 5
        return self.v


def program(x):
    lazy = Lazy()
    y = 0
    if x > 0:
        y = lazy.get()
    return y


# %% lazy_by_none_then_read: (3,), (-3,)
class Lazy:
    def __init__(self):
        self.v = None

    def get(self, k):
        if self.v is None:
            self.v = k
        return self.v


def program(x):
    lazy = Lazy()
    y = 0
    if x > 0:
        y = lazy.get(5)
    return y, lazy.get(7)


# %% lazy_by_try: (3,), (-3,)
class Lazy:
    def get(self):
        try:
            return self.v
        except AttributeError:
            self.v = 8
            return self.v


def program(x):
    lazy = Lazy()
    y = 0
    if x > 0:
        y = lazy.get()
    return y, hasattr(lazy, "v")


# %% memo_in_dict: (3,), (-3,)
def program(x):
    memo = {}

    def square(k):
        if k not in memo:
            memo[k] = k * k
        return memo[k]

    y = 0
    if x > 0:
        y = square(4)
    return y, len(memo)


# %% memo_in_global_dict: (3,), (-3,), (4,)
MEMO = {}


def square(k):
    if k not in MEMO:
        MEMO[k] = k * k
    return MEMO[k]


def program(x):
    y = 0
    if x > 0:
        y = square(4)
    return y


# %% memo_on_function: (3,), (-3,), (4,)
def square(k):
    square.calls = getattr(square, "calls", 0) + 1
    return k * k


def program(x):
    y = 0
    if x > 0:
        y = square(4)
    return y


# %% made_in_loop: (3,), (0,)
class Box:
    pass


def program(n):
    box = Box()
    for i in range(n):
        box.v = i
    return getattr(box, "v", -1)


# %% made_before_and_in_loop: (3,), (0,)
class Box:
    pass


def program(n):
    box = Box()
    box.v = 10
    for i in range(n):
        box.v = box.v + i
    return box.v


# %% vars_count: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    box.a = 1
    if x > 0:
        box.b = 2
    return len(vars(box))


# %% dir_after_branch: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.b = 2
    return "b" in dir(box)


# %% slot_made_in_branch: (3,), (-3,)
class Box:
    __slots__ = ("v", "w")


def program(x):
    box = Box()
    box.w = 1
    if x > 0:
        box.v = 2
    return hasattr(box, "v"), box.w


# %% slot_in_both: (3,), (-3,)
class Box:
    __slots__ = ("v",)


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    else:
        box.v = -x
    return box.v


# %% slot_deleted: (3,), (-3,)
class Box:
    __slots__ = ("v",)

    def __init__(self):
        self.v = 1


def program(x):
    box = Box()
    if x > 0:
        del box.v
    return hasattr(box, "v")


# %% try_attribute_error: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.v = 4
    try:
        return box.v
    except AttributeError:
        return -1


# %% attribute_of_global_made: (3,), (-3,), (4,)
class Box:
    pass


BOX = Box()


def program(x):
    if x > 0:
        BOX.v = x
    return x


# %% attribute_of_global_hasattr: (-3,), (3,), (-4,)
class Box:
    pass


BOX = Box()


def program(x):
    was = hasattr(BOX, "v")
    if x > 0:
        BOX.v = 1
    return was


# %% class_attribute_made: (3,), (-3,)
def program(x):
    class Box:
        v = 0

    if x > 0:
        Box.v = x
    return Box.v


# %% class_attribute_by_instance: (3,), (-3,)
class Box:
    total = 0

    def add(self, k):
        type(self).total += k


def program(x):
    before = Box.total
    if x > 0:
        Box().add(5)
    return Box.total - before


# %% delattr_function: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 1


def program(x):
    box = Box()
    if x > 0:
        delattr(box, "v")
    return getattr(box, "v", 0)


# %% getattr_hook: (3,), (-3,)
class Box:
    def __getattr__(self, name):
        return 42


def program(x):
    box = Box()
    if x > 0:
        box.v = 1
    return box.v


# %% dict_replaced: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 1


def program(x):
    box = Box()
    if x > 0:
        box.__dict__ = {"v": 2}
    return box.v


# %% class_replaced: (3,), (-3,)
class A:
    def get(self):
        return 1


class B(A):
    def get(self):
        return 2


def program(x):
    a = A()
    if x > 0:
        a.__class__ = B
    return a.get()

# %% ga_none: (3,), (-3,)
class O: pass
def program(x):
    o = O()
    if x > 0:
        o.c = x
    return getattr(o, "c", None) is None, getattr(o, "c", None)

# %% ga_none_use: (3,), (-3,)
class O: pass
def program(x):
    o = O()
    if x > 0:
        o.c = x
    c = getattr(o, "c", None)
    if c is None:
        c = 10
    return c + 1

# %% deleted_outside: (-3,), (3,)
import types
held = types.SimpleNamespace(marker=4)
def program(x):
    if x > 0:
        del held.marker
    return getattr(held, "marker", 9)

# %% deleted_outside_in_else: (3,), (-3,)
class Box:
    pass
box = Box()
box.size = 4
def program(x):
    if x > 0:
        box.size = x
    else:
        del box.size
    return hasattr(box, "size")

# %% deleted_outside_and_set_again: (-3,), (3,), (-3,)
class Box:
    pass
box = Box()
box.size = 4
def program(x):
    if x > 0:
        del box.size
    else:
        box.size = x * 2
    return getattr(box, "size", 1)

# %% deleted_outside_without_condition: (-3,)
class Box:
    pass
box = Box()
box.size = 4
def program(x):
    if hasattr(box, "size"):
        del box.size
        return x
    return x + 1

# %% tuple_deleted_outside: (-3,), (3,)
class Box:
    pass
box = Box()
box.pair = (1, 2)
def program(x):
    if x > 0:
        del box.pair
    return hasattr(box, "pair")

# %% deleted_global: (-3,), (3,)
import sys
limit = 4
def program(x):
    global limit
    if x > 0:
        limit = x
    else:
        limit = 2
    return limit

# %% deleted_class_attribute: (-3,), (3,)
class Box:
    size = 4
def program(x):
    if x > 0:
        del Box.size
    return getattr(Box, "size", 9)

# %% deleted_slot: (-3,), (3,)
class Box:
    __slots__ = ("size",)
box = Box()
box.size = 4
def program(x):
    if x > 0:
        del box.size
    return getattr(box, "size", 9)

# %% hasattr_decides_an_if: (3,), (-3,)
class Box:
    pass
def program(x):
    b = Box()
    if x > 0:
        b.v = x
    if hasattr(b, "v"):
        return b.v
    if not hasattr(b, "w"):
        b.w = 1
    return x - b.w

# %% hasattr_builds_once: (3,), (-3,)
class Layer:
    def __call__(self, x):
        if not hasattr(self, "scale"):
            self.scale = x
        return self.scale * x
def program(x):
    layer = Layer()
    return layer(x) + layer(x + 1), hasattr(layer, "scale")


# %% number_of_attributes: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.v = 1
    return len(box.__dict__), "v" in box.__dict__, [name for name in box.__dict__]


# %% attribute_by_get: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        box.v = 1
    return box.__dict__.get("v", 5)


# %% attribute_by_item_of_dict: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    box.w = 2
    if x > 0:
        box.__dict__["v"] = 1
    return hasattr(box, "v"), box.__dict__["w"]


# %% cached_property_with_an_effect: (3,), (-3,)
import functools


class Box:
    def __init__(self):
        self.log = []
        self.n = 0

    @functools.cached_property
    def seven(self):
        self.log.append(1)
        self.n = self.n + 1
        return 7


def program(x):
    box = Box()
    y = 0
    if x > 0:
        y = box.seven
    z = box.seven
    return len(box.log), box.n, y, z


# %% names_of_cached_properties: (3,), (-3,)
import functools


class Box:
    @functools.cached_property
    def seven(self):
        return 7


def program(x):
    box = Box()
    y = 0
    if x > 0:
        y = box.seven
    return y, "seven" in vars(box), len(box.__dict__)

# %% deleted_twice: (3,), (-3,)
class Box:
    pass
def program(x):
    box = Box()
    box.size = 4
    for _ in range(2):
        if x > 0:
            del box.size
    return 1

# %% deleted_twice_slot: (3,), (-3,)
class Box:
    __slots__ = ("size",)
def program(x):
    box = Box()
    box.size = 4
    if x > 0:
        del box.size
    if x > 0:
        del box.size
    return 1

# %% deleted_after_deletion_in_branch: (3,), (-3,)
class Box:
    pass
def program(x):
    box = Box()
    box.size = "small"
    if x > 0:
        del box.size
    del box.size
    return hasattr(box, "size")

# %% deleted_by_delattr_after_branch: (3,), (1,), (-3,)
class Box:
    pass
def program(x):
    box = Box()
    box.size = 4
    if x > 0:
        delattr(box, "size")
    if x > 1:
        delattr(box, "size")
    return 1

# %% deleted_private_in_branch: (3,), (-3,)
class Box:
    def __init__(self):
        self.__size = 4
    def drop(self):
        del self.__size
    def has(self):
        return hasattr(self, "_Box__size")
def program(x):
    box = Box()
    if x > 0:
        box.drop()
    return box.has()

# %% deleted_by_deleter_without_getter: (3,), (-3,)
class Box:
    @property
    def size(self):
        raise ValueError("never read")
    @size.deleter
    def size(self):
        self.drops = 1
def program(x):
    box = Box()
    box.drops = 0
    if x > 0:
        del box.size
    return box.drops

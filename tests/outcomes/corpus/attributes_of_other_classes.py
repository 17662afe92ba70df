# %% method_of_another_class_assigns_it: (3,), (-3,)
class Box:
    pass


class Record:
    def __init__(self):
        self.v = 1


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    y = b.v
    return x


# %% field_of_another_class: (3,), (-3,)
class Box:
    def put(self, x):
        if x > 0:
            self.v = x


class Record:
    v = 1


def program(x):
    b = Box()
    b.put(x)
    return b.v


# %% helper_with_any_object: (3,), (-3,)
class Box:
    pass


class Record:
    def __init__(self):
        self.v = 1


def put(b, x):
    if x > 0:
        b.v = x


def program(x):
    r, b = Record(), Box()
    put(r, x)
    put(b, x)
    return r.v + b.v


# %% base_class_assigns_it: (3,), (-3,)
class Record:
    def __init__(self):
        self.v = 1


class Box(Record):
    def put(self, x):
        if x > 0:
            self.v = x


def program(x):
    b = Box()
    b.put(x)
    return b.v


# %% augmented_first: (3,), (-3,)
class Box:
    pass


class Record:
    def __init__(self):
        self.v = 1


def program(x):
    b = Box()
    b.v = x
    if x > 0:
        b.v += x
    return b.v


# %% variable_with_two_classes: (3,), (-3,)
class Box:
    pass


class Record:
    def __init__(self):
        self.v = 1


def program(x):
    b = Record()
    first = b
    b = Box()
    if x > 0:
        b.v = x
    return b.v + first.v


# %% class_with_other_fields: (3,), (-3,)
class Box:
    def __init__(self):
        self.w = 0


class Record:
    def __init__(self):
        self.v = 1


def put(b, x):
    if x > 0:
        b.v = x


def program(x):
    b = Box()
    put(b, x)
    y = b.v
    return x

# %% setter_in_branch: (3,), (-3,)
class Box:
    def __init__(self):
        self._v = 0
        self.sets = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.sets += 1
        self._v = value


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    return box.v, box.sets


# %% setter_in_both_branches: (3,), (-3,)
class Box:
    def __init__(self):
        self._v = 0
        self.sets = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.sets += 1
        self._v = value


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    else:
        box.v = 1
        box.v = 2
    return box.v, box.sets


# %% setter_clamps: (30,), (-3,), (5,)
class Dial:
    def __init__(self):
        self._level = 0

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self._level = max(0, min(10, value))


def program(x):
    dial = Dial()
    if x != 5:
        dial.level = x
    return dial.level


# %% setter_logs: (3,), (-3,)
class Box:
    def __init__(self):
        self.log = []
        self._v = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.log.append(1)
        self._v = value


def program(x):
    box = Box()
    if x > 0:
        box.v = x
    return box.v, len(box.log)


# %% setter_in_loop: (4,), (0,)
class Box:
    def __init__(self):
        self._v = 0
        self.sets = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.sets += 1
        self._v = value


def program(n):
    box = Box()
    for i in range(n):
        box.v = box.v + i
    return box.v, box.sets


# %% setter_in_while: (4,), (0,)
class Box:
    def __init__(self):
        self._v = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value * 2


def program(n):
    box = Box()
    while box.v < n:
        box.v += 1
    return box.v


# %% getter_counts: (3,), (-3,)
class Box:
    def __init__(self):
        self.reads = 0

    @property
    def v(self):
        self.reads += 1
        return 7


def program(x):
    box = Box()
    y = 0
    if x > 0:
        y = box.v
    return y, box.reads


# %% getter_counts_in_test: (3,), (-3,)
class Box:
    def __init__(self):
        self.reads = 0

    @property
    def v(self):
        self.reads += 1
        return self.reads


def program(x):
    box = Box()
    if x > box.v:
        y = box.v
    else:
        y = -box.v
    return y, box.reads


# %% derived_property: (3,), (-3,)
class Celsius:
    def __init__(self, degrees):
        self.degrees = degrees

    @property
    def kelvin(self):
        return self.degrees + 273

    @kelvin.setter
    def kelvin(self, value):
        self.degrees = value - 273


def program(x):
    t = Celsius(10)
    if x > 0:
        t.kelvin = 300
    return t.degrees, t.kelvin


# %% two_views_of_one_field: (3,), (-3,)
class Angle:
    def __init__(self):
        self.n = 4

    @property
    def half(self):
        return self.n // 2

    @half.setter
    def half(self, v):
        self.n = v * 2

    @property
    def double(self):
        return self.n * 2

    @double.setter
    def double(self, v):
        self.n = v // 2


def program(x):
    a = Angle()
    if x > 0:
        a.half = x
        a.double = a.double + 2
    return a.n, a.half, a.double


# %% data_descriptor: (3,), (-3,)
class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, kind=None):
        return getattr(obj, self.name, 0)

    def __set__(self, obj, value):
        setattr(obj, self.name, value)
        obj.writes += 1


class Account:
    balance = Positive()

    def __init__(self):
        self.writes = 0


def program(x):
    a = Account()
    if x > 0:
        a.balance = x
    return a.balance, a.writes


# %% descriptor_with_own_dict: (3,), (-3,)
class Field:
    def __init__(self):
        self.values = {}

    def __get__(self, obj, kind=None):
        return self.values.get(obj.key, 0)

    def __set__(self, obj, value):
        self.values[obj.key] = value


class Thing:
    f = Field()

    def __init__(self, key):
        self.key = key


def program(x):
    a, b = Thing("a"), Thing("b")
    a.f = 1
    b.f = 2
    if x > 0:
        a.f = x
    return a.f, b.f


# %% setattr_counts: (3,), (-3,)
class Noted:
    def __init__(self):
        object.__setattr__(self, "count", 0)
        object.__setattr__(self, "v", 0)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        object.__setattr__(self, "count", self.count + 1)


def program(x):
    n = Noted()
    if x > 0:
        n.v = x
    return n.v, n.count


# %% setattr_doubles: (3,), (-3,)
class Doubling:
    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)


def program(x):
    d = Doubling()
    d.v = 1
    if x > 0:
        d.v = x
    return d.v


# %% setattr_to_dict: (3,), (-3,)
class Record:
    def __init__(self):
        self.__dict__["data"] = {"v": 0}

    def __getattr__(self, name):
        return self.__dict__["data"][name]

    def __setattr__(self, name, value):
        self.__dict__["data"][name] = value


def program(x):
    r = Record()
    if x > 0:
        r.v = x
    return r.v


# %% setattr_function: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0


def program(x):
    box = Box()
    if x > 0:
        setattr(box, "v", x)
    return box.v


# %% object_setattr: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0


def program(x):
    box = Box()
    if x > 0:
        object.__setattr__(box, "v", x)
    return box.v


# %% vars_of_object: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0


def program(x):
    box = Box()
    if x > 0:
        vars(box)["v"] = x
    return box.v


# %% dict_of_object: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0


def program(x):
    box = Box()
    if x > 0:
        box.__dict__["v"] = x
    return box.v


# %% dict_update_of_object: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0
        self.w = 0


def program(x):
    box = Box()
    if x > 0:
        box.__dict__.update(v=x, w=1)
    return box.v, box.w


# %% setter_raises: (3,), (-3,)
class Box:
    def __init__(self):
        self._v = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        if value < 0:
            raise ValueError("negative")
        self._v = value


def program(x):
    box = Box()
    box.v = x
    return box.v


# %% deleter: (3,), (-3,)
class Box:
    def __init__(self):
        self._v = 1
        self.gone = 0

    @property
    def v(self):
        return self._v

    @v.deleter
    def v(self):
        self.gone += 1
        self._v = 0


def program(x):
    box = Box()
    if x > 0:
        del box.v
    return box.v, box.gone


# %% item_setter_counts: (3,), (-3,)
class Grid:
    def __init__(self):
        self.cells = [0, 0]
        self.writes = 0

    def __getitem__(self, i):
        return self.cells[i]

    def __setitem__(self, i, v):
        self.writes += 1
        self.cells[i] = v


def program(x):
    g = Grid()
    if x > 0:
        g[0] = x
    else:
        g[1] = x
    return g.cells, g.writes


# %% item_setter_in_loop: (3,), (0,)
class Grid:
    def __init__(self):
        self.cells = [0, 0]
        self.writes = 0

    def __getitem__(self, i):
        return self.cells[i]

    def __setitem__(self, i, v):
        self.writes += 1
        self.cells[i] = v


def program(n):
    g = Grid()
    for i in range(n):
        g[0] += i
    return g.cells, g.writes


# %% property_of_global: (3,), (-3,), (4,)
class Box:
    def __init__(self):
        self._v = 0
        self.sets = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.sets += 1
        self._v = value


BOX = Box()


def program(x):
    if x > 0:
        BOX.v = x
    return x


# %% inherited_property: (3,), (-3,)
class Base:
    def __init__(self):
        self.raw = 1

    @property
    def v(self):
        return self.raw

    @v.setter
    def v(self, value):
        self.raw = value


class Child(Base):
    @property
    def v(self):
        return super().v + 100

    @v.setter
    def v(self, value):
        Base.v.fset(self, value + 1)


def program(x):
    c = Child()
    if x > 0:
        c.v = x
    return c.v, c.raw


# %% augmented_property: (3,), (-3,)
class Box:
    def __init__(self):
        self._v = 5
        self.reads = 0
        self.sets = 0

    @property
    def v(self):
        self.reads += 1
        return self._v

    @v.setter
    def v(self, value):
        self.sets += 1
        self._v = value


def program(x):
    box = Box()
    if x > 0:
        box.v += x
    return box._v, box.reads, box.sets


# %% property_by_alias: (3,), (-3,)
class Box:
    def __init__(self):
        self._v = 5

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value


def program(x):
    box = Box()
    boxes = [box, box]
    for b in boxes:
        if x > 0:
            b.v = b.v + x
    return box.v


# %% setter_writes_other_object: (3,), (-3,)
class Log:
    def __init__(self):
        self.n = 0


class Box:
    def __init__(self, log):
        self.log = log
        self._v = 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.log.n += 1
        self._v = value


def program(x):
    log = Log()
    box = Box(log)
    if x > 0:
        box.v = x
    return box.v, log.n

# %% global_dict_with_attributes: (3,), (-3,)
class AttrDict(dict):
    __getattr__ = dict.__getitem__


config = AttrDict(a=1, n=AttrDict(z=2))


def scaled(c, x):
    return c.n.z * x if x > 0 else c.a


def program(x):
    return config.a + scaled(config, x)


def between():
    config["a"] = 5
    config.n["z"] = 6


# %% dict_with_attributes_as_argument: (AttrDict(a=1), 3), (AttrDict(a=4), -3)
class AttrDict(dict):
    __getattr__ = dict.__getitem__


def program(c, x):
    return c.a + x if x > 0 else c.a


# %% namespace_as_argument: (Namespace(a=1), 3), (Namespace(a=4), -3)
class Namespace:
    def __init__(self, **values):
        self._values = values

    def __getattr__(self, name):
        return self._values[name]


def program(c, x):
    return c.a + x if x > 0 else c.a


# %% global_namespace_that_raises_key_errors: (3,), (-3,)
class Namespace:
    def __init__(self, **values):
        self._values = values

    def __getattr__(self, name):
        return self._values[name]

    def total(self):
        return sum(self._values.values())


config = Namespace(a=1, b=2)


def program(x):
    return config.total() + config.a * x


# %% names_that_are_asked_for: (3,), (-3,)
class Recorder:
    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        if name.startswith("_"):
            self.asked.append(name)
        return 2


recorder = Recorder()


def program(x):
    return x * recorder.width, len(recorder.asked)


# %% items_made_by_reads: (3,), (-3,)
from collections import defaultdict


class Tree(defaultdict):
    __getattr__ = defaultdict.__getitem__


tree = Tree(int)


def program(x):
    return x + tree["a"], list(tree)

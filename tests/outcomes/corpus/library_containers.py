# %% user_dict: (3,), (-3,)
from collections import UserDict


def program(x):
    d = UserDict(a=1)
    if x > 0:
        d["a"] = x
    return d["a"]


# %% user_dict_gains_key: (3,), (-3,)
from collections import UserDict


def program(x):
    d = UserDict()
    if x > 0:
        d["a"] = x
    return len(d)


# %% user_dict_update: (3,), (-3,)
from collections import UserDict


def program(x):
    d = UserDict(a=1, b=2)
    if x > 0:
        d.update(a=x, b=0)
    return d["a"], d["b"]


# %% user_dict_subclass: (3,), (-3,)
from collections import UserDict


class Upper(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.upper(), value)


def program(x):
    d = Upper(a=1)
    if x > 0:
        d["a"] = x
    return d["A"]


# %% user_list: (3,), (-3,)
from collections import UserList


def program(x):
    v = UserList([1, 2])
    if x > 0:
        v[0] = x
    return v[0], len(v)


# %% user_list_append: (3,), (-3,)
from collections import UserList


def program(x):
    v = UserList([1, 2])
    if x > 0:
        v.append(3)
    return len(v)


# %% user_list_in_loop: (3,), (0,)
from collections import UserList


def program(n):
    v = UserList([1, 2])
    for i in range(n):
        v[1] += i
    return v[0], v[1]


# %% chain_map: (3,), (-3,)
from collections import ChainMap


def program(x):
    first, second = {"a": 1}, {"a": 2, "b": 3}
    d = ChainMap(first, second)
    if x > 0:
        d["a"] = x
    return first["a"], second["a"], d["b"]


# %% chain_map_new_key: (3,), (-3,)
from collections import ChainMap


def program(x):
    first, second = {}, {"a": 2}
    d = ChainMap(first, second)
    if x > 0:
        d["a"] = x
    return d["a"], len(first)


# %% weak_key_dictionary: (3,), (-3,)
from weakref import WeakKeyDictionary


class Key:
    pass


def program(x):
    key = Key()
    d = WeakKeyDictionary()
    d[key] = 1
    if x > 0:
        d[key] = x
    return d[key]


# %% weak_value_dictionary: (3,), (-3,)
from weakref import WeakValueDictionary


class Value:
    def __init__(self, n):
        self.n = n


def program(x):
    a, b = Value(1), Value(2)
    d = WeakValueDictionary()
    d["k"] = a
    if x > 0:
        d["k"] = b
    return d["k"].n


# %% weak_set: (3,), (-3,)
from weakref import WeakSet


class Key:
    pass


def program(x):
    key = Key()
    s = WeakSet()
    if x > 0:
        s.add(key)
    return len(s)


# %% move_to_end: (3,), (-3,)
from collections import OrderedDict


def program(x):
    d = OrderedDict(a=1, b=2)
    if x > 0:
        d.move_to_end("a")
    return list(d)


# %% move_to_front: (3,), (-3,)
from collections import OrderedDict


def program(x):
    d = OrderedDict(a=1, b=2)
    if x > 0:
        d.move_to_end("b", last=False)
    return list(d.values())


# %% ordered_dict_item: (3,), (-3,)
from collections import OrderedDict


def program(x):
    d = OrderedDict(a=1, b=2)
    if x > 0:
        d["b"] = x
    return list(d.values())


# %% ordered_dict_popitem: (3,), (-3,)
from collections import OrderedDict


def program(x):
    d = OrderedDict(a=1, b=2)
    if x > 0:
        d.popitem(last=False)
    return len(d)


# %% lru_by_ordered_dict: (1,), (2,)
from collections import OrderedDict


class LRU:
    def __init__(self):
        self.data = OrderedDict(a=1, b=2)

    def get(self, key):
        self.data.move_to_end(key)
        return self.data[key]


def program(x):
    cache = LRU()
    y = 0
    if x == 1:
        y = cache.get("a")
    return y, list(cache.data)


# %% deque_append: (3,), (-3,)
from collections import deque


def program(x):
    d = deque([1, 2])
    if x > 0:
        d.append(x)
    return len(d)


# %% deque_rotate: (3,), (-3,)
from collections import deque


def program(x):
    d = deque([1, 2, 3])
    if x > 0:
        d.rotate(1)
    return list(d)


# %% deque_bounded: (3,), (0,)
from collections import deque


def program(n):
    d = deque([0, 0], maxlen=2)
    for i in range(n):
        d.append(i)
    return list(d)


# %% deque_popleft: (3,), (-3,)
from collections import deque


def program(x):
    d = deque([1, 2, 3])
    y = 0
    if x > 0:
        y = d.popleft()
    return y, len(d)


# %% simple_namespace: (3,), (-3,)
from types import SimpleNamespace


def program(x):
    s = SimpleNamespace(a=1, b=[2])
    if x > 0:
        s.a = x
        s.b[0] = x
    return s.a, s.b


# %% simple_namespace_new_name: (3,), (-3,)
from types import SimpleNamespace


def program(x):
    s = SimpleNamespace()
    if x > 0:
        s.a = 1
    else:
        s.a = 2
    return s.a


# %% array_module: (3,), (-3,)
from array import array


def program(x):
    a = array("i", [1, 2])
    if x > 0:
        a[0] = 5
    return a[0]


# %% array_append: (3,), (-3,)
from array import array


def program(x):
    a = array("i", [1, 2])
    if x > 0:
        a.append(5)
    return len(a)


# %% defaultdict_reads: (3,), (-3,)
from collections import defaultdict


def program(x):
    d = defaultdict(int)
    if x > 0:
        d["a"] += 1
    return d["a"]


# %% counter_update: (3,), (-3,)
from collections import Counter


def program(x):
    c = Counter("aab")
    if x > 0:
        c.update("ab")
    return c["a"], c["b"]


# %% counter_subtract: (3,), (-3,)
from collections import Counter


def program(x):
    c = Counter(a=3, b=1)
    if x > 0:
        c.subtract(a=1)
    return c["a"], c["b"]


# %% list_subclass: (3,), (-3,)
class Row(list):
    def first(self, v):
        self[0] = v


def program(x):
    r = Row([1, 2])
    if x > 0:
        r.first(x)
    return r[0], r[1]


# %% list_subclass_with_attribute: (3,), (-3,)
class Row(list):
    pass


def program(x):
    r = Row([1, 2])
    r.name = 0
    if x > 0:
        r.name = x
        r[1] = x
    return r[0], r[1], r.name


# %% dict_subclass: (3,), (-3,)
class Registry(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value + 1)


def program(x):
    d = Registry()
    d["a"] = 1
    if x > 0:
        d["a"] = x
    return d["a"]


# %% dict_subclass_with_missing: (3,), (-3,)
class Zero(dict):
    def __missing__(self, key):
        self[key] = 0
        return 0


def program(x):
    d = Zero()
    y = 1
    if x > 0:
        y = d["a"]
    return y, len(d)


# %% attribute_dict: (3,), (-3,)
class Attributes(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


def program(x):
    d = Attributes(a=1)
    if x > 0:
        d.a = x
    return d.a, d["a"]


# %% mapping_proxy: (3,), (-3,)
import types


def program(x):
    d = {"a": 1}
    view = types.MappingProxyType(d)
    if x > 0:
        d["a"] = x
    return view["a"]


# %% dict_views: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    values = d.values()
    if x > 0:
        d["a"] = x
    return sum(values)


# %% keys_view_after_gain: (3,), (-3,)
def program(x):
    d = {"a": 1}
    keys = d.keys()
    if x > 0:
        d["b"] = 1
    return len(keys)


# %% mutable_mapping_subclass: (3,), (-3,)
from collections.abc import MutableMapping


class Store(MutableMapping):
    def __init__(self):
        self.data = {"a": 1}

    def __getitem__(self, k):
        return self.data[k]

    def __setitem__(self, k, v):
        self.data[k] = v

    def __delitem__(self, k):
        del self.data[k]

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)


def program(x):
    s = Store()
    if x > 0:
        s.update(a=x)
    return s["a"], len(s)


# %% mutable_sequence_subclass: (3,), (-3,)
from collections.abc import MutableSequence


class Store(MutableSequence):
    def __init__(self, v):
        self.data = v

    def __getitem__(self, i):
        return self.data[i]

    def __setitem__(self, i, v):
        self.data[i] = v

    def __delitem__(self, i):
        del self.data[i]

    def __len__(self):
        return len(self.data)

    def insert(self, i, v):
        self.data.insert(i, v)


def program(x):
    s = Store([1, 2, 3])
    if x > 0:
        s.reverse()
    return s.data


# %% fraction: (3,), (-3,)
from fractions import Fraction


def program(x):
    f = Fraction(1, 2)
    if x > 0:
        f = Fraction(3, 2)
    return x


# %% frozenset_choice: (3,), (-3,)
def program(x):
    allowed = frozenset([1, 2, 3])
    y = 0
    if 2 in allowed and x > 0:
        y = len(allowed)
    return y


# %% global_user_dict: (3,), (-3,), (4,)
from collections import UserDict

D = UserDict(a=1)


def program(x):
    if x > 0:
        D["a"] = x
    return x


# %% random_access_queue: (3,), (-3,)
import heapq


def program(x):
    h = [5, 3, 4]
    heapq.heapify(h)
    if x > 0:
        heapq.heapreplace(h, 9)
    return h

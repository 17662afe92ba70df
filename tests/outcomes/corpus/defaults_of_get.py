# %% object_key: (3,), (-3,)
class Key:
    def __init__(self, name):
        self.name = name
    def __hash__(self):
        return ord(self.name)
    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name
TABLE = {Key("p"): 1}
def program(x):
    r = TABLE.get(Key("q"), x) + TABLE.get(Key("p"), x)
    if x > 0:
        r += TABLE.get(Key("z"), x * 2)
    return r
# %% text_key: (3,), (-3,)
def program(x):
    d = {"p": x}
    if x > 0:
        d["q"] = 5
    return d.get("q", x), d.get("p", 1), {"z": 2}.get("y", x)
# %% mixed_values: (3,), (-3,)
def program(x):
    d = {1: "a", "b": [x], None: 3}
    return d.get(None, x), d.get(1, x), d.get("b", x), d.get(2, x)
# %% staged_key: (3,), (-3,)
def program(x):
    d = {1: 5, 3: 6}
    return d.get(x, x * 2), d.get(x, 0), d.get(1, x)
# %% tuple_key: (3,), (-3,)
def program(x):
    d = {(1, 2): 5, (3, 2): 6}
    return d.get((x, 2), x), d.get((1, 2), x), d.get((0, 0), x)
# %% list_default: (3,), (-3,)
def program(x):
    groups = {}
    for k in ("p", "q", "p"):
        groups[k] = groups.get(k, [x]) + [1]
    return groups
# %% chosen_key: (3,), (-3,)
def program(x):
    k = "p" if x > 0 else "q"
    return {"p": 1}.get(k, x), {"p": x}.get(k, 4)

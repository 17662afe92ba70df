# %% get_constant: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = [x]
    return d.get("a", [0])[0]

# %% helper_adds: (3,), (-3,)
def add(d, x):
    if x > 0:
        d["a"] = [x]

def program(x):
    d = {}
    add(d, x)
    return "a" in d

# %% helper_adds_number: (3,), (-3,)
def add(d, x):
    if x > 0:
        d["a"] = x

def program(x):
    d = {}
    add(d, x)
    return 1 if "a" in d else 0

# %% subscript: (3,), (-3,)
def add(d, x):
    if x > 0:
        d["a"] = [x]

def program(x):
    d = {}
    add(d, x)
    return d["a"]

# %% two_keys: (3,), (-3,)
def add(d, x):
    if x > 0:
        d["a"] = [x]
    else:
        d["b"] = [x]

def program(x):
    d = {}
    add(d, x)
    return d.get("b", 0)

# %% other_key: (3,), (-3,)
def add(d, x):
    if x > 0:
        d["a"] = [x]
    else:
        d["b"] = [x]

def program(x):
    d = {}
    add(d, x)
    return d.get("c", 0) + x

# %% alias_then_key: (3,), (-3,)
def program(x):
    d, e = {"a": 1}, {"a": 2}
    if x > 0:
        e = d
    d["new"] = 5
    return e.get("new", 0)

# %% alias_then_key_in: (3,), (-3,)
def program(x):
    d, e = {"a": 1}, {"a": 2}
    f = d
    if x > 0:
        f = e
    f["new"] = 5
    return "new" in e

# %% alias_in_helper: (3,), (-3,)
def put(d):
    d["new"] = 5

def program(x):
    d, e = {"a": 1}, {"a": 2}
    f = d
    if x > 0:
        f = e
    put(f)
    return "new" in e

# %% alias_in_helper_get: (3,), (-3,)
def put(d):
    d["new"] = 5

def program(x):
    d, e = {"a": 1}, {"a": 2}
    f = d
    if x > 0:
        f = e
    put(f)
    return e.get("new", 0)

# %% alias_in_helper_subscript: (3,), (-3,)
def put(d):
    d["new"] = 5

def program(x):
    d, e = {"a": 1}, {"a": 2}
    f = d
    if x > 0:
        f = e
    put(f)
    return e["new"]

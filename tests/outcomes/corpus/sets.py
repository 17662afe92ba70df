# %% add_in_branch: (3,), (-3,)
def program(x):
    s = {1}
    if x > 0:
        s.add(2)
    return len(s)


# %% add_in_loop: (3,), (0,)
def program(n):
    s = set()
    for i in range(n):
        s.add(i % 2)
    return len(s)


# %% add_tensor: (3,), (1,)
def program(x):
    s = {1, 2}
    s.add(x)
    return len(s)


# %% member: (3,), (1,)
def program(x):
    return x in {1, 2}


# %% discard_in_branch: (3,), (-3,)
def program(x):
    s = {1, 2}
    if x > 0:
        s.discard(1)
    return 1 in s


# %% union_in_branch: (3,), (-3,)
def program(x):
    s = {1}
    if x > 0:
        s |= {2}
    return len(s)


# %% union_rebinds_in_branch: (3,), (-3,)
def program(x):
    s = {1}
    if x > 0:
        s = s | {2}
    return len(s)


# %% frozen: (3,), (-3,)
def program(x):
    s = frozenset({1})
    if x > 0:
        y = 1 in s
    else:
        y = 2 in s
    return y


# %% helper_adds: (3,), (-3,)
def helper(s, x):
    if x > 0:
        s.add(9)


def program(x):
    s = set()
    helper(s, x)
    return len(s)


# %% seen_before: ((1, 2, 1),), ((1, 2, 3),)
def program(xs):
    seen = set()
    for v in xs:
        if v in seen:
            return True
        seen.add(v)
    return False


# %% global_set: (3,), (-3,), (4,)
S = set()


def program(x):
    if x > 0:
        S.add(1)
    return x


# %% pop_in_branch: (3,), (-3,)
def program(x):
    s = {1}
    y = 0
    if x > 0:
        y = s.pop()
    return y, len(s)


# %% made_in_branch: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        s = set()
        s.add(1)
        s.add(1)
        y = len(s)
    return y


# %% difference_update: (3,), (-3,)
def program(x):
    s = {1, 2, 3}
    if x > 0:
        s.difference_update({1, 2})
    return len(s)


# %% clear: (3,), (-3,)
def program(x):
    s = {1, 2, 3}
    if x > 0:
        s.clear()
    return len(s)


# %% attribute_set: (3,), (-3,)
class Box:
    def __init__(self):
        self.s = set()


def program(x):
    box = Box()
    if x > 0:
        box.s.add(1)
    return len(box.s)

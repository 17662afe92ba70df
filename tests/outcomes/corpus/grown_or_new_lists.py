# %% in_place_or_new: (3, (1, -2, 4)), (-3, (1, -2, 4))
def program(x, xs):
    m = [1, 2]

    def body():
        nonlocal m
        if x > 0:
            for k in xs:
                m += [5]
        else:
            m = m + [7]
        return 0

    body()
    return m

# %% append_or_new: (3, (1, -2, 4)), (-3, (1, -2, 4))
def program(x, xs):
    m = [1, 2]
    if x > 0:
        for k in xs:
            m.append(5)
    else:
        m = m + [7]
    return m

# %% append_or_new_nested: (3, (1, -2, 4)), (-3, (1, -2, 4))
def program(x, xs):
    m = [1, 2]
    def body():
        nonlocal m
        if x > 0:
            if x > 1:
                m += [5]
        else:
            m = m + [7]
    body()
    return m

# %% append_or_new_two_names: (3, (1, -2, 4)), (-3, (1, -2, 4))
def program(x, xs):
    m = [1, 2]
    w = m
    if x > 0:
        for k in xs:
            m.append(5)
    else:
        m = m + [7]
    return m, w

# %% append_or_new_then_append: (3, (1, -2, 4)), (-3, (1, -2, 4))
def program(x, xs):
    m = [1, 2]
    if x > 0:
        for k in xs:
            m.append(5)
    else:
        m = m + [7]
    m.append(8)
    return m

# %% key_or_new: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        if x > 1:
            d["b"] = 2
    else:
        d = {"a": 3}
    return d

# %% append_or_new_in_loop: (3,), (-3,)
def program(x):
    m = [1]
    while x > 0:
        if x > 1:
            if x > 2:
                m.append(x)
        else:
            m = m + [7]
        x -= 1
    return m

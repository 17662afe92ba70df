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

# %% grown_then_replaced_under_a_key: (3,), (-3,)
def program(x):
    lots = {"p": [4]}
    if x > 0:
        lots["p"].append(0)
        lots["p"] = [1, x]
    return lots

# %% grown_then_replaced_in_a_list: (3,), (-3,)
def program(x):
    lots = [[4], [5]]
    if x > 0:
        lots[0].append(0)
        lots[0] = [1, x]
    return lots

# %% grown_then_replaced_in_an_attribute: (3,), (-3,)
def program(x):
    class Box:
        pass

    o = Box()
    o.r = [4]
    if x > 0:
        o.r.append(0)
        o.r = [1, x]
    return o.r

# %% grown_then_emptied: (3,), (-3,)
def program(x):
    lots = {"p": []}
    if x > 0:
        lots["p"].append(0)
        lots["p"] = []
    return len(lots["p"])

# %% grown_then_replaced_the_old_one_has_a_name: (3,), (-3,)
def program(x):
    old = [4]
    lots = {"p": old}
    if x > 0:
        lots["p"].append(0)
        lots["p"] = [1, x]
    return old, lots["p"]

# %% grown_then_replaced_on_both_ways: (3, 1), (3, -1), (-3, 1)
def program(x, y):
    lots = {"p": []}
    if x > 0:
        lots["p"].append(0)
        lots["p"] = [1, x]
        if y > 0:
            lots["p"] = [7]
    else:
        lots["p"] = [1, x]
        lots["p"].insert(0, 3)
    return lots["p"][0], len(lots["p"])

# %% grown_then_replaced_in_a_loop: (3, (1, -2, 4)), (-3, (1, -2, 4))
def program(x, xs):
    lots = {"p": []}
    for k in xs:
        if k > 0:
            lots["p"].append(k)
        else:
            lots["p"] = [k]
        lots["p"].append(x)
    return lots["p"][0], lots["p"][-1], len(lots["p"])

# %% grown_then_swapped: (3,), (-3,)
def program(x):
    lots = {"p": [1], "q": [2, 3]}
    if x > 0:
        lots["p"].append(0)
        lots["p"], lots["q"] = lots["q"], lots["p"]
    return len(lots["p"]), len(lots["q"]), lots["p"][0], lots["q"][0]

# %% either_of_two_grown_lists_is: (3,), (-3,)
def program(x):
    rows, other = [3, 1], [x, 2]
    if x > 0:
        other.append(1)
    else:
        rows.append(1)
        other = rows
    return rows is other

# %% either_of_two_grown_lists_is_written: (3,), (-3,)
def program(x):
    rows, other = [3, 1], [x, 2]
    if x > 0:
        other.append(1)
    else:
        rows.append(1)
        other = rows
    other[0] = 5
    return rows[0]

# %% either_of_two_grown_lists_grows_again: (3,), (-3,)
def program(x):
    rows, other = [3, 1], [x, 2]
    if x > 0:
        other.append(1)
    else:
        rows.append(1)
        other = rows
    other.append(4)
    return sum(rows), sum(other)

# %% either_of_two_grown_lists_is_read: (3,), (-3,)
def program(x):
    rows, other = [3, 1], [x, 2]
    if x > 0:
        other.append(1)
    else:
        rows.append(1)
        other = rows
    return sum(rows), sum(other)

# %% either_of_two_grown_dicts: (3,), (-3,)
def program(x):
    rows, other = {"a": 1}, {"b": 2}
    if x > 0:
        other["c"] = 1
    else:
        rows["c"] = 1
        other = rows
    other["d"] = 4
    return len(rows), len(other)

# %% one_of_two_lists_in_a_nested_branch: (3,), (-3,), (-5,)
def program(x):
    rows, other = [3, 1], [x, 2]
    if x > 0:
        other[0] = 1
    else:
        if x == -5:
            rows.pop()
        else:
            other = rows
    rows.append(6)
    return len(other)

# %% one_of_two_lists_in_a_nested_branch_is: (3,), (-3,), (-5,)
def program(x):
    rows, other = [3, 1], [x, 2]
    if x > 0:
        other.clear()
    else:
        if x == -5:
            rows.pop()
        else:
            other = rows
    return rows is other

# %% one_of_two_lists_in_a_nested_branch_read: (3,), (-3,), (-5,)
def program(x):
    rows, other = [3, 1], [x, 2]
    if x > 0:
        other.clear()
    else:
        if x == -5:
            rows.pop()
        else:
            other = rows
    return len(rows), len(other)

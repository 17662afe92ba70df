# %% item_assigned: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other[1] = 9
    return rows


# %% item_assigned_and_returned: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other[1] = 9
    return other


# %% last_item_assigned: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other[-1] = 7
    return rows


# %% reversed: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other.reverse()
    return rows


# %% items_swapped: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other[0], other[1] = other[1], other[0]
    return rows


# %% item_copied: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other[1] = other[0]
    return rows


# %% inserted: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other.insert(0, 9)
    return rows


# %% popped: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other.pop()
    return rows


# %% popped_first: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other.pop(0)
    return rows


# %% item_deleted: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    del other[0]
    return rows


# %% extended: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other += [4]
    return rows


# %% repeated: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other *= 2
    return rows


# %% cleared: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other.clear()
    return rows


# %% slice_assigned: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other[1:] = [3]
    return rows


# %% all_assigned: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other[:] = [1]
    return rows


# %% appended: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other.append(4)
    return rows


# %% appended_in_loop: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    for i in range(2): other.append(i)
    return rows


# %% target_of_loop: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    for other[0] in [3, 4]: pass
    return rows


# %% third_name: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    third = other; third[0] = 8
    return rows


# %% by_method_of_list: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    list.append(other, 4)
    return rows


# %% copied_before: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other = other[:]; other[0] = 9
    return rows


# %% not_changed: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    total = len(other)
    return rows


# %% assigned_anew: (3,), (-3,)
def program(x):
    rows = other = [1, 5]
    if x > 0:
        rows.append(2)
    other = [1]; other[0] = 9
    return rows


# %% deque_reversed: (3,), (-3,)
import collections
def program(x):
    rows = other = collections.deque([1, 5])
    if x > 0:
        rows.append(2)
    other.reverse()
    return rows


# %% deque_rotated: (3,), (-3,)
import collections
def program(x):
    rows = other = collections.deque([1, 5])
    if x > 0:
        rows.append(2)
    other.rotate(1)
    return rows


# %% deque_item: (3,), (-3,)
import collections
def program(x):
    rows = other = collections.deque([1, 5])
    if x > 0:
        rows.append(2)
    other[0] = 9
    return rows


# %% dict_item: (3,), (-3,)
def program(x):
    rows = other = {'p': 1, 'q': 5}
    if x > 0:
        rows['z'] = 2
    other['p'] = 9
    return rows


# %% dict_key: (3,), (-3,)
def program(x):
    rows = other = {'p': 1, 'q': 5}
    if x > 0:
        rows['z'] = 2
    other['n'] = 9
    return rows


# %% dict_popped: (3,), (-3,)
def program(x):
    rows = other = {'p': 1, 'q': 5}
    if x > 0:
        rows['z'] = 2
    other.pop('p')
    return rows


# %% set_added: (3,), (-3,)
def program(x):
    rows = other = {1, 5}
    if x > 0:
        rows.add(2)
    other.add(7)
    return rows


# %% set_discarded: (3,), (-3,)
def program(x):
    rows = other = {1, 5}
    if x > 0:
        rows.add(2)
    other.discard(1)
    return rows


# %% grown_by_helper_then_changed: (3,), (-3,)
def grow(rows, x):
    if x > 0:
        rows.append(2)
    return rows

def program(x):
    items = [1, 5]
    same = grow(items, x)
    items[0] = 9
    return same

# %% grown_in_object_then_changed: (3,), (-3,)
class Box:
    def __init__(self, rows):
        self.rows = rows
    def grow(self, x):
        if x > 0:
            self.rows.append(2)

def program(x):
    items = [1, 5]
    box = Box(items)
    box.grow(x)
    items[0] = 9
    return box.rows, len(items)

# %% nested_branch_then_changed: (3,), (1,), (-3,)
def program(x):
    rows = other = [1]
    if x > 0:
        if x > 2:
            rows.append(2)
    other[0] = 9
    return other

# %% grown_twice_and_changed_between: (3,), (1,), (-3,)
def program(x):
    rows = other = [1]
    if x > 0:
        rows.append(2)
    other[0] = 9
    if x > 2:
        rows.append(3)
    return rows

# %% changed_in_branch: (3,), (1,), (-3,)
def program(x):
    rows = other = [1]
    if x > 0:
        rows.append(2)
    if x > 2:
        other[0] = 9
    return rows

# %% changed_before_the_branch: (3,), (-3,)
def program(x):
    rows = other = [1]
    other[0] = 9
    if x > 0:
        rows.append(2)
    return rows, len(other)


# %% items_as_arguments_of_a_lambda: (3,), (-3,)
def program(x):
    rows = other = [1]
    if x > 0:
        rows.append(2)
    return (lambda *items: len(items))(*other)


# %% items_as_arguments_of_a_function: (3,), (-3,)
def program(x):
    def added(*items):
        return sum(items)

    rows = [1]
    held = (rows,)
    if x > 0:
        rows.append(2)
    return added(*held[0])

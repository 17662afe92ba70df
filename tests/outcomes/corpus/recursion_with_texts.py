# %% digits_as_text: (6,), (1,), (0,)
def program(x, text=""):
    if x <= 0:
        return text
    if x % 2 == 0:
        return program(x // 2, "0" + text)
    return program(x // 2, "1" + text)


# %% two_functions: (4,), (3,), (0,)
def program(x, text=""):
    if x <= 0:
        return text
    return other(x - 1, text + "p")


def other(x, text):
    if x <= 0:
        return text
    return program(x - 1, text + "o")


# %% length_of_the_text: (5,), (0,)
def program(x, text=""):
    if x <= 0:
        return len(text)
    return program(x - 1, text + "ab")


# %% compared_text: (3,), (2,), (0,)
def program(x, text="abc"):
    if x <= 0:
        return text
    if text == "cba":
        return program(x - 1, "abc!")
    return program(x - 1, text[::-1])


# %% upper_case: (3,), (0,)
def program(x, text="a"):
    if x <= 0:
        return text
    return program(x - 1, text.upper() + "b")


# %% key_of_a_dict: (2,), (0,)
names = {"x": 1, "xx": 2, "xxx": 3}


def program(x, key="x"):
    if x <= 0:
        return names[key]
    return program(x - 1, key + "x")


# %% alternating_modes: (4,), (1,), (0,)
def program(x, mode="plus"):
    if x <= 0:
        return 0
    if mode == "plus":
        return x + program(x - 1, "times")
    return x * program(x - 1, "plus")


# %% growing_objects: (3,), (0,)
class Node:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest


def chain(x, node):
    if x <= 0:
        return node
    return chain(x - 1, Node(x, node))


def program(x):
    node = chain(x, None)
    count = 0
    while node is not None:
        count += 1
        node = node.rest
    return count

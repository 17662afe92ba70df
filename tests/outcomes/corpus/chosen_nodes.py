# %% sum_of_the_rest: (1,), (-1,)
class Node:
    def __init__(self, key, rest=None):
        self.key = key
        self.rest = rest


def program(x):
    node = Node(1, Node(2, Node(x)))
    if x > 0:
        node = node.rest
    total = 0
    while node:
        total = total * 10 + node.key
        node = node.rest
    return total


# %% until_none: (1,), (-1,)
class Node:
    def __init__(self, key, rest=None):
        self.key = key
        self.rest = rest


def program(x):
    node = Node(1, Node(2, Node(3)))
    if x > 0:
        node = node.rest.rest
    count = 0
    while node is not None:
        count += 1
        node = node.rest
    return count


# %% two_steps: (1,), (-1,)
class Node:
    def __init__(self, key, rest):
        self.key = key
        self.rest = rest


def program(x):
    last = Node(7, None)
    one, two = Node(1, last), Node(2, Node(5, last))
    node = one if x > 0 else two
    return node.rest.key, node.rest.rest is None, node.rest is last


# %% missing_rest_is_read: (1,), (-1,)
class Node:
    def __init__(self, key, rest):
        self.key = key
        self.rest = rest


def program(x):
    one, two = Node(1, None), Node(2, Node(5, None))
    node = one if x > 0 else two
    return node.rest.key


# %% written_through: (1,), (-1,)
class Node:
    def __init__(self, key, rest):
        self.key = key
        self.rest = rest


def program(x):
    last = Node(7, None)
    one, two = Node(1, last), Node(2, Node(5, last))
    node = one if x > 0 else two
    node.rest.key = x * 10
    return last.key, two.rest.key, one.key


# %% rest_replaced_later: (1,), (-1,)
class Node:
    def __init__(self, key, rest):
        self.key = key
        self.rest = rest


def program(x):
    one, two = Node(1, Node(3, None)), Node(2, Node(4, None))
    node = one if x > 0 else two
    rest = node.rest
    one.rest = Node(9, None)
    rest.key += 1
    return rest.key, one.rest.key, two.rest.key, node.rest.key


# %% rest_of_the_chosen_one_replaced: (1,), (-1,)
class Node:
    def __init__(self, key, rest):
        self.key = key
        self.rest = rest


def program(x):
    one, two, three = Node(1, None), Node(2, None), Node(3, None)
    node = one if x > 0 else two
    node.rest = three
    return one.rest is three, two.rest is three, node.rest.key


# %% inserted: (2,), (5,), (0,)
class Node:
    def __init__(self, key, rest=None):
        self.key = key
        self.rest = rest


def program(x):
    head = Node(0, Node(1, Node(4)))
    node = head
    while node.rest is not None and node.rest.key < x:
        node = node.rest
    node.rest = Node(x, node.rest)
    keys = []
    node = head
    while node:
        keys.append(node.key)
        node = node.rest
    return keys


# %% removed: (1,), (4,), (9,)
class Node:
    def __init__(self, key, rest=None):
        self.key = key
        self.rest = rest


def program(x):
    head = Node(0, Node(1, Node(4)))
    node = head
    while node.rest:
        if node.rest.key == x:
            node.rest = node.rest.rest
            break
        node = node.rest
    count = 0
    while head:
        count = count * 10 + head.key
        head = head.rest
    return count


# %% tree_search: (1,), (4,), (6,), (9,)
class Tree:
    def __init__(self, key, low=None, high=None):
        self.key = key
        self.low = low
        self.high = high


def program(x):
    tree = Tree(4, Tree(1), Tree(8, Tree(6)))
    depth = 0
    while tree is not None and tree.key != x:
        tree = tree.low if x < tree.key else tree.high
        depth += 1
    return depth, tree is None


# %% tree_search_recursive: (1,), (4,), (6,), (9,)
class Tree:
    def __init__(self, key, low=None, high=None):
        self.key = key
        self.low = low
        self.high = high


def find(tree, x):
    if tree is None:
        return -1
    if tree.key == x:
        return tree.key * 2
    return find(tree.low, x) if x < tree.key else find(tree.high, x)


def program(x):
    return find(Tree(4, Tree(1), Tree(8, Tree(6))), x)


# %% state_machine_of_objects: ((1, 0, 1),), ((0, 0, 0),), ((1, 1, 1),)
class State:
    def __init__(self, name):
        self.name = name
        self.on_one = self.on_zero = None


def program(signs):
    a, b, c = State(1), State(2), State(3)
    a.on_one, a.on_zero = b, a
    b.on_one, b.on_zero = c, a
    c.on_one, c.on_zero = c, b
    state = a
    for sign in signs:
        state = state.on_one if sign == 1 else state.on_zero
    return state.name, state is a, state is c


# %% different_classes_of_the_rest: (1,), (-1,)
class Node:
    def __init__(self, key, rest):
        self.key = key
        self.rest = rest


class End:
    key = 5


def program(x):
    one, two = Node(1, End()), Node(2, Node(3, None))
    node = one if x > 0 else two
    return node.rest.key


# %% itself_or_none: (1,), (-1,)
class Node:
    def __init__(self, key):
        self.key = key
        self.rest = self


def program(x):
    one, two = Node(1), Node(2)
    two.rest = None
    node = one if x > 0 else two
    return node.rest is node, node.rest is None


# %% method_of_the_rest: (1,), (-1,)
class Node:
    def __init__(self, key, rest):
        self.key = key
        self.rest = rest

    def total(self, n):
        return self.key * n + (self.rest.total(n + 1) if self.rest else 0)


def program(x):
    one, two = Node(1, Node(x, None)), Node(2, Node(5, Node(4, None)))
    node = one if x > 0 else two
    return node.total(1)


# %% two_pointers: (0,), (2,)
class Node:
    def __init__(self, key):
        self.key = key
        self.rest = None


def program(x):
    nodes = [Node(i) for i in range(4)]
    for i in range(3):
        nodes[i].rest = nodes[i + 1]
    if x > 1:
        nodes[3].rest = nodes[1]
    slow = fast = nodes[0]
    found = False
    for _ in range(6):
        if fast is None or fast.rest is None:
            break
        slow = slow.rest
        fast = fast.rest.rest
        if slow is fast:
            found = True
            break
    return found

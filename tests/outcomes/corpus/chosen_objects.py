# %% by_if: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(2)
    if x > 0:
        box = a
    else:
        box = b
    return box.v


# %% by_conditional: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(2)
    return (a if x > 0 else b).v


# %% then_written: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(2)
    box = a if x > 0 else b
    box.v = 10
    return a.v, b.v


# %% then_method: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

    def add(self, k):
        self.v += k
        return self.v


def program(x):
    a, b = Box(1), Box(2)
    box = a if x > 0 else b
    y = box.add(5)
    return y, a.v, b.v


# %% returned_from_helper: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def larger(a, b):
    if a.v > b.v:
        return a
    return b


def program(x):
    return larger(Box(x), Box(0)).v


# %% best_in_loop: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    boxes = [Box(1), Box(x), Box(2)]
    best = boxes[0]
    for box in boxes:
        if box.v > best.v:
            best = box
    return best.v


# %% max_by_attribute: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    return max([Box(1), Box(x)], key=lambda b: b.v).v


# %% new_in_branch: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    box = Box(0)
    if x > 0:
        box = Box(x)
    return box.v


# %% new_in_both: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    if x > 0:
        box = Box(x)
    else:
        box = Box(-x)
    return box.v


# %% new_in_loop: (3,), (0,)
class Box:
    def __init__(self, v):
        self.v = v


def program(n):
    box = Box(0)
    for i in range(n):
        box = Box(box.v + i)
    return box.v


# %% different_attributes: (3,), (-3,)
class Box:
    pass


def program(x):
    a, b = Box(), Box()
    a.v = 1
    b.v = 2
    b.w = 3
    box = a if x > 0 else b
    return box.v


# %% different_classes: (3,), (-3,)
class A:
    v = 1


class B:
    v = 2


def program(x):
    box = A() if x > 0 else B()
    return box.v


# %% different_types_of_attribute: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    box = Box(1) if x > 0 else Box("a")
    return 0


# %% identity_after_choice: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(1)
    box = a if x > 0 else b
    return box is a


# %% equality_after_choice: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(1)
    box = a if x > 0 else b
    return box == a


# %% lists_chosen: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    v = a if x > 0 else b
    return v[0]


# %% lists_chosen_then_written: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    v = a if x > 0 else b
    v[0] = 9
    return a, b


# %% lists_chosen_by_if_then_written: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        v = a
    else:
        v = b
    v[0] = 9
    return a, b, v


# %% lists_chosen_then_appended: (3,), (-3,)
def program(x):
    a, b = [1], [2]
    v = a if x > 0 else b
    v.append(5)
    return len(a), len(b)


# %% dicts_chosen_then_written: (3,), (-3,)
def program(x):
    a, b = {"k": 1}, {"k": 2}
    d = a if x > 0 else b
    d["k"] = 9
    return a, b


# %% or_chooses_list: (3,), (-3,)
def program(x):
    a, b = [1], [2]
    v = (x > 0 and a) or b
    return v[0]


# %% swap_of_objects: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(2)
    if x > 0:
        a, b = b, a
    return a.v, b.v


# %% swap_of_objects_then_written: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(2)
    first = a
    if x > 0:
        a, b = b, a
    a.v = 100
    return first.v, b.v


# %% attribute_holds_chosen: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


class Owner:
    pass


def program(x):
    o = Owner()
    o.box = Box(1)
    if x > 0:
        o.box = Box(2)
    return o.box.v


# %% list_holds_chosen: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    boxes = [Box(1)]
    if x > 0:
        boxes[0] = Box(2)
    return boxes[0].v


# %% list_holds_existing: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    a, b = Box(1), Box(2)
    slots = [a]
    if x > 0:
        slots[0] = b
    slots[0].v = 7
    return a.v, b.v


# %% namedtuple_chosen: (3,), (-3,)
from collections import namedtuple

P = namedtuple("P", "a b")


def program(x):
    p = P(1, 2) if x > 0 else P(3, 4)
    return p.a, p.b


# %% namedtuple_replaced: (3,), (-3,)
from collections import namedtuple

P = namedtuple("P", "a b")


def program(x):
    p = P(1, 2)
    if x > 0:
        p = p._replace(a=x)
    return p


# %% dataclass_chosen: (3,), (-3,)
from dataclasses import dataclass


@dataclass
class P:
    a: int
    b: int


def program(x):
    p = P(1, 2) if x > 0 else P(3, 4)
    return p.a, p.b


# %% dataclass_replaced: (3,), (-3,)
from dataclasses import dataclass, replace


@dataclass
class P:
    a: int
    b: int


def program(x):
    p = P(1, 2)
    if x > 0:
        p = replace(p, a=x)
    return p.a, p.b


# %% frozen_dataclass_chosen: (3,), (-3,)
from dataclasses import dataclass


@dataclass(frozen=True)
class P:
    a: int


def program(x):
    p = P(1)
    if x > 0:
        p = P(x)
    return p.a


# %% vector_class_with_operators: (3,), (-3,)
class V:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, o):
        return V(self.a + o.a, self.b + o.b)


def program(x):
    v = V(1, 2)
    if x > 0:
        v = v + V(x, x)
    return v.a, v.b


# %% vector_class_in_loop: (3,), (0,)
class V:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, o):
        return V(self.a + o.a, self.b + o.b)


def program(n):
    v = V(0, 1)
    for _ in range(n):
        v = v + V(v.b, 1)
    return v.a, v.b


# %% strategy_object: (3,), (-3,)
class Add:
    def run(self, v):
        return v + 1


class Double:
    def run(self, v):
        return v * 2


def program(x):
    s = Add() if x > 0 else Double()
    return s.run(x)


# %% linked_node_chosen: (3,), (-3,)
class Node:
    def __init__(self, v, rest):
        self.v = v
        self.rest = rest


def program(x):
    n = Node(1, Node(2, None))
    if x > 0:
        n = n.rest
    return n.v


# %% none_in_attribute: (3,), (-3,)
class Node:
    def __init__(self):
        self.value = None


def program(x):
    n = Node()
    if x > 0:
        n.value = x
    if n.value is None:
        return 0
    return n.value


# %% best_object_of_a_loop: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    best = Candidate(-1, 0)
    for i in range(n):
        found = Candidate((i * 7) % 5, i)
        if found.score > best.score:
            best = found
    return best.score, best.place


# %% best_object_asked_for_its_identity: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    best = Candidate(-1, 0)
    hits = 0
    for i in range(n):
        found = Candidate((i * 7) % 5, i)
        if found.score > best.score:
            best = found
        if best is found:
            hits += 1
    return best.score, hits


# %% best_object_changed_after_the_choice: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    best = Candidate(-1, 0)
    for i in range(n):
        found = Candidate((i * 7) % 5, i)
        if found.score > best.score:
            best = found
        found.score += 10
    return best.score, best.place


# %% first_best_object_under_another_name: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    best = first = Candidate(-1, 0)
    for i in range(n):
        found = Candidate((i * 7) % 5, i)
        if found.score > best.score:
            best = found
        best.place += 1
    return best.score, best.place, first.place


# %% best_two_objects_of_a_loop: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    best, second = Candidate(-1, 0), Candidate(-2, 0)
    for i in range(n):
        found = Candidate((i * 7) % 5, i)
        if found.score > best.score:
            second, best = best, found
        elif found.score > second.score:
            second = found
    return best.score, second.score


# %% best_object_or_none: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    best = None
    for i in range(n):
        found = Candidate((i * 7) % 5, i)
        if best is None or found.score > best.score:
            best = found
    return best.score if best is not None else -1


# %% objects_replaced_in_turn: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    one, other = Candidate(0, 1), Candidate(1, 1)
    for i in range(n):
        one, other = other, Candidate(one.score + other.score, i)
    return one.score, other.score, other.place


# %% object_with_a_list_of_a_loop: (3,), (0,), (6,)
class Candidate:
    def __init__(self, score, place):
        self.score = score
        self.place = place


def program(n):
    best = Candidate(-1, [0])
    for i in range(n):
        found = Candidate((i * 7) % 5, [i])
        if found.score > best.score:
            best = found
    return best.score, best.place[0]


# %% truth_of_a_chosen_object: (1,), (3,), (-1,)
class Item:
    def __init__(self, key, following=None):
        self.key = key
        self.following = following


def program(x):
    found = None
    for item in [Item(1), Item(3)]:
        if item.key == x:
            found = item
    if found:
        return found.key * 2
    return 0


# %% truth_of_one_of_two: (1,), (-1,)
class Item:
    def __init__(self, key):
        self.key = key


def program(x):
    one, two = Item(1), Item(2)
    item = one if x > 0 else two
    return (1 if item else 0), not item, item and item.key, bool(item)


# %% truth_asked_of_a_method: (1,), (-1,)
class Item:
    def __init__(self, key):
        self.key = key

    def __bool__(self):
        return self.key > 1


def program(x):
    one, two = Item(1), Item(2)
    item = one if x > 0 else two
    return 1 if item else 0


# %% length_asked_of_a_method: (1,), (-1,)
class Item:
    def __init__(self, key):
        self.key = key

    def __len__(self):
        return self.key


def program(x):
    one, two = Item(0), Item(2)
    item = one if x > 0 else two
    return 1 if item else 0

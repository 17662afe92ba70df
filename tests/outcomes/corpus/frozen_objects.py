# %% replaced_in_a_list: (1,), (-1,)
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


def program(x):
    v = [Point(x, 1), Point(2, x)]
    if x > 0:
        v[1] = replace(v[1], x=x + 1)
    return v[1].x, v[1].y, v[0]


# %% held_under_another_name: (1,), (-1,)
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


def program(x):
    p = Point(x)
    v = [p, p]
    if x > 0:
        v[1] = Point(7, 5)
    return v[1].x, v[0] is p, v[0] == v[1]


# %% identity_of_the_replaced_one: (1,), (-1,)
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int


def program(x):
    p = Point(x)
    v = [p]
    if x > 0:
        v[0] = Point(7)
    return v[0] is p


# %% with_a_list_in_it: (1,), (-1,)
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    cells: list


def program(x):
    v = [Row([1, 2]), Row([x, 3])]
    if x > 0:
        v[1].cells[0] = 9
        v[0] = v[1]
    v[0].cells[1] += 1
    return v[0].cells, v[1].cells


# %% replaced_in_a_dict_and_an_attribute: (1,), (-1,)
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int


class Box:
    def __init__(self, point):
        self.point = point


def program(x):
    d, box = {"a": Point(1)}, Box(Point(x))
    if x > 0:
        d["a"] = box.point
        box.point = Point(5)
    return d["a"].x, box.point.x, d["a"] == box.point


# %% in_a_loop: (1,), (-1,)
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Point:
    x: int


def program(x):
    v = [Point(0), Point(x)]
    i = 0
    while i < x + 2:
        v[0] = replace(v[0], x=v[0].x + v[1].x)
        i += 1
    return v[0].x, v[1].x

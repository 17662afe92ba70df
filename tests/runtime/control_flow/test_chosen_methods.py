"""Methods of objects, and partials, that a tensor chooses."""

from dataclasses import dataclass
from functools import partial

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check

NUMBERS = [(3,), (-3,), (1,)]


class Robot:
    def __init__(self):
        self.x, self.state = 0, self.idle

    def left(self, steps):
        self.x -= steps

    def right(self, steps):
        if steps > 3:
            self.x += 100
        self.x += steps

    def idle(self, event):
        if event > 0:
            self.state = self.busy

    def busy(self, event):
        self.x += event
        if event > 2:
            self.state = self.idle


def one_of_two(x):
    robot = Robot()
    move = robot.right if x > 0 else robot.left
    for steps in range(3):
        move(steps + x)
    return robot.x, move == robot.left


def of_two_objects(x):
    one, other = Robot(), Robot()
    move = other.left
    if x > 0:
        move = one.left
    move(x)
    return one.x, other.x


def perhaps_none(x):
    robot = Robot()
    hook = None
    if x > 0:
        hook = robot.right
    if hook is not None:
        hook(4)
    return robot.x


def each_iteration_chooses(x):
    robot = Robot()
    move = robot.right
    for steps in (x, -2, x + 1):
        move(steps)
        move = robot.left if steps < 0 else robot.right
    return robot.x


def states_of_a_machine(x):
    robot = Robot()
    for event in range(4):
        robot.state(x + event)
    return robot.x


@dataclass
class Button:
    pressed: object = None


def in_a_field(x):
    robot, button = Robot(), Button()
    if x > 0:
        button.pressed = robot.right
    else:
        button.pressed = robot.left
    button.pressed(x)
    return robot.x


def in_a_dict(x):
    robot = Robot()
    handlers = {"first": robot.left, "last": None}
    for step in range(x):
        if step == 1:
            handlers["first"], handlers["last"] = robot.right, robot.left
    handlers["first"](1)
    if handlers["last"] is not None:
        handlers["last"](10)
    return robot.x


def partials(x):
    total, scaled = partial(sum, [x, 1]), partial(pow, x)
    chosen = total if x > 0 else scaled
    return chosen(2), {0: total, 1: scaled}[abs(x) % 2](2)


PROGRAMS = [
    one_of_two,
    of_two_objects,
    perhaps_none,
    each_iteration_chooses,
    states_of_a_machine,
    in_a_field,
    in_a_dict,
    partials,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_the_chosen_one_is_called(program):
    check(program, *NUMBERS)


def test_of_an_object_outside_it_is_chosen_at_each_call():
    robot = Robot()

    @tf.function
    def step(event):
        robot.state(event)
        return robot.x

    assert [int(step(tf.constant(event))) for event in (0, 1, 2, 3, 5, 5)] == [0, 0, 2, 5, 5, 10]


def object_of_a_branch(x):
    robot = Robot()
    move = robot.left
    if x > 0:
        made = Robot()
        move = made.left
    return move(x)


def partial_of_a_branch(x):
    chosen = partial(max, 0) if x > 0 else partial(min, 0)
    return chosen(x)


@pytest.mark.parametrize("program", [object_of_a_branch, partial_of_a_branch])
def test_one_that_the_statement_makes_is_refused(program):
    with pytest.raises(TypeError, match="make the object of a method, or a partial, before"):
        tf.function(program)(tf.constant(3))

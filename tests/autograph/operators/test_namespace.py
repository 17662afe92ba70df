"""The object `ag__` of converted code."""

import copy
import pickle

import autograph
from autograph.operators.namespace import Operators, named


def program(x):
    def inner(y):
        return y + 1

    class Local:
        pass

    return inner if x else Local


def test_definitions_in_a_converted_branch_keep_their_names():
    converted = autograph.to_graph(program)
    for x in (True, False):
        assert converted(x).__qualname__ == program(x).__qualname__


def test_a_metaclass_that_refuses_assignments_is_not_asked():
    class Refusing(type):
        def __setattr__(cls, name, value):
            raise AttributeError(name)

    class Fixed(metaclass=Refusing):
        pass

    assert named("outer.Fixed")(Fixed).__qualname__ == "outer.Fixed"
    assert named("outer.three")(3) == 3


def operators():
    return OPERATORS


OPERATORS = Operators(lambda function: function, (operators, ()))


def test_operators_are_unpickled_as_those_of_the_same_options():
    assert pickle.loads(pickle.dumps(OPERATORS)) is copy.deepcopy(OPERATORS) is OPERATORS


def test_a_debugger_shows_them_in_short():
    assert repr(OPERATORS) == "<operators of converted code>"

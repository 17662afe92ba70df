"""Python values that a trace leaves changed: a warning at the line of the change."""

import collections
import decimal
import functools
import itertools
import random
import threading
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.errors import SideEffectWarning

X = tf.constant(1.0)
COUNT = 0
LOG = []
TABLE = {}
SEEN = set()
QUEUE = collections.deque()
NUMBERS = itertools.count()
ARRAY = np.zeros(2)
BYTES = bytearray(2)
LOCAL = threading.local()


class Config:
    calls = 0

    def __init__(self):
        self.calls = 0
        self.rows = [[0]]


CONFIG = Config()


def global_number(x):
    global COUNT
    COUNT += 1  # here
    return x


def global_list(x):
    LOG.append(1)  # here
    return x


def global_dict(x):
    TABLE["key"] = len(TABLE)  # here
    return x


def global_set(x):
    SEEN.add(len(SEEN))  # here
    return x


def global_deque(x):
    QUEUE.append(1)  # here
    return x


def global_iterator(x):
    return x + next(NUMBERS)  # here


def global_array(x):
    ARRAY[0] += 1  # here
    return x


def global_bytes(x):
    BYTES[0] += 1  # here
    return x


def class_attribute(x):
    Config.calls += 1  # here
    return x


def attribute(x):
    CONFIG.calls += 1  # here
    return x


def nested_item(x):
    for i in range(2):
        CONFIG.rows[0][0] += i  # here
    return x


def thread_local(x):
    LOCAL.calls = getattr(LOCAL, "calls", 0) + 1  # here
    return x


def function_attribute(x):
    function_attribute.calls = len(LOG)  # here
    return x


def log_a_call():
    LOG.append(1)


def in_a_callee(x):
    log_a_call()
    return x


CHANGES = {
    global_number: "the global `COUNT`: 0 -> 1",
    global_list: "`LOG`: a list of 0 -> a list of 1",
    global_dict: "`TABLE['key']`: nothing -> 0",
    global_set: "`SEEN`: a set of 0 -> a set of 1",
    global_deque: "`QUEUE`: a deque of 0 -> a deque of 1",
    global_iterator: "`NUMBERS`, of type count, in place",
    global_array: "`ARRAY`, of type ndarray, in place",
    global_bytes: "`BYTES`, of type bytearray, in place",
    class_attribute: "`Config.calls`: 0 -> 1",
    attribute: "`CONFIG.calls`: 0 -> 1",
    nested_item: "`CONFIG.rows[0][0]`: 0 -> 1",
    thread_local: "`LOCAL.calls`: nothing -> 1",
    function_attribute: "`function_attribute.calls`: nothing -> 0",
}


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    for name, value in [
        ("COUNT", 0), ("LOG", []), ("TABLE", {}), ("SEEN", set()), ("QUEUE", collections.deque()),
        ("NUMBERS", itertools.count()), ("ARRAY", np.zeros(2)), ("BYTES", bytearray(2)),
        ("LOCAL", threading.local()), ("CONFIG", Config()),
    ]:  # fmt: skip
        monkeypatch.setitem(globals(), name, value)
    monkeypatch.setattr(Config, "calls", 0)
    vars(function_attribute).clear()


def warned(function, *arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments)
    return [each for each in caught if each.category is SideEffectWarning]


def line_marked_in(function):
    lines = Path(__file__).read_text(encoding="utf-8").split("\n")
    start = function.__code__.co_firstlineno
    return next(i for i in range(start, len(lines)) if lines[i - 1].endswith("# here"))


@pytest.mark.parametrize("program", CHANGES, ids=lambda program: program.__name__)
def test_a_change_is_told_at_its_line_once(program):
    staged = tf.function(program)
    (told,) = warned(staged, X)
    assert f"{program.__name__} changes {CHANGES[program]}. This happens once" in str(told.message)
    assert "tf.Variable" in str(told.message)
    assert (told.filename, told.lineno) == (__file__, line_marked_in(program))
    assert not warned(staged, X)
    assert not warned(staged, tf.constant(1))


@pytest.mark.parametrize("program", CHANGES, ids=lambda program: program.__name__)
def test_converted_code_that_nothing_traces_stays_silent(program):
    converted = autograph.to_graph(program)
    assert not warned(converted, 1.0)
    assert not warned(converted, X)


@pytest.mark.parametrize("program", CHANGES, ids=lambda program: program.__name__)
def test_functions_that_run_eagerly_stay_silent(program):
    tf.config.run_functions_eagerly(True)
    try:
        assert not warned(tf.function(program), X)
    finally:
        tf.config.run_functions_eagerly(False)


def test_a_change_in_a_callee_is_told_at_its_line():
    (told,) = warned(tf.function(in_a_callee), X)
    assert told.lineno == log_a_call.__code__.co_firstlineno + 1


def test_objects_that_are_called():
    class Model:
        def __init__(self):
            self.calls = 0

        def __call__(self, x):
            self.calls += 1
            return x

    class Derived(Model):
        pass

    for program in (Model(), Derived(), Model().__call__, functools.partial(Model())):
        (told,) = warned(tf.function(program), X)
        assert ".calls`: 0 -> 1" in str(told.message)
        assert told.lineno == Model.__call__.__code__.co_firstlineno + 1


def test_an_inner_function_tells_what_it_changes():
    inner = tf.function(global_list)
    outer = tf.function(lambda x: inner(x))
    (told,) = warned(outer, X)
    assert str(told.message).startswith("global_list changes")


def unchanged_in_the_end(x):
    global COUNT
    COUNT += 1
    LOG.append(1)
    COUNT -= 1
    LOG.pop()
    return x


def equal_in_the_end(x):
    CONFIG.rows = [[0]]
    return x


def tensors(x):
    TABLE["last"] = x
    CONFIG.calls = x
    return x


def read_only(x):
    return x + COUNT + len(LOG) + len(SEEN) + CONFIG.calls


def own_objects(x):
    config = Config()
    config.calls += 1
    config.rows.append([1])
    return x


def staged_writes(x):
    if x > 0:
        CONFIG.calls += 1
    return x


@pytest.mark.parametrize(
    "program",
    [unchanged_in_the_end, equal_in_the_end, tensors, read_only, own_objects, staged_writes],
    ids=lambda program: program.__name__,
)
def test_no_change_is_no_side_effect(program):
    staged = tf.function(program)
    assert not warned(staged, X)
    assert not warned(staged, X)


def test_layers_that_build_themselves():
    class Lazy(tf.Module):
        def __init__(self):
            self.weight = None
            self.is_built = False
            self.parts = []

        @tf.function
        def __call__(self, x):
            if not self.is_built:
                self.weight = tf.Variable(2.0)
                self.parts.append(tf.Variable(1.0))
                self.is_built = True
            return x * self.weight + self.parts[0]

    layer = Lazy()
    assert not warned(layer, X)
    assert float(layer(X)) == 3.0
    outer = Lazy()
    step = tf.function(lambda x: outer(x))
    assert not warned(step, X)


def test_variables_are_assigned_at_each_call():
    variable = tf.Variable(1.0)

    def program(x):
        variable.assign_add(x)
        return x

    assert not warned(tf.function(program), X)


def test_caches_of_the_standard_library():
    @functools.lru_cache
    def rate(n):
        return float(n)

    class Model:
        @functools.cached_property
        def rate(self):
            return 2.0

    model = Model()
    assert not warned(tf.function(lambda x: x * rate(2) * model.rate), X)


def test_settings_of_decimal():
    def program(x):
        decimal.getcontext().prec = 7
        return x

    with decimal.localcontext():
        (told,) = warned(tf.function(program), X)
    assert "`decimal.getcontext()`, of type Context, in place" in str(told.message)


def test_random_numbers_have_a_warning_of_their_own():
    staged = tf.function(lambda x: x + random.random())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        staged(X)
    assert [each.category for each in caught] == [autograph.FrozenValueWarning]


def in_place(v, x):
    v[0] = x
    return x


def in_place_by_a_method(v, x):
    v.append(1)
    return x


def in_place_in_a_callee(rows, x):
    in_place(rows, 1)
    return x


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (in_place, in_place),
        (in_place_by_a_method, in_place_by_a_method),
        (in_place_in_a_callee, in_place),
    ],
    ids=["item", "method", "callee"],
)
def test_an_argument_changed_in_place_is_refused_at_the_line(program, line):
    place = f"line {line.__code__.co_firstlineno + 1}, in {line.__name__}"
    rows = [0]
    for staged in (tf.function(program), tf.function(lambda v, x: program(v, x))):
        with pytest.raises(ValueError, match=place):
            staged(rows, X)
    assert rows == [0]


def test_a_dict_given_and_changed_is_refused_at_the_line():
    def program(d, x):
        d["a"] = 1
        return x

    place = f"line {program.__code__.co_firstlineno + 1}, in program"
    with pytest.raises(ValueError, match=place):
        tf.function(program)({"a": 0}, X)


SETTINGS = types.ModuleType("settings_of_a_test")


def raise_rate(module):
    module.rate += 1


@pytest.mark.parametrize("taken", [1.0, -1.0])
def test_a_branch_changes_a_module_in_another_function(taken):
    def program(x):
        if x > 0:
            raise_rate(SETTINGS)
        return x

    SETTINGS.rate = 1
    staged = tf.function(program)
    for calls in (1, 2):
        assert not warned(staged, tf.constant(taken))
        assert SETTINGS.rate == (1 + calls if taken > 0 else 1)

"""What a function reads besides its arguments: a change outside leads to a new graph."""

import collections
import logging

import pytest

import runtime as tf

X = tf.constant(3.0)
factor = 2.0
settings = {"rate": 0.5, "steps": [1, 2]}
deep = 1.0
traced = 0


def through(x):
    return x * deep


def count(function):
    return function.experimental_get_tracing_count()


def test_a_global_number(monkeypatch):
    f = tf.function(lambda x: x * factor)
    assert [float(f(X)), float(f(X)), count(f)] == [6.0, 6.0, 1]
    monkeypatch.setitem(globals(), "factor", 5.0)
    assert [float(f(X)), count(f)] == [15.0, 2]


def test_going_back_takes_the_first_graph(monkeypatch):
    f = tf.function(lambda x: x * factor)
    f(X)
    for value in (5.0, 2.0, 5.0, 2.0):
        monkeypatch.setitem(globals(), "factor", value)
        assert float(f(X)) == 3.0 * value
    assert count(f) == 2


def test_numbers_of_another_type_or_sign(monkeypatch):
    f = tf.function(lambda x: x * factor)
    results = []
    for value in (1, True, 1.0, 0.0, -0.0):
        monkeypatch.setitem(globals(), "factor", value)
        results.append(str(f(tf.constant(1.0)).numpy()))
    assert results[-2:] == ["0.0", "-0.0"]
    assert count(f) == 5


def test_a_variable_of_the_enclosing_function():
    number = 1.0

    def change():
        nonlocal number
        number += 1.0

    f = tf.function(lambda x: x + number)
    assert float(f(X)) == 4.0
    change()
    assert float(f(X)) == 5.0


def test_an_entry_of_a_dict_or_list(monkeypatch):
    f = tf.function(lambda x: x * settings["rate"] + float(len(settings["steps"])))
    assert float(f(X)) == 3.5
    monkeypatch.setitem(settings, "rate", 1.0)
    assert float(f(X)) == 5.0
    monkeypatch.setitem(settings, "steps", [1, 2, 3])
    assert float(f(X)) == 6.0
    settings["steps"].append(4)
    assert float(f(X)) == 7.0


class Scale:
    offset = 0.0

    def __init__(self, by):
        self.by = by
        self.unrelated = 0

    @tf.function
    def __call__(self, x):
        return x * self.by + self.offset

    def times(self, x):
        return x * self.by


def test_an_attribute_of_the_instance_and_of_the_class(monkeypatch):
    scale = Scale(2.0)
    assert float(scale(X)) == 6.0
    scale.by = 3.0
    assert float(scale(X)) == 9.0
    monkeypatch.setattr(Scale, "offset", 1.0)
    assert float(scale(X)) == 10.0


def test_an_attribute_of_an_argument():
    f = tf.function(lambda scale, x: scale.times(x))
    scale = Scale(2.0)
    assert float(f(scale, X)) == 6.0
    scale.by = 3.0
    assert float(f(scale, X)) == 9.0


def test_what_a_called_function_reads(monkeypatch):
    inner = tf.function(through)
    f, g = tf.function(lambda x: through(x)), tf.function(lambda x: inner(x))
    assert [float(f(X)), float(g(X))] == [3.0, 3.0]
    monkeypatch.setitem(globals(), "deep", 2.0)
    assert [float(f(X)), float(g(X))] == [6.0, 6.0]


def test_another_function_or_tensor_under_the_name(monkeypatch):
    f = tf.function(lambda x: through(x))
    assert float(f(X)) == 3.0
    monkeypatch.setitem(globals(), "through", lambda x: x - 1.0)
    assert float(f(X)) == 2.0
    g = tf.function(lambda x: x * factor)
    for value in (2.0, 4.0):
        monkeypatch.setitem(globals(), "factor", tf.constant(value))
        assert float(g(X)) == 3.0 * value


def test_what_the_function_does_not_read_changes_nothing(monkeypatch):
    f = tf.function(lambda x: x * factor)
    f(X)
    monkeypatch.setitem(globals(), "deep", 9.0)
    f(X)
    assert count(f) == 1
    scale = Scale(2.0)
    scale(X)
    before = count(Scale.__call__)
    scale.unrelated = 5
    scale(X)
    assert count(Scale.__call__) == before


def test_what_recording_itself_changes_is_a_side_effect():
    log = []

    @tf.function
    def f(x):
        global traced
        traced += 1
        log.append(traced)
        return x

    for _ in range(3):
        f(X)
    assert (traced, log, count(f)) == (1, [1], 1)
    log.clear()
    f(X)
    assert (log, count(f)) == ([], 1)


def test_the_cause_is_reported(monkeypatch, caplog):
    f = tf.function(lambda x: x * factor)
    with caplog.at_level(logging.INFO, "runtime.function"):
        f(X)
        monkeypatch.setitem(globals(), "factor", 5.0)
        f(X)
    assert "`factor`: 2.0 -> 5.0 (read from outside" in caplog.messages[-1]


@pytest.mark.parametrize("change", [1, 2])
def test_a_concrete_function_stays_the_graph_that_it_is(monkeypatch, change):
    f = tf.function(lambda x: x * factor)
    concrete = f.get_concrete_function(X)
    monkeypatch.setitem(globals(), "factor", float(change) * 10.0)
    assert float(concrete(X)) == 6.0


def test_deep_and_long_collections_count_by_identity():
    deep = [[[1.0]]]
    long = [1.0] * 100
    f = tf.function(lambda x: x * deep[0][0][0] + float(len(long)))
    assert [float(f(X)), float(f(X)), count(f)] == [103.0, 103.0, 1]
    long.append(1.0)
    assert [float(f(X)), count(f)] == [104.0, 2]


def test_objects_in_a_list():
    scales = [Scale(1.0), Scale(2.0)]

    @tf.function
    def f(x):
        for scale in scales:
            x = scale.times(x)
        return x

    assert float(f(X)) == 6.0
    scales[1].by = 3.0
    assert float(f(X)) == 9.0
    scales.append(Scale(2.0))
    assert float(f(X)) == 18.0


def test_objects_that_refuse_to_be_looked_at():
    class Shy:
        def __getattribute__(self, name):
            raise RuntimeError(name)

    class Proxy:
        @property
        def __class__(self):
            raise RuntimeError("not bound")

    shy, proxy = Shy(), Proxy()
    f = tf.function(lambda x: x if shy is not proxy else -x)
    assert float(f(X)) == 3.0


def test_other_kinds_of_dicts():
    ordered = collections.OrderedDict(rate=1.0)
    f = tf.function(lambda x: x * ordered["rate"])
    assert float(f(X)) == 3.0
    ordered["rate"] = 2.0
    assert float(f(X)) == 6.0


def test_an_attribute_that_the_function_assigns_is_a_side_effect():
    class Counter:
        calls = 0

        def __init__(self):
            self.calls = 0

        @tf.function
        def __call__(self, x):
            self.calls += 1
            return x

    counter = Counter()
    for _ in range(3):
        counter(X)
    assert counter.calls == 1
    counter.calls = 10
    counter(X)
    assert counter.calls == 10


def test_an_attribute_that_hides_one_of_the_class():
    class Settings:
        rate = 1.0

    settings = Settings()
    f = tf.function(lambda x: x * settings.rate)
    assert float(f(X)) == 3.0
    settings.rate = 2.0
    assert float(f(X)) == 6.0
    del settings.rate
    assert float(f(X)) == 3.0


def test_a_class_that_hides_an_attribute_of_its_base():
    class Base:
        rate = 1.0

    class Settings(Base):
        pass

    settings = Settings()
    f = tf.function(lambda x: x * settings.rate)
    assert float(f(X)) == 3.0
    Settings.rate = 2.0
    assert float(f(X)) == 6.0


def test_an_attribute_that_the_function_hides_itself_is_a_side_effect():
    class Counter:
        calls = 0

        @tf.function
        def __call__(self, x):
            self.calls += 1
            return x

    counter = Counter()
    for _ in range(3):
        counter(X)
    assert counter.calls == 1
    assert Counter.__call__.experimental_get_tracing_count() == 1

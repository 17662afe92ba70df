"""What a function reads besides its arguments: a change outside leads to a new graph."""

import argparse
import array
import collections
import contextlib
import dataclasses
import decimal
import functools
import gc
import logging
import pathlib
import sys
import threading
import types
import weakref

import numpy as np
import pytest

import autograph
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


def test_a_global_name_that_hides_a_built_in_one(monkeypatch):
    f = tf.function(lambda x: abs(x) + len([1, 2]))
    results = [float(f(-X))]
    monkeypatch.setitem(globals(), "abs", lambda x: 100.0 * x)
    results.append(float(f(-X)))
    monkeypatch.setitem(globals(), "max", None)  # the function does not read it
    results.append(float(f(-X)))
    monkeypatch.delitem(globals(), "abs")
    results.append(float(f(-X)))
    assert results == [5.0, -298.0, -298.0, 5.0]
    assert count(f) == 2


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


def test_deep_and_long_collections():
    deep = [[[{"a": [1.0]}]]]
    long = [1.0] * 100
    f = tf.function(lambda x: x * deep[0][0][0]["a"][0] + sum(long))
    assert [float(f(X)), float(f(X)), count(f)] == [103.0, 103.0, 1]
    long[50] = 2.0
    assert [float(f(X)), count(f)] == [104.0, 2]
    deep[0][0][0]["a"][0] = 2.0
    assert [float(f(X)), count(f)] == [107.0, 3]
    long[50] = 1.0
    deep[0][0][0]["a"][0] = 1.0
    assert [float(f(X)), count(f)] == [103.0, 3]


def test_a_list_that_holds_itself():
    endless = [1.0]
    endless.append(endless)
    f = tf.function(lambda x: x * endless[1][0])
    assert float(f(X)) == 3.0
    endless[0] = 2.0
    assert float(f(X)) == 6.0


@pytest.mark.parametrize("size", [1, 3, 2000])
def test_an_array_that_changes_in_place(size):
    weights = np.ones(size, np.float32)
    f = tf.function(lambda x: x * weights[-1])
    assert [float(f(X)), float(f(X)), count(f)] == [3.0, 3.0, 1]
    weights[-1] = 2.0
    assert [float(f(X)), count(f)] == [6.0, 2]


@pytest.mark.parametrize("dtype", ["float16", "int8", "complex128", "<U3", "datetime64[s]"])
def test_arrays_of_any_dtype_and_layout(dtype):
    held = np.zeros((40, 30), dtype)[::3, ::2]
    other = tf.function(lambda x: x + float(str(held[-1, -1]) == str(held[0, 0])))
    assert [float(other(X)), float(other(X)), count(other)] == [4.0, 4.0, 1]
    held[-1, -1] = 7 if dtype != "datetime64[s]" else np.datetime64(7, "s")
    assert [float(other(X)), count(other)] == [3.0, 2]


def test_an_array_with_the_same_contents_needs_no_new_graph(monkeypatch):
    monkeypatch.setitem(globals(), "factor", np.float32([2.0, 3.0]))
    f = tf.function(lambda x: x * factor[0])
    assert float(f(X)) == 6.0
    monkeypatch.setitem(globals(), "factor", np.float32([2.0, 3.0]))
    assert [float(f(X)), count(f)] == [6.0, 1]
    monkeypatch.setitem(globals(), "factor", np.float64([2.0, 3.0]))
    assert [float(f(X)), count(f)] == [6.0, 2]


def test_arrays_of_objects():
    scale = Scale(1.0)
    held = np.array([scale, None], object)
    f = tf.function(lambda x: held[0].times(x))
    assert float(f(X)) == 3.0
    scale.by = 2.0
    assert float(f(X)) == 6.0
    held[0] = Scale(3.0)
    assert float(f(X)) == 9.0


@pytest.mark.parametrize(
    ("held", "change"),
    [
        (bytearray(b"ab"), lambda held: held.append(1)),
        (array.array("d", [1.0]), lambda held: held.append(1.0)),
        (collections.deque([1.0]), lambda held: held.append(1.0)),
        ({1.0}, lambda held: held.add(2.0)),
        ({(1, "a")}, lambda held: held.add((1, "b"))),
        ([{1.0}], lambda held: held[0].add(2.0) or held.append(1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_containers(held, change):
    f = tf.function(lambda x: x + float(len(held)))
    before = float(f(X))
    assert [float(f(X)), count(f)] == [before, 1]
    change(held)
    assert [float(f(X)), count(f)] == [before + 1.0, 2]


def test_attributes_by_a_computed_name():
    scale = Scale(2.0)
    scale.later = None
    f = tf.function(lambda x, name="by": x * getattr(scale, name))
    assert float(f(X)) == 6.0
    scale.by = 3.0
    assert float(f(X)) == 9.0
    g = tf.function(lambda x: x * vars(scale)["by"])
    assert float(g(X)) == 9.0
    scale.by = 4.0
    assert float(g(X)) == 12.0


def test_an_attribute_that_appears():
    scale = Scale(2.0)
    f = tf.function(lambda x: x * (2.0 if hasattr(scale, "double") else 1.0))
    assert float(f(X)) == 3.0
    scale.double = True
    assert float(f(X)) == 6.0


class Stepping:
    def __init__(self):
        self.step = 2.0

    def __call__(self, x):
        return x * self.step


step = 0


def test_a_global_with_the_name_of_an_attribute_is_not_read(monkeypatch):
    layer = Stepping()
    f = tf.function(lambda x: layer(x))
    for number in range(3):
        monkeypatch.setitem(globals(), "step", number)
        assert [float(f(X)), count(f)] == [6.0, 1]
    layer.step = 3.0
    assert [float(f(X)), count(f)] == [9.0, 2]
    g = tf.function(lambda x: layer(x) + step)
    assert float(g(X)) == 11.0
    monkeypatch.setitem(globals(), "step", 4)
    assert float(g(X)) == 13.0


class Optional:
    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        return x * getattr(self, "double", 1.0)


def test_an_attribute_that_getattr_asks_for_by_a_constant():
    layer = Optional()
    f = tf.function(lambda x: layer(x))
    for _ in range(3):
        layer.calls += 1
        assert [float(f(X)), count(f)] == [3.0, 1]
    layer.double = 2.0
    assert [float(f(X)), count(f)] == [6.0, 2]


MADE_RATES = {"made": 2.0}


class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.rate = MADE_RATES["made"]
        return made


class Made(metaclass=Meta):
    def scaled(self, x):
        return x * self.rate


def test_what_a_metaclass_reads_that_makes_an_object(monkeypatch):
    f = tf.function(lambda x: Made().scaled(x))
    assert float(f(X)) == 6.0
    monkeypatch.setitem(MADE_RATES, "made", 3.0)
    assert float(f(X)) == 9.0


def test_what_a_metaclass_reads_is_not_read_by_an_object_that_exists(monkeypatch):
    made = Made()
    f = tf.function(lambda x: made.scaled(x))
    assert float(f(X)) == 6.0
    monkeypatch.setitem(MADE_RATES, "made", 3.0)
    assert [float(f(X)), count(f)] == [6.0, 1]


def is_loaded(name):
    return name in sys.modules


def test_modules_are_not_read_as_a_whole(monkeypatch):
    module = types.ModuleType("another_module_of_the_test")
    module.step = 0
    monkeypatch.setitem(sys.modules, module.__name__, module)
    f = tf.function(lambda x: x + float(is_loaded("os")))
    for _ in range(3):
        module.step += 1
        assert [float(f(X)), count(f)] == [4.0, 1]


class Computing:
    def __getattr__(self, name):
        if name != "late":
            raise AttributeError(name)
        return 1.0


class Slotted:
    __slots__ = ("late",)


@pytest.mark.parametrize(
    "holder",
    [
        Scale(1.0), Computing(), Slotted(), types.SimpleNamespace(), types.ModuleType("held_late"),
        type("Late", (), {}), lambda: None,
    ],
    ids=lambda each: type(each).__name__,
)  # fmt: skip
def test_an_attribute_that_the_function_can_go_without(holder):
    @tf.function
    def scaled(x):
        try:
            return x * holder.late
        except AttributeError:
            return x

    assert [float(scaled(X)), float(scaled(X)), count(scaled)] == [3.0, 3.0, 1]
    holder.late = 2.0
    assert [float(scaled(X)), count(scaled)] == [6.0, 2]
    holder.late = 3.0
    assert float(scaled(X)) == 9.0
    del holder.late
    assert float(scaled(X)) == 3.0


def test_a_global_name_that_the_function_can_go_without(monkeypatch):
    @tf.function
    def scaled(x):
        with contextlib.suppress(NameError):
            return x * late_factor  # noqa: F821
        return x

    assert float(scaled(X)) == 3.0
    monkeypatch.setitem(globals(), "late_factor", 2.0)
    assert float(scaled(X)) == 6.0


def test_an_attribute_that_nothing_reads_leads_to_no_new_graph():
    scale = Scale(2.0)

    @tf.function
    def scaled(x):
        try:
            return x * scale.by
        except AttributeError:
            return x

    assert float(scaled(X)) == 6.0
    scale.unrelated = 1.0
    assert [float(scaled(X)), count(scaled)] == [6.0, 1]


def test_a_pattern_reads_attributes():
    @dataclasses.dataclass
    class Point:
        x: float

    point = Point(0.0)

    @tf.function
    def f(x):
        match point:
            case Point(x=0.0):
                return x
            case Point(other):
                return x * other

    assert float(f(X)) == 3.0
    point.x = 2.0
    assert float(f(X)) == 6.0


class Slotted:
    __slots__ = ("by", "rest")

    def __init__(self, by):
        self.by = by


class SlottedAndNamed(Slotted):
    __slots__ = ("name",)


@pytest.mark.parametrize("kind", [Slotted, SlottedAndNamed])
def test_attributes_in_slots(kind):
    held = kind(2.0)
    f = tf.function(lambda x: x * held.by * (1.0 if hasattr(held, "rest") else -1.0))
    assert [float(f(X)), float(f(X)), count(f)] == [-6.0, -6.0, 1]
    held.by = 3.0
    assert [float(f(X)), count(f)] == [-9.0, 2]
    held.rest = 0
    assert [float(f(X)), count(f)] == [9.0, 3]


def test_an_attribute_by_way_of_super():
    class Base:
        rate = 1.0

    class Derived(Base):
        rate = 5.0

        @tf.function
        def __call__(self, x):
            return x * super().rate

    derived = Derived()
    assert float(derived(X)) == 3.0
    Base.rate = 2.0
    assert float(derived(X)) == 6.0


def test_a_module_that_the_function_imports(monkeypatch):
    module = types.ModuleType("settings_of_the_test")
    module.rate = 1.0
    monkeypatch.setitem(sys.modules, module.__name__, module)

    @tf.function
    def f(x):
        import settings_of_the_test

        return x * settings_of_the_test.rate

    assert float(f(X)) == 3.0
    module.rate = 2.0
    assert float(f(X)) == 6.0


@pytest.mark.parametrize("mention", ["def read():\n    return factor\n", ""])
def test_global_names_by_a_computed_name(mention):
    text = "def f(x):\n    return x * globals()['factor']\n"
    names = autograph.exec(mention + text, {"factor": 2.0})
    f = tf.function(names["f"])
    assert float(f(X)) == 6.0
    names["factor"] = 5.0
    assert float(f(X)) == 15.0


def test_objects_with_slots_are_not_kept_alive():
    class Held:
        __slots__ = ("__weakref__", "by")

    def made():
        held = Held()
        held.by = 2.0
        f = tf.function(lambda scale, x: x * scale.by)
        assert float(f(held, X)) == 6.0
        return f, weakref.ref(held)

    f, held = made()
    gc.collect()
    assert held() is None
    assert count(f) == 1


@pytest.mark.parametrize(
    ("make", "read"),
    [
        (decimal.Decimal, float),
        (lambda number: property(lambda self: number), lambda held: held.fget(None)),
        (lambda number: classmethod(lambda kind: number), lambda held: held.__func__(None)),
        (lambda number: pathlib.Path("a" * number), lambda held: len(held.name)),
    ],
)
def test_an_object_at_the_address_of_another_one(make, read):
    held = None
    f = tf.function(lambda x: x * read(held))
    for number in range(1, 9):
        for _ in range(2):
            held = None  # frees the last one
            held = make(number)
        assert float(f(X)) == 3.0 * number


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


activation = tf.nn.relu


def test_a_function_of_a_library_under_a_global_name(monkeypatch):
    f = tf.function(lambda x: activation(x))
    assert float(f(-X)) == 0.0
    monkeypatch.setitem(globals(), "activation", tf.negative)
    assert float(f(-X)) == 3.0


class Scaled:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Scaled(self.value + factor * other.value)


def test_what_an_operator_reads(monkeypatch):
    f = tf.function(lambda x: (Scaled(x) + Scaled(x)).value)
    assert float(f(X)) == 9.0
    monkeypatch.setitem(globals(), "factor", 5.0)
    assert float(f(X)) == 18.0


def test_a_dict_by_a_saved_method():
    rates = {"slow": 2.0}
    get = rates.get
    f = tf.function(lambda x: x * get("slow"))
    assert [float(f(X)), float(f(X)), count(f)] == [6.0, 6.0, 1]
    rates["slow"] = 3.0
    assert [float(f(X)), count(f)] == [9.0, 2]


def test_a_list_in_a_partial():
    rates = [2.0]
    f = tf.function(functools.partial(lambda rates, x: x * rates[0], rates))
    assert float(f(X)) == 6.0
    rates[0] = 3.0
    assert float(f(X)) == 9.0


def test_a_default_that_is_replaced():
    def times(x, rate=2.0):
        return x * rate

    f = tf.function(lambda x: times(x))
    assert float(f(X)) == 6.0
    times.__defaults__ = (3.0,)
    assert float(f(X)) == 9.0


def test_an_attribute_of_a_function():
    def times(x):
        return x * times.rate

    times.rate = 2.0
    f = tf.function(lambda x: times(x))
    assert float(f(X)) == 6.0
    times.rate = 3.0
    assert float(f(X)) == 9.0


def rate_of(module):
    return module.rate_in_a_module


def test_a_module_that_another_function_looks_into(monkeypatch):
    held = types.ModuleType("held_settings")
    held.rate_in_a_module = 2.0
    monkeypatch.setitem(globals(), "held", held)
    f = tf.function(lambda x: x * rate_of(globals_of_test["held"]))
    globals_of_test["held"] = held
    assert float(f(X)) == 6.0
    held.rate_in_a_module = 3.0
    assert float(f(X)) == 9.0


globals_of_test = {}


@pytest.mark.parametrize("kind", [threading.local, type("Local", (threading.local,), {})])
def test_an_attribute_of_a_thread_local_object(kind):
    local = kind()
    local.rate = 2.0
    f = tf.function(lambda x: x * local.rate)
    assert float(f(X)) == 6.0
    local.rate = 3.0
    assert [float(f(X)), count(f)] == [9.0, 2]
    other = []

    def run():
        local.rate = 5.0
        other.append(float(f(X)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [other, float(f(X))] == [[15.0], 9.0]


def test_an_attribute_that_a_thread_local_object_goes_without():
    local = threading.local()

    def rate():
        try:
            return local.rate
        except AttributeError:
            return 1.0

    f = tf.function(lambda x: x * rate())
    assert [float(f(X)), float(f(X)), count(f)] == [3.0, 3.0, 1]
    local.rate = 2.0
    assert [float(f(X)), count(f)] == [6.0, 2]
    other = []
    thread = threading.Thread(target=lambda: other.append(float(f(X))))
    thread.start()
    thread.join()
    assert [other, float(f(X))] == [[3.0], 6.0]


def test_what_only_the_constructor_names_changes_nothing():
    class Model:
        def __init__(self):
            self.history = []

        @tf.function
        def __call__(self, x):
            return Scaled(x).value

    model = Model()
    model(X)
    model.history.append(1)
    model(X)
    assert count(Model.__call__) == 1


def test_a_set_in_another_order_is_the_same(monkeypatch):
    monkeypatch.setitem(globals(), "settings", {0, 8, 16})
    f = tf.function(lambda x: x + float(len(settings)))
    assert float(f(X)) == 6.0
    monkeypatch.setitem(globals(), "settings", {16, 0, 8})
    assert [float(f(X)), count(f)] == [6.0, 1]
    monkeypatch.setitem(globals(), "settings", {16, 0, True})
    assert [float(f(X)), count(f)] == [6.0, 2]


def test_classes_of_a_namespace_without_a_name_belong_to_the_program():
    text = """
class Box:
    def __init__(self, held):
        self.held = held

    @property
    def size(self):
        if self.held > 0:
            return self.held
        return -self.held

    def add(self, x):
        if x > 0:
            self.held = self.held + x
        return self.held

def program(x):
    box = Box(x * 2)
    added = box.add(x - 3)
    return added + box.held, box.size
"""
    space = {}
    autograph.exec(text, space)
    assert space["Box"].__module__ == "builtins"
    run = tf.function(space["program"])
    for x in (5, 2, -4):
        assert [int(each) for each in run(tf.constant(x))] == list(space["program"](x))


class Rates:
    def __init__(self):
        self.rate = 1

    def raise_rate(self):
        self.rate += 1


RATES = Rates()
PROXY = weakref.proxy(RATES)
KEYED = {RATES: 1}
OPTIONS = argparse.Namespace(rate=1, unread=1)


@functools.lru_cache
def cached_rates():
    return {"rate": 1}


@functools.singledispatch
def rate_by_type(value):
    return 1


@pytest.mark.parametrize(
    ("read", "change"),
    [
        (lambda: OPTIONS.rate, lambda: setattr(OPTIONS, "rate", 2)),
        (weakref.ref(RATES), lambda: RATES.raise_rate()),
        (lambda: PROXY, lambda: RATES.raise_rate()),
        (lambda: next(iter(KEYED)), lambda: RATES.raise_rate()),
        (cached_rates, lambda: cached_rates().update(rate=2)),
        (lambda: rate_by_type([]), lambda: rate_by_type.register(list, len)),
        (lambda: len(sys.path), lambda: sys.path.append("/nowhere")),
    ],
)
def test_what_is_read_by_way_of_libraries(read, change, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))

    def number(found):
        if isinstance(found, dict):
            return found["rate"]
        return found if isinstance(found, int) else found.rate

    f = tf.function(lambda x: x * number(read()))
    for _ in range(2):
        assert f(tf.constant(3)).numpy() == 3 * number(read())
        change()


def test_an_option_that_the_function_does_not_read_needs_no_new_graph():
    f = tf.function(lambda x: x * OPTIONS.rate)
    f(tf.constant(3))
    OPTIONS.unread = 5
    f(tf.constant(3))
    assert f.experimental_get_tracing_count() == 1


def test_another_equal_list_in_a_place_outside_is_a_side_effect():
    row, spare = [7, 8], [7, 8]
    held = {"row": row}

    def program(x):
        same = held["row"] is spare
        held["row"] = spare
        return x, same

    with pytest.warns(autograph.SideEffectWarning, match="another list with equal contents"):
        tf.function(program)(tf.constant(1))


HELD = [[0, 0], 1]


def test_a_place_that_an_earlier_trace_wrote_may_be_out_of_reach_of_a_later_one():
    first = HELD[0]

    def program(x):
        row = HELD[0]
        if x > 0:
            row.append(x)
        HELD[0] = x
        return row

    traced = tf.function(program)
    assert [int(each) for each in traced(tf.constant(3))] == [0, 0, 3]
    assert int(traced(tf.constant(-3))) == 3
    assert (int(HELD[0]), [int(each) for each in first]) == (-3, [0, 0, 3])

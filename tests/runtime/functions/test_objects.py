"""Functions as Python objects: copies, pickles, wrappers, methods, caches and threads."""

import copy
import functools
import gc
import inspect
import multiprocessing
import pickle
import threading
import weakref

import pytest

import runtime as tf

X = tf.constant(3.0)


@tf.function
def doubled(x):
    """Twice x."""
    return x * 2.0


tripled = tf.function(lambda x: x * 3.0)


class Model:
    def __init__(self, by):
        self.by = by
        self.scaled_too = tf.function(self.plain)

    @tf.function
    def scaled(self, x):
        return x * self.by

    def plain(self, x):
        return x * self.by


class Stacked:
    @classmethod
    @tf.function
    def of_class(cls, x):
        return x + 1.0

    @staticmethod
    @tf.function
    def of_nothing(x):
        return x + 2.0

    @property
    @tf.function
    def value(self):
        return tf.constant(4.0)


def call(function):
    return float(function(X))


def test_pickled_by_name():
    assert pickle.loads(pickle.dumps(doubled)) is doubled
    assert pickle.loads(pickle.dumps(Model.scaled)) is Model.scaled
    other = pickle.loads(pickle.dumps(tf.function(call, autograph=False)))
    assert other.python_function is call


def test_pickled_with_the_instance():
    class_method = pickle.loads(pickle.dumps(Model(2.0).scaled))
    assert float(class_method(X)) == 6.0


def test_works_in_a_new_process():
    doubled(X)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(call, [doubled, Model(2.0).scaled]) == [6.0, 6.0]


def test_copies_have_graphs_of_their_own():
    doubled(X)
    for other in (copy.copy(doubled), copy.deepcopy(doubled)):
        assert other.experimental_get_tracing_count() == 0
        assert float(other(X)) == 6.0


def test_a_deep_copy_of_an_object_has_functions_of_its_own():
    model = Model(2.0)
    assert float(model.scaled_too(X)) == 6.0
    other = copy.deepcopy(model)
    other.by = 5.0
    assert [float(other.scaled_too(X)), float(other.scaled(X))] == [15.0, 15.0]
    assert [float(model.scaled_too(X)), float(model.scaled(X))] == [6.0, 6.0]


def test_looks_like_the_python_function():
    assert (doubled.__name__, doubled.__doc__) == ("doubled", "Twice x.")
    assert str(inspect.signature(doubled)) == "(x)"
    assert doubled.__wrapped__ is doubled.python_function
    with pytest.raises(TypeError, match="is not a callable"):
        tf.function(3)


def test_wrappers_around_and_inside():
    assert float(functools.partial(doubled, X)()) == 6.0
    assert float(tf.function(functools.partial(lambda x, y: x + y, y=1.0))(X)) == 4.0

    def logged(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args)

        return wrapper

    assert float(logged(doubled)(X)) == 6.0
    assert float(tf.function(logged(lambda x: x + 1.0))(X)) == 4.0


def test_kinds_of_methods():
    assert [float(Stacked.of_class(X)), float(Stacked().of_class(X))] == [4.0, 4.0]
    assert [float(Stacked.of_nothing(X)), float(Stacked().of_nothing(X))] == [5.0, 5.0]
    assert callable(Stacked().value) or float(Stacked().value) == 4.0


def test_bound_methods_share_the_graphs_of_their_instance():
    model, other = Model(2.0), Model(3.0)
    before = Model.scaled.experimental_get_tracing_count()
    for _ in range(3):
        assert float(model.scaled(X)) == 6.0
    assert Model.scaled.experimental_get_tracing_count() == before + 1
    assert float(other.scaled(X)) == 9.0
    assert Model.scaled.experimental_get_tracing_count() == before + 2
    assert model.scaled == model.scaled
    assert model.scaled.__func__ is Model.scaled


def test_an_instance_made_for_one_call():
    assert float(Model(7.0).scaled(X)) == 21.0


def test_instances_go_with_their_last_reference():
    model = Model(2.0)
    del model.scaled_too
    model.scaled(X)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None
    assert float(Model(4.0).scaled(X)) == 12.0


def test_the_cache_says_what_it_holds():
    f = tf.function(lambda n: tf.constant(n))
    for n in (1, 2, 1, 1):
        f(n)
    assert f.cache_info() == (2, 2, 256, 2)
    f.cache_clear()
    assert f.cache_info().currsize == 0
    f(1)
    assert f.cache_info() == (0, 1, 256, 1)


def test_memory_stays_flat():
    f = tf.function(lambda n: tf.constant(n) + 1, autograph=False)

    def objects():
        gc.collect()
        return len(gc.get_objects())

    for n in range(300):
        f(n)
    before = objects()
    for n in range(300, 600):
        f(n)
    assert objects() < before * 1.01


def test_many_first_calls_at_once_record_once():
    traces = []
    f = tf.function(lambda x: traces.append(1) or x + 1.0, autograph=False)
    threads = [threading.Thread(target=f, args=(X,)) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(traces) == 1


def test_two_threads_never_wait_for_each_other_crosswise():
    meeting = threading.Barrier(2)
    results = []

    def make(other):
        def f(first):
            if first:
                meeting.wait(30)
                return other()(False)
            return tf.constant(1)

        return f

    a = tf.function(make(lambda: b), autograph=False)
    b = tf.function(make(lambda: a), autograph=False)
    threads = [threading.Thread(target=lambda f=f: results.append(int(f(True)))) for f in (a, b)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert results == [1, 1]


def test_a_function_called_from_a_python_function_of_a_graph():
    @tf.function
    def inner(x):
        return x * 2.0

    @tf.function
    def outer(x):
        return tf.py_function(lambda t: inner(t) + 1.0, [x], tf.float32)

    assert float(outer(X)) == 7.0

"""Calls that a trace cannot record: a warning in a function, an error in a staged statement."""

import contextvars
import datetime
import functools
import io
import logging
import operator
import os
import queue
import random
import secrets
import time
import uuid
import warnings
from random import randint
from time import time as now

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.errors import FrozenValueWarning

READS = {
    "random.random()": lambda: random.random(),
    "random.randint()": lambda: randint(1, 3),
    "numpy.random.rand()": lambda: np.random.rand(),
    "Generator.normal()": lambda: np.random.default_rng(0).normal(),
    "time.time()": lambda: now(),
    "time.perf_counter()": lambda: time.perf_counter(),
    "datetime.now()": lambda: datetime.datetime.now(),
    "uuid.uuid4()": lambda: uuid.uuid4(),
    "secrets.token_hex()": lambda: secrets.token_hex(),
    "os.getenv()": lambda: os.getenv("HOME"),
    "os.environ.get()": lambda: os.environ.get("HOME"),
    "os.environ.__getitem__()": lambda: os.environ["PATH"],
    "os.environ.__contains__()": lambda: "PATH" in os.environ,
    "open()": lambda: open(FILE, closefd=False),  # noqa: SIM115
    "ContextVar.get()": lambda: VARIABLE.get(None),
    "StringIO.getvalue()": lambda: BUFFER.getvalue(),
    "os.listdir()": lambda: os.listdir("."),
}

FILE = os.open(os.devnull, os.O_RDONLY)
VARIABLE = contextvars.ContextVar("variable")
BUFFER = io.StringIO()
QUEUE = queue.Queue()
cached = functools.lru_cache(abs)
VIEW = memoryview(bytearray(2))

WRITES = {
    "ContextVar.set()": lambda: VARIABLE.set(1),
    "StringIO.write()": lambda: BUFFER.write("a"),
    "Queue.put()": lambda: QUEUE.put(1),
    "os.environ.setdefault()": lambda: os.environ.setdefault("HOME", "no"),
    "info()": lambda: logging.getLogger("test").info("once"),
    "logging.warning()": lambda: logging.warning("once"),
    "cache_clear()": lambda: cached.cache_clear(),
    "os.putenv()": lambda: os.putenv("AUTOGRAPH_TEST", "no"),
}


def traced(f, x=1.0):
    return tf.function(f)(tf.constant(x))


@pytest.mark.parametrize("call", READS)
def test_reading_while_tracing_warns_at_the_line(call):
    read = READS[call]

    def f(x):
        read()
        return x

    with pytest.warns(FrozenValueWarning, match=f"`{call.replace('()', '')}") as caught:
        assert float(traced(f)) == 1.0
    assert {each.filename for each in caught} == {__file__}
    assert read.__code__.co_firstlineno in {each.lineno for each in caught}


@pytest.mark.parametrize("call", [*READS, *WRITES])
@pytest.mark.parametrize("taken", [1.0, -1.0])
def test_effects_in_a_branch_are_refused_by_name(call, taken):
    act = {**READS, **WRITES}[call]

    def f(x):
        if x > 0:
            act()
        return x

    with pytest.raises(TypeError, match=f"`.*{call.replace('()', '')}.*staged statement"):
        traced(f, taken)


@pytest.mark.parametrize("call", [*READS, *WRITES])
def test_effects_in_a_loop_are_refused_by_name(call):
    act = {**READS, **WRITES}[call]

    def f(x):
        i = 0.0
        while i < x:
            i += 1.0
            act()
        return i

    with pytest.raises(TypeError, match=f"`.*{call.replace('()', '')}.*staged statement"):
        traced(f)


def test_effects_in_an_operand_are_refused_by_name():
    def f(x):
        return x > 0 and random.random() > 0.5

    with pytest.raises(TypeError, match=r"`random.random\(\)`"):
        traced(f)


def test_the_error_names_a_remedy():
    def f(x):
        return random.random() if x > 0 else 0.0

    with pytest.raises(TypeError, match=r"runtime.random.*argument.*runtime.py_function"):
        traced(f)


def test_a_store_that_cannot_be_undone_is_refused_by_name():
    def f(x):
        view = VIEW
        if x > 0:
            view[0] = 1
        return x

    with pytest.raises(TypeError, match="`memoryview`"):
        traced(f)
    assert bytes(VIEW) == b"\0\0"


NAMES_OF_MODULE = globals()
STORES = {
    "item": lambda: NAMES_OF_MODULE.__setitem__("made_here", 1),
    "update": lambda: globals().update(made_here=1),
    "setdefault": lambda: NAMES_OF_MODULE.setdefault("made_here", 1),
    "pop": lambda: globals().pop("READS"),
    "operator": lambda: operator.setitem(globals(), "made_here", 1),
    "in place": lambda: operator.ior(globals(), {"made_here": 1}),
    "bound before": NAMES_OF_MODULE.update,
    "partial": functools.partial(NAMES_OF_MODULE.update, made_here=1),
}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("taken", [1.0, -1.0])
def test_names_stored_through_globals_in_a_branch_are_refused(store, taken):
    act = STORES[store]

    def f(x):
        if x > 0:
            act()
        return x

    with pytest.raises(TypeError, match=r"`globals\(\)`.*staged statement"):
        traced(f, taken)
    assert "made_here" not in globals()
    assert "READS" in globals()


def test_a_dict_with_names_of_its_own_is_not_that_of_a_module():
    def f(x):
        names = {"__name__": 1}
        if x > 0:
            names.update(made=2)
        return names.get("made", 0)

    assert [int(traced(f, x)) for x in (1.0, -1.0)] == [2, 0]


def test_writes_outside_staged_statements_happen_once():
    buffer = io.StringIO()

    @tf.function
    def f(x):
        buffer.write("traced")
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(tf.constant(1.0))
        f(tf.constant(2.0))
    assert buffer.getvalue() == "traced"


@pytest.mark.parametrize("call", READS)
def test_converted_code_that_traces_nothing_reads_as_python_does(call):
    read = autograph.to_graph(READS[call])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read()


def test_a_branch_that_python_decides_reads_as_python_does():
    def f(x):
        if x > 0:
            return random.random()
        return 0.0

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 0 <= autograph.to_graph(f)(1) < 1


def test_a_function_in_py_function_reads_at_each_run():
    @tf.function
    def f(x):
        if x > 0:
            return tf.py_function(random.random, [], tf.float32)
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(f(tf.constant(1.0))) != float(f(tf.constant(1.0)))


def test_a_module_of_the_program_with_a_known_name_is_not_meant():
    def random():
        return 4.0

    random.__module__, random.__qualname__ = "time", "time"

    def f(x):
        return x + random() if x > 0 else x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(traced(f)) == 5.0


def test_functions_that_only_compute_stay_silent():
    def f(x):
        if x > 0:
            x = x + os.path.join("a", "b").count("a") + np.sum([1, 2])
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(traced(f)) == 5.0

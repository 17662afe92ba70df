"""How programs take part in the making of variables, and counters."""

import inspect
import subprocess
import sys
import threading

import pytest

import runtime as tf

v1 = tf.compat.v1


def renaming(prefix, log=None):
    def create(next_creator, **kwargs):
        if log is not None:
            log.append(prefix)
        return next_creator(**{**kwargs, "name": f"{prefix}{kwargs['name']}"})

    return create


def test_a_creator_changes_the_arguments():
    with tf.variable_creator_scope(renaming("x")):
        assert tf.Variable(1.0, name="v").name == "xv:0"
    assert tf.Variable(1.0, name="v").name == "v:0"


def test_a_creator_gets_every_argument_by_name():
    found = {}

    def create(next_creator, **kwargs):
        found.update(kwargs)
        return next_creator(**kwargs)

    with tf.variable_creator_scope(create):
        tf.Variable(1.0, False)
    assert (found["initial_value"], found["trainable"], found["dtype"]) == (1.0, False, None)
    assert {"name", "shape", "constraint", "synchronization", "aggregation"} <= set(found)


def test_the_arguments_of_variables_are_shown():
    parameters = list(inspect.signature(tf.Variable).parameters)
    assert parameters[:3] == ["initial_value", "trainable", "validate_shape"]

    class Own(tf.Variable):
        def __init__(self, start):
            super().__init__(start, name="own")

    assert list(inspect.signature(Own).parameters) == ["start"]


def test_the_innermost_creator_is_asked_first():
    log = []
    with (
        tf.variable_creator_scope(renaming("a", log)),
        tf.variable_creator_scope(renaming("b", log)),
    ):
        assert tf.Variable(1.0, name="v").name == "abv:0"
    assert log == ["b", "a"]


def test_a_creator_may_give_something_else():
    with tf.variable_creator_scope(lambda next_creator, **kwargs: kwargs["initial_value"] * 2):
        assert tf.Variable(3) == 6


def test_classes_derived_from_variables_are_not_asked_for():
    class Own(tf.Variable):
        pass

    with tf.variable_creator_scope(renaming("x")):
        assert Own(1.0, name="v").name == "v:0"


def test_other_threads_are_not_asked():
    names = []
    with tf.variable_creator_scope(renaming("x")):
        thread = threading.Thread(target=lambda: names.append(tf.Variable(1.0, name="v").name))
        thread.start()
        thread.join()
    assert names == ["v:0"]


def test_creators_end_with_an_error():
    with pytest.raises(KeyError), tf.variable_creator_scope(renaming("x")):
        raise KeyError
    assert tf.Variable(1.0, name="v").name == "v:0"


def test_creators_are_asked_in_functions_and_around_them():
    log, held = [], []

    @tf.function
    def f():
        with tf.variable_creator_scope(renaming("inner", log)):
            if not held:
                held.append(tf.Variable(1.0, name="v"))
        return held[0] + 1.0

    with tf.variable_creator_scope(renaming("outer", log)):
        assert f() == 2.0
    assert log == ["inner", "outer"]
    assert held[0].name == "outerinnerv:0"


def test_creators_are_asked_in_graphs_built_by_hand():
    with tf.Graph().as_default(), v1.variable_creator_scope(renaming("x")):
        assert tf.Variable(1.0, name="v").name == "xv:0"
        assert v1.get_variable("w", [2]).name == "xw:0"


def test_a_variable_outside_of_sessions_is_not_evaluated():
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        tf.Variable(1.0).eval()
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable(1.0)
        session.run(v.initializer)
        assert v.eval() == 1.0


def test_the_first_name_of_version_1_that_a_program_needs_may_be_a_variable():
    program = (
        "import runtime as tf\n"
        "with tf.Graph().as_default():\n"
        "    print(type(tf.Variable(1.0).initializer).__name__)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("Operation\n", "")

"""Parts of a program that only one thread runs at a time."""

import threading
import time

import pytest

import runtime as tf

v1 = tf.compat.v1


def test_it_gives_what_the_function_gives():
    section = tf.CriticalSection(name="s")
    assert section.name == "s"
    v = tf.Variable(1)
    assert section.execute(lambda: v.assign_add(1)) == 2
    found = section.execute(lambda: {"a": tf.constant(1), "b": [2.0, None]})
    assert (int(found["a"]), float(found["b"][0]), found["b"][1]) == (1, 2.0, None)


@pytest.mark.parametrize("engine", ["plan", "interpreter"])
def test_it_gives_the_same_in_a_function(engine):
    section, v = tf.CriticalSection(), tf.Variable(1)

    @tf.function
    def f(x):
        return section.execute(lambda: {"v": v.assign_add(x).read_value(), "n": None})

    tf.config.experimental.set_engine(engine)
    try:
        assert [f(2), f(3)] == [{"v": 3, "n": None}, {"v": 6, "n": None}]
    finally:
        tf.config.experimental.set_engine("plan")


def test_a_session_runs_it():
    with tf.Graph().as_default(), v1.Session() as session:
        section, v = tf.CriticalSection(), tf.Variable(0.0)
        result = section.execute(lambda: v.assign_add(1.0).read_value(), name="step")
        assert result.op.name == "step"
        session.run(v.initializer)
        assert [session.run(result), session.run(result)] == [1.0, 2.0]


def most_at_once(sections, staged):
    """How many of these sections are run at the same time by threads of their own."""
    inside, most = [], []

    def work():
        inside.append(1)
        time.sleep(0.02)
        most.append(len(inside))
        inside.pop()
        return 0

    def run(section):
        return section.execute(lambda: tf.numpy_function(work, [], tf.int64))

    calls = [tf.function(run) if staged else run for _ in sections]
    threads = [
        threading.Thread(target=call, args=[section])
        for call, section in zip(calls, sections, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(most)


@pytest.mark.parametrize("staged", [False, True])
def test_only_one_thread_is_in_it(staged):
    section = tf.CriticalSection()
    assert most_at_once([section] * 4, staged) == 1


@pytest.mark.parametrize("staged", [False, True])
def test_sections_of_one_shared_name_are_one(staged):
    shared = [tf.CriticalSection(shared_name="shared") for _ in range(3)]
    assert most_at_once(shared, staged) == 1


def test_other_sections_do_not_wait():
    first, second = tf.CriticalSection(), tf.CriticalSection()
    assert first.execute(lambda: second.execute(lambda: 3)) == 3


def test_it_is_refused_in_itself():
    section = tf.CriticalSection()

    def twice():
        return section.execute(lambda: section.execute(lambda: 1))

    for run in (twice, tf.function(twice)):
        with pytest.raises(ValueError, match="Attempting to lock a CriticalSection"):
            run()
    assert section.execute(lambda: 1) == 1
    inner = tf.function(lambda: section.execute(lambda: 1))
    with pytest.raises(ValueError, match="Attempting to lock a CriticalSection"):
        section.execute(inner)


def test_an_error_opens_it_again():
    section = tf.CriticalSection()

    @tf.function
    def f(x):
        return section.execute(lambda: tf.debugging.check_numerics(x, "bad"))

    with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
        f(tf.constant(float("nan")))
    assert f(tf.constant(1.0)) == 1.0


def test_arguments_that_are_refused():
    with pytest.raises(TypeError, match="Expected string for argument 'shared_name' not 3"):
        tf.CriticalSection(shared_name=3)
    with pytest.raises(tf.errors.UnimplementedError):
        tf.CriticalSection(import_scope="a")


def test_it_is_not_written_to_a_graph_definition():
    section = tf.CriticalSection()
    graph = tf.function(lambda x: section.execute(lambda: x + 1)).get_concrete_function(1).graph
    with pytest.raises(tf.errors.UnimplementedError, match=r"LockedCall.* cannot be written"):
        graph.as_graph_def()

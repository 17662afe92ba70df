"""Graphs built by hand and run by a Session."""

import collections
import threading

import numpy as np
import pytest

import runtime as tf
from runtime.engines.engine import set_engine

v1 = tf.compat.v1


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def session(graph):
    with v1.Session() as session:
        yield session


def test_a_program_of_version_1():
    g = tf.Graph()
    with g.as_default():
        a = tf.constant([[10, 10], [11.0, 1.0]])
        x = tf.constant([[1.0, 0.0], [0.0, 1.0]])
        b = tf.Variable(12.0)
        y = tf.matmul(a, x) + b
        init_op = v1.global_variables_initializer()
        with v1.Session() as sess:
            sess.run(init_op)
            np.testing.assert_array_equal(sess.run(y), [[22, 22], [23, 13]])


def test_names_of_version_1_and_of_both(session):
    assert v1.matmul is tf.matmul
    with pytest.raises(AttributeError):
        print(v1.nothing_of_this_name)


def test_fetches_keep_their_structure(session):
    x = tf.constant(1.0, name="x")
    Pair = collections.namedtuple("Pair", "a b")
    found = session.run({"p": Pair(x, [x, "x:0"]), "op": (x.op, "x"), "none": []})
    assert found == {"p": Pair(1.0, [1.0, 1.0]), "op": (None, None), "none": []}
    assert isinstance(found["p"], Pair)
    assert type(found["p"].a) is np.float32


def test_results_are_copies(session):
    v = tf.Variable([1.0, 2.0])
    session.run(v.initializer)
    session.run(v)[0] = 9.0
    given = np.float32([5, 6])
    x = v1.placeholder(tf.float32, [2])
    session.run(v.assign(x), {x: given})
    given[0] = 0.0
    np.testing.assert_array_equal(session.run(v), [5, 6])


def test_only_what_is_needed_runs(session, capsys):
    x = v1.placeholder(tf.float32)
    y = tf.constant(2.0)
    tf.print("not asked for")
    with tf.control_dependencies([tf.constant(1)]):
        v = tf.Variable(1.0)
    v.assign_add(1.0)
    session.run(v.initializer)
    assert session.run(y) == 2.0
    assert session.run(v) == 1.0
    assert capsys.readouterr().err == ""
    with pytest.raises(tf.errors.InvalidArgumentError, match="must feed a value"):
        session.run(x + y)


def test_control_inputs_run_first(session):
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.assign_add(1.0)]):
        after = v.read_value()
    session.run(v.initializer)
    assert session.run(after) == 2.0
    assert session.run([after, after]) == [3.0, 3.0]


@pytest.mark.parametrize("engine", ["plan", "interpreter"])
def test_effects_happen_in_the_order_in_which_they_were_made_on_every_engine(session, engine):
    v = tf.Variable(1.0)
    step = v.assign_add(2.0)
    set_engine(engine)
    try:
        session.run(v.initializer)
        assert session.run([step, v]) == [3.0, 1.0]
    finally:
        set_engine("plan")
    assert session.run(step) == 5.0


def test_feeds(session):
    x = v1.placeholder(tf.float32, [None], name="x")
    y = x * 2.0
    z = y + 1.0
    np.testing.assert_array_equal(session.run(z, {x: [1, 2]}), [3, 5])
    np.testing.assert_array_equal(session.run(z, {"x:0": np.float64([1])}), [3])
    np.testing.assert_array_equal(session.run(z, {y: [10.0]}), [11])
    np.testing.assert_array_equal(session.run([x, z], {x: [1.0], y: [7.0]})[1], [8])
    np.testing.assert_array_equal(session.run(z, {x.ref(): [1.0]}), [3])
    np.testing.assert_array_equal(session.run((y, z), {(x,): ([1.0],)})[0], [2])


def test_variables_are_fed_and_fetched(session):
    v = tf.Variable(3.0)
    with pytest.raises(tf.errors.FailedPreconditionError):
        session.run(v)
    assert session.run(v, {v: 4.0}) == 4.0
    value = v.value()
    assert session.run(value + 1.0, {value: 4.0}) == 5.0
    session.run(v.initializer)
    assert session.run([v, (v,)]) == [3.0, (3.0,)]


def test_texts_are_fed(session):
    x = v1.placeholder(tf.string, [None])
    assert session.run(x, {x: ["a", b"b"]}).tolist() == [b"a", b"b"]
    assert session.run(tf.constant("a")) == b"a"


def test_placeholder_with_default(session):
    x = v1.placeholder_with_default([1.0], [None])
    np.testing.assert_array_equal(session.run(x + 1.0), [2])
    np.testing.assert_array_equal(session.run(x + 1.0, {x: [2, 3]}), [3, 4])
    with pytest.raises(tf.errors.InvalidArgumentError):
        v1.placeholder_with_default([1.0], [2])


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ([1.0, 2.0], ValueError, r"Cannot feed value of shape \(2,\) for Tensor p:0, which has s"),
        ([["a", "b"]], ValueError, "could not convert string to float"),
        ([[1.0], [1.0, 2.0]], ValueError, "inhomogeneous"),
    ],
)
def test_values_that_cannot_be_fed(session, value, error, text):
    p = v1.placeholder(tf.float32, [None, 2], name="p")
    with pytest.raises(error, match=text):
        session.run(p, {p: value})


def test_tensors_and_large_numbers_cannot_be_fed(session):
    p = v1.placeholder(tf.int32, [])
    with pytest.raises(TypeError, match=r"The value of a feed cannot be a tf\.Tensor object"):
        session.run(p, {p: p + 1})
    with pytest.raises(TypeError, match="is not compatible with Tensor type"):
        session.run(p, {p: 2**40})


def test_keys_that_cannot_be_fed(session):
    p = v1.placeholder(tf.float32)
    for key, text in (
        ("zzz:0", "'zzz' refers to an Operation not in the graph"),
        (3, "Can not convert a int into a Tensor"),
        (p.op, "is an Operation"),
    ):
        with pytest.raises(TypeError, match=f"Cannot interpret feed_dict key as Tensor.*{text}"):
            session.run(p, {key: 1.0})
    with pytest.raises(TypeError, match="dictionary"):
        session.run(p, 5)


@pytest.mark.parametrize(
    ("fetch", "error", "text"),
    [
        (None, TypeError, 'Argument `fetch` = None has invalid type "NoneType". Cannot be None'),
        (3, TypeError, 'Argument `fetch` = 3 has invalid type "int" must be a string or Tensor'),
        ("zzz", ValueError, "Argument `fetch` = zzz cannot be interpreted as a Tensor"),
    ],
)
def test_what_cannot_be_fetched(session, fetch, error, text):
    tf.constant(1.0)
    with pytest.raises(error, match=text):
        session.run(fetch)


def test_tensors_of_other_graphs_cannot_be_fetched(session):
    tf.constant(1.0)
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    with pytest.raises(ValueError, match="is not an element of this graph"):
        session.run(other)


def test_placeholders_that_are_not_fed_are_named(session):
    p = v1.placeholder(tf.float32, [None, 2])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(p * 2.0)
    text = caught.value.message
    assert "for placeholder tensor 'Placeholder' with dtype float and shape [?,2]" in text
    assert "test_session.py" in text


def test_variables_that_are_not_initialised_are_named(session):
    v = tf.Variable(1.0, name="weight")
    with pytest.raises(tf.errors.FailedPreconditionError) as caught:
        session.run(v + 1.0)
    assert "Could not find variable weight" in caught.value.message
    assert "global_variables_initializer" in caught.value.message
    session.run(v1.global_variables_initializer())
    assert session.run(v + 1.0) == 2.0


def test_each_session_has_values_of_its_own():
    v = tf.Variable(1.0)
    step = v.assign_add(1.0)
    with v1.Session() as one, v1.Session() as other:
        for session in (one, other):
            session.run(v.initializer)
        one.run(step)
        assert (one.run(v), other.run(v)) == (2.0, 1.0)


def test_assignments_give_the_new_value(session):
    v = tf.Variable([1.0, 2.0])
    session.run(v.initializer)
    np.testing.assert_array_equal(session.run(v.assign([3.0, 4.0])), [3, 4])
    np.testing.assert_array_equal(session.run(v.assign_add([1.0, 1.0])), [4, 5])
    np.testing.assert_array_equal(session.run(v.assign_sub([2.0, 2.0]) * 2.0), [4, 6])
    assert session.run(v.assign([0.0, 0.0], read_value=False)) is None
    np.testing.assert_array_equal(session.run(v), [0, 0])
    np.testing.assert_array_equal(v.eval(), [0, 0])


def test_assignments_that_do_not_fit():
    v = tf.Variable(1.0)
    with pytest.raises(ValueError, match="Shape mismatch"):
        v.assign([1.0, 2.0])
    with pytest.raises((TypeError, ValueError)):
        v.assign("text")
    with pytest.raises(NotImplementedError, match="only available when eager execution"):
        v.numpy()
    with pytest.raises(ValueError, match="initial value"):
        tf.Variable()


def test_names_of_a_variable(graph):
    v = tf.Variable(1.0)
    w = tf.Variable(lambda: tf.constant(2.0), name="w")
    assert [op.name for op in graph.get_operations()] == [
        "Variable/Initializer/initial_value",
        "Variable",
        "Variable/IsInitialized/VarIsInitializedOp",
        "Variable/Assign",
        "Variable/Read/ReadVariableOp",
        "w/Initializer/Const",
        "w",
        "w/IsInitialized/VarIsInitializedOp",
        "w/Assign",
        "w/Read/ReadVariableOp",
    ]
    assert (v.name, w.op.type, w.initializer.name) == ("Variable:0", "VarHandleOp", "w/Assign")
    assert repr(v) == "<tf.Variable 'Variable:0' shape=() dtype=float32>"
    assert repr(v.assign(2.0)) == "<tf.Variable 'AssignVariableOp' shape=() dtype=float32>"


def test_variables_of_a_graph():
    v = tf.Variable(1.0)
    step = tf.Variable(1.0, trainable=False)
    assert [id(each) for each in v1.global_variables()] == [id(v), id(step)]
    assert [id(each) for each in v1.trainable_variables()] == [id(v)]


def test_a_variable_that_starts_from_another(session):
    v = tf.Variable(2.0)
    w = tf.Variable(v * 3.0)
    session.run(v.initializer)
    session.run(w.initializer)
    assert session.run(w) == 6.0


def test_functions_read_and_change_variables_of_the_graph(session):
    v = tf.Variable(1.0)

    @tf.function
    def grow(x):
        v.assign_add(x)
        return v + x

    y = grow(tf.constant(2.0))
    session.run(v.initializer)
    assert session.run(y) == 5.0
    assert session.run(v) == 3.0


def test_variables_from_outside_are_used_as_they_are(graph):
    def work():
        outside = tf.Variable(5.0)
        with tf.Graph().as_default(), v1.Session() as session:
            doubled, step = outside * 2.0, tf.function(lambda: outside.assign_add(1.0))()
            assert session.run(doubled) == 10.0
            session.run(step)
            assert session.run(doubled) == 12.0
        assert outside.numpy() == 6.0

    in_a_thread(work)


def test_control_flow_in_a_graph(session):
    n = v1.placeholder(tf.int32, [])
    chosen = tf.cond(n > 1, lambda: n * 10, lambda: n - 10)
    (counted,) = tf.while_loop(lambda i: i < 10, lambda i: (i + 3,), (n,))
    assert session.run([chosen, counted], {n: 5}) == [50, 11]
    assert session.run([chosen, counted], {n: 0}) == [-10, 12]


def test_errors_name_the_line_that_made_the_operation(session):
    p = v1.placeholder(tf.int32, [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero") as caught:
        session.run(p // 0, {p: 1})
    assert "test_session.py" in caught.value.message
    assert "operation floordiv" in caught.value.message


def test_eval_and_run_use_the_default_session(session):
    x = v1.placeholder(tf.float32)
    v = tf.Variable(1.0)
    assert (x + 1.0).eval({x: 1.0}) == 2.0
    v.initializer.run()
    assert v.eval() == 1.0
    assert v1.get_default_session() is session


def test_eval_without_a_session():
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match=r"Cannot evaluate tensor using `eval\(\)`: No default s"):
        x.eval()
    with pytest.raises(ValueError, match=r"Cannot execute operation using `run\(\)`: No default"):
        x.op.run()
    assert x.eval(session=v1.Session()) == 1.0
    assert v1.get_default_session() is None


def test_sessions_that_run_nothing(graph):
    session = v1.Session()
    with pytest.raises(RuntimeError, match="The Session graph is empty"):
        session.run("x")
    x = tf.constant(1.0)
    assert session.run(x) == 1.0
    session.close()
    session.close()
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
        session.run(x)
    with pytest.raises(tf.errors.InvalidArgumentError):
        v1.Session("grpc://somewhere")


def test_operations_added_later_run_too(session):
    x = tf.constant(1.0)
    assert session.run(x) == 1.0
    assert session.run(x + 1.0) == 2.0
    assert session.graph_def.node[0].name == "Const"


def test_checks_and_prints_run_if_they_are_asked_for(session, capsys):
    x = v1.placeholder(tf.float32, [])
    shown = tf.print("x is", x)
    checked = tf.debugging.Assert(x > 0.0, ["not positive"])
    with tf.control_dependencies([shown, checked]):
        y = tf.identity(x)
    assert session.run(x + 1.0, {x: -1.0}) == 0.0
    assert capsys.readouterr().err == ""
    assert session.run(y, {x: 2.0}) == 2.0
    assert session.run(shown, {x: 3.0}) is None
    assert capsys.readouterr().err == "x is 2\nx is 3\n"
    with pytest.raises(tf.errors.InvalidArgumentError, match="not positive"):
        session.run(y, {x: -1.0})


def test_groups(session):
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    session.run([v.initializer, w.initializer])
    assert session.run(v1.group(v.assign(5.0), w.assign(6.0))) is None
    assert session.run([v, w]) == [5.0, 6.0]


def test_sessions_in_threads():
    x = v1.placeholder(tf.float32)
    y = x * 2.0
    session, found = v1.Session(), []

    def work(number):
        found.append((number, session.run(y, {x: number})))

    threads = [threading.Thread(target=work, args=(float(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(float(n), 2.0 * n) for n in range(8)]


def in_a_thread(work):
    """Runs outside of the graph that the tests of this module build."""
    failures = []

    def guarded():
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


def test_placeholders_need_a_graph():
    def work():
        with pytest.raises(RuntimeError, match=r"tf.placeholder\(\) is not compatible with eager"):
            v1.placeholder(tf.float32)

    in_a_thread(work)


def test_the_graph_of_the_process():
    def work():
        v1.disable_eager_execution()
        try:
            assert not tf.executing_eagerly()
            x = tf.constant(1.0)
            assert x.graph is v1.get_default_graph()
            assert v1.Session().run(x + 1.0) == 2.0
            v1.reset_default_graph()
            assert v1.get_default_graph() is not x.graph
            assert v1.get_default_graph().get_operations() == []
            with tf.Graph().as_default():
                with pytest.raises(AssertionError, match="clear nested graphs"):
                    v1.reset_default_graph()
                with pytest.raises(ValueError, match="must be called at program startup"):
                    v1.enable_eager_execution()
        finally:
            v1.enable_eager_execution()
        assert tf.executing_eagerly()

    in_a_thread(work)

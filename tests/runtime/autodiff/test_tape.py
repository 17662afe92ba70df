"""`GradientTape`: what it notes, and that gradients are the same however a program runs."""

import sys

import numpy as np
import pytest

import runtime as tf
from runtime.core.opdef import FLOAT, OpDef
from runtime.ops.base import rules
from runtime.ops.base.define import Op

WEIGHT = tf.Variable(1.5)


def chosen(x, y):
    z = tf.sin(y) * x
    if x > 0:
        z = x * x * y
    return z


def iterated(x, w):
    i = 0
    while i < tf.constant(5):
        x = tf.tanh(x * w) + x
        i += 1
    return x


def over_rows(xs, w):
    s = tf.constant(0.0)
    for x in xs:
        s = s * w + x * x if x > 0 else s - x
    return s


def until_large(x):
    while x < 100.0:
        x = x * x
    return x


def arrays(xs):
    ta = tf.TensorArray(tf.float32, 3)
    for i in tf.range(3):
        ta = ta.write(i, xs[i] ** 2)
    s = 0.0
    for i in tf.range(3):
        s = s + ta.read(i) * s + ta.read(2 - i)
    return tf.reduce_sum(ta.stack() ** 2 * tf.constant([1.0, 2.0, 3.0])) + s


def loop_in_loop(x):
    s = 0.0
    for i in tf.range(3):
        for j in tf.range(i + 1):
            s = s + x * tf.cast(j + 1, tf.float32) * s + x
    return s


def growing_list(x):
    out = []
    for i in tf.range(4):
        if x * 3.0 > 1.0:
            out.append(x * tf.cast(i, tf.float32))
        else:
            out.append(x)
    return tf.reduce_sum(tf.stack(out) ** 2)


def mapped(x):
    rows = tf.map_fn(lambda v: v * v * x[0], x)
    return tf.reduce_sum(rows) + tf.reduce_sum(tf.scan(lambda a, v: a * v + 1.0, x))


def with_a_variable(x):
    for _ in tf.range(3):
        x = x * WEIGHT + WEIGHT * WEIGHT
    return x


def call_in_a_loop(x, n):
    @tf.function
    def inner(a, b):
        if a > b:
            return a * b
        return a * a + b

    for _ in tf.range(3):
        x = inner(x, n) * 0.1
    return x


def early_exits(x):
    while True:
        x = x * 1.5
        if x > 10.0:
            break
        if x < 0.0:
            return x
    return x * x


def one_of_three(x):
    functions = [lambda: x * x, lambda: x**3, lambda: tf.sin(x)]
    return tf.switch_case(tf.cast(x, tf.int32), functions)


def rows_taken(table, x):
    rows = tf.gather(table, [0, 2, 0])
    if x > 0:
        rows = rows * x
    return tf.reduce_sum(rows**2)


PROGRAMS = [
    (chosen, 2.0, 3.0),
    (chosen, -2.0, 3.0),
    (iterated, 0.5, 0.3),
    (over_rows, [1.0, -2.0, 3.0], 0.7),
    (until_large, 1.5),
    (until_large, 150.0),
    (arrays, [1.0, 0.5, -1.0]),
    (loop_in_loop, 0.5),
    (growing_list, 1.3),
    (growing_list, 0.1),
    (mapped, [1.0, 2.0, 3.0]),
    (with_a_variable, 0.5),
    (call_in_a_loop, 1.0, 2.0),
    (early_exits, 1.0),
    (early_exits, -1.0),
    (one_of_three, 0.5),
    (one_of_three, 1.5),
    (one_of_three, 7.5),
    (rows_taken, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 0.5),
    (rows_taken, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], -0.5),
]


def first_and_second(function):
    """From a function to one that gives its gradients, and those of the sum of their squares."""

    def both(*xs):
        with tf.GradientTape() as outer:
            outer.watch(xs)
            with tf.GradientTape() as inner:
                inner.watch(xs)
                y = function(*xs)
            first = inner.gradient(y, xs, unconnected_gradients="zero")
            total = tf.add_n([tf.reduce_sum(tf.convert_to_tensor(each) ** 2) for each in first])
        second = outer.gradient(total, xs, unconnected_gradients="zero")
        return [tf.convert_to_tensor(each) for each in (*first, *second)]

    return both


@pytest.mark.parametrize(("program", "values"), [(p, v) for p, *v in PROGRAMS])
def test_gradients_are_the_same_however_a_program_runs(program, values):
    xs = [tf.constant(value) for value in values]
    eager = first_and_second(program)(*xs)
    inside = tf.function(first_and_second(program))(*xs)
    across = first_and_second(tf.function(program))(*xs)
    both = tf.function(first_and_second(tf.function(program)))(*xs)
    for other in (inside, across, both):
        for a, b in zip(eager, other, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize(("program", "values"), [(p, v) for p, *v in PROGRAMS])
def test_gradients_agree_with_finite_differences(program, values):
    xs = [tf.constant(value) for value in values]
    run = tf.function(program)
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = run(*xs)
    made = tape.gradient(y, xs, unconnected_gradients="zero")
    for i, gradient in enumerate(made):
        exact = tf.convert_to_tensor(gradient).numpy()
        for place in np.ndindex(exact.shape):
            sides = []
            for step in (1e-2, -1e-2):
                moved = np.array(values[i], np.float32)
                moved[place] += step
                sides.append(float(run(*xs[:i], tf.constant(moved), *xs[i + 1 :])))
            numeric = (sides[0] - sides[1]) / 2e-2
            assert exact[place] == pytest.approx(numeric, rel=0.03, abs=0.02)


def watched(value, **options):
    x = tf.constant(value)
    tape = tf.GradientTape(**options)
    return x, tape


def test_variables_are_arguments_of_functions_too():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.function(lambda held: held * held)(v)
    assert float(tape.gradient(y, v)) == 6.0


def test_what_a_variable_is_assigned_on_the_way_counts():
    v = tf.Variable(3.0)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = v * x
        v.assign(10.0)
        y = y + v * x
    assert [float(each) for each in tape.gradient(y, [v, x])] == [4.0, 13.0]


def test_a_tape_is_asked_once():
    x, tape = watched(3.0)
    with tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="one set of gradients"):
        tape.gradient(y, x)


def test_a_persistent_tape_is_asked_as_often_as_one_likes():
    x, tape = watched(3.0, persistent=True)
    with tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert [float(tape.gradient(target, x)) for target in (z, y, z)] == [108.0, 6.0, 108.0]


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_a_persistent_tape_takes_gradients_of_gradients_inside(run, caplog):
    def program(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.function(lambda v: v**4)(x)
            slope = tape.gradient(y, x)
            return slope, tape.gradient(slope, x)

    assert [float(each) for each in run(program)(tf.constant(1.5))] == [13.5, 27.0]
    assert "persistent tape inside its context" in caplog.text


def test_weights_of_a_target_have_its_shape_or_are_scalars():
    x = tf.Variable([1.0, 2.0])
    for weight in (3.0, [3.0, 3.0]):
        with tf.GradientTape() as tape:
            y = tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], x)
        gradient = tape.gradient(y, x, output_gradients=tf.constant(weight))
        assert gradient.numpy().tolist() == [12.0, 18.0]
    for target, shape in ((y, r"\(3,\)"), (tf.reduce_sum(y), r"\(3,\)")):
        with tf.GradientTape() as tape:
            target = target + tf.reduce_sum(x)
        with pytest.raises(ValueError, match=f"`output_gradients` has shape {shape}, and the tar"):
            tape.gradient(target, x, output_gradients=tf.ones([3]))


def test_reset_outside_of_the_tape_is_an_error():
    with pytest.raises(ValueError, match=r"Tape is not recording\. Call reset inside"):
        tf.GradientTape().reset()


def test_reset_forgets_all():
    x, tape = watched(3.0)
    with tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        z = x * x
    assert tape.gradient([y, z], x) is None


def test_targets_are_added_and_weighted():
    x, tape = watched([1.0, 2.0], persistent=True)
    with tape:
        tape.watch(x)
        y, z = x * x, 3.0 * x
    assert tape.gradient([y, z], x).numpy().tolist() == [5.0, 7.0]
    weights = {"y": tf.constant([1.0, 0.0]), "z": None}
    assert tape.gradient({"y": y, "z": z}, x, weights).numpy().tolist() == [5.0, 3.0]


def test_sources_may_be_any_structure():
    x, tape = watched(3.0)
    v = tf.Variable(2.0)
    with tape:
        tape.watch(x)
        y = x * v
    made = tape.gradient(y, {"x": x, "rest": (v, [x])})
    assert float(made["x"]) == 2.0
    assert [float(made["rest"][0]), float(made["rest"][1][0])] == [3.0, 2.0]


def test_a_variable_as_target_and_source_has_the_gradient_one():
    v, w = tf.Variable([2.0, 3.0]), tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        w.assign(tf.reduce_sum(v * v))
    assert tape.gradient(v, v).numpy().tolist() == [1.0, 1.0]
    assert tape.gradient(w, v) is None


def test_what_is_not_connected_is_none_or_zero():
    x, tape = watched([1.0, 2.0], persistent=True)
    with tape:
        tape.watch(x)
        y = tf.constant(1.0)
    assert tape.gradient(y, x) is None
    zero = tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    assert zero.numpy().tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="UnconnectedGradients"):
        tape.gradient(y, x, unconnected_gradients="nothing")


def test_integers_have_no_gradient_and_a_warning(caplog):
    n, tape = watched(3)
    with tape:
        tape.watch(n)
        y = n * n
    assert tape.gradient(y, n) is None
    assert "must be floating" in caplog.text


def test_texts_have_no_gradient_and_leave_that_of_other_targets():
    x, tape = watched(3.0, persistent=True)
    with tape:
        tape.watch(x)
        y, text = x * x, tf.strings.as_string(x)
    assert tape.gradient(text, x) is None
    assert tape.jacobian(text, x) is None
    assert tape.gradient([text, y], x).numpy() == 6.0


@pytest.mark.parametrize("what", [3.0, "text", None, np.ones(2)])
def test_only_tensors_and_variables_are_watched_and_are_sources(what):
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="Passed in object"):
        tape.watch(what)
    with pytest.raises(ValueError, match="Passed in object"):
        tape.gradient(tf.constant(1.0), what)


@pytest.mark.parametrize("persistent", [False, True])
def test_a_tape_outside_of_with_has_recorded_nothing(persistent):
    tape, x = tf.GradientTape(persistent=persistent), tf.Variable(2.0)
    with pytest.raises(RuntimeError, match=r"recorded nothing\. Compute inside of `with"):
        tape.gradient(x * x, x)


def test_a_number_of_numpy_as_target_is_to_be_computed_by_operations():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x.numpy() ** 2
    with pytest.raises(ValueError, match=r"Compute it by operations on tensors, without NumPy"):
        tape.gradient(y, x)


def test_a_tape_is_entered_once_at_a_time():
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="still recording"), tape:
        pass


def test_rows_taken_from_a_variable_have_rows_as_gradient():
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    def slope():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [2, 0, 2]) * 2.0)
        return tape.gradient(y, table)

    for made in (slope(), tf.function(slope)()):
        assert isinstance(made, tf.IndexedSlices)
        assert made.indices.numpy().tolist() == [2, 0, 2]
        assert tf.convert_to_tensor(made).numpy().tolist() == [[2.0, 2.0], [0.0, 0.0], [4.0, 4.0]]


def test_rows_and_whole_gradients_are_added():
    table = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [1])) + tf.reduce_sum(table) + tf.gather(table, 0)
    assert tf.convert_to_tensor(tape.gradient(y, table)).numpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_jacobians(run):
    def program(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.stack([x[0] * x[1], x[0] ** 2, x[1]])
            z = tf.constant(1.0)
        none = tape.jacobian(z, x, unconnected_gradients="zero")
        return tape.jacobian(y, x), tape.jacobian(y, {"x": x})["x"], none

    whole, named, none = run(program)(tf.constant([1.0, 2.0]))
    assert whole.numpy().tolist() == [[2.0, 1.0], [2.0, 0.0], [0.0, 1.0]]
    assert named.numpy().tolist() == whole.numpy().tolist()
    assert none.numpy().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_batch_jacobians_are_the_blocks_of_the_jacobian(run):
    weights = tf.constant(np.arange(15.0, dtype=np.float32).reshape(3, 5) / 10)

    def program(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.tanh(x @ weights)
        return tape.batch_jacobian(y, x), tape.jacobian(y, x)

    x = tf.constant(np.arange(12.0, dtype=np.float32).reshape(4, 3) / 12)
    blocks, whole = run(program)(x)
    np.testing.assert_allclose(blocks, np.einsum("iaib->iab", whole.numpy()), atol=1e-6)


def test_batches_must_agree():
    x, tape = watched([[1.0], [2.0]], persistent=True)
    with tape:
        tape.watch(x)
        y = tf.reduce_sum(x, 1)
        z = x[:1] * 2.0
    with pytest.raises(ValueError, match="at least rank 2"):
        tape.batch_jacobian(y, x)
    with pytest.raises(ValueError, match="first dimension"):
        tape.batch_jacobian(z, x)


def test_a_loop_trains_in_a_function():
    w, b = tf.Variable(5.0), tf.Variable(0.0)
    xs = tf.random.normal([100], seed=1)
    ys = xs * 3.0 + 2.0

    @tf.function
    def train(steps):
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((xs * w + b - ys) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * dw)
            b.assign_sub(0.1 * db)
            if loss < 1e-6:
                break
        return loss

    assert float(train(tf.constant(500))) < 1e-6
    assert [float(w), float(b)] == pytest.approx([3.0, 2.0], abs=1e-2)


def test_an_op_without_a_rule_is_named_with_its_line():
    without_a_rule = Op(OpDef("WithoutRule", {"x": FLOAT}, rules.same, lambda xp, x: x))
    x, tape = watched(1.0)
    with tape:
        tape.watch(x)
        y = without_a_rule(x)
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"WithoutRule by `x`(.|\n)*test_tape.py"
    ):
        tape.gradient(y, x)


def test_the_graph_of_a_gradient_is_recorded_once():
    traces = []

    @tf.function
    def f(x):
        traces.append(1)
        return x * x

    made = []
    for value in (1.0, 2.0, 3.0):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        made.append(float(tape.gradient(y, x)))
    graph = f.get_concrete_function(x).graph
    kept = [key for key in graph.derivatives if key != "compiled"]
    assert made == [2.0, 4.0, 6.0]
    assert len(traces) == 1
    assert len(kept) == 1


def chain(length):
    @tf.function
    def f(x):
        for _ in range(length):
            x = tf.sin(x) * 1.01
        return x

    return f


def taped_slope(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def calls_of_python_functions(action):
    """How many functions written in Python run, besides those of the plans of graphs."""
    calls = []

    def note(frame, event, argument):
        if event == "call" and "/runtime/" in frame.f_code.co_filename:
            calls.append(frame.f_code.co_qualname)

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def test_a_taped_call_of_a_function_costs_no_python_for_each_of_its_operations():
    x, counts = tf.constant(np.linspace(0.0, 1.0, 50, dtype=np.float32)), []
    for length in (40, 120):  # the clock of `hot_loops` runs for both plans
        f = chain(length)
        for _ in range(2):
            taped_slope(f, x)
        counts.append(len(calls_of_python_functions(lambda f=f: taped_slope(f, x))))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_tensors_that_functions_read_from_outside_are_followed(run):
    x = tf.constant(3.0)

    def slope():
        double = tf.function(lambda: x * x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = double() * 2.0
        return tape.gradient(y, x)

    assert float(run(slope)()) == 12.0


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_functions_traced_before_a_tape_watches_what_they_read_are_traced_anew(run):
    x, other = tf.constant(3.0), tf.constant(1.0)
    inner = tf.function(lambda: x * x if other > 0.0 else x)
    outer = tf.function(lambda: inner() + other)
    concrete = outer.get_concrete_function()

    def slope(source, call):
        with tf.GradientTape() as tape:
            tape.watch(source)
            y = call() * 2.0
        return tape.gradient(y, source)

    for _ in range(2):
        assert float(run(lambda: slope(x, outer))()) == 12.0
        assert float(outer()) == 10.0
    assert run(lambda: slope(tf.constant(2.0), concrete))() is None
    with pytest.raises(ValueError, match="is a constant of the graph of `<lambda>`"):
        run(lambda: slope(x, concrete))()


def by_a_tensor_beside_a_watched_one(x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x * y
    return tape.gradient(z, [x, y, z])


def by_what_was_made_before_anything_is_watched(x, y):
    with tf.GradientTape() as tape:
        z = x * y
        tape.watch(x)
        w = z * x
    return tape.gradient(w, [x, y, z])


def by_what_is_made_while_recording_stops(x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            z = x * y
        w = z * x
    return tape.gradient(w, [x, y, z])


@pytest.mark.parametrize("stage", [lambda f: f, tf.function])
@pytest.mark.parametrize(
    "program, expected",
    [
        (by_a_tensor_beside_a_watched_one, [4.0, None, 1.0]),
        (by_what_was_made_before_anything_is_watched, [12.0, None, None]),
        (by_what_is_made_while_recording_stops, [12.0, None, None]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_tensor_that_the_tape_does_not_follow_is_a_constant(program, expected, stage):
    found = stage(program)(tf.constant(3.0), tf.constant(4.0))
    assert [each if each is None else float(each) for each in found] == expected


def test_a_tensor_has_a_gradient_by_itself():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        pass
    assert float(tape.gradient(x, x)) == 1.0

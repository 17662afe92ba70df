"""Functions of a loaded model do what those of the saved one did."""

import collections
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import runtime as tf
from tests.runtime.saved_model.models import model, reloaded

Pair = collections.namedtuple("Pair", ["first", "second"])


def branches(x):
    if x > 1.0:
        return x * x
    return -x


def loops(x):
    y = x
    while y < 10.0:
        y = y * 2.0
    for i in tf.range(3):
        if tf.cast(i, tf.float32) > x:
            break
        y = y + x
    return y


def grows(x):
    rows = []
    for i in tf.range(3):
        rows.append(x * tf.cast(i, tf.float32))
    return rows


def structures(x):
    return {"b": (x, [x + 1.0, None]), "a": Pair(x, x * 2.0), "n": 3}


def calls(x):
    return branches_function(x) + branches_function(x * 3.0)


def checks(x):
    assert x < 100.0, "too big"
    print("x is", x)
    return x


def texts(x):
    return tf.strings.join([tf.as_string(x), "!"]), tf.constant(["a", "ä"])


def complexes(x):
    return tf.complex(x, 1.0) * tf.constant(2.0 + 1.0j, tf.complex64)


def sliced(x):
    rows = tf.stack([x, x + 1.0, x + 2.0])
    rows = tf.tensor_scatter_nd_update(rows, [[1]], [x * 5.0])
    return rows[1:], rows[::-1], tf.reduce_sum(rows, axis=0)


def mapped(x):
    return tf.map_fn(lambda row: row * x, tf.constant([1.0, 2.0]))


def switched(x):
    return tf.switch_case(tf.cast(x, tf.int32) % 3, [lambda: x, lambda: x * 2.0, lambda: x * 3.0])


def linear(x):
    return tf.linalg.solve([[2.0, 1.0], [1.0, 3.0]], tf.fill([2, 1], x)), tf.nn.softmax([x, 1.0])


def repeatable(x):
    return x + tf.random.stateless_uniform([2], [1, 2])


branches_function = tf.function(branches)
PROGRAMS = [
    *(branches, loops, grows, structures, calls, checks, texts, complexes, sliced, mapped),
    *(switched, linear, repeatable),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_loaded_function_gives_the_same_results(tmp_path, program, capfd):
    own = tf.function(program)
    xs = [tf.constant(value) for value in (0.5, 2.0, 7.0)]
    expected = [own(x) for x in xs]
    printed = capfd.readouterr().err
    loaded = reloaded(model(f=own), tmp_path)
    for x, before in zip(xs, expected, strict=True):
        after = loaded.f(x)
        assert repr(after) == repr(before)
    assert capfd.readouterr().err == printed


DIFFERENTIABLE = [branches, loops, calls, sliced, mapped, switched, linear]


@pytest.mark.parametrize("program", DIFFERENTIABLE, ids=lambda program: program.__name__)
@pytest.mark.parametrize("staged", [False, True], ids=["eager", "in a function"])
def test_a_loaded_function_can_be_differentiated_twice(tmp_path, program, staged):
    own = tf.function(program)
    x = tf.constant(2.5)
    own(x)
    loaded = reloaded(model(f=own), tmp_path)

    def derivatives(function):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.add_n([tf.reduce_sum(leaf) for leaf in tf.nest.flatten(function(x))])
                y = y * y * y
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    run = tf.function(derivatives) if staged else derivatives
    for after, before in zip(run(loaded.f), run(own), strict=True):
        assert after.numpy() == before.numpy()


def test_recursive_functions_are_loaded(tmp_path):
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    own = tf.function(fibonacci)
    own(tf.constant(1))
    assert reloaded(model(f=own), tmp_path).f(tf.constant(15)).numpy() == 610


def test_gradients_that_a_program_states_are_kept(tmp_path):
    @tf.custom_gradient
    def square(x):
        return x * x, lambda upstream: upstream * 100.0

    own = tf.function(lambda x: square(x) + 0.0)
    x = tf.constant(3.0)
    own(x)
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    loaded = reloaded(model(f=own), tmp_path, options=options)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.f(x)
    assert tape.gradient(y, x).numpy() == 100.0


def test_functions_share_the_variables_of_the_model(tmp_path):
    class Counter(tf.Module):
        def __init__(self):
            super().__init__()
            self.total = tf.Variable(1.0)

        @tf.function
        def add(self, x):
            self.total.assign_add(x)

        @tf.function
        def scaled(self, x):
            return x * self.total

    saved = Counter()
    saved.add(tf.constant(1.0))
    saved.scaled(tf.constant(1.0))
    loaded = reloaded(saved, tmp_path)
    loaded.add(tf.constant(3.0))
    assert loaded.scaled(tf.constant(2.0)).numpy() == 10.0
    assert loaded.total.numpy() == 5.0
    assert saved.total.numpy() == 2.0
    with tf.GradientTape() as tape:
        y = loaded.scaled(tf.constant(2.0))
    assert tape.gradient(y, loaded.total).numpy() == 2.0


def test_methods_of_two_instances_have_their_own_graphs(tmp_path):
    class Scale(tf.Module):
        def __init__(self, factor):
            super().__init__()
            self.factor = tf.Variable(factor)

        @tf.function
        def __call__(self, x):
            return x * self.factor

    first, second = Scale(2.0), Scale(3.0)
    first(tf.constant(1.0))
    second(tf.constant(1.0))
    loaded = reloaded(model(parts=[first, second]), tmp_path)
    assert [part(tf.constant(1.0)).numpy() for part in loaded.parts] == [2.0, 3.0]


def test_variables_that_no_attribute_holds_are_saved_too(tmp_path):
    v = tf.Variable(4.0)
    own = tf.function(lambda x: x + v)
    own(tf.constant(1.0))
    loaded = reloaded(model(f=own), tmp_path)
    v.assign(0.0)
    assert loaded.f(tf.constant(1.0)).numpy() == 5.0
    f = loaded.f
    del loaded
    with tf.GradientTape() as tape:
        y = f(tf.constant(1.0))
    assert tape.watched_variables()[0].numpy() == 4.0
    assert tape.gradient(y, tape.watched_variables()[0]).numpy() == 1.0


def test_arrays_from_outside_are_saved_as_they_are(tmp_path):
    table = np.arange(5000, dtype=np.float32)
    own = tf.function(lambda i: tf.gather(table, i))
    own(tf.constant(1))
    loaded = reloaded(model(f=own), tmp_path)
    table[7] = -1.0
    assert loaded.f(tf.constant(7)).numpy() == 7.0


FACTORS = {"by": 2.0}


def test_what_a_function_reads_of_python_is_frozen_as_it_is_when_the_model_is_saved(tmp_path):
    own = tf.function(lambda x: x * FACTORS["by"])
    own(tf.constant(1.0))
    FACTORS["by"] = 3.0
    loaded = reloaded(model(f=own), tmp_path)
    FACTORS["by"] = 2.0
    assert loaded.f(tf.constant(1.0)).numpy() == 3.0


def test_calls_are_served_by_the_graph_of_their_types(tmp_path):
    def scale(x, by=2.0, *, training=False, **named):
        result = x * by if training else x
        return result + named.get("bias", 0.0)

    own = tf.function(scale)
    own(tf.constant(1.0))
    own(tf.constant(1.0), 3.0, training=True)
    own(tf.constant([1.0, 2.0]), bias=tf.constant(1.0))
    loaded = reloaded(model(f=own), tmp_path)
    assert loaded.f(tf.constant(5.0)).numpy() == 5.0
    assert loaded.f(tf.constant(5.0), training=True, by=3.0).numpy() == 15.0
    assert loaded.f([5.0, 6.0], bias=1.0).numpy().tolist() == [6.0, 7.0]
    assert loaded.f.experimental_get_tracing_count() == 0


def test_other_types_are_an_error_that_lists_the_saved_ones(tmp_path):
    own = tf.function(lambda x, n: x * float(n))
    own(tf.constant(1.0), 2)
    loaded = reloaded(model(f=own), tmp_path)
    with pytest.raises(ValueError, match=r"(?s)Could not find matching .*n=3.*x: float32 Tensor"):
        loaded.f(tf.constant(1.0), 3)
    with pytest.raises(ValueError, match="1 option"):
        loaded.f(tf.constant("a"), 2)
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        loaded.f(tf.constant(1.0))


def test_an_input_signature_is_kept(tmp_path):
    own = tf.function(lambda x: x, input_signature=[tf.TensorSpec([None], tf.int32)])
    loaded = reloaded(model(f=own), tmp_path)
    assert loaded.f([1, 2]).numpy().tolist() == [1, 2]
    assert loaded.f.input_signature == own.input_signature
    with pytest.raises(TypeError, match="Can not cast"):
        loaded.f(tf.constant([1.0]))


def test_a_function_without_graphs_says_so(tmp_path):
    loaded = reloaded(model(f=tf.function(lambda x: x)), tmp_path)
    with pytest.raises(ValueError, match="Found zero restored functions for caller function"):
        loaded.f(tf.constant(1))


def test_variables_and_structures_as_arguments(tmp_path):
    own = tf.function(lambda v, pair, d: v.assign_add(pair[0] * d["k"]))
    v = tf.Variable(1.0)
    own(v, (tf.constant(2.0), "x"), {"k": tf.constant(3.0)})
    loaded = reloaded(model(f=own), tmp_path)
    w = tf.Variable(5.0)
    loaded.f(w, (tf.constant(2.0), "x"), {"k": tf.constant(3.0)})
    assert w.numpy() == 11.0


def test_lists_that_are_one_list_stay_one(tmp_path):
    def twice(x):
        row = [x]
        return row, row

    own = tf.function(twice)
    own(tf.constant(1.0))
    first, second = reloaded(model(f=own), tmp_path).f(tf.constant(1.0))
    assert first is second


def test_exceptions_of_the_program_keep_class_text_and_line(tmp_path):
    def refuse(x):
        if x > 1.0:
            raise KeyError("too big", 7)
        return x

    own = tf.function(refuse)
    own(tf.constant(0.0))
    loaded = reloaded(model(f=own), tmp_path)
    errors = []
    for function in (own, loaded.f):
        with pytest.raises(KeyError) as caught:
            function(tf.constant(2.0))
        errors.append((caught.value.args, caught.value.__notes__))
    assert errors[0] == errors[1]
    assert "test_functions.py" in errors[1][1][0]


def test_a_loaded_function_is_recorded_in_others_and_saved_again(tmp_path):
    v = tf.Variable(2.0)
    own = tf.function(lambda x: branches(x) * v)
    own(tf.constant(1.0))
    loaded = reloaded(model(f=own, v=v), tmp_path / "a")
    outer = tf.function(lambda x: loaded.f(x) + loaded.f(x * 2.0))
    expected = outer(tf.constant(3.0)).numpy()
    again = reloaded(model(inner=loaded, g=outer), tmp_path / "b")
    assert again.g(tf.constant(3.0)).numpy() == expected
    again.inner.v.assign(4.0)
    assert again.g(tf.constant(3.0)).numpy() == 2 * expected
    assert again.inner.f(tf.constant(3.0)).numpy() == 36.0


def test_functions_run_as_graphs_where_functions_run_eagerly(tmp_path):
    own = tf.function(lambda x: x + 1.0)
    own(tf.constant(1.0))
    loaded = reloaded(model(f=own), tmp_path)
    tf.config.run_functions_eagerly(True)
    try:
        assert loaded.f(tf.constant(1.0)).numpy() == 2.0
    finally:
        tf.config.run_functions_eagerly(False)


def test_concrete_functions_are_loaded_as_such(tmp_path):
    concrete = tf.function(lambda x: x + 1.0).get_concrete_function(tf.TensorSpec([], tf.float32))
    loaded = reloaded(model(c=concrete), tmp_path)
    assert loaded.c(tf.constant(1.0)).numpy() == 2.0
    assert loaded.c.structured_input_signature == concrete.structured_input_signature


def test_random_functions_draw_other_numbers_at_each_call(tmp_path):
    own = tf.function(lambda: tf.random.uniform([4]))
    own()
    loaded = reloaded(model(f=own), tmp_path)
    assert loaded.f().numpy().tolist() != loaded.f().numpy().tolist()


SAVE = """
import runtime as tf

class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
    def __call__(self, x):
        for _ in tf.range(2):
            x = tf.nn.relu(x @ self.w) if tf.reduce_sum(x) > 0.0 else -x
        return {"y": x, "largest": tf.reduce_max(x)}

tf.saved_model.save(Net(), FOLDER)
"""
RUN = """
import sys
import runtime as tf

loaded = tf.saved_model.load(FOLDER)
x = tf.constant([[1.0, -1.0], [2.0, 1.0]])
result = loaded.signatures["serving_default"](x=x)
print(sorted(result), float(result["largest"]))
with tf.GradientTape() as tape:
    y = loaded(x)["y"]
print(tape.gradient(y, loaded.w).numpy().tolist())
print("libcst" in sys.modules)
"""


def process(text, folder):
    text = textwrap.dedent(text).replace("FOLDER", repr(str(folder)))
    program = folder.parent / f"{folder.name}_{len(text)}.py"
    program.write_text(text)
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False
    )
    program.unlink()
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_process_that_has_only_the_package_runs_and_differentiates_a_model(tmp_path):
    process(SAVE, tmp_path / "model")
    lines = process(RUN, tmp_path / "model")
    assert lines[0] == "['largest', 'y'] 42.0"
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    x = tf.constant([[1.0, -1.0], [2.0, 1.0]])
    with tf.GradientTape() as tape:
        y = tf.nn.relu(tf.nn.relu(x @ w) @ w)
    assert lines[1] == str(tape.gradient(y, w).numpy().tolist())

"""A graph appends to lists outside; one graph serves all calls if the function only appends."""

import collections
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
import runtime as tf


class Model:
    """Histories of all kinds."""

    def __init__(self):
        self.history = []
        self.other = []
        self.log = {"loss": [], "names": []}
        self.recent = collections.deque(maxlen=3)
        self.cells = [Cell(), Cell()]
        self.alias = [1.0]
        self.again = self.alias


class Cell:
    def __init__(self):
        self.seen = []


LOSSES = []


def plain(value):
    if isinstance(value, (list, tuple, collections.deque)):
        return [type(value).__name__, *map(plain, value)]
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


def held(model):
    cells = [cell.seen for cell in model.cells]
    return plain(
        [model.history, model.other, *model.log.values(), model.recent, cells, model.alias]
    )


def of_attribute(model, x):
    model.history.append(x)
    model.other.extend([x + 1, 2])


def of_dict(model, x):
    model.log["loss"].append(x)
    model.log["names"].append(("run", x, [x]))


def of_deque(model, x):
    model.recent.append(x)


def of_objects(model, x):
    for cell in model.cells:
        cell.seen.append(x)


def in_a_branch(model, x):
    if x > 1:
        model.history.append(x)
    else:
        model.other.append(x)


def in_a_loop(model, x):
    i = 0
    while i < x:
        model.history.append(i)
        i += 1


def in_a_helper(model, x):
    of_attribute(model, x)
    of_attribute(model, x * 2)


def beside_another_of_the_name(model, x):
    history = [x]
    model.log["loss"].append(history[0])


APPENDING = (
    of_attribute, of_dict, of_deque, of_objects, in_a_branch, in_a_loop, in_a_helper,
    beside_another_of_the_name,
)  # fmt: skip


def called_five_times(function):
    ours, theirs = Model(), Model()
    staged = tf.function(function)
    for number in (1, 3, 0, 2, 5):
        function(theirs, number)
        staged(ours, tf.constant(number))
        assert held(ours) == held(theirs)
    return staged


@pytest.mark.parametrize("function", APPENDING, ids=lambda each: each.__name__)
def test_one_graph_appends_at_each_call(function):
    assert called_five_times(function).experimental_get_tracing_count() == 1


def by_length(model, x):
    model.history.append(x)
    return len(model.history)


def by_local_name(model, x):
    history = model.history
    history.append(x)
    return history[-1]


def by_dict(model, x):
    model.log["loss"].append(x)
    return len(model.log["names"])


def by_attribute_name(model, x):
    model.history.append(x)
    return len(getattr(model, "history"))  # noqa: B009


def by_all_attributes(model, x):
    model.history.append(x)
    return len(vars(model)["history"])


def by_pop(model, x):
    model.history.append(x)
    if len(model.history) > 2:
        model.history.pop(0)


def by_pattern(model, x):
    model.history.append(x)
    match model:
        case Model(history=[first, *_]):
            return first
    return x


def by_second_name(model, x):
    model.alias.append(x)
    return len(model.again)


def by_what_is_appended(model, x):
    model.history.append(x + len(model.history))


READING = (
    by_length, by_local_name, by_dict, by_attribute_name, by_all_attributes, by_pop, by_pattern,
    by_second_name, by_what_is_appended,
)  # fmt: skip


@pytest.mark.parametrize("function", READING, ids=lambda each: each.__name__)
def test_list_that_is_read_has_its_length_at_each_call(function):
    ours, theirs = Model(), Model()
    staged = tf.function(function)
    for number in (1, 3, 0, 2):
        expected = function(theirs, number)
        assert plain(staged(ours, tf.constant(number))) == expected
        assert held(ours) == held(theirs)


def test_global_list_and_variable_of_an_enclosing_function():
    seen = []

    @tf.function
    def step(x):
        LOSSES.append(x)
        seen.append(x + 1)

    LOSSES.clear()
    for number in range(4):
        step(tf.constant(number))
    assert plain(LOSSES) == ["list", 0, 1, 2, 3] and plain(seen) == ["list", 1, 2, 3, 4]
    assert step.experimental_get_tracing_count() == 1


def test_another_list_in_the_place_is_the_one_that_grows():
    model, staged = Model(), tf.function(of_attribute)
    staged(model, tf.constant(1))
    first, model.history = model.history, []
    staged(model, tf.constant(2))
    assert plain(first) == ["list", 1] and plain(model.history) == ["list", 2]


def test_function_that_calls_others_reads_what_these_append():
    inner = tf.function(of_attribute)

    @tf.function
    def outer(model, x):
        model.history.append(x)
        inner(model, x * 2)
        model.history.append(x * 3)
        return len(model.history)

    model = Model()
    inner(model, tf.constant(1))
    assert outer(model, tf.constant(1)).numpy() == 4
    inner(model, tf.constant(5))
    assert outer(model, tf.constant(2)).numpy() == 8
    assert plain(model.history) == ["list", 1, 1, 2, 3, 5, 2, 4, 6]


def test_graph_that_appends_cannot_be_called_by_another():
    model, staged = Model(), tf.function(of_attribute)
    concrete = staged.get_concrete_function(model, tf.TensorSpec([], tf.int32))
    concrete(model, tf.constant(1))
    assert plain(model.history) == ["list", 1]
    with pytest.raises(ValueError, match="Call of_attribute itself"):
        tf.function(lambda x: concrete(model, x))(tf.constant(1))


def test_gradient_flows_past_a_history():
    model = Model()

    @tf.function
    def loss(v):
        model.history.append(v * 2)
        return v * v

    v = tf.Variable(3.0)
    for count in (1, 2):
        with tf.GradientTape() as tape:
            value = loss(v)
        assert tape.gradient(value, v).numpy() == 6.0
        assert plain(model.history) == ["list", *[6.0] * count]


def test_layer_with_a_history():
    class Net(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.history = []

        @tf.function
        def step(self, x):
            self.history.append(tf.reduce_sum(x))
            return x

    net = Net()
    for number in range(4):
        net.step(tf.fill([2], float(number)))
    assert plain(list(net.history)) == ["list", 0.0, 2.0, 4.0, 6.0]


def test_function_of_a_dataset_appends_for_each_element():
    seen = []

    def noted(x):
        seen.append(x)
        return x + 1

    numbers = tf.data.Dataset.range(3).map(noted)
    for count in (1, 2):
        assert plain(list(numbers)) == ["list", 1, 2, 3]
        assert plain(seen) == ["list", *[0, 1, 2] * count]


_STATEMENTS = (
    "model.history.append(x)",
    "model.other.extend([x, x + 1])",
    "model.log['loss'].append(x)",
    "model.cells[0].seen.append((x, 7))",
    "if x > 2: model.history.append(x * 10)",
    "for i in range(x): model.cells[1].seen.append(i)",
    "if x > 1:\n        for i in range(x): model.other.append(i + x)",
    "x = x + len(model.other)",
    "if len(model.log['loss']) > 2: model.log['loss'].clear()",
    "x = model.history[-1] if len(model.history) > 1 else x",
    "model.recent.append(x)",
    "model.alias.append(x)",
    "held = model.other; held.append(x)",
)


@given(st.randoms(use_true_random=False))
def test_random_programs_leave_the_lists_of_plain_python(draw: random.Random):

    lines = draw.sample(_STATEMENTS, draw.randint(1, 4))
    text = "def f(model, x):\n" + "".join(f"    {line}\n" for line in lines) + "    return x\n"
    namespace = autograph.exec(text, {})
    ours, theirs, staged = Model(), Model(), tf.function(namespace["f"])
    for _ in range(4):
        number = draw.randint(0, 4)
        assert plain(staged(ours, tf.constant(number))) == namespace["f"](theirs, number), text
        assert held(ours) == held(theirs), text
        if draw.random() < 0.2:
            ours.history.append(9)
            theirs.history.append(9)


class Wave:
    """State and histories of a NumPy program."""

    def __init__(self):
        self.x = np.zeros(3)
        self.t = 0.0
        self.history = []
        self.log = {"x": []}


def copies(wave, dt):
    wave.x += dt
    wave.t += dt
    wave.history.append(wave.x.copy())
    wave.log["x"].append((wave.t, wave.x[0], "step"))


def new_arrays(wave, dt):
    wave.x = wave.x + dt
    wave.history.append(wave.x)


def the_same_array(wave, dt):
    wave.x += dt
    wave.history.append(wave.x)


def in_a_loop_over_arrays(wave, dt):
    for i in range(5):
        wave.x += dt * i
        if wave.x[0] > 3:
            wave.history.append(wave.x.copy())


def kinds(value):
    if isinstance(value, (list, tuple)):
        return [kinds(each) for each in value]
    return type(value), np.asarray(value).tolist()


@pytest.mark.parametrize(
    "function",
    [copies, new_arrays, the_same_array, in_a_loop_over_arrays],
    ids=lambda f: f.__name__,
)
def test_numpy_program_appends_arrays_and_numbers(function):
    ours, theirs, staged = Wave(), Wave(), tf.function(numpy=True)(function)
    for _ in range(5):
        function(theirs, 0.5)
        staged(ours, 0.5)
        assert kinds([ours.history, ours.log["x"], ours.x]) == kinds(
            [theirs.history, theirs.log["x"], theirs.x]
        )
        same = [each is ours.x for each in ours.history]
        assert same == [each is theirs.x for each in theirs.history]
    assert staged.experimental_get_tracing_count() == 1


def test_numpy_program_that_reads_a_list_of_arrays_is_refused_with_what_works():
    @tf.function(numpy=True)
    def step(wave, dt):
        wave.x += dt
        wave.history.append(wave.x.copy())
        return len(wave.history)

    with pytest.raises(ValueError, match="append it to a list that the program does not read"):
        step(Wave(), 0.5)

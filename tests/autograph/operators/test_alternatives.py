"""Values that are None or a value, or one of several functions, as a tensor decides."""

import enum
import functools

import numpy as np
import pytest

import autograph
import runtime as tf


def find(x):
    if x > 0:
        return x
    return None


def passed_on(x):
    return find(x)


def doubled(y):
    if y is None:
        return -1
    return y * 2


class Search:
    last = None

    def run(self, x):
        self.last = find(x)
        return self


class Mode(enum.Enum):
    UP = 1
    DOWN = 2


def result_through_callers(x):
    y = passed_on(x)
    return -1 if y is None else y


def result_in_a_dict(x):
    d = {"r": None}
    d["r"] = find(x)
    return -1 if d["r"] is None else d["r"] + 1


def results_in_a_list(x):
    return [0 if y is None else y for y in [find(x), find(-x)]]


def filtered_results(x):
    return sum(y for y in [find(x), find(-x), 5] if y is not None)


def result_in_an_attribute(x):
    search = Search().run(x)
    return -1 if search.last is None else search.last


def search_down(x, n=4):
    if x == n:
        return n
    if n == 0:
        return None
    return search_down(x, n - 1)


def result_of_a_recursion(x):
    y = search_down(x)
    return -1 if y is None else y


def unused_result(x):
    find(x)
    return x


def default_by_or(x):
    return find(x) or 5


def negation(x):
    y = find(x)
    return 1 if not y else 2


def truth(x):
    y = find(x)
    if y:
        return 1
    return 2


def conjunction(x):
    y = find(x)
    return y and doubled(y)


def annotated(x):
    y: object = x if x > 0 else None
    return y is None


def chained_targets(x):
    u = v = x if x > 0 else None
    return u is None, v is not None


def conditional_result(x):
    return x if x > 0 else None


def conditional_argument(x):
    return doubled(x if x > 0 else None), doubled(y=x if x > 1 else None)


def argument_of_a_partial(x):
    return functools.partial(doubled, find(x))()


def compared(x):
    y = find(x)
    return y == 3, y != 3, y == None, y != None, y == find(3)  # noqa: E711


def text(x):
    y = find(x)
    return f"{y}!", str(y)


def guarded_use(x):
    y = find(x)
    if y is not None:
        y += 1
    return y


def tuple_or_none(x):
    pair = (x, 2) if x > 0 else None
    if pair is None:
        return 0
    a, b = pair
    return a * b


def one_of_two_functions(x):
    f = abs if x > 2 else doubled
    return f(x), f is abs


def function_or_none(x):
    f = doubled if x > 0 else None
    return x if f is None else f(x)


def enumeration_member(x):
    mode = Mode.UP if x > 0 else Mode.DOWN
    return x if mode is Mode.UP else -x, mode == Mode.DOWN, mode.value


def known_object_or_none(x):
    search = Search()
    other = search if x > 0 else None
    if other is not None:
        other.last = 5
    return search.last


def none_after_a_loop_of_no_iterations(x):
    last = None
    for i in range(x):
        last = i
    return last


SAME = [
    result_through_callers, result_in_a_dict, results_in_a_list, filtered_results,
    result_in_an_attribute, result_of_a_recursion, unused_result, default_by_or, negation, truth,
    conjunction, annotated, chained_targets, conditional_result, conditional_argument,
    argument_of_a_partial, compared, text, guarded_use, tuple_or_none, one_of_two_functions,
    function_or_none, enumeration_member, known_object_or_none, none_after_a_loop_of_no_iterations,
]  # fmt: skip


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if value is None:
        return None
    value = np.asarray(value).tolist()
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize("x", [3, 1, 0, -3])
@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_same_as_python(program, x):
    converted = autograph.to_graph(program)

    @functools.partial(tf.function, autograph=False)
    def calls_converted(x):
        return result_in_structure(converted, x)

    expected = plain(program(x))
    assert plain(tf.function(program)(tf.constant(x))) == expected
    assert plain(calls_converted(tf.constant(x))) == [expected]
    assert plain(converted(x)) == expected


@autograph.convert()
def result_in_structure(function, x):
    return [function(x)]


def added(x):
    y = find(x)
    return y + 1


def item(x):
    d = {"r": None}
    if x > 0:
        d["r"] = x
    return d["r"] * 2


def attribute(x):
    y = find(x)
    return y.shape.rank


def unpacked(x):
    a, b = (x, 2) if x > 0 else None
    return a * b


@pytest.mark.parametrize("program", [added, item, unpacked])
def test_a_use_of_none_names_the_line_of_the_use_and_those_of_both_values(program):
    function = tf.function(program)
    assert function(tf.constant(3)) == program(3)
    with pytest.raises(TypeError, match="is None here") as caught:
        function(tf.constant(-3))
    first = program.__code__.co_firstlineno
    lines = [f"line {first + i}, in {program.__name__}" for i in range(1, 5)]
    assert any(line in str(caught.value) for line in lines)
    assert "gives it None, or a value" in str(caught.value)


def classes_asked(x):
    y = "a" if x > 0 else None
    return isinstance(y, str)


def hashed(x):
    return {find(x): 1}


def iterated(x):
    f = (1, 2) if x > 0 else abs
    for each in f:
        x += each
    return x


def matched(x):
    match (x, 1) if x > 0 else None:
        case (a, b):
            return a + b
    return 0


def shown_in_a_list(x):
    y = find(x)
    print([y])
    return x


def made_an_array(x):
    return np.sum([find(x)])


@pytest.mark.parametrize("program", [hashed, iterated, matched, shown_in_a_list, made_an_array])
@pytest.mark.parametrize("x", [3, -3])
def test_what_needs_the_value_now_is_refused_at_its_line(program, x):
    with pytest.raises((TypeError, ValueError)) as caught:
        tf.function(program)(tf.constant(x))
    text = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    frames = [entry.path for entry in caught.traceback]
    assert "test_alternatives.py" in text or any(str(path) == __file__ for path in frames)


@pytest.mark.parametrize("x", [3, -3])
def test_isinstance_is_asked_of_each_value(x):
    assert tf.function(classes_asked)(tf.constant(x)) == classes_asked(x)


def test_code_that_is_not_converted_gets_the_value():
    @autograph.do_not_convert
    def asks(y):
        return 1 if y is None else 2

    function = tf.function(lambda x: asks(find(x)))
    assert [int(function(tf.constant(x))) for x in (3, -3)] == [2, 1]


def test_a_global_object_holds_none_or_the_value_after_each_call():
    search = Search()
    function = tf.function(lambda x: search.run(x) and x)
    found = []
    for x in (3, -3, 4):
        function(tf.constant(x))
        found.append(plain(search.last))
    assert found == [3, None, 4]


def test_a_chosen_function_has_the_effects_of_the_one_that_runs():
    counts = tf.Variable([0, 0])

    def up(v):
        counts.scatter_nd_add([[0]], [1])
        return v + 1

    def down(v):
        counts.scatter_nd_add([[1]], [1])
        return v - 1

    @tf.function
    def program(x):
        f = up if x > 0 else down
        return f(x)

    assert [int(program(tf.constant(x))) for x in (3, 2, -3)] == [4, 3, -4]
    assert counts.numpy().tolist() == [2, 1]


def test_a_gradient_goes_through_the_value():
    @tf.function
    def program(x):
        y = x * x if x > 0.0 else None
        return x if y is None else y * 3.0

    for start, expected in ((2.0, 12.0), (-2.0, 1.0)):
        x = tf.constant(start)
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = program(x)
        assert float(tape.gradient(result, x)) == expected


def test_a_saved_function_returns_none_or_the_value(tmp_path):
    module = tf.Module()
    module.find = tf.function(conditional_result, input_signature=[tf.TensorSpec([], tf.int32)])
    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    assert [plain(loaded.find(tf.constant(x))) for x in (3, -3)] == [3, None]


class Amount:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

    def __gt__(self, other):
        return other.n < self.n

    def __add__(self, other):
        return self.n + other.n

    def __hash__(self):
        return 0


class Opposite(Amount):
    def __eq__(self, other):
        return self.n != other.n

    def __gt__(self, other):
        return self.n < other.n

    def __radd__(self, other):
        return other.n * 100 + self.n

    def __hash__(self):
        return 0


def operators_on_a_chosen_object(x):
    left = Amount(1)
    other = Amount(1) if x > 0 else Opposite(1)
    larger = Opposite(x) if x < 5 else Amount(x)
    return left == other, left < larger, left + larger, other == left


@pytest.mark.parametrize("x", [3, -3, 7, 1])
def test_an_object_of_a_derived_class_is_asked_first(x):
    expected = operators_on_a_chosen_object(x)
    found = tf.function(operators_on_a_chosen_object)(tf.constant(x))
    assert tuple(each.numpy().item() for each in found) == expected

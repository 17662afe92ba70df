import collections
import contextlib
import dataclasses
import enum
import functools
import gc
import math
import weakref

import numpy as np
import pytest

import runtime as tf

Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def counted(function):
    return tf.function(function, autograph=False)


def traces(function, *calls):
    f = counted(function)
    for call in calls:
        f(*call)
    return f.experimental_get_tracing_count()


ONE = tf.constant(1.0)


@pytest.mark.parametrize(
    ("calls", "count"),
    [
        ([(ONE,), (tf.constant(2.0),)], 1),
        ([(ONE,), (tf.constant(1),)], 2),
        ([(ONE,), (tf.constant([1.0]),)], 2),
        ([(1,), (1,), (2,)], 2),
        ([(1,), (True,), (1.0,)], 3),
        ([(0.0,), (-0.0,)], 2),
        ([(math.nan,), (math.nan,)], 1),
        ([("a",), ("a",), ("b",)], 2),
        ([(None,), (None,)], 1),
        ([(np.float32(1),), (np.float32(2),), (ONE,)], 1),
        ([([ONE, 1],), ([ONE, 1],), ((ONE, 1),), ([ONE, 2],)], 3),
        ([({"a": ONE},), ({"a": ONE},), ({"b": ONE},)], 2),
        ([(Point(ONE, 1),), (Point(ONE, 1),)], 1),
        ([(Color.RED,), (Color.RED,), (Color.BLUE,)], 2),
        ([(len,), (len,), (max,)], 2),
    ],
)
def test_what_decides_the_graph(calls, count):
    assert traces(lambda x: ONE, *calls) == count


def test_the_same_call_written_differently():
    f = counted(lambda x, y=2: x * y)
    x = tf.constant(3)
    assert [int(v) for v in (f(x), f(x, 2), f(x, y=2), f(y=2, x=x))] == [6, 6, 6, 6]
    assert f.experimental_get_tracing_count() == 1


def test_star_arguments():
    f = counted(lambda *args, **kwargs: args[0] + args[1] * kwargs["k"])
    assert float(f(ONE, ONE, k=ONE)) == 2.0
    assert float(f(ONE, ONE * 2.0, k=ONE)) == 3.0
    assert f.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match="missing"):
        counted(lambda x: x)()


def test_objects_count_by_identity_and_are_not_kept():
    class Thing:
        factor = 2.0

    f = counted(lambda thing, x: x * thing.factor)
    first, second = Thing(), Thing()
    for thing in (first, first, second):
        f(thing, ONE)
    assert f.experimental_get_tracing_count() == 2
    gone = weakref.ref(first)
    del first, thing
    gc.collect()
    assert gone() is None
    assert float(f(second, ONE)) == 2.0


def test_dataclasses_are_structures():
    @dataclasses.dataclass
    class State:
        value: object
        scale: int

    f = counted(lambda state: State(state.value * state.scale, state.scale))
    result = f(State(tf.constant([1, 2]), 3))
    assert isinstance(result, State)
    np.testing.assert_array_equal(result.value.numpy(), [3, 6])
    f(State(tf.constant([5, 6]), 3))
    assert f.experimental_get_tracing_count() == 1


def test_methods():
    class Model:
        def __init__(self, factor):
            self.factor = factor

        @tf.function
        def scale(self, x):
            return x * self.factor

    two, three = Model(2.0), Model(3.0)
    assert [float(m.scale(ONE)) for m in (two, three, two)] == [2.0, 3.0, 2.0]
    assert Model.scale.experimental_get_tracing_count() == 2
    assert two.scale == two.scale
    assert float(two.scale.python_function(ONE)) == 2.0
    assert float(Model(5.0).scale(ONE)) == 5.0
    concrete = two.scale.get_concrete_function(tf.TensorSpec([], tf.float32))
    assert float(concrete(x=ONE)) == 2.0


def test_instances_are_not_kept_alive():
    class Model:
        @tf.function
        def __call__(self, x):
            return x + 1.0

    model = Model()
    model(ONE)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_input_signature():
    f = tf.function(
        lambda x: tf.reduce_sum(x), input_signature=[tf.TensorSpec([None], tf.float32, "x")]
    )
    assert float(f([1, 2, 3])) == 6.0
    assert float(f(tf.constant([1.0]))) == 1.0
    assert f.experimental_get_tracing_count() == 1
    assert f.get_concrete_function().inputs[0].shape == [None]
    with pytest.raises(TypeError, match="`x` must be"):
        f(tf.constant([[1.0]]))
    with pytest.raises(TypeError, match="`x` must be"):
        f(tf.constant([1]))


def test_reduce_retracing():
    f = tf.function(lambda x: x + 1.0, reduce_retracing=True)
    for length in range(1, 6):
        assert f(tf.ones([length])).shape == [length]
    assert f.experimental_get_tracing_count() == 2


def test_results():
    f = counted(lambda x: {"a": (x, 1, None), "b": [Point(x, "text")]})
    result = f(ONE)
    assert list(result) == ["a", "b"]
    assert result["a"][2] is None
    assert result["a"][1].dtype == tf.int32
    assert result["b"][0].y.numpy() == b"text"


def test_result_that_is_no_tensor_is_refused():
    with pytest.raises(TypeError, match="return value of type object, which is not a Tensor"):
        counted(lambda x: object())(ONE)


def test_arguments_without_tensors_are_passed_as_they_are():
    seen = []
    config = {"a": [1, 2]}
    counted(lambda c: seen.append(c))(config)
    assert seen[0] is config


def test_nested_functions_become_calls():
    inner = counted(lambda x: x * 2.0)
    outer = counted(lambda x: inner(x) + inner(x + 1.0))
    assert float(outer(ONE)) == 6.0
    assert inner.experimental_get_tracing_count() == 1
    types = [op.type for op in outer.get_concrete_function(ONE).graph.operations]
    assert types.count("PartitionedCall") == 2


def test_inner_function_that_uses_tensors_of_the_outer_one():
    @tf.function
    def outer(x):
        @tf.function
        def inner(y):
            return x * y

        return inner(x + 1.0) + inner(x)

    assert float(outer(tf.constant(2.0))) == 10.0
    assert float(outer(tf.constant(3.0))) == 21.0


def test_function_used_in_two_outer_functions_and_eagerly():
    holder = {}
    inner = counted(lambda y: holder["x"] * y)

    def outer(x):
        holder["x"] = x
        return inner(x)

    first, second = counted(outer), counted(lambda x: outer(x) + 1.0)
    assert float(first(tf.constant(2.0))) == 4.0
    assert float(second(tf.constant(3.0))) == 10.0


def test_calls_inside_staged_control_flow():
    v = tf.Variable(0)

    @tf.function
    def bump(by):
        v.assign_add(by)
        return v.read_value()

    @tf.function
    def run(n):
        last = 0
        for i in tf.range(n):
            if i > 0:
                last = bump(i)
        return last

    assert int(run(tf.constant(4))) == 6
    assert int(v) == 6


def test_python_effects_happen_while_tracing_only(capsys):
    @tf.function
    def f(x):
        print("Tracing!")
        return x

    f(ONE)
    f(ONE)
    f(1)
    assert capsys.readouterr().out == "Tracing!\nTracing!\n"


def test_run_functions_eagerly(capsys):
    @tf.function
    def f(x):
        print("running")
        return x + 1.0

    f(ONE)
    tf.config.run_functions_eagerly(True)
    try:
        f(ONE)
        f(ONE)
        assert tf.config.functions_run_eagerly()
    finally:
        tf.config.run_functions_eagerly(False)
    f(ONE)
    assert capsys.readouterr().out == "running\n" * 3


def test_a_function_that_functools_caches_is_refused_with_the_other_order():
    @functools.lru_cache
    def double(x):
        return 2 * x

    words = r"double is cached by functools, .*: write the decorator of functools above it"
    with pytest.raises(TypeError, match=words):
        tf.function(double)


class Counted:
    """A key that counts how often keys are hashed."""

    hashes = [0]

    def __hash__(self):
        Counted.hashes[0] += 1
        return id(self)


def test_the_keys_of_a_dict_are_hashed_before_the_program_runs_and_not_afterwards():
    key = Counted()

    @tf.function
    def looked_up(x, values):
        Counted.hashes[:] = [x - x]
        return values[key] + x

    for _ in range(3):
        assert int(looked_up(tf.constant(3), {key: 1})) == 4
        assert int(Counted.hashes[0]) == 1


def test_recursion():
    @tf.function
    def endless(x):
        return endless(x)

    @tf.function
    def countdown(n, x):
        return x if n == 0 else countdown(n - 1, x * 2.0)

    with pytest.raises(RecursionError, match="calls itself"):
        endless(ONE)
    assert float(countdown(3, ONE)) == 8.0


@pytest.mark.parametrize("decorator", [property, functools.cached_property, classmethod])
def test_decorators_that_go_above_are_named(decorator):
    name = decorator.__name__
    with pytest.raises(TypeError, match=f"this is a {name}: write @{name} above it"):
        tf.function(decorator(lambda self: self))


def test_classes_and_cached_functions_are_refused_with_a_remedy():
    with pytest.raises(TypeError, match="Point is a class: decorate its methods"):
        tf.function(Point)
    with pytest.raises(TypeError, match="the decorator of functools above it"):
        tf.function(functools.lru_cache(counted))
    assert float(tf.function(functools.lru_cache(lambda x: x + x), autograph=False)(2.0)) == 4.0


def test_the_line_of_a_refused_result_is_the_users():
    @tf.function
    @contextlib.contextmanager
    def opened(x):  # here
        yield x

    with pytest.raises(TypeError, match=r"test_polymorphic\.py"):
        opened(ONE)


def generates(x):
    yield x


async def waits(x):
    return x


async def generates_and_waits(x):
    yield x


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize(
    ("function", "remedy"),
    [
        (generates, "append to a list"),
        (waits, "call that after `await`"),
        (generates_and_waits, "call that in the loop"),
    ],
)
def test_functions_that_run_later_are_refused_with_a_remedy(function, remedy):
    with pytest.raises(TypeError, match=rf"in compilation of {function.__name__}.*{remedy}"):
        tf.function(function)(ONE)


def test_errors_name_the_line_that_made_the_operation():
    @tf.function
    def f(x, i):
        y = x + 1.0
        return tf.gather(y, i)  # this line

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant([1.0]), tf.constant([3]))
    text = str(caught.value)
    assert "indices[0] = 3 is not in [0, 1)" in text
    line = f.python_function.__code__.co_firstlineno + 3
    assert f'test_polymorphic.py", line {line}, in f' in text


def test_exceptions_of_the_user_stay_what_they_are():
    class Special(Exception):
        def __init__(self, a, b):
            super().__init__(a, b)

    @tf.function
    def f(x):
        raise Special(1, 2)

    with pytest.raises(Special) as caught:
        f(ONE)
    assert caught.value.args == (1, 2)
    assert tf.executing_eagerly()


def test_concrete_function_checks_its_arguments():
    f = counted(lambda x, n: x * float(n))
    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32), 3)
    assert concrete(tf.constant([2.0])).numpy().tolist() == [6.0]
    assert concrete(tf.constant([2.0]), 3).numpy().tolist() == [6.0]
    assert concrete.structured_outputs.shape == [None]
    with pytest.raises(TypeError, match="fixed to 3"):
        concrete(tf.constant([2.0]), 4)
    with pytest.raises(TypeError, match="must be"):
        concrete(tf.constant([2]))
    with pytest.raises(TypeError, match="missing"):
        concrete()


def test_signatures_in_words():
    f = counted(lambda x: tf.maximum(0.0, x))
    f(tf.constant(5.5))
    f([1, -1])
    assert f.pretty_printed_concrete_signatures() == (
        "<lambda>(x)\n  Args:\n    x: float32 Tensor, shape=()\n"
        "  Returns:\n    float32 Tensor, shape=()\n\n"
        "<lambda>(x=[1, -1])\n  Returns:\n    float32 Tensor, shape=(2,)"
    )


def test_cache_is_bounded():
    f = counted(lambda n: tf.constant(n))
    for n in range(300):
        f(n)
    assert len(f._cache.values()) == 256
    f.clear_cache()
    assert f._cache.values() == []


def test_looks_like_the_function():
    @tf.function
    def documented(x):
        """Says what it does."""

    assert documented.__name__ == "documented"
    assert documented.__doc__ == "Says what it does."
    assert repr(documented) == "<Function documented>"


def test_state_is_left_when_tracing_fails():
    f = counted(lambda x: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        f(ONE)
    assert tf.executing_eagerly()
    with pytest.raises(ZeroDivisionError):
        f(ONE)


STRUCTURES = [
    {"k": [1.0, 2.0]}, {"k": (1.0, 2.0)}, {"k": [1.0], "j": [2.0]}, {"j": [1.0], "k": [2.0]},
    {"k": [[1.0, 2.0]]}, [{"k": 1.0}, 2.0], (1.0, (2.0,)), ((1.0,), 2.0),
    [1.0, 2.0, 3], [1.0, 2.0, 4], [1.0, 2.0, True], [1.0, 2.0, 1], [1.0, 2.0, None],
    [1.0, 2.0, "1"], {1: 1.0}, {}, [],
]  # fmt: skip


def test_structures_and_numbers_in_them_select_the_graph_at_later_calls():
    def traced(value):
        return tf.nest.map_structure(lambda e: tf.constant(e) if type(e) is float else e, value)

    shown = tf.function(lambda value: tf.constant(repr(value)))
    weight = tf.function(lambda value: tf.add_n([10.0 * e for e in tf.nest.flatten(value)[:2]]))
    texts = [shown(traced(each)).numpy() for each in STRUCTURES]
    for _ in range(3):
        for each, text in zip(STRUCTURES, texts, strict=True):
            assert shown(traced(each)).numpy() == text
        for each in STRUCTURES[:8]:
            assert float(weight(traced(each))) == 30.0
    assert shown.experimental_get_tracing_count() == len(STRUCTURES)


def test_a_structure_whose_tensors_change_type_is_traced_again():
    total = tf.function(lambda pair: pair["a"][0] + pair["b"])
    for _ in range(2):
        for one in (1.0, 2, [1.0, 2.0]):
            pair = {"a": [tf.constant(one)], "b": tf.constant(one)}
            assert total(pair).numpy().tolist() == (np.asarray(one) * 2).tolist()
    assert total.experimental_get_tracing_count() == 3

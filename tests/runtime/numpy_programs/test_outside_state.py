"""Programs that change arrays and numbers outside: as plain NumPy at each call, or refused."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import is_same

X = np.array([1.0, 2.0, 3.0])
WEAK = np.array([0.0, 0.1, 0.0])
TABLE = np.zeros(3)


class Model:
    """An object with arrays and numbers of all kinds."""

    def __init__(self):
        self.grid = np.zeros(3)
        self.other = np.ones(3)
        self.layers = [np.full(3, 2.0), np.full(3, 3.0)]
        self.tables = {"k": np.zeros(3)}
        self.time = 0.0
        self.count = 0
        self.scale = np.float32(0.5)
        self.hits = [0, 0]
        self.done = False


def changes_items(model, x):
    model.grid[0] += x[0]
    model.grid[1:] = x[1:] * 2
    return model.grid.sum()


def changes_plainly(model, x):
    model.grid[:] = 0
    model.grid += 1
    return x


def leaves_another_array(model, x):
    model.grid = model.grid * 0.5 + x
    return model.grid


def leaves_one_in_a_branch(model, x):
    if x.sum() > 1:
        model.grid = model.grid + x
        model.layers[1] = x * 2
    else:
        model.grid[0] = -1
    return model.grid.copy()


def changes_in_a_loop(model, x):
    for value in x:
        model.grid += value
        if model.grid[0] > 3:
            model.other[0] = value
    return model.other


def swaps(model, x):
    model.grid, model.other = model.other, model.grid
    model.grid[0] += x[0]


def updates_layers(model, x):
    for layer in model.layers:
        layer -= 0.1 * x
    model.tables["k"] += model.layers[0]


def counts(model, x):
    model.count += 1
    model.time += 0.25
    model.hits[1] += 2
    model.scale = model.scale * np.float32(2)
    model.done = bool(model.count > 2)
    return model.count * x


def counts_what_it_sees(model, x):
    if x[0] > 0.5:
        model.count += 2
        model.time = model.time + x[1]
    return model.count, model.time


def changes_under_a_local_name(model, x):
    grid = model.grid
    row = grid[1:]
    row[0] = x[0]
    return grid is model.grid


def leaves_a_pair(model, x):
    model.pair = (x * 2, x.sum())
    model.grid = model.other = x + 1


def changes_by_methods(model, x):
    model.grid.fill(x[0])
    model.other.sort()
    np.add.at(model.grid, [0, 0, 2], 1.0)


PROGRAMS = [
    changes_items, changes_plainly, leaves_another_array, leaves_one_in_a_branch,
    changes_in_a_loop, swaps, updates_layers, counts, counts_what_it_sees,
    changes_under_a_local_name, leaves_a_pair, changes_by_methods,
]  # fmt: skip


def state_of(model):
    """The values in a model, and which of its places hold one array."""
    held = [*vars(model).values(), *model.layers, *model.tables.values()]
    arrays = [each for each in held if isinstance(each, np.ndarray)]
    first = [next(i for i, other in enumerate(arrays) if other is each) for each in arrays]
    return dict(vars(model)), first


def check(program, calls, model=Model, between=lambda model: None, **options):
    """Assert that calls of a program leave an object as plain NumPy does."""
    graph, own, plain = tf.function(program, numpy=True, **options), model(), model()
    for x in calls:
        got, want = graph(own, x.copy()), program(plain, x.copy())
        assert is_same(want, got), program
        (left, first), (expected, others) = state_of(own), state_of(plain)
        assert first == others
        for name, value in expected.items():
            assert is_same(value, left[name]), name
        between(own)
        between(plain)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_call_changes_an_object_as_plain_numpy(program):
    check(program, [X, WEAK, X, X])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_so_does_machine_code(program):
    pytest.importorskip("llvmlite")
    check(program, [X, WEAK, X], jit_compile=True)


def test_what_the_caller_changes_between_calls_is_read():
    def changes(model):
        model.grid[0] += 10
        model.other = model.grid
        model.layers[0] = np.ones(3)
        model.count += 5

    for program in PROGRAMS:
        check(program, [X, X, WEAK], between=changes)


def adds_the_other(model, x):
    model.grid += model.other
    model.grid += model.other * x[0]


def test_an_array_that_is_read_may_become_the_one_that_is_changed():
    def become_one(model):
        model.grid = model.other = np.ones(3)

    check(adds_the_other, [X, X, X], between=become_one)


def test_an_array_that_is_read_may_become_a_view_of_the_one_that_is_changed():
    model = Model()
    program = tf.function(adds_the_other, numpy=True)
    program(model, X)
    model.grid = np.ones(3)
    model.other = model.grid[:]
    with pytest.raises(ValueError, match="shares memory with another"):
        program(model, X)


def test_the_array_of_the_caller_is_changed_and_stays_the_same_object():
    model = Model()
    grid = model.grid
    tf.function(changes_items, numpy=True)(model, X)
    assert model.grid is grid
    assert grid.tolist() == [1.0, 4.0, 6.0]


def test_a_returned_array_is_the_one_that_the_object_holds():
    model = Model()
    assert tf.function(leaves_another_array, numpy=True)(model, X) is model.grid


def test_an_unchanged_array_that_is_returned_is_the_one_that_is_there_now():
    @tf.function(numpy=True)
    def program(model, x):
        return model.grid, x.sum()

    model = Model()
    for _ in range(3):
        assert program(model, X)[0] is model.grid
        model.grid = model.grid.copy()


def test_arrays_of_globals_and_of_enclosing_functions_change():
    counts = [0]
    buffer = np.zeros(3)

    @tf.function(numpy=True)
    def program(x):
        TABLE[0] += x[0]
        buffer[:] = TABLE + x
        counts[0] += 1
        return buffer

    TABLE[:] = 0
    for number in (1, 2, 3):
        assert program(X) is buffer
        assert (TABLE.tolist(), counts) == ([number, 0.0, 0.0], [number])
        assert buffer.tolist() == [1.0 + number, 2.0, 3.0]


class Counter:
    def __init__(self, start):
        self.start = start
        self.total = np.zeros(2)

    def weight(self):
        return self.start * 2

    @tf.function(numpy=True)
    def add(self, x):
        self.total += self.weight() * x
        self.start += 1
        return self.total.sum()


def test_each_instance_of_a_class_has_its_own_state():
    one, other = Counter(1), Counter(10)
    assert [float(each.add(np.ones(2))) for each in (one, other, one)] == [4.0, 40.0, 12.0]
    assert (one.start, other.start) == (3, 11)


@dataclass
class Position:
    place: np.ndarray = field(default_factory=lambda: np.zeros(2))
    steps: int = 0

    @tf.function(numpy=True)
    def move(self, by):
        self.place = self.place + by
        self.steps += 1
        return self.place[0] > 1


def test_methods_of_dataclasses_change_their_object():
    position = Position()
    found = [bool(position.move(np.array([0.75, 1.0]))) for _ in range(3)]
    assert (found, position.steps, position.place.tolist()) == ([False, True, True], 3, [2.25, 3.0])


def test_a_program_that_raises_leaves_arrays_as_they_were():
    @tf.function(numpy=True)
    def program(model, x):
        model.grid[0] = 5.0
        if x[0] > 1:
            raise ValueError("too large")

    model = Model()
    with pytest.raises(ValueError, match="too large"):
        program(model, X + 1)
    assert model.grid.tolist() == [0.0, 0.0, 0.0]
    program(model, X)
    assert model.grid.tolist() == [5.0, 0.0, 0.0]


class TestRefusals:
    def test_arrays_that_share_memory(self):
        model = Model()
        model.other = model.grid[1:]
        with pytest.raises(ValueError, match="changes an array that shares memory with another"):
            tf.function(changes_items, numpy=True)(model, X)

    def test_an_argument_that_changes_and_is_an_array_outside(self):
        model = Model()

        @tf.function(numpy=True)
        def program(model, x):
            x[0] = 5.0
            return model.grid[0]

        assert program(model, X.copy()) == 0.0
        for _ in range(2):
            with pytest.raises(ValueError, match="shares memory with another"):
                program(model, model.grid)

    def test_an_array_that_a_tuple_holds_too(self):
        model = Model()
        model.pair = (model.grid, 1)
        with pytest.raises(TypeError, match=r"`model\.grid` changes, .* a tuple"):
            tf.function(changes_items, numpy=True)(model, X)

    def test_an_item_of_a_tuple_alone(self):
        model = Model()
        model.pair = (np.zeros(3), 1)

        def program(model, x):
            model.pair[0][0] = x[0]

        with pytest.raises(ValueError, match="setting an array element") as caught:
            tf.function(program, numpy=True)(model, X)
        assert "and no tuple or default of a parameter does" in caught.value.__notes__[-1]

    def test_a_change_of_text(self):
        model = Model()
        model.name = "a"

        def program(model, x):
            model.name += "b"
            model.grid[0] = x[0]

        with pytest.raises(ValueError, match=r"program changes `model\.name`: 'a' -> 'ab'"):
            tf.function(program, numpy=True)(model, X)
        assert model.grid.tolist() == [0.0, 0.0, 0.0]

    def test_one_of_two_arrays(self):
        def program(model, x):
            chosen = model.grid if x[0] > 1 else model.other
            chosen[0] = 5.0

        with pytest.raises(TypeError, match="as a staged statement decides"):
            tf.function(program, numpy=True)(Model(), X)

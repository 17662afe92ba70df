"""Items of Python's containers at indexes that are tensors: values, errors, and what is refused."""

from __future__ import annotations

import collections
import dataclasses
import functools
import operator
import traceback
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


class Point(NamedTuple):
    x: int
    y: float


def at_run_time(program, *args):
    """What a program raises as a graph, and that it is recorded without an error."""
    function = tf.function(program)
    tensors = [tf.constant(each) for each in args]
    function.get_concrete_function(*tensors)
    with pytest.raises(Exception) as caught:
        function(*tensors)
    return caught.value


class TestErrors:
    def test_an_index_out_of_range_is_the_error_of_python_at_the_line(self):
        def program(i):
            return [1, 2, 3][i]  # this line

        for index in (3, -4, 1000):
            error = at_run_time(program, index)
            assert (type(error), str(error)) == (IndexError, "list index out of range")
            shown = "".join(traceback.format_exception(error))
            line = program.__code__.co_firstlineno + 1
            assert f'test_items.py", line {line}, in program' in shown

    @pytest.mark.parametrize(
        ("container", "words"),
        [
            ((1, 2), "tuple index out of range"),
            ("ab", "string index out of range"),
            (b"ab", "index out of range"),
            (range(2), "range object index out of range"),
        ],
    )
    def test_each_container_has_its_words(self, container, words):
        error = at_run_time(lambda i: container[i], 2)
        assert (type(error), str(error)) == (IndexError, words)

    def test_assignments_have_words_of_their_own(self):
        def program(i):
            xs = [1, 2]
            xs[i] = 3
            return xs

        error = at_run_time(program, -3)
        assert (type(error), str(error)) == (IndexError, "list assignment index out of range")

    def test_an_inner_list_has_its_own_length(self):
        def program(i, j):
            return [[1], [2, 3]][i][j]

        assert str(at_run_time(program, 0, 1)) == "list index out of range"
        assert int(tf.function(program)(tf.constant(1), tf.constant(-2))) == 2

    def test_a_missing_key_is_shown(self):
        error = at_run_time(lambda x: {1: 10, 2: 20}[x], 7)
        assert (type(error), error.args) == (KeyError, (7,))
        error = at_run_time(lambda x: {"a": 1}[x], "b")
        assert (type(error), error.args) == (KeyError, ("b",))

    def test_an_index_is_checked_although_nothing_reads_the_item(self):
        def program(i):
            [1, 2][i]
            return i

        assert isinstance(at_run_time(program, 2), IndexError)

    def test_an_index_is_not_checked_in_a_branch_that_is_not_taken(self):
        def program(i):
            xs = [1, 2]
            return xs[i] if i < 2 else -1

        function = tf.function(program)
        assert int(function(tf.constant(1))) == 2
        assert int(function(tf.constant(5))) == -1

    def test_a_key_that_a_dict_does_not_have_cannot_be_added(self):
        def program(x):
            d = {1: 10}
            d[x] = 5
            return d

        error = at_run_time(program, 2)
        assert isinstance(error, tf.errors.UnimplementedError)
        assert "gets the key 2" in str(error)

    @pytest.mark.parametrize(
        ("index", "words"),
        [(1.0, "not float"), ("a", "not str"), ([0, 1], "is not a scalar")],
    )
    def test_other_indexes_are_type_errors(self, index, words):
        with pytest.raises(TypeError, match=words):
            tf.function(lambda i: [1, 2][i])(tf.constant(index))

    def test_items_of_a_tuple_cannot_be_assigned(self):
        def program(i):
            xs = (1, 2)
            xs[i] = 3

        with pytest.raises(TypeError):
            tf.function(program)(tf.constant(0))

    def test_an_array_has_the_error_of_python(self):
        table = np.arange(3)
        error = at_run_time(lambda i: table[i], 3)
        assert isinstance(error, IndexError)


class TestRefusals:
    @pytest.mark.parametrize("items", [[1, None], ["a", 1], [tf.constant(1), "a"], [[1], (2,)]])
    def test_items_of_several_kinds(self, items):
        def program(i):
            return items[i]

        with pytest.raises(TypeError, match="`items` is indexed by a tensor and holds"):
            tf.function(program)(tf.constant(0))

    def test_a_chosen_function_as_a_result(self):
        def program(i):
            return [abs, len][i]

        with pytest.raises(TypeError, match="must return zero or more Tensors"):
            tf.function(program)(tf.constant(0))

    def test_objects_that_an_assignment_may_change(self):
        @dataclasses.dataclass
        class Box:
            x: int

        def program(i):
            boxes = [Box(1), [2]]
            box = boxes[i]
            box.x = 5
            return boxes[0].x

        with pytest.raises(TypeError, match="`boxes` is indexed by a tensor and holds objects"):
            tf.function(program)(tf.constant(0))

    def test_a_list_as_the_new_item_beside_a_tuple(self):
        def program(i):
            rows = [[1], (2,)]
            rows[i] = [3]
            return rows

        with pytest.raises(TypeError, match="`rows` gets a list"):
            tf.function(program)(tf.constant(0))

    def test_methods_that_change_the_length_of_a_chosen_list(self):
        def program(i):
            rows = [[1], [2]]
            row = rows[i]
            row.append(3)
            return rows

        with pytest.raises(TypeError, match="`row` is asked for `append`"):
            tf.function(program)(tf.constant(0))

    def test_keys_of_an_empty_dict(self):
        def program(x):
            memo = {}
            memo[x] = 1
            return memo

        with pytest.raises(TypeError, match="`memo` may get a key that is a tensor"):
            tf.function(program)(tf.constant(0))

    def test_a_slice_of_bytes(self):
        with pytest.raises(TypeError, match="is sliced by a tensor"):
            tf.function(lambda i: b"hello"[i:])(tf.constant(0))


@pytest.mark.parametrize("i", [0, 2, -2, 9, -9])
def test_a_string_is_sliced_by_a_tensor_as_by_a_number(i):
    parts = tf.function(lambda i: ("hello"[i:], "hello"[:i], "hello"[1:i], "hello"[i::2]))
    found = [part.numpy().decode() for part in parts(tf.constant(i))]
    assert found == ["hello"[i:], "hello"[:i], "hello"[1:i], "hello"[i::2]]


class TestValues:
    def test_numbers_stay_numbers_of_python(self):
        def program(i, x):
            return [1, 2][i] * x

        assert tf.function(program)(tf.constant(1), tf.constant(1.5)).dtype is tf.float32
        wide = tf.function(lambda i: [2**40, 1][i])(tf.constant(0))
        assert int(wide) == 2**40

    def test_tensors_of_several_shapes_are_chosen(self):
        rows = [tf.constant([1.0, 2.0]), tf.constant([3.0])]
        function = tf.function(lambda i: rows[i])
        assert function(tf.constant(0)).numpy().tolist() == [1.0, 2.0]
        assert function(tf.constant(1)).numpy().tolist() == [3.0]

    def test_named_tuples_keep_their_class(self):
        def program(i):
            points = [Point(1, 0.5), Point(2, 1.5)]
            return points[i].x, points[i].y, points[i]

        x, y, point = tf.function(program)(tf.constant(1))
        assert (int(x), float(y), type(point)) == (2, 1.5, Point)

    def test_keys_compare_as_in_python(self):
        def program(x):
            return {True: "true", 2.0: "two"}[x]

        function = tf.function(program)
        assert function(tf.constant(1)).numpy() == b"true"
        assert function(tf.constant(2)).numpy() == b"two"
        assert function(tf.constant(True)).numpy() == b"true"

    def test_dicts_of_the_standard_library(self):
        def program(x):
            counts = collections.Counter("aab")
            found = collections.defaultdict(int, {"a": 5})
            ordered = collections.OrderedDict([("a", 1), ("b", 2)])
            ordered[x] += 1
            return counts[x], found[x], ordered["a"], ordered["b"]

        assert [int(each) for each in tf.function(program)(tf.constant("a"))] == [2, 5, 2, 2]
        counts = tf.function(lambda x: collections.Counter("aab")[x])
        assert int(counts(tf.constant("z"))) == 0

    def test_a_key_is_looked_for(self):
        function = tf.function(lambda x: x in {1: 10, "a": 20})
        assert bool(function(tf.constant(1))) and not bool(function(tf.constant(2)))
        assert bool(function(tf.constant("a")))

    def test_an_index_known_while_recording_is_plain(self):
        names: list[Any] = [1, "a", None]

        def program(x):
            i = tf.constant(1)
            return names[i] if names[tf.size(x) - 1] is None else None

        assert tf.function(program)(tf.constant([1, 2, 3])).numpy() == b"a"


class TestReferences:
    def test_a_chosen_list_shows_what_its_list_holds_later(self):
        def program(i):
            rows = [[1, 2], [3, 4]]
            row = rows[i]
            rows[0][0] = 10
            rows[1][0] = 30
            return row[0]

        assert int(tf.function(program)(tf.constant(0))) == 10
        assert int(tf.function(program)(tf.constant(1))) == 30

    @pytest.mark.parametrize(("i", "x"), [(0, 0), (0, 2), (1, 0), (1, 3)])
    def test_staged_statements_change_a_chosen_list(self, i, x):
        def program(i, x):
            rows = [[1, 2], [3, 4]]
            row = rows[i]
            if x > 1:
                row[0] = 50
            while x > 0:
                row[1] += x
                x -= 1
            return rows, list(row)

        expected = program(i, x)
        result = tf.function(program)(tf.constant(i), tf.constant(x))
        assert tf.nest.map_structure(int, result) == expected

    def test_the_same_list_twice(self):
        def program(i):
            row = [1, 2]
            rows = [row, [5, 6], row]
            rows[i][i - 1] += 10
            return rows

        for i in (0, 1, 2):
            expected = program(i) if i < 2 else None
            if expected is not None:
                result = tf.function(program)(tf.constant(i))
                assert tf.nest.map_structure(int, result) == expected


class TestArrays:
    def test_items_of_an_array_of_the_caller_cannot_be_assigned(self):
        @tf.function
        def program(xs, k):
            while k > 0:
                xs[k] = 7
                k -= 1
            return xs

        assert program(tf.constant([1, 2]), tf.constant(1)).numpy().tolist() == [1, 7]
        array = np.array([1, 2], np.int32)
        with pytest.raises(ValueError, match=r"program assigns items of its argument `xs`") as got:
            program(array, tf.constant(1))
        assert 'test_items.py", line' in str(got.value)
        assert array.tolist() == [1, 2]

    def test_a_view_of_the_array_counts(self):
        @tf.function
        def program(xs):
            rest = xs[1:]
            if xs[0] > 0:
                rest[0] = 5
            return rest

        with pytest.raises(ValueError, match="assigns items of its argument `xs`"):
            program(np.array([1, 2]))

    def test_a_new_tensor_does_not(self):
        @tf.function
        def program(xs):
            ys = xs + 0
            ys[0] = 5
            return ys

        assert program(np.array([1, 2])).numpy().tolist() == [5, 2]


class TestMethods:
    @pytest.mark.parametrize("i", [0, 1, -1])
    def test_methods_of_lists_with_tensors(self, i):
        def program(i):
            xs = [3, 1, 2]
            taken = xs.pop(i)
            xs.insert(i, 7)
            xs.insert(9, i)
            place = xs.index(7)
            count = xs.count(i)
            xs.remove(7)
            del xs[i]
            xs.append(taken)
            xs.sort(reverse=True)
            return xs, taken, place, count, len(xs)

        expected = program(i)
        result = tf.function(program)(tf.constant(i))
        assert tf.nest.map_structure(int, result) == expected

    @pytest.mark.parametrize(
        ("method", "kind", "words"),
        [
            (lambda xs, i: xs.pop(i + 5), IndexError, "pop index out of range"),
            (lambda xs, i: xs.index(i + 50), ValueError, "not in list"),
            (lambda xs, i: xs.remove(i + 50), ValueError, "not in list"),
        ],
    )
    def test_errors_of_python(self, method, kind, words):
        error = at_run_time(lambda i: method([1, 2, 3], i), 0)
        assert isinstance(error, kind)
        assert words in str(error)

    @pytest.mark.parametrize(("low", "high"), [(1, 3), (-2, 9), (0, 2)])
    def test_a_slice_of_the_same_length_is_assigned(self, low, high):
        def program(low, high):
            xs = [1, 2, 3, 4]
            same = xs
            xs[low:high] = [8, 9]
            return same

        expected = program(low, high)
        result = tf.function(program)(tf.constant(low), tf.constant(high))
        assert tf.nest.map_structure(int, result) == expected

    def test_a_slice_of_another_length_is_an_error(self):
        def program(low):
            xs = [1, 2, 3, 4]
            xs[low:] = [8, 9]
            return xs

        assert isinstance(at_run_time(program, 1), ValueError)

    def test_an_item_of_a_local_array_is_refused(self):
        def program(i):
            xs = np.zeros(3)
            xs[i] = 1.0
            return xs

        with pytest.raises(TypeError, match="`xs` is a NumPy array"):
            tf.function(program)(tf.constant(0))


def by_functions(i):
    xs = [1, 2, 3]
    operator.setitem(xs, i, 9)
    return xs, operator.getitem(xs, i)


def by_methods(i):
    xs, held = [1, 2, 3], {0: 5, 1: 6}
    xs.__setitem__(i, 9)
    held.__setitem__(i % 2, xs.__getitem__(i))
    return xs, held, held.__getitem__(i % 2)


def deleted_by_a_function(i):
    held, xs = {"a": 1, "b": 2}, [1, 2]
    if i > 0:
        operator.delitem(held, "a")
        operator.delitem(xs, 0)
    return "a" in held, len(held), xs[0]


def deleted_by_a_method(i):
    held = {"a": 1, "b": 2}
    if i > 0:
        held.__delitem__("a")
    return "a" in held, len(held)


def stored_by_a_method_saved_earlier(i):
    held = {}
    store, one = held.__setitem__, functools.partial(held.__setitem__, "k")
    if i > 0:
        store("j", i)
        one(7)
    return held.get("j", 0), held.get("k", 0)


def changed_in_place_by_functions(i):
    xs, held = [1], {"a": 1}
    if i > 0:
        operator.iadd(xs, [i])
        operator.ior(held, {"b": 2})
    operator.iadd(xs, [5])
    return xs, held.get("b", 0), operator.iadd(i, 1)


@pytest.mark.parametrize(
    "program",
    [
        by_functions,
        by_methods,
        deleted_by_a_function,
        deleted_by_a_method,
        stored_by_a_method_saved_earlier,
        changed_in_place_by_functions,
    ],
    ids=lambda each: each.__name__,
)
def test_functions_and_methods_that_read_and_change_items_do_so(program):
    check(program, (1,), (0,), (-2,), (7,))


def test_a_function_assigns_no_item_of_a_tensor():
    def program(x):
        operator.setitem(x, 0, 5)
        return x

    with pytest.raises(TypeError, match="an item of a tensor is assigned"):
        tf.function(program)(tf.constant([1, 2]))

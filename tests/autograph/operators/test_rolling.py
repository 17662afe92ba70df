"""Python loops over lists, `zip` and `enumerate` that are traced as one, and that must not be."""

import logging
import math
from types import SimpleNamespace

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.operators.rolling import remaining

WEIGHTS = [0.5 + 0.01 * k for k in range(300)]


def plain(value):
    return [np.float32(leaf).item() for leaf in tf.nest.flatten(value)]


def traced(function):
    return tf.function(function).get_concrete_function(tf.TensorSpec([], tf.float32))


def loops(concrete):
    return sum(op.type in ("While", "StatelessWhile") for op in concrete.graph.operations)


# ---- loops that are rolled ----


def over_floats(x):
    for w in WEIGHTS:
        if x > w:
            x = x - w
            continue
        x = x + w * 2
    return x, w


def over_integers(x):
    for k in [3, 1, 4, 1, 5, 9] * 50:
        if k % 2 == 0:
            x = x + k
        elif x > k:
            x = x * 0.5
    return x, k


def over_truth_of_numbers(x):
    for k in [0, 1] * 100:
        if k:
            x = x + 1.0
        x = x * 0.99 if not k else x
    return x


def over_a_tuple(x):
    for w in tuple(WEIGHTS):
        x = x * 0.5 + w
    return x


def over_tensors(x):
    for t in [tf.constant(float(k)) for k in range(300)]:
        x = x - t if x > t else x + 1.0
    return x


def over_traced_tensors(x):
    for t in [x * float(k) for k in range(300)]:
        x = x * 0.5 + t
    return x


def over_vectors(x):
    rows = [tf.constant([1.0, float(k)]) for k in range(300)]
    for row in rows:
        x = x * 0.5 + tf.reduce_sum(row * x)
    return x


def over_enumerate(x):
    for i, w in enumerate(WEIGHTS):
        if i % 3 == 0:
            x = x * w + i
    return x, i, w


def over_zip(x):
    for a, b in zip(WEIGHTS, range(len(WEIGHTS)), strict=False):
        x = x * 0.5 + a * b
    return x, a, b


def over_pairs(x):
    for pair in zip(WEIGHTS, WEIGHTS[::-1], strict=False):
        x = x * 0.5 + pair[0] * pair[1] + len(pair)
    return x, pair


def over_nested_pairs(x):
    for i, (a, b) in enumerate(zip(WEIGHTS, WEIGHTS[::-1], strict=False), 7):
        x = x * 0.5 + a - b * i
    return x, i, a, b


def over_values(x):
    table = {str(k): k * 0.5 for k in range(300)}
    for value in table.values():
        x = x * 0.5 + value
    return x


def over_items(x):
    table = {k: k * 0.5 for k in range(300)}
    for key, value in table.items():
        x = x * 0.5 + value - key
    return x, key


def iterator_afterwards(x):
    pairs = enumerate(WEIGHTS)
    for _, w in pairs:
        x = x * 0.5 + w
    return x, len(list(pairs))


def large_floats(x):
    for w in [1e40] * 200:
        x = x * 0.5 + w
    return x


def list_that_grows_at_the_end(x):
    items = list(WEIGHTS)
    for w in items:
        x = x * 0.5 + w
        if len(items) < 305:
            items.append(1.0)
    return x, len(items)


def changes_items(x):
    sums = [x * 0.0, 1.0]
    for w in WEIGHTS:
        if x > w:
            sums[0] = sums[0] + x
        else:
            sums[1] += w
    return sums


def changes_attributes(x):
    held = SimpleNamespace(total=0.0, count=0)
    for k in range(300):
        if x > k:
            held.total += x
            held.count += 1
    return held.total, held.count


def changes_items_of_a_dict(x):
    held = {"low": 0, "high": [0.5]}
    for k in range(300):
        if x < k:
            held["low"] += k
        held["high"][0] = held["high"][0] * 0.5 + x
    return held["low"], held["high"]


def changes_by_a_method(x):
    class Counter:
        def __init__(self):
            self.above = 0

        def see(self, value, bound):
            if value > bound:
                self.above += 1

    counter = Counter()
    for w in WEIGHTS:
        counter.see(x, w)
    return counter.above


def changes_a_progression(x):
    held = SimpleNamespace(count=0, total=x)
    for _ in range(300):
        held.count += 2
        held.total = held.total * 0.5 + 1.0
    return held.count, held.total, len(tf.zeros([held.count]).shape)


EDGES = [(k % 7, k * 3 % 11, k % 5 + 1) for k in range(300)]


def changes_items_at_numbers_of_pairs(x):
    distances = [x + 1000.0 * (k > 0) for k in range(11)]
    for start, end, weight in EDGES:
        if distances[start] + weight < distances[end - 11]:
            distances[end] = distances[start] + weight
    return distances


ROLLED = [
    changes_items, changes_items_at_numbers_of_pairs, changes_attributes, changes_items_of_a_dict,
    changes_by_a_method, changes_a_progression,
    over_floats, over_integers, over_truth_of_numbers, over_a_tuple, over_tensors,
    over_traced_tensors, over_vectors, over_enumerate, over_zip, over_pairs, over_nested_pairs,
    over_values, over_items, iterator_afterwards, large_floats, list_that_grows_at_the_end,
]  # fmt: skip


@pytest.mark.parametrize("function", ROLLED)
def test_rolled_loop_agrees_with_python_to_the_bit(function):
    traced, converted = tf.function(function), autograph.to_graph(function)
    for x in (3.5, 1e4):
        expected = plain(function(tf.constant(x)))
        assert plain(traced(tf.constant(x))) == expected, x
        assert plain(converted(tf.constant(x))) == expected, x


@pytest.mark.parametrize("function", ROLLED)
def test_long_loop_becomes_a_staged_one(function):
    assert loops(traced(function)) == 1


# ---- loops with a staged break or return ----


def break_in_list(x, n):
    for w in [0.5 + 0.01 * k for k in range(n)]:
        x = x + w
        if x > 100.0:
            break
    return x, w


def return_in_enumerate(x, n):
    for i, w in enumerate([0.25 * k for k in range(n)]):
        x = x * 0.99 + w
        if x > 50.0:
            return x, i
    return -x, -1


def else_of_zip(x, n):
    for k, w in zip(range(n), [0.5] * n, strict=True):
        if x > 60.0:
            break
        x = x + k * w
    else:
        x = x - 1000.0
    return x


def continue_and_break(x, n):
    count = 0
    for w in tuple(0.5 * (k % 7) for k in range(n)):
        if x < w:
            continue
        x = x - 1.0
        count += 1
        if x < 5.0:
            break
    return x, count


def break_in_dict(x, n):
    for key, w in {k: 0.5 * k for k in range(n)}.items():
        x = x + w
        if x > key + 70.0:
            break
    return x, key


def break_among_tensors(x, n):
    for row in [tf.constant([1.0, k]) for k in range(n)]:
        x = x + tf.reduce_sum(row)
        if x > 80.0:
            break
    return x


def break_in_nested_loops(x, n):
    for i in [1.0, 2.0, 3.0]:
        for w in [0.5 * k for k in range(n)]:
            x = x + w * i
            if x > 30.0:
                x = x - 25.0
                break
    return x


def condition_in_list(x, n):
    going = True
    for w in [0.5 + 0.01 * k for k in range(n)]:
        if going:
            x = x + w
            going = x < 40.0
        else:
            x = x * 0.99
    return x


LEAVING = [
    break_in_list, return_in_enumerate, else_of_zip, continue_and_break, break_in_dict,
    break_among_tensors, break_in_nested_loops,
]  # fmt: skip


@pytest.mark.parametrize("function", [*LEAVING, condition_in_list])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 40, 200])
def test_loop_with_a_staged_break_agrees_with_python(function, n):
    traced, converted = tf.function(function), autograph.to_graph(function)
    for x in (-5.0, 7.5, 2000.0):
        expected = plain(function(tf.constant(x), n))
        assert plain(traced(tf.constant(x), n)) == expected, x
        assert plain(converted(tf.constant(x), n)) == expected, x


@pytest.mark.parametrize("function", LEAVING)
def test_graph_of_a_loop_with_a_staged_break_does_not_grow_with_it(function):
    f = tf.function(function)
    spec = tf.TensorSpec([], tf.float32)
    few, many = (f.get_concrete_function(spec, n).graph for n in (50, 150))
    # An array of the items is an operation of each of them where the program makes tensors.
    made = 100 if function is break_among_tensors else 0
    assert len(many.operations) - len(few.operations) == made


def test_loop_with_a_staged_break_over_what_python_alone_can_do():
    def f(x, words):
        for word in words:
            x = x + len(word)
            if x > 12:
                break
        return x

    for x in (0, 5, 100):
        words = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"]
        assert tf.function(f)(tf.constant(x), words).numpy() == f(tf.constant(x), words).numpy()


def rest_of_an_iterator(x):
    pairs = enumerate(WEIGHTS)
    for _, w in pairs:
        x = x + w
        if x > 2.0:
            break
    return x, len(list(pairs))


def rest_of_a_generator(x):
    numbers = (w for w in WEIGHTS)
    for w in numbers:
        if x > w * 3:
            break
        x = x + w
    return x + next(numbers)


def iterator_of_two_loops(x):
    numbers = iter(WEIGHTS)
    for w in numbers:
        x = x + w
        if x > 2.0:
            break
    for w in numbers:
        x = x - w
    return x


def rest_in_an_attribute(x):
    holder = SimpleNamespace(numbers=iter(WEIGHTS))
    for w in holder.numbers:
        x = x + w
        if x > 2.0:
            break
    return x + next(holder.numbers)


def rest_in_a_dict(x):
    held = {"numbers": iter(WEIGHTS)}
    for w in held["numbers"]:
        x = x + w
        if x > 2.0:
            break
    return x, len(list(held["numbers"]))


def rest_by_another_name(x):
    numbers = rest = iter(WEIGHTS)
    for w in numbers:
        x = x + w
        if x > 2.0:
            break
    return x, len(list(rest))


def rest_by_a_function(x):
    numbers = iter(WEIGHTS)

    def given():
        return numbers

    for w in given():
        x = x + w
        if x > 2.0:
            break
    return x, len(list(given()))


def rest_in_an_outer_loop(x):
    numbers = iter(WEIGHTS)
    for scale in (1.0, 2.0):
        for w in numbers:
            x = x + w * scale
            if x > 2.0:
                break
    return x


def rest_of_what_a_generator_reads(x):
    numbers = iter(WEIGHTS)
    for w in (each * 0.5 for each in numbers):
        x = x + w
        if x > 2.0:
            break
    return x, len(list(numbers))


def rest_of_what_is_enumerated(x):
    numbers = iter(WEIGHTS)
    for k, w in enumerate(numbers):
        x = x + w * k
        if x > 2.0:
            break
    return x, len(list(numbers))


def rest_of_a_zipped_iterator(x):
    numbers = iter(WEIGHTS)
    for w, v in zip(numbers, WEIGHTS, strict=False):
        x = x + w * v
        if x > 2.0:
            break
    return x + next(numbers)


class Numbers:
    def __init__(self):
        self.rest = iter(WEIGHTS)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.rest)


def rest_of_an_object(x):
    numbers = Numbers()
    for w in numbers:
        x = x + w
        if x > 2.0:
            break
    return x, len(list(numbers))


def rest_of_the_caller(x):
    def first(numbers, x):
        for w in numbers:
            x = x + w
            if x > 2.0:
                return x
        return x

    numbers = iter(WEIGHTS)
    return first(numbers, x) + first(numbers, x)


@pytest.mark.parametrize(
    "function",
    [
        rest_of_an_iterator,
        rest_of_a_generator,
        iterator_of_two_loops,
        rest_in_an_attribute,
        rest_in_a_dict,
        rest_by_another_name,
        rest_by_a_function,
        rest_in_an_outer_loop,
        rest_of_what_a_generator_reads,
        rest_of_what_is_enumerated,
        rest_of_a_zipped_iterator,
        rest_of_an_object,
        rest_of_the_caller,
    ],
)
def test_iterator_that_may_be_read_after_a_staged_break_is_refused(function):
    for staged in (tf.function(function), tf.function(autograph.to_graph(function))):
        with pytest.raises(TypeError, match="is an iterator in a loop") as caught:
            staged(tf.constant(0.0))
        assert "test_rolling.py" in str(caught.value)


def items_counted_by_a_list(x):
    counts = [0]

    def numbers():
        for w in WEIGHTS:
            counts[0] += 1
            yield w

    for w in numbers():
        x = x + w
        if x > 2.0:
            break
    return x, counts[0]


def items_counted_by_a_variable(x):
    count = 0

    def numbers():
        nonlocal count
        for w in WEIGHTS:
            count += 1
            yield w

    for w in numbers():
        x = x + w
        if x > 2.0:
            break
    return x, count


def end_noted_by_a_variable(x):
    ended = 0

    def numbers():
        nonlocal ended
        yield from WEIGHTS
        ended = 1

    for w in numbers():
        x = x + w
        if x > 2.0:
            break
    return x, ended


def items_counted_by_a_function_made_before(x):
    numbers, count = counting_numbers()
    for w in numbers():
        x = x + w
        if x > 2.0:
            break
    return x, count()


def counting_numbers():
    count = 0

    def numbers():
        nonlocal count
        for w in WEIGHTS:
            count += 1
            yield w

    return numbers, lambda: count


def items_counted_by_an_object(x):
    class Counting(Numbers):
        count = 0

        def __next__(self):
            counted.count += 1
            return super().__next__()

    counted = SimpleNamespace(count=0)
    for w in Counting():
        x = x + w
        if x > 2.0:
            break
    return x, counted.count


@pytest.mark.parametrize(
    "function",
    [
        items_counted_by_a_list,
        items_counted_by_a_variable,
        items_counted_by_a_function_made_before,
        items_counted_by_an_object,
        end_noted_by_a_variable,
    ],
)
def test_iterator_that_changes_other_objects_after_a_staged_break_is_refused(function):
    with pytest.raises(TypeError, match="is changed by an iterator in a loop"):
        tf.function(function)(tf.constant(0.0))


def pairs_of(numbers):
    pair = []
    for number in numbers:
        pair.append(number)
        if len(pair) == 2:
            yield pair
            pair = []


def test_generator_that_changes_its_own_objects_may_be_left_by_a_staged_break():
    def f(x):
        for one, other in pairs_of(WEIGHTS):
            x = x + one * other
            if x > 0.5:
                break
        return x

    for x in (0.0, 1.0, -9.0):
        assert plain(tf.function(f)(tf.constant(x))) == plain(f(tf.constant(x)))


def test_iterator_of_one_loop_may_be_left_by_a_staged_break():
    def f(x):
        numbers = iter(WEIGHTS)
        for w in numbers:
            x = x + w
            if x > 9.0:
                break
        return x

    assert plain(tf.function(f)(tf.constant(0.0))) == plain(f(tf.constant(0.0)))


def test_graph_of_a_long_loop_does_not_grow_with_it():
    def operations(count):
        weights = [0.5] * count

        def f(x):
            for i, w in enumerate(weights):
                if x > i:
                    x = x * w
            return x

        spec = tf.TensorSpec([], tf.float32)
        return len(tf.function(f).get_concrete_function(spec).graph.operations)

    assert operations(1000) == operations(4000)


def test_log_names_the_loop(caplog):
    autograph.set_verbosity(1)
    try:
        with caplog.at_level(logging.INFO, logger="autograph"):
            tf.function(over_enumerate)(tf.constant(1.0))
    finally:
        autograph.set_verbosity(0)
    (line,) = [each.message for each in caplog.records if "staged loop" in each.message]
    assert "`enumerate`" in line and "test_rolling.py" in line


# ---- loops that must stay unrolled ----


def number_of_python(x):
    for w in WEIGHTS:
        x = x * 0.5 + math.sin(w)
    return x


def keys_of_a_dict(x):
    places = {w: k for k, w in enumerate(WEIGHTS)}
    for w in WEIGHTS:
        x = x * 0.5 + places[w]
    return x


def texts_of_numbers(x):
    for w in WEIGHTS:
        x = x * 0.5 + len(str(w))
    return x


def unlike_types(x):
    for w in [*WEIGHTS, 3, *WEIGHTS]:
        x = x * 0.5 + w
    return x


def texts(x):
    for word in ["a", "bcd"] * 100:
        x = x * 0.5 + len(word)
    return x


def pairs_of_unlike_lengths(x):
    for pair in [(1.0,), (1.0, 2.0)] * 100:
        x = x * 0.5 + len(pair)
    return x


def kept_items(x):
    seen = []
    for w in WEIGHTS:
        seen.append(w)
        x = x * 0.5 + 1.0
    return x, seen


def kept_numbers_alone(x):
    seen = []
    for w in WEIGHTS:
        if x > 1e9:
            seen[-1] = 0.0
        seen.append(w)
    return seen


def numbers_of_python_in_a_list(x):
    held = [0, x]
    for k in range(300):
        held[0] += k
        held[1] = held[1] * 0.5 + 1.0
    return held, len("a" * held[0])


def largest_so_far(x):
    best = WEIGHTS[0]
    for w in WEIGHTS:
        if w > best:
            best = w
        x = x * 0.5 + best
    return x, best


def item_before(x):
    last = 0.0
    for w in WEIGHTS:
        x = x * 0.5 + last
        last = w
    return x, last


def one_iterator_twice(x):
    numbers = iter(WEIGHTS * 2)
    for a, b in zip(numbers, numbers, strict=False):
        x = x * 0.5 + a - b
    return x


def generator(x):
    for w in (each for each in WEIGHTS):
        x = x * 0.5 + w
    return x


def iterator_used_in_the_body(x):
    numbers = iter(WEIGHTS)
    for i, w in enumerate(numbers):
        x = x * 0.5 + w + i + next(numbers, 0.0)
    return x


def iterator_used_in_a_range(x):
    numbers = iter(range(1000))
    for i in range(300):
        x = x * 0.5 + next(numbers) + i
    return x


def generator_used_in_a_range(x):
    def count():
        yield from range(1000)

    numbers = count()
    for i in range(300):
        x = x * 0.5 + next(numbers) + i
    return x


def changed_in_the_body(x):
    items = list(WEIGHTS)
    for i, w in enumerate(items):
        items[-1 - i] = w
        x = x * 0.5 + w
    return x, items[0]


def type_of_an_item(x):
    for w in WEIGHTS:
        x = x + (1.0 if isinstance(w, float) else 100.0)
    return x


def short(x):
    for w in WEIGHTS[:20]:
        x = x * 0.5 + w
    return x


def large_integers(x):
    for k in [2**40, 3] * 100:
        x = x * 0.5 + k % 7
    return x


STAYING = [
    number_of_python, keys_of_a_dict, texts_of_numbers, unlike_types, texts,
    pairs_of_unlike_lengths, kept_items, kept_numbers_alone, numbers_of_python_in_a_list,
    largest_so_far, item_before, one_iterator_twice,
    generator, iterator_used_in_the_body, iterator_used_in_a_range, generator_used_in_a_range,
    changed_in_the_body, type_of_an_item, short,
    large_integers,
]  # fmt: skip


@pytest.mark.parametrize("function", STAYING)
def test_what_python_alone_can_do_is_unrolled_and_agrees(function):
    concrete = traced(function)
    assert plain(concrete(tf.constant(1.5))) == plain(function(tf.constant(1.5)))
    assert loops(concrete) == 0


def test_error_of_python_is_raised_in_its_iteration():
    @tf.function
    def f(x):
        for w in [1.0] * 200 + [0.0] * 2:
            x = x + 1 / w
        return x

    with pytest.raises(ZeroDivisionError):
        f(tf.constant(0.0))


def test_rest_of_a_loop_that_changes_a_long_list_is_one_loop():
    def f(x):
        sums = [x * k for k in range(200)]
        for start, end, weight in EDGES:
            if sums[start] < sums[end + 20]:
                sums[end + 150] += sums[start] + weight
        return sums

    concrete = traced(f)
    assert plain(concrete(tf.constant(1.5))) == plain(f(tf.constant(1.5)))
    assert loops(concrete) == 1


def test_index_out_of_range_is_the_error_of_its_iteration():
    def f(x):
        sums = [x, x]
        done = 0
        try:
            for k in [0, 1] * 100 + [2]:
                sums[k] += 1.0
                done += 1
        except IndexError:
            return sums, done
        return sums, -1

    sums, done = tf.function(f)(tf.constant(0.5))
    assert (list(map(float, sums)), int(done)) == f(0.5)


@pytest.mark.parametrize(
    "make",
    [
        lambda: iter([1, 2, 3]),
        lambda: iter((1, 2, 3)),
        lambda: iter(range(2, 9, 3)),
        lambda: iter({1: 2, 3: 4}),
        lambda: iter({1: 2, 3: 4}.items()),
        lambda: enumerate([5, 6], 3),
        lambda: zip([1, 2, 3], (4, 5), strict=False),
        lambda: enumerate(zip([1, 2], [3, 4], strict=False)),
    ],
)
def test_remaining_items_leave_the_iterator_where_it_is(make):
    iterator, other = make(), make()
    while True:
        assert list(remaining(iterator)) == list(remaining(other))
        left = list(remaining(iterator))
        if not left:
            break
        assert next(iterator) == left[0]
        next(other)
    assert list(iterator) == []


def test_the_rest_of_a_loop_that_assigns_at_staged_indices_is_one_loop():
    program = "+++[>++<-]>."

    @tf.function
    def interpreted(x):
        tape, pointer, pc = [x, 0, 0], 0, 0
        jumps = {3: 9, 9: 3}
        for _ in range(100):
            if pc >= len(program):
                break
            sign = program[pc]
            if sign == "+":
                tape[pointer] += 1
            elif sign == "-":
                tape[pointer] -= 1
            elif sign == ">":
                pointer += 1
            elif sign == "<":
                pointer -= 1
            elif (sign == "[" and tape[pointer] == 0) or (sign == "]" and tape[pointer] != 0):
                pc = jumps[pc]
            pc += 1
        return tape, pointer

    graph = interpreted.get_concrete_function(tf.constant(3)).graph
    assert [op.type for op in graph.operations].count("While") == 1
    tape, pointer = interpreted(tf.constant(3))
    assert [int(each) for each in tape] == [0, 12, 0] and int(pointer) == 1

# ruff: noqa: RUF005 - the programs are as people write them
"""Lists whose length a graph knows only when it runs: what plain Python gives, or a refusal.

Each program of `SAME` is run with a number, by `function` with a tensor, and by `to_graph` with a
number. Loops run no, one and several times.
"""

from collections import namedtuple

import numpy as np
import pytest

import autograph
import runtime as tf

Pair = namedtuple("Pair", "key value")


def filled(n):
    out = []
    for i in range(n):
        out.append((i * 7) % 5)
    return out


def largest_so_far(n):
    best = None
    for item in filled(n):
        if best is None or item > best:
            best = item
    return -1 if best is None else best


def inserted_at_the_front(n):
    out = filled(n)
    for i in range(n):
        out.insert(0, i)
    return out


def inserted_anywhere(n):
    out = filled(n)
    out.insert(1, 10)
    out.insert(-1, 20)
    out.insert(100, 30)
    out.insert(-100, 40)
    out.insert(n - 1, 50)
    return out


def popped_from_the_front(n):
    out = filled(n)
    out.append(9)
    first = out.pop(0)
    return out, first


def popped_by_a_tensor(n):
    out = filled(n + 3)
    taken = out.pop(n)
    other = out.pop(-2)
    return out, taken, other


def emptied_from_the_front(n):
    out = filled(n)
    total = 0
    while len(out) > 0:
        total = total * 3 + out.pop(0)
    return total


def removed(n):
    out = filled(n)
    out.append(3)
    out.append(4)
    out.append(3)
    out.remove(3)
    return out


def positions(n):
    out = filled(n)
    out.append(4)
    return out.index(4), out.count(4), out.count(100)


def reversed_in_place(n):
    out = filled(n)
    out.reverse()
    return out


def put_in_order(n):
    out = filled(n)
    out.sort()
    return out


def put_in_descending_order(n):
    out = filled(n)
    out.sort(reverse=True)
    return out


def pairs(n):
    out = []
    for i in range(n):
        out.append(((i * 7) % 3, i))
    return out


def pairs_in_order(n):
    out = pairs(n)
    out.sort()
    return out


def pairs_in_descending_order(n):
    out = pairs(n)
    out.sort(reverse=True)
    return out


def pairs_unpacked(n):
    total = 0
    for a, b in pairs(n):
        total += a * b
    return total


def pair_taken_out(n):
    out = pairs(n)
    out.append((1, 100))
    a, b = out.pop()
    c, d = out[0] if n > 0 else (7, 8)
    return a, b, c, d, len(out)


def pair_searched(n):
    out = pairs(n)
    return (1, 1) in out, (2, 1) in out, out.count((0, 0)), 3 in out


def pair_replaced(n):
    out = pairs(n)
    out.append((0, 0))
    out[-1] = (5, 6)
    return out


def named_pairs(n):
    out = []
    for i in range(n):
        out.append(Pair(key=i, value=i * 2))
    total = 0
    for pair in out:
        total += pair.value - pair.key
    return total


def nested_tuples(n):
    out = []
    for i in range(n):
        out.append((i, (i + 1, i * 0.5)))
    total = 0.0
    for a, (b, c) in out:
        total += a * b + c
    return total


def pairs_under_if(n):
    out = []
    for i in range(n):
        if i % 2 == 0:
            out.append((i, i + 1))
    return out


def sliced(n):
    out = filled(n)
    return out[1:], out[:2], out[::-1], out[1:4:2], len(out[2:])


def slice_is_a_list(n):
    out = filled(n)
    rest = out[1:]
    rest.append(8)
    return rest + [1, 2]


def joined(n):
    out = filled(n)
    return out + out, out + [1], [1] + out, out + []


def extended(n):
    out = filled(n)
    out.extend(out)
    out += [1, 2]
    out.extend(filled(n))
    out += out
    return out


def repeated(n):
    out = filled(n)
    return out * 2, 3 * out, out * 0, out * -1


def compared(n):
    out = filled(n)
    return out == filled(n), out == [], out == [0], out != [0, 2], out == [0, 2, 4]


def emptied(n):
    out = filled(n)
    out.clear()
    out.append(1)
    return out


def copied(n):
    out = filled(n)
    other = out.copy()
    other.append(1)
    return out, other


def element_deleted(n):
    out = filled(n)
    out.append(5)
    out.append(6)
    del out[0]
    del out[-1]
    return out


def queue(n):
    todo = [(n, 0)]
    total = 0
    while len(todo) > 0:
        value, depth = todo.pop(0)
        total += value * (depth + 1)
        if value > 0:
            todo.append((value - 2, depth + 1))
            todo.append((value - 3, depth + 1))
    return total


def appended_in_two_arms(n):
    out = [7]
    if n > 1:
        out.append(n)
        out[0] = 8
    elif n > 0:
        out.append(5)
        out.append(6)
    return out


def blocks(n):
    out = [tf.zeros([1, 2])]
    for i in range(n):
        out.append(tf.fill([1, 2], float(i)))
    return out


def blocks_below_each_other(n):
    return tf.concat(blocks(n), 0)


def blocks_side_by_side(n):
    return tf.concat(blocks(n), axis=-1)


def blocks_along_axes(n):
    return tf.stack(blocks(n)), tf.stack(blocks(n), 1), tf.stack(blocks(n), axis=-1)


def blocks_added(n):
    return tf.add_n(blocks(n))


SAME = [
    blocks_below_each_other, blocks_side_by_side, blocks_along_axes, blocks_added,
    appended_in_two_arms,
    inserted_at_the_front, inserted_anywhere, popped_from_the_front, popped_by_a_tensor,
    emptied_from_the_front, removed, positions, reversed_in_place, put_in_order,
    put_in_descending_order, pairs_in_order, pairs_in_descending_order, pairs_unpacked,
    pair_taken_out, pair_searched, pair_replaced, named_pairs, nested_tuples, pairs_under_if,
    sliced, slice_is_a_list, joined, extended, repeated, compared, emptied, copied,
    element_deleted, queue, pairs, largest_so_far,
]  # fmt: skip


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_same_as_python(program, n):
    expected = plain(program(n))
    assert plain(tf.function(program)(tf.constant(n))) == expected
    assert plain(autograph.to_graph(program)(n)) == expected


@pytest.mark.parametrize("join", [lambda out: tf.concat(out, 0), tf.add_n])
def test_an_empty_list_cannot_be_joined(join):
    def program(n):
        out = []
        for i in range(n):
            out.append(tf.fill([2], i))
        return join(out)

    function = tf.function(program)
    assert function(tf.constant(3)).numpy().tolist() == program(3).numpy().tolist()
    with pytest.raises(ValueError):
        program(0)
    with pytest.raises(ValueError, match="the list is empty"):
        function(tf.constant(0))


def test_a_joined_list_has_gradients():
    @tf.function
    def program(x, n):
        out = []
        for _ in range(n):
            out.append(x * float(len(out)))
        return tf.concat(out, 1)

    x = tf.constant([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        joined = program(x, tf.constant(3))
    assert joined.numpy().tolist() == [[0, 1, 2], [0, 2, 4]]
    assert tape.gradient(joined, x).numpy().tolist() == [[3], [3]]


def test_scalars_cannot_be_concatenated():
    with pytest.raises(ValueError, match="Can't concatenate scalars"):
        tf.function(lambda n: tf.concat(filled(n), 0))(tf.constant(3))


def popped_too_often(n):
    out = filled(n)
    while n >= 0:
        out.pop()
        n -= 1
    return len(out)


def popped_out_of_range(n):
    out = filled(n)
    return out.pop(n)


def popped_far_below(n):
    out = filled(n)
    return out.pop(-n - 1)


def deleted_out_of_range(n):
    out = filled(n)
    del out[n]
    return len(out)


def read_out_of_range(n):
    return filled(n)[n]


def read_far_below(n):
    return filled(n)[-n - 1]


def missing_index(n):
    return filled(n).index(100)


def missing_removed(n):
    out = filled(n)
    out.remove(100)
    return len(out)


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize(
    "program",
    [
        popped_too_often, popped_out_of_range, popped_far_below, deleted_out_of_range,
        read_out_of_range, read_far_below, missing_index, missing_removed,
    ],
    ids=lambda program: program.__name__,
)  # fmt: skip
def test_same_error_as_python(program, n):
    with pytest.raises((IndexError, ValueError)) as expected:
        program(n)
    with pytest.raises(type(expected.value)):
        tf.function(program)(tf.constant(n))


def nested_list(n):
    out = []
    for i in range(n):
        out.append([i, i])
    return out


def slice_assigned(n):
    out = filled(n)
    out[1:2] = [7]
    return out


def ordered(n):
    return filled(n) < [1]


def list_appended_to_numbers(n):
    out = filled(n)
    out.append([1])
    return out


def pair_appended_to_numbers(n):
    out = filled(n)
    out.append((1, 2))
    return out


def joined_to_a_number(n):
    return filled(n) + 1


def true_appended_to_numbers(n):
    out = filled(n)
    out.append(True)
    return max(out)


REFUSED = [
    nested_list, slice_assigned, ordered, list_appended_to_numbers,
    pair_appended_to_numbers, joined_to_a_number, true_appended_to_numbers,
]  # fmt: skip


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_a_graph_cannot_do_is_refused(program):
    with pytest.raises((TypeError, ValueError)) as caught:
        tf.function(program)(tf.constant(3))
    assert "Growing" not in str(caught.value)


def test_nan_has_no_place_in_order():
    @tf.function
    def program(xs):
        out = []
        for x in xs:
            out.append(x)
        out.sort()
        return out

    assert plain(program(tf.constant([2.0, -1.0]))) == [-1.0, 2.0]
    with pytest.raises(ValueError, match="NaN"):
        program(tf.constant([2.0, float("nan")]))


def equal_to_a_display(x):
    a = [1]
    b = a
    if x > 0:
        a.append(2)
    return b == [1, 2]


def unequal_to_a_display(x):
    a = [1]
    b = a
    for i in range(abs(x)):
        a.append(i)
    return b != [1, 0]


def grown_by_a_helper(x):
    def grow(items, x):
        if x > 0:
            items.append(2)

    a = [1]
    grow(a, x)
    return a == [1, 2], a == [each + 1 for each in (0,)]


@pytest.mark.parametrize("x", [-2, 0, 1])
@pytest.mark.parametrize("program", [equal_to_a_display, unequal_to_a_display, grown_by_a_helper])
def test_a_list_under_another_name_equals_what_is_written_out(program, x):
    results = tf.nest.flatten(tf.function(program)(tf.constant(x)))
    assert [bool(each) for each in results] == tf.nest.flatten(program(x))
    assert autograph.to_graph(program)(x) == program(x)


def test_a_dict_under_another_name_is_not_compared():
    def program(x):
        a = {1: 2}
        b = a
        if x > 0:
            a[3] = 4
        return b == {1: 2, 3: 4}

    with pytest.raises(TypeError, match="the dict `a` grows"):
        tf.function(program)(tf.constant(1))


@pytest.mark.parametrize("x", [-2, 2])
def test_a_method_saved_in_a_global_changes_the_list(x):
    before = list(KEPT)

    @tf.function
    def program(x):
        if x > 0:
            KEEP(1)
        return x

    for _ in range(3):
        program(tf.constant(x))
    assert [*before, *[1] * (3 if x > 0 else 0)] == KEPT


KEPT: list[int] = []
KEEP = KEPT.append


def test_wrong_arguments_of_a_method_name_the_class_of_python():
    def program(n):
        v = []
        for i in range(n):
            v.append(i)
        return v.count(1, 2)

    with pytest.raises(TypeError, match=r"^list\.count\(\) takes"):
        tf.function(program)(tf.constant(3))


@pytest.mark.parametrize("bounds", [(1,), (2,), (-2,), (0, 3), (1, -1), (3, 1), (-9, 9)])
@pytest.mark.parametrize("x", [0, 1, 7])
def test_index_between_bounds(x, bounds):
    def program(x):
        v = [1, 0, 1]
        if x < 5:
            v.append(x)
        return v.index(x, *bounds)

    try:
        expected = program(x)
    except ValueError:
        with pytest.raises(ValueError, match="not in list"):
            tf.function(program)(tf.constant(x))
    else:
        assert tf.function(program)(tf.constant(x)) == expected


def test_lists_of_strings_are_sliced_and_compared_by_their_items():
    def program(n):
        names = ["a"]
        for k in range(n):
            names.append("bcd"[k % 3])
        return names[:2], names[1:3], names[::2], names == names[:], names == names[1:]

    staged = tf.function(program, numpy=True)
    for n in (2, 6):
        assert staged(np.int64(n)) == program(n)


def test_a_literal_is_looked_up_in_a_list_of_strings():
    def program(n):
        names = []
        for k in range(n):
            if "b" not in names:
                names.append("ab"[k % 2])
        return "a" in names, "b" in names, "c" not in names, len(names)

    staged = tf.function(program)
    for n in (0, 1, 2, 5):
        assert tuple(map(int, staged(tf.constant(n)))) == program(n)


def test_a_star_in_a_list_display_names_what_works_in_its_place():
    def program(n):
        found = []
        for k in range(n):
            found = [*found, k]
        return found

    with pytest.raises(TypeError, match=r"write `a \+ \[b\]` in place of `\[\*a, b\]`"):
        tf.function(program)(tf.constant(3))

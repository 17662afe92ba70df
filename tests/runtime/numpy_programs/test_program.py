"""NumPy programs as graphs: identity of arrays, views, dtypes, results, and what is refused."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import difference, is_same

TABLE = np.arange(5.0)
VECTOR = np.random.default_rng(0).random(30)
MATRIX = np.random.default_rng(0).random((6, 7))


def names_of_one_array(x):
    y = x
    for i in range(10):
        y[i] = y[i] + i
    z = y[2:5]
    z[0] = 100
    return x, z.copy()


def views_write_through(a):
    row, column, turned = a[1], a[:, 0], a.T
    row[0] = 9
    column[2] = 7
    turned[0, 1] = 3
    row += 1
    return a, row.copy(), turned.copy()


def rows_of_a_loop_are_views(m):
    total = 0.0
    for row in m:
        total += row.sum()
        row[0] = 0
    return total, m


def rows_in_a_counted_loop(m):
    a = m.copy()
    for i in range(a.shape[0]):
        row = a[i]
        row[0] = i
        row *= 2
    return a


def rows_that_are_swapped(m):
    m[0], m[1] = m[1], m[0]
    return m


def buffers_that_are_swapped(x):
    a, b = x.copy(), np.zeros_like(x)
    for _ in range(20):
        for j in range(1, len(x) - 1):
            b[j] = (a[j - 1] + a[j + 1]) / 2
        a, b = b, a
    return a


def masks(x):
    y = x.copy()
    y[y > 0.5] = 0
    y[x < 0.2] *= 2
    positions = np.array([1, 3, 5])
    y[positions] += 1
    y[[0, 2]] = [7, 8]
    return y, y[::-1], np.where(y > 1, y, -1), x[positions], x[x > 0.5]


def masked_rows(m):
    m[m[:, 0] > 0.5] = 1.0
    m[:, [1, 3]] = 2.0
    m[2:4, 1] = [5.0, 6.0]
    m[[0, 1], [2, 3]] += 10.0
    return m


def changes_its_argument(x):
    x += 1
    x[2] = x[1] * 2
    return x


def changes_one_of_two(a, b):
    a[0] = b[1]
    b[2] = a[1]


def returns_views_of_its_argument(a):
    return a[1:], a.T, a[::-1], a.reshape(-1), a


def operators(x):
    return x * 2, x + 1.5, x > 0, -x, abs(x), x**2, x // 2, x % 2, 1 - x, divmod(x, 2)


def dtypes_of_numpy(a):
    small = a.astype(np.int8)
    single = a.astype(np.float32)
    return single * 2, small + 1, np.sum(a.astype(np.int32)), single.mean(), (a > 1).sum(), a.dtype


def integers_wrap_around(a):
    b = a.astype(np.int8)
    b += np.int8(100)
    return b * 2


def a_table_from_outside(i):
    return TABLE[i], TABLE * i, TABLE[1:3]


def an_array_that_is_filled(n):
    a = np.empty(n, dtype=np.int64)
    for i in range(n):
        a[i] = i * i
    return a


def arrays_of_traced_scalars(x):
    return np.array([x[0], x[1] * 2, 3.0]), np.array([[x[0], 1], [2, x[1]]])


def unpacks(x):
    a, b, c = x[:3]
    return a + b + c


def built_in_functions(x):
    return [v * 2 for v in x[:4]], sum(x), max(x), min(x), len(x), max(x[0], 0.5), int(x[1])


def enumerates(x):
    total = 0.0
    for i, v in enumerate(x):
        total += i * v
    for v, w in zip(x, x[::-1], strict=True):
        total += v * w
    return total


def leaves_a_loop_early(x):
    for i in range(len(x)):
        if x[i] > 0.9:
            return i
    return -1


def shapes_of_the_running_graph(x, k):
    part = x[:k].copy()
    return part, x[k:].sum(), np.zeros(k), np.arange(k), len(part), part.shape[0] + 1


def writes_with_out(x):
    y = np.zeros_like(x)
    np.add(x, 1, out=y)
    np.sin(x, out=x)
    return y, x


def a_branch_that_chooses_an_array(x):
    y = x.copy()
    z = y if x[0] > 0.5 else x.copy()
    return z.sum()


def python_floats_in_a_loop(x):
    s = 0.1
    for i in range(20):
        s = s * 1.1 + x[i] * 0
    return s


def python_ints_in_a_loop(x):
    k = 1
    for i in range(20):
        k = k * 7 + int(x[i] > 2)
    return k


def a_list_that_grows(x):
    found = []
    for i in range(6):
        found.append(x[i] * 2)
    return np.array(found)


def a_list_of_unknown_length(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0.5:
            found.append(i)
    return found


def a_local_function_that_calls_itself(x):
    def times(v, n):
        return v if n == 0 else times(v * 2, n - 1)

    return times(x, 3)


def counts_down(n):
    found = np.zeros(8, dtype=np.int64)
    i = 0
    while n > 0:
        found[i] = n
        n //= 2
        i += 1
    return found, i


def a_tuple_of_tables(x):
    offsets = [(0, 1), (1, 0), (0, -1)]
    total = 0.0
    for i in range(1, x.shape[0] - 1):
        for di, dj in offsets:
            total += x[i + di, 2 + dj]
    return total


def changes_views_by_operators(m):
    for i in range(m.shape[0]):
        m[i, 1:] -= m[i, 0] * m[0, 1:]
        m[i] *= 2
        m[:, 2] += m[i, 3]
    m[...] /= 4
    m[1:3][0] += 1
    return m


def swaps_the_elements_of_two(a, b):
    old = a.copy()
    a[:] = b
    b[:] = old
    return old, a


def keeps_the_elements_before(a):
    before = a.copy()
    a[0] = 9
    return before


def shifted_parts_of_one_array(x):
    x[1:] = x[:-1]
    x[::2] = x[::-2]
    return x


def a_loop_without_iterations(x):
    last = 0
    for value in x[30:]:
        last = value
    return last


def a_text(x):
    return f"{x[0]:.3f}"


class Pile:
    def __init__(self, n):
        self.items = np.zeros(n)
        self.count = 0

    def add(self, value):
        self.items[self.count] = value
        self.count += 1


def an_object_that_holds_an_array(x):
    pile = Pile(30)
    for value in x:
        if value > 0.5:
            pile.add(value)
    return pile.items, pile.count


def a_closure_that_changes_an_array(x):
    out = np.zeros(3)

    def put(i, value):
        out[i] += value

    for i in range(len(x)):
        put(i % 3, x[i])
    return out


def leaves_two_loops(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > 0.9:
                return i, j
    return None


def raises_in_a_loop(x):
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError("negative")
        x[i] = np.sqrt(x[i])
    return x


def complex_numbers(x):
    z = x + 1j * x
    z[0] = 2
    return z, abs(z), z.real, z.imag, z.conj(), np.exp(1j * x)


def products_and_systems(m):
    a = m[:6, :6] + np.eye(6) * 3
    solved = np.linalg.solve(a, m[:, 0]), np.linalg.inv(a), np.linalg.det(a)
    return solved, m @ m.T, m.T.dot(m), m @ m[0], m[0] @ m[1], np.linalg.norm(a, axis=1)


def powers(x):
    return x**2, x**0.5, x**3, x**-1, 2**x, x**x


def python_results(x):
    return int(np.argmax(x)), float(x.max()), bool(x[0] > 0.5), round(float(x[1])), 3, None, "a"


AGREE: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (names_of_one_array, (VECTOR,)),
    (views_write_through, (MATRIX,)),
    (rows_of_a_loop_are_views, (MATRIX,)),
    (rows_in_a_counted_loop, (MATRIX,)),
    (rows_that_are_swapped, (MATRIX,)),
    (buffers_that_are_swapped, (VECTOR,)),
    (masks, (VECTOR,)),
    (masked_rows, (MATRIX,)),
    (changes_its_argument, (VECTOR,)),
    (changes_one_of_two, (VECTOR, VECTOR.copy())),
    (returns_views_of_its_argument, (MATRIX,)),
    (operators, (VECTOR,)),
    (operators, (np.float64(2.5),)),
    (operators, (np.int32(-7),)),
    (operators, (np.arange(1, 5, dtype=np.uint8),)),
    (dtypes_of_numpy, (VECTOR * 3,)),
    (integers_wrap_around, (np.arange(5),)),
    (a_table_from_outside, (np.int64(2),)),
    (an_array_that_is_filled, (20,)),
    (an_array_that_is_filled, (np.int64(20),)),
    (arrays_of_traced_scalars, (VECTOR,)),
    (unpacks, (VECTOR,)),
    (built_in_functions, (VECTOR,)),
    (enumerates, (VECTOR,)),
    (leaves_a_loop_early, (VECTOR,)),
    (leaves_a_loop_early, (VECTOR * 0.1,)),
    (shapes_of_the_running_graph, (VECTOR, np.int64(4))),
    (writes_with_out, (VECTOR,)),
    (a_branch_that_chooses_an_array, (VECTOR,)),
    (python_floats_in_a_loop, (VECTOR,)),
    (python_ints_in_a_loop, (VECTOR,)),
    (a_list_that_grows, (VECTOR,)),
    (a_list_of_unknown_length, (VECTOR,)),
    (a_local_function_that_calls_itself, (VECTOR,)),
    (counts_down, (np.int64(100),)),
    (a_tuple_of_tables, (MATRIX,)),
    (shifted_parts_of_one_array, (VECTOR,)),
    (changes_views_by_operators, (MATRIX,)),
    (swaps_the_elements_of_two, (VECTOR, VECTOR * 2)),
    (keeps_the_elements_before, (VECTOR,)),
    (a_loop_without_iterations, (VECTOR,)),
    (a_text, (VECTOR,)),
    (an_object_that_holds_an_array, (VECTOR,)),
    (a_closure_that_changes_an_array, (VECTOR,)),
    (leaves_two_loops, (MATRIX,)),
    (leaves_two_loops, (MATRIX * 0.5,)),
    (raises_in_a_loop, (VECTOR,)),
    (raises_in_a_loop, (VECTOR - 0.5,)),
    (complex_numbers, (VECTOR,)),
    (products_and_systems, (MATRIX,)),
    (powers, (VECTOR,)),
    (powers, (np.arange(1, 5),)),
    (python_results, (VECTOR,)),
]


@pytest.mark.parametrize(
    ("program", "arguments"), AGREE, ids=[program.__name__ for program, _ in AGREE]
)
def test_a_program_agrees(program: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def interpolates(x):
    return np.interp(0.5, x, x)


def partitions(x):
    return x.partition(3)


def draws_numbers(x):
    return x + np.random.rand()


def draws_numbers_of_a_generator(x):
    return x + np.random.default_rng(0).random(3)


def changes_a_table(x):
    TABLE[0] = 5
    return x


def changes_one_of_two_arrays(x):
    y = x if x[0] > 0 else -x
    y[0] = 5
    return y


def compares_with_a_text(x):
    return x == "a"


def a_mean_along_an_axis_of_a_scalar(x):
    return np.mean(x[0], axis=0)


def a_view_with_a_traced_bound(x, k):
    return x[:k]


def a_view_of_one_of_several(x):
    row = x[0]
    for i in range(6):
        if x[i, 0] > 0.5:
            row = x[i]
    row[0] = 1
    return x


def a_reshaped_array_that_is_changed(x):
    flat = x.reshape(-1)
    flat[0] = 1
    return x


def a_reshaped_array_whose_base_changes(x):
    flat = x.reshape(-1)
    x[0, 0] = 1
    return flat[0]


REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], str, int]] = [
    (interpolates, (VECTOR,), "`np.interp` of a traced array has no operation", 1),
    (partitions, (VECTOR,), "`np.ndarray.partition` .* The nearest is np.sort", 1),
    (draws_numbers, (VECTOR,), "`np.random.rand` is called in a traced program", 1),
    (draws_numbers_of_a_generator, (VECTOR,), "`np.random.default_rng` is called", 1),
    (compares_with_a_text, (VECTOR,), "is compared with a str", 1),
    (a_mean_along_an_axis_of_a_scalar, (VECTOR,), "axis 0 is out of bounds", 1),
    (changes_one_of_two_arrays, (VECTOR,), "may be this ndarray or another one", 2),
    (a_view_with_a_traced_bound, (VECTOR, np.int64(3)), "is returned, and is a view", 1),
    (a_view_of_one_of_several, (MATRIX,), "is a view, and a staged statement decides", 3),
    (a_reshaped_array_that_is_changed, (MATRIX,), "is a view or a copy, as the layout", 2),
    (a_reshaped_array_whose_base_changes, (MATRIX,), "its base has changed since", 3),
]


@pytest.mark.parametrize(
    ("program", "arguments", "message", "line"), REFUSED, ids=[each[0].__name__ for each in REFUSED]
)
def test_a_refusal_names_the_line(
    program: Callable[..., Any], arguments: tuple[Any, ...], message: str, line: int
) -> None:
    with pytest.raises(Exception, match=message) as caught:
        tf.function(program, numpy=True)(*arguments)
    shown = "".join(traceback.format_exception(caught.value))
    assert f"line {program.__code__.co_firstlineno + line}" in shown


def test_a_change_of_an_array_outside_is_an_error_at_its_line() -> None:
    before = TABLE.copy()
    with pytest.raises(ValueError, match="changes `TABLE`") as caught:
        tf.function(changes_a_table, numpy=True)(VECTOR)
    TABLE[:] = before
    assert f"line {changes_a_table.__code__.co_firstlineno + 1}" in str(caught.value)


def test_the_caller_gets_its_own_array_and_views_of_it() -> None:
    @tf.function(numpy=True)
    def program(a):
        a[0] = 1
        return a, a[1:], a.T

    x = np.zeros(3)
    same, part, turned = program(x)
    assert same is x
    part[0] = 5
    turned[2] = 6
    assert x.tolist() == [1.0, 5.0, 6.0]


def test_results_are_new_arrays() -> None:
    @tf.function(numpy=True)
    def program(a):
        b = a * 1
        return b, b, np.zeros(2)

    first, again, zeros = program(np.ones(3))
    assert first is again
    zeros[0] = 7
    assert program(np.ones(3))[2].tolist() == [0, 0]


def test_arrays_of_compiled_programs_are_new_and_may_be_changed() -> None:
    pytest.importorskip("llvmlite")

    @tf.function(numpy=True, jit_compile=True)
    def program(a, n):
        b = np.zeros(3)
        for i in range(len(a)):
            b[i % 3] += a[i] / n
        a[0] = b[0]
        return b, b[0], a

    x = np.arange(1.0, 5.0)
    found = []
    for _ in range(3):
        b, first, same = program(x, np.float32(2))
        assert same is x
        assert (type(first), first) == (np.float64, x[0])
        b[:] = -1
        found.append(b)
    assert len(set(map(id, found))) == 3
    assert x.tolist() == [3.625, 2, 3, 4]


@pytest.mark.parametrize("array", [MATRIX.T, MATRIX[::2, ::-1], MATRIX])
def test_compiled_programs_take_arrays_of_any_layout(array: Any) -> None:
    pytest.importorskip("llvmlite")
    function = tf.function(rows_in_a_counted_loop, numpy=True, jit_compile=True)
    for _ in range(3):
        assert is_same(rows_in_a_counted_loop(array), function(array))


def test_a_read_only_argument_is_not_changed() -> None:
    x = np.zeros(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        tf.function(changes_its_argument, numpy=True)(x)


def test_arguments_that_share_memory_are_refused_if_one_is_changed() -> None:
    x = np.zeros(6)
    with pytest.raises(ValueError, match="shares memory"):
        tf.function(changes_one_of_two, numpy=True)(x, x)
    with pytest.raises(ValueError, match="shares memory"):
        tf.function(changes_one_of_two, numpy=True)(x[:4], x[1:5])


def test_later_calls_run_the_graph_of_their_types() -> None:
    function = tf.function(changes_its_argument, numpy=True)
    for x in (np.zeros(4), np.ones(4), np.ones(5), np.ones(4, np.float32)):
        want = changes_its_argument(x.copy())
        assert is_same(want, function(x))
    assert function.experimental_get_tracing_count() == 3


@pytest.mark.parametrize("name", ["swaps_the_elements_of_two", "changes_one_of_two"])
def test_later_calls_do_not_share_memory_with_arguments(name: str) -> None:
    program = globals()[name]
    function = tf.function(program, numpy=True)
    for _ in range(3):
        own, traced = [[np.arange(5.0), np.ones((2, 5))[0] * 7] for _ in range(2)]
        assert is_same(program(*own), function(*traced))
        assert is_same(own, traced)


@pytest.mark.parametrize("array", [MATRIX.T, MATRIX[::2, ::-1], np.asfortranarray(MATRIX)])
def test_any_layout_of_an_argument_is_read_and_written(array: Any) -> None:
    function = tf.function(rows_in_a_counted_loop, numpy=True)
    changing = tf.function(views_write_through, numpy=True)
    for _ in range(2):
        assert is_same(rows_in_a_counted_loop(array), function(array))
        own, traced = array.copy(order="K"), array.copy(order="K")
        assert is_same(views_write_through(own), changing(traced))
        assert is_same(own, traced)


def test_keyword_arguments_are_changed_too() -> None:
    @tf.function(numpy=True)
    def program(a, b):
        b += a

    x, y = np.ones(2), np.zeros(2)
    program(b=y, a=x)
    assert y.tolist() == [1, 1]


def test_a_program_calls_another_one() -> None:
    @tf.function(numpy=True)
    def inner(a):
        a[0] = 1
        return a.sum()

    @tf.function(numpy=True)
    def outer(a):
        return inner(a) + a[0]

    x = np.zeros(3)
    assert outer(x) == 2.0
    assert x.tolist() == [1, 0, 0]


def test_an_index_out_of_range_is_an_error() -> None:
    @tf.function(numpy=True)
    def program(x, i):
        return x[i]

    assert program(np.arange(3), np.int64(-1)) == 2
    with pytest.raises((IndexError, ValueError)):
        program(np.arange(3), np.int64(3))


def test_print_shows_values_at_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function(numpy=True)
    def program(x):
        print(x[0], x.shape)
        return x

    program(np.ones(2))
    program(np.zeros(2))
    assert capsys.readouterr().out == "1.0 (2,)\n0.0 (2,)\n"


def test_programs_of_tensors_keep_their_meaning() -> None:
    assert isinstance(np.sin(tf.constant([1.0])), np.ndarray)

    @tf.function
    def program(x):
        return x + 1

    assert program(np.zeros(2)).dtype is tf.float64


def test_a_graph_of_tensors_refuses_a_numpy_program() -> None:
    inner = tf.function(operators, numpy=True)
    with pytest.raises(TypeError, match="is a NumPy program"):
        tf.function(lambda x: inner(x))(tf.constant(1.0))


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
@pytest.mark.parametrize(
    "value",
    [
        np.uint32(2**32 - 2), np.int64(300), np.int64(-300), np.uint64(2**63), np.float64(300.5),
        np.float64(-300.5), np.float64(1e30), np.float64(-(2.0**63)), np.float64(np.nan),
        np.float32(np.inf), np.int8(-1), np.float32(2.5),
    ],
)  # fmt: skip
def test_scalars_that_an_element_cannot_hold_are_errors(dtype: str, value: Any) -> None:
    def item(x: Any, value: Any) -> Any:
        x[1] = value
        return x

    def part(x: Any, value: Any) -> Any:
        x[1:] = value
        return x

    for program in (item, part):
        assert difference(program, np.zeros(3, dtype), value) == ""


def test_computed_ints_that_an_element_cannot_hold_are_errors() -> None:
    def counts(x: Any, n: int) -> Any:
        total = 0
        for i in range(n):
            total = total + 100
            x[i] = total
        return x

    for dtype in ("int8", "uint8", "int64"):
        for n in (1, 2, 3):
            assert difference(counts, np.zeros(3, dtype), n) == ""


@pytest.mark.parametrize("jit_compile", [None, True])
def test_slices_that_take_no_array_of_another_shape(jit_compile: bool | None) -> None:
    if jit_compile:
        pytest.importorskip("llvmlite")

    def program(x: Any, y: Any) -> Any:
        x[1:] = y
        x[0] = 2
        return x

    for rows in (1, 2, 3):
        x, y = np.zeros((2, 3), int), np.ones((rows, 3), int)
        assert difference(program, x, y, jit_compile=jit_compile) == ""


@pytest.mark.parametrize("product", [np.matmul, np.dot, np.inner, np.vdot])
def test_a_product_of_vectors_of_two_lengths_is_an_error(product: Any) -> None:
    for function in (product, tf.function(lambda x, y: product(x, y), numpy=True)):
        assert function(np.arange(4.0), np.ones(4)) == 6.0
        with pytest.raises(ValueError):
            function(np.arange(4.0), np.ones(1))


def test_a_product_of_slices_of_staged_length_checks_their_lengths() -> None:
    @tf.function(numpy=True)
    def total(x: Any, y: Any, start: int) -> Any:
        found = 0.0
        for i in range(start, 10):
            found += x[:i] @ y[:i]
        return found

    x = np.arange(12.0)
    assert total(x, x, 2) == sum(x[:i] @ x[:i] for i in range(2, 10))
    with pytest.raises(ValueError):
        total(x, np.ones(1), 2)

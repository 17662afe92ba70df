"""Every row of the README's tables of differences, run on both sides.

Our side runs always, TensorFlow's where it is installed. A program gets the library as its
argument; what it returns or raises is compared with what the row says of that side.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import io
import random
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

import autograph
import runtime

README = Path(__file__).parent.parent / "README.md"
INF, NAN = float("inf"), float("nan")


@dataclass(frozen=True)
class Raises:
    """An outcome: an error of this kind with these words."""

    kind: str
    words: str = ""


@dataclass(frozen=True)
class Difference:
    """One program for one row.

    Attributes:
      row: words that only this row has in its first column.
      program: takes the library.
      here, there: what the program gives: a value, `Raises`, or a test of the outcome.
    """

    row: str
    program: Callable[[Any], Any]
    here: Any
    there: Any


def collecting(cases: list[Difference]) -> Callable[..., Callable[[Any], Any]]:
    """Return the decorator that adds a program for a row to the cases of a file."""

    def difference(row: str, *, here: Any, there: Any) -> Callable[[Any], Any]:
        def register(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
            cases.append(Difference(row, program, here, there))
            return program

        return register

    return difference


DIFFERENCES: list[Difference] = []
difference = collecting(DIFFERENCES)


def outcome_of(program: Callable[[Any], Any], library: Any) -> Any:
    library.random.set_seed(None)
    with warnings.catch_warnings():
        warnings.simplefilter("error", autograph.FrozenValueWarning)
        try:
            return program(library)
        except Exception as error:
            return error


def check(outcome: Any, expected: Any) -> None:
    if isinstance(expected, Raises):
        assert isinstance(outcome, Exception), outcome
        assert expected.kind in [each.__name__ for each in type(outcome).__mro__], repr(outcome)
        assert expected.words in str(outcome)
    elif callable(expected):
        assert expected(outcome), outcome
    elif isinstance(outcome, Exception):
        raise outcome
    else:
        assert outcome == expected


def rows() -> list[str]:
    """The first columns of both tables."""
    text = README.read_text(encoding="utf-8")
    tables = text.partition("## Differences from")[2].partition("## Limits")[0]
    lines = [line for line in tables.splitlines() if line.startswith("| ")]
    first = [line.split(" | ")[0].removeprefix("| ") for line in lines]
    return [row for row in first if row != "here"]


def test_every_row_has_a_program_and_every_program_a_row():
    table = rows()
    assert len(table) > 25
    for each in DIFFERENCES:
        assert len([row for row in table if each.row in row]) == 1, each.row
    for row in table:
        assert any(each.row in row for each in DIFFERENCES), row


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        ids = [each.program.__name__ for each in DIFFERENCES]
        metafunc.parametrize("case", DIFFERENCES, ids=ids)


def test_here(case: Difference) -> None:
    check(outcome_of(case.program, runtime), case.here)


def test_in_tensorflow(case: Difference) -> None:
    tensorflow = pytest.importorskip("tensorflow", exc_type=ImportError)
    check(outcome_of(case.program, tensorflow), case.there)


# AutoGraph


@difference(
    "`config.optimizer.get_jit()` is",
    here="autoclustering" if importlib.util.find_spec("llvmlite") else "",
    there="",
)
def jit_from_the_start(tf):
    return tf.config.optimizer.get_jit()


@difference(
    "None before a staged loop",
    here=None,
    there=Raises("InvalidArgumentError", "loop must iterate at least once"),
)
def none_before_a_loop_over_nothing(tf):
    @tf.function
    def last(xs):
        found = None
        for x in xs:
            found = x
        return found

    return last(tf.constant([], tf.float32))


@difference("each operand of", here=1, there=2)
def operands_of_a_chain_of_comparisons(tf):
    calls = []

    def middle():
        calls.append(1)
        return tf.constant(2)

    tf.function(lambda a, b: a < middle() < b)(tf.constant(1), tf.constant(3))
    return len(calls)


@difference("cannot swallow a conversion error", here=Raises("VariantError", "`y`"), there=-1)
def handler_around_a_statement_that_cannot_be_staged(tf):
    def choose(x):
        try:
            y = "a"
            if x > 0:
                y = 1
            return y
        except (ValueError, TypeError):
            return tf.constant(-1)

    return int(tf.function(choose)(tf.constant(1)))


@difference("edited after import", here=Raises("StaleSourceError", "edited"), there=101)
def file_that_was_edited(tf):
    text = "def f(x):\n    if x > 0:\n        x = x + {}\n    return x\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"edited_{tf.__name__}.py")
        path.write_text(text.format(1))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        path.write_text(text.format(100))
        return int(tf.function(module.f)(tf.constant(1)))


SYNTAX = "`match`, `:=`, `for/else`"
NO_BOOL = Raises("OperatorNotAllowedInGraphError")


@difference(SYNTAX, here=2, there=NO_BOOL)
def match_statement(tf):
    def f(x):
        match x:
            case tf.Tensor():
                if x > 0:
                    x = x + 1
        return x

    return int(tf.function(f)(tf.constant(1)))


@difference(SYNTAX, here=2, there=NO_BOOL)
def walrus(tf):
    def f(x):
        if (y := x + 1) > 0:
            x = y
        return x

    return int(tf.function(f)(tf.constant(1)))


@difference(SYNTAX, here=[1, 105], there=NO_BOOL)
def loop_with_else(tf):
    def f(x):
        for i in tf.range(3):
            if i > x:
                break
        else:
            x = x + 100
        return x

    return [int(tf.function(f)(tf.constant(x))) for x in (1, 5)]


@difference(SYNTAX, here=2, there=Raises("ConversionError", "AsyncFunctionDef"))
def coroutine(tf):
    async def f(x):
        await asyncio.sleep(0)
        if x > 0:
            x = x + 1
        return x

    return asyncio.run(tf.autograph.to_graph(f)(1))


@difference(SYNTAX, here=1, there=NO_BOOL)
def function_that_holds_a_generator(tf):
    def f(x):
        def generate():
            yield x

        total = 0
        for value in generate():
            if value > 0:
                total = total + value
        return total

    return int(tf.function(f)(tf.constant(1)))


@difference(SYNTAX, here=6, there=NO_BOOL)
def private_name(tf):
    class Adder:
        def __init__(self):
            self.__added = 5

        def call(self, x):
            if x > 0:
                x = x + self.__added
            return x

    return int(tf.function(Adder().call)(tf.constant(1)))


@difference("in a staged loop or in `with`", here=2.0, there=Raises("NotImplementedError"))
def return_in_a_loop(tf):
    def f(xs):
        for x in xs:
            if x > 0:
                return x
        return tf.constant(0.0)

    return float(tf.function(f)(tf.constant([-1.0, 2.0])))


@difference("in a staged loop or in `with`", here=1.0, there=Raises("ValueError", "else branch"))
def return_in_with(tf):
    def f(x):
        with tf.name_scope("scope"):
            if x > 0:
                return x
            x = -x * 2
        return x

    return float(tf.function(f)(tf.constant(1.0)))


@difference("`assert` on a tensor", here=Raises("InvalidArgumentError", "too small"), there=NO_BOOL)
def assertion(tf):
    def f(x):
        assert x > 0, "too small"
        return x

    return int(tf.function(f)(tf.constant(-1)))


@difference("a function may call itself", here=120, there=Raises("StagingError", "recursion depth"))
def recursion_on_a_tensor(tf):
    def fact(n):
        return 1 if n <= 1 else n * fact(n - 1)

    return int(tf.function(fact)(tf.constant(5)))


@difference("with wrong bounds", here=Raises("InvalidArgumentError", "start <= limit"), there=0)
def range_to_a_negative_number(tf):
    @tf.function
    def rounds(n):
        count = 0
        for _ in tf.range(n):
            count += 1
        return count

    return int(rounds(tf.constant(-3)))


@difference("under a tensor condition", here=1, there=Raises("ValueError", "negative"))
def raise_in_a_branch_not_taken(tf):
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return x

    return int(tf.function(f)(tf.constant(1)))


@difference(
    "exceptions keep type, object", here=("Mine", (1, 2)), there=lambda o: o[0] == "StagingError"
)
def exception_of_the_program(tf):
    class Mine(Exception):
        def __init__(self, one, other):
            super().__init__(one, other)

    def f(x):
        raise Mine(1, 2)

    try:
        tf.function(f)(tf.constant(1))
    except Exception as error:
        return type(error).__name__, error.args


CHANGED = "through a method"


@difference(CHANGED, here=0, there=5)
def attribute_set_by_a_method_in_a_branch_not_taken(tf):
    class Holder:
        value = 0

        def set(self, value):
            self.value = value

    def f(x):
        holder = Holder()
        if x > 0:
            holder.set(5)
        return tf.identity(holder.value)

    return int(tf.function(f)(tf.constant(-1)))


@difference(CHANGED, here=1, there=2)
def append_in_a_branch_not_taken(tf):
    def f(x):
        items = [0]
        if x > 0:
            items.append(5)
        return tf.identity(len(items))

    return int(tf.function(f)(tf.constant(-1)))


@difference(CHANGED, here=Raises("TypeError"), there=1)
def set_changed_in_a_branch_not_taken(tf):
    seen = set()

    def f(x):
        if x > 0:
            seen.add(5)
        return tf.identity(len(seen))

    return int(tf.function(f)(tf.constant(-1)))


@difference("a comprehension over a tensor", here=[2, 4], there=NO_BOOL)
def comprehension(tf):
    return (
        tf.function(lambda xs: tf.stack([x * 2 for x in xs]))(tf.constant([1, 2])).numpy().tolist()
    )


@difference("a comprehension over a tensor", here=[2], there=NO_BOOL)
def filtered_comprehension(tf):
    def f(xs):
        return tf.stack([x for x in xs if x > 1])

    return tf.function(f)(tf.constant([1, 2])).numpy().tolist()


INDEXED = "takes a tensor as its index"


@difference(INDEXED, here=20, there=Raises("TypeError"))
def item_of_a_list(tf):
    return int(tf.function(lambda i: [10, 20, 30][i])(tf.constant(1)))


@difference(INDEXED, here=9, there=Raises("TypeError"))
def assigned_item_of_a_list(tf):
    def f(i):
        xs = [0, 0]
        xs[i] = 9
        return tf.reduce_sum(xs)

    return int(tf.function(f)(tf.constant(1)))


@difference(INDEXED, here=Raises("KeyError", "3"), there=Raises("TypeError"))
def missing_key(tf):
    return int(tf.function(lambda x: {1: 10}[x])(tf.constant(3)))


@difference("assigned in one branch only", here=2, there=Raises("ValueError", "else branch"))
def variable_of_one_branch(tf):
    def f(x):
        if x > 0:
            y = x * 2
        if x > 0:
            x = y
        return x

    return int(tf.function(f)(tf.constant(1)))


@difference(
    "integers of Python that are carried",
    here=Raises("InvalidArgumentError"),
    there=-1530494976,
)
def product_beyond_int32(tf):
    def f(n):
        i, product = 0, 1
        while i < n:
            product, i = product * 1000, i + 1
        return product

    return int(tf.function(f)(tf.constant(5)))


@difference(
    "a number of Python that a staged statement computes, or that is one",
    here=Raises("DivisionByZeroError"),
    there=INF,
)
def quotient_by_zero(tf):
    def f(n):
        i, total = 0, 0.0
        while i < n:
            i, total = i + 1, total + 1.0
        return 1.0 / total

    return float(tf.function(f)(tf.constant(0)))


WORLD = "the clock, random numbers of Python"


@difference(WORLD, here=Raises("FrozenValueWarning", "random"), there=True)
def random_number_of_python(tf):
    draw = tf.function(lambda x: x + random.random())
    return float(draw(tf.constant(1.0))) == float(draw(tf.constant(1.0)))


@difference(WORLD, here=Raises("TypeError"), there=True)
def clock_in_a_branch(tf):
    def f(x):
        if x > 0:
            x = x + time.time()
        return x

    read = tf.function(f)
    return float(read(tf.constant(1.0))) == float(read(tf.constant(1.0)))


@difference("text made of a tensor", here=b"v=1", there=lambda o: o.startswith(b"v=Tensor("))
def text_of_a_tensor(tf):
    return tf.function(lambda x: tf.constant(f"v={x}"))(tf.constant(1)).numpy()


@difference("`print` in a staged statement", here="1\n2\n", there=lambda o: o.count("Tensor(") == 1)
def print_in_a_branch(tf):
    @tf.function
    def f(x):
        if x > 0:
            print(x)
        return x

    with contextlib.redirect_stdout(io.StringIO()) as shown:
        for number in (1, -1, 2):
            f(tf.constant(number))
    return shown.getvalue()


@difference("take keys and lists that hold tensors", here=[1, -2, -4], there=Raises("Exception"))
def sorted_by_a_key(tf):
    f = tf.function(lambda x: sorted([x, 1, -2], key=abs))
    return [int(each) for each in f(tf.constant(-4))]


@difference("NaN is neither larger nor smaller", here=1.0, there=NO_BOOL)
def largest_with_nan(tf):
    return float(tf.function(lambda x: max(1.0, x))(tf.constant(NAN)))


@difference("`[7] * n`", here=[7, 7], there=[14])
def repeated_list(tf):
    return [int(each) for each in tf.function(lambda n: [7] * n)(tf.constant(2))]


@difference("a Python float (an argument", here=False, there=True)
def python_float_in_a_branch(tf):
    @tf.function
    def f(a, x):
        y = a
        if x > 0:
            y = a * 2
        return y * 3 == 0.6

    return bool(f(0.1, tf.constant(1)))


@difference("optional features", here=[0, 1, 2], there=Raises("InaccessibleTensorError"))
def list_that_grows(tf):
    def f(n):
        rows = []
        for i in tf.range(n):
            rows.append(i)
        return tf.stack(rows)

    return tf.function(f)(tf.constant(3)).numpy().tolist()


# The runtime

FITS = "a number that does not fit its dtype"


@difference(FITS, here=Raises("ValueError", "out-of-range"), there=44)
def constant_too_large_for_its_dtype(tf):
    return int(tf.constant(300, tf.uint8))


@difference(FITS, here=Raises("DTypeMismatchError"), there=1)
def operand_too_large_for_the_tensor(tf):
    return int(tf.constant(1) + 2**40)


@difference(FITS, here=Raises("ValueError", "out-of-range"), there=44)
def assigned_number_too_large(tf):
    variable = tf.Variable(1, dtype=tf.uint8)
    variable.assign(300)
    return int(variable)


@difference("an array of floats", here=Raises("DTypeMismatchError"), there=[2, 4])
def array_of_floats_beside_integers(tf):
    return (tf.constant([1, 2]) + np.array([1.7, 2.7])).numpy().tolist()


@difference(
    "`//` of floats",
    here=lambda o: np.isnan(o[0]) and o[1:] == [-1.0, 9.0],
    there=lambda o: o == [INF, 0.0, 10.0],
)
def floor_division(tf):
    pairs = [(INF, 1.0), (-1.0, INF), (1.0, 0.1)]
    return [float(tf.constant(a, tf.float64) // tf.constant(b, tf.float64)) for a, b in pairs]


@difference("an int and a float in two branches", here=1.0, there=Raises("TypeError"))
def int_and_float(tf):
    return float(tf.function(lambda x: tf.cond(x > 0, lambda: 1, lambda: 2.5))(tf.constant(1)))


@difference("an int and a float in two branches", here=1.0, there=Raises("TypeError"))
def int_that_becomes_a_float_in_a_loop(tf):
    def f(n):
        y = 0
        for _ in tf.range(n):
            y = y + 0.5
        return y

    return float(tf.function(f)(tf.constant(2)))


@difference("a loop variable that changes its shape", here=[4], there=Raises("ValueError", "shape"))
def growing_tensor(tf):
    def f(n):
        x = tf.zeros([1])
        for _ in tf.range(n):
            x = tf.concat([x, x], 0)
        return x

    return tf.function(f)(tf.constant(2)).shape.as_list()


@difference("changes a Python value outside itself", here=(1, True), there=(1, False))
def calls_counted_in_a_list(tf):
    calls = []
    counted = tf.function(lambda x: calls.append(1) or x)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            counted(tf.constant(1))
    return len(calls), any(each.category is autograph.SideEffectWarning for each in caught)


@difference("read from outside that changes", here=[5, 9], there=[5, 5])
def values_from_outside(tf):
    class Holder:
        pass

    number, holder, items, array = 1, Holder(), [1], np.array([1])
    holder.value = 1

    def f(x):
        return x + number + holder.value + items[0] + array[0]

    decorated = tf.function(f)
    before = int(decorated(tf.constant(1)))
    number = holder.value = items[0] = array[0] = 2
    return [before, int(decorated(tf.constant(1)))]


@difference("is written there, as a value, at each call", here=[1, 3, [1, 2]], there=None)
def tensors_left_outside(tf):
    class Holder:
        pass

    holder, items = Holder(), []
    holder.value = 0

    def f(x):
        holder.value = holder.value + x
        items.append(x)
        return x

    decorated, seen = tf.function(f), []
    for x in (1, 2):
        decorated(tf.constant(x))
        if not hasattr(holder.value, "numpy"):
            return None
        seen.append(int(holder.value))
    return [*seen, list(map(int, items))]


@difference(
    "a truth value in arithmetic is the number 0 or 1",
    here=[3, 6],
    there=Raises("TypeError", "DataType bool not in list of allowed values"),
)
def truth_values_in_arithmetic(tf):
    def f(x):
        return (x > 0) + 1 + (x > 1), (x > 0) * 5 - -(x > 2)

    return list(map(int, tf.function(f)(tf.constant(3))))


@difference(
    "so can attributes, and `hasattr`",
    here=[False, 7],
    there=Raises("ValueError", "must also be initialized in the else branch"),
)
def attribute_of_one_branch(tf):
    class Holder:
        pass

    def f(x):
        holder = Holder()
        if x > 0:
            holder.value = x
        return hasattr(holder, "value"), getattr(holder, "value", 7)

    has, value = tf.function(f)(tf.constant(-1))
    return [bool(has), int(value)]


@difference("take tensors in functions too", here=5, there=NO_BOOL)
def zip_of_tensors(tf):
    def f(x):
        total = tf.constant(0)
        for a, b in zip(x, x):  # noqa: B905
            total = total + a * b
        return total

    return int(tf.function(f)(tf.constant([1, 2])))


@difference("take tensors in functions too", here=2, there=NO_BOOL)
def enumerate_of_a_tensor(tf):
    def f(x):
        total = tf.constant(0)
        for i, a in enumerate(x):
            total = total + a * tf.cast(i, tf.int32)
        return total

    return int(tf.function(f)(tf.constant([1, 2])))


BOTH, NEITHER, VALUE = (True, True), (False, False), (False, True)
"""Whether an error is a TypeError, and whether it is a ValueError."""


def kinds_of_errors(tf, program):
    found = []
    for way in (program, tf.function(program)):
        try:
            way()
        except Exception as error:
            found.append((isinstance(error, TypeError), isinstance(error, ValueError)))
    return found


@difference("of the same kind eagerly", here=[BOTH, BOTH], there=[NEITHER, (True, False)])
def kinds_of_a_wrong_dtype(tf):
    return kinds_of_errors(tf, lambda: tf.constant(1) + tf.constant(1.0))


@difference("of the same kind eagerly", here=[VALUE, VALUE], there=[NEITHER, VALUE])
def kinds_of_a_wrong_shape(tf):
    return kinds_of_errors(tf, lambda: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])))


@difference(
    "an index out of range",
    here=["InvalidArgumentError"] * 4,
    there=["InvalidArgumentError"] * 4,  # on a CPU; what a GPU does needs one
)
def index_out_of_range(tf):
    found = []
    for call in (
        lambda: tf.gather([1, 2], 5),
        lambda: tf.gather_nd([1, 2], [5]),
        lambda: tf.tensor_scatter_nd_update([1, 2], [[5]], [1]),
        lambda: tf.scatter_nd([[5]], [1], [2]),
    ):
        try:
            call()
        except tf.errors.OpError as error:
            found.append(type(error).__name__)
    return found


@difference("of infinite doubles", here=[1.0, -1.0], there=lambda o: all(np.isnan(o)))
def error_function_of_infinite_doubles(tf):
    return tf.math.erf(tf.constant([INF, -INF], tf.float64)).numpy().tolist()


DOUBLES = "`nn.leaky_relu` of doubles"


@difference(DOUBLES, here=0.0, there=lambda o: 1e-10 < abs(o) < 1e-8)
def leaky_rectifier_of_doubles(tf):
    return float(tf.nn.leaky_relu(tf.constant(-3.0, tf.float64), 0.1)) + 3.0 * 0.1


@difference("show complex numbers", here=b"[(1+2j)]", there=b"[?]")
def formatted_complex_number(tf):
    return tf.strings.format("{}", tf.constant([1 + 2j])).numpy()


@difference(
    "`format` of a `TensorSpec`",
    here="float32[2,?]",
    there="TensorSpec(shape=(2, None), dtype=tf.float32, name=None)",
)
def text_of_a_spec(tf):
    return f"{tf.TensorSpec([2, None])}"


@difference(
    "an error of a generator",
    here=Raises("ZeroDivisionError"),
    there=Raises("OpError", "ZeroDivisionError"),
)
def generator_that_raises(tf):
    def numbers():
        yield 1 // 0

    return list(tf.data.Dataset.from_generator(numbers, output_types=tf.int32))


@difference("a record file", here=Raises("DataLossError", "truncated record at byte 0"), there=0)
def record_cut_off_in_its_length(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "records")
        path.write_bytes(bytes(5))
        return len(list(tf.data.TFRecordDataset(str(path))))


@difference("elements in a file", here=Raises("FailedPreconditionError", "Delete"), there=6)
def cache_of_other_elements(tf):
    with tempfile.TemporaryDirectory() as folder:
        numbers = tf.data.Dataset.range(3)
        list(numbers.map(lambda x: (x, x)).cache(f"{folder}/kept"))
        return len(list(numbers.cache(f"{folder}/kept")))


@difference("`rejection_resample`", here=True, there=False)
def elements_of_a_rare_class(tf):
    rare = tf.data.Dataset.range(10_000).rejection_resample(
        lambda x: tf.cast(x % 10 == 0, tf.int32), [0.5, 0.5], [0.9, 0.1], seed=1
    )
    numbers = [int(x) for _, x in rare]
    return len(set(numbers)) == len(numbers)


@difference("`decode_jpeg`", here=True, there=False)
def pixels_of_a_jpeg_file(tf):
    pixels = np.random.default_rng(0).integers(0, 256, (32, 32, 3)).astype(np.uint8)
    data = tf.io.encode_jpeg(pixels, quality=50)
    exact = np.asarray(PIL.Image.open(io.BytesIO(data.numpy())))  # the accurate transform
    return bool((tf.io.decode_jpeg(data).numpy() == exact).all())


@difference("writer and step of summaries", here=True, there=False)
def summary_of_a_function_that_was_traced_without_a_writer(tf):
    @tf.function
    def note(x):
        return tf.summary.scalar("x", x, step=1)

    note(tf.constant(1.0))
    with tempfile.TemporaryDirectory() as folder:
        writer = tf.summary.create_file_writer(folder)
        with writer.as_default():
            written = bool(note(tf.constant(1.0)))
        writer.close()
    return written


@difference("`summary.histogram`", here=Raises("InvalidArgumentError", "finite"), there=True)
def histogram_of_nan(tf):
    with tempfile.TemporaryDirectory() as folder:
        writer = tf.summary.create_file_writer(folder)
        try:
            with writer.as_default():
                return bool(tf.summary.histogram("h", [1.0, NAN], step=1))
        finally:
            writer.close()


def slope(tf, function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


@difference("`py_function` has gradients", here=12.0, there=None)
def second_order_of_a_python_function(tf):
    def cube(x):
        return tf.py_function(lambda v: v**3, [x], tf.float32)

    found = slope(tf, lambda x: slope(tf, cube, x), tf.constant(2.0))
    return None if found is None else float(found)


@difference("a loop over a dataset", here=6.0, there=None)
def gradient_of_a_loop_over_a_dataset(tf):
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0])

    def weighted(x):
        total = tf.constant(0.0)
        for each in dataset:
            total += x * each
        return total

    found = tf.function(lambda x: [g for g in [slope(tf, weighted, x)] if g is not None])(
        tf.constant(2.0)
    )
    return float(found[0]) if found else None


@difference(
    "a list of `output_gradients`", here=Raises("ValueError", "2 output_g"), there=[2.0, 4.0]
)
def output_gradients_of_another_number(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=[1.0, 2.0]).numpy().tolist()


@difference("as the `name`", here=Raises("TypeError", "`name` of Round is a"), there=[1.0])
def decimals_for_the_name_of_an_operation(tf):
    return tf.round(tf.constant([1.26]), 2).numpy().tolist()


@difference("logical ones", here=2, there=Raises("RuntimeError", "cannot be modified"))
def logical_cpus_after_the_first_operation(tf):
    tf.constant(1.0) + 1.0
    (cpu,) = tf.config.list_physical_devices("CPU")
    one = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(cpu, [one, one])
    try:
        return len(tf.config.list_logical_devices("CPU"))
    finally:
        tf.config.set_logical_device_configuration(cpu, [one])


@difference(
    "whose result was dropped", here=Raises("ValueError", "result was dropped"), there=[0, 0, 0]
)
def array_of_tensors_whose_changes_are_dropped(tf):
    @tf.function
    def squares(n):
        found = tf.TensorArray(tf.int32, size=n, element_shape=[])
        for i in tf.range(n):
            found.write(i, i * i)
        return found.stack()

    return squares(tf.constant(3)).numpy().tolist()

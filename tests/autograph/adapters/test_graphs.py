"""The protocol for authors of libraries: the page, its library, and the check of a library."""

import doctest
from pathlib import Path

import numpy as np
import pytest

import autograph
from autograph.adapters.forms import Leaf
from autograph.adapters.graphs import GraphLibrary
from autograph.operators.builtins import NAMES
from fixtures.staging.lazy_arrays import Lazy, lazy, run

FIXTURES = Path(autograph.__file__).parent.parent / "fixtures"


def test_page_for_authors_shows_what_happens():
    text = (FIXTURES / "staging" / "your_library.md").read_text()
    text = text.replace("```python\n", "").replace("```\n", "")
    test = doctest.DocTestParser().get_doctest(text, {}, "your_library.md", None, 0)
    shown = []
    flags = doctest.IGNORE_EXCEPTION_DETAIL
    doctest.DocTestRunner(optionflags=flags).run(test, out=shown.append)
    assert not shown, "".join(shown)


def test_worked_library_has_less_than_a_hundred_lines():
    assert len((FIXTURES / "staging" / "lazy_arrays.py").read_text().splitlines()) < 100


@pytest.mark.parametrize(
    ("values", "at", "expected"), [([1.0, 2.0], 1, 2.0), ([1.0, 2.0, 3.0], 0, 1.0)]
)
def test_item_at_a_staged_index(values, at, expected):
    @autograph.convert()
    def program(xs, i):
        return xs[i] if i < 5 else xs[0]

    assert run(program, values, at) == expected


def test_plain_values_of_the_library_are_arrays():
    assert isinstance(lazy(1.0), Lazy)


def reversed_weights(xs):
    total = 0.0
    for i, x in enumerate(reversed(xs)):
        total = total * 2 + x * i
    for i in reversed(range(3)):
        total = total * 2 + xs[i]
    return total


def test_reversed_array_needs_only_rows():
    assert run(autograph.convert()(reversed_weights), [1.0, 2.0, 3.0]) == reversed_weights(
        [1.0, 2.0, 3.0]
    )


def shown(x):
    if x > 0:
        print(f"x is {x}")
    return x


def announced(x):
    if x > 0:
        print("positive")
    return x


@pytest.mark.parametrize("program", [shown, announced])
def test_print_in_a_branch_is_refused_at_its_line(program, capsys):
    with pytest.raises(TypeError, match=f"in {program.__name__}"):
        run(autograph.convert()(program), -1.0)
    assert capsys.readouterr().out == ""


def test_refusal_by_a_method_of_the_author_names_the_line_of_the_program(monkeypatch):
    monkeypatch.delattr(type(Lazy.__autograph_staging__), "repeated")

    def halved(x):
        while x > 1:
            x = x / 2
        return x

    text = r"lazy has no loops(.|\n)*test_graphs.py(.|\n)*set_loop_options\(maximum_iterations"
    with pytest.raises(TypeError, match=text):
        run(autograph.convert()(halved), 3.0)


def test_built_in_function_that_the_library_does_not_have_is_refused_at_the_line():
    def smallest(x):
        return sorted(x)[0]

    text = (
        r"`sorted` of staged values cannot be recorded.\n.*test_graphs.py.*, line \d+(?s:.*)Use an"
    )
    with pytest.raises(TypeError, match=text):
        run(autograph.convert()(smallest), [3.0, 1.0])


def always_raises(xs):
    total = 0.0
    for _ in xs:
        raise ValueError("not a sum")
    return total


def test_error_of_an_unrolled_iteration_is_raised(monkeypatch):
    monkeypatch.delattr(type(Lazy.__autograph_staging__), "repeated")
    with pytest.raises(ValueError, match="not a sum"):
        run(autograph.convert()(always_raises), [1.0, 2.0])


def positive(xs):
    total = 0.0
    for x in xs:
        assert x > 0, "not positive"
        total = total + x
    return total


def halvings(x):
    count = 0
    while x > 1:
        autograph.set_loop_options(maximum_iterations=3)
        assert x < 8, "large"
        x = x / 2
        count = count + 1
    return count


@pytest.mark.parametrize(
    ("program", "good", "bad", "text"),
    [
        (positive, [1.0, 2.0], [-1.0, 2.0], "not positive"),
        (positive, [1.0, 2.0], [1.0, -2.0], "not positive"),
        (halvings, 4.0, 16.0, "large"),
    ],
)
def test_unrolled_loop_checks_each_iteration(monkeypatch, program, good, bad, text):
    monkeypatch.delattr(type(Lazy.__autograph_staging__), "repeated")
    converted = autograph.convert()(program)
    assert run(converted, good) == program(np.array(good))
    with pytest.raises(AssertionError, match=text):
        run(converted, bad)


def test_bound_of_a_range_that_is_no_integer_is_named():
    @autograph.convert()
    def total(n):
        found = 0.0
        for i in range(n):
            found = found + i
        return found

    assert run(total, 4) == 6.0
    with pytest.raises(TypeError, match=r"a bound of `range` must be an integer scalar, not float"):
        run(total, 4.0)


def test_range_of_a_library_without_floor_division(monkeypatch):
    monkeypatch.delattr(Lazy, "__floordiv__")

    @autograph.convert()
    def program(n):
        total = 0
        for i in range(n):
            total = total + i
        return total

    assert run(program, 4) == 6
    assert run(program, -4) == 0


def two_variables(x):
    y = 1.0
    z = x
    if x > 0:
        y = x
        z = x * 2
    return y + z


def counted(x):
    count = 0
    while x > 1:
        x = x / 2
        count = count + 1
    return x + count


def number_or_float(x):
    y = 1
    if x > 0:
        y = 2.5
    return y


@pytest.mark.parametrize(
    ("method", "mistake", "program", "text"),
    [
        ("chosen", lambda *_: [lazy(0.0)], two_variables, "`chosen` of lazy gave 1 .* not 2"),
        ("chosen", lambda *_: [lazy(0.0)] * 3, two_variables, "`chosen` of lazy gave 3 .* not 2"),
        ("chosen", lambda *_: None, two_variables, "`chosen` of lazy gave None"),
        ("as_bool", lambda *_: None, counted, "`as_bool` of lazy gave None"),
        ("repeated", lambda *_: [lazy(0.0)], counted, "`repeated` of lazy gave 1 .* not 2"),
        ("leaf", lambda _, value: isinstance(value, Lazy), counted, "`leaf` gave .*no Leaf"),
        ("join", lambda _, a, b: a.dtype, number_or_float, "`join` gave .*no Leaf"),
        ("number", lambda _, value: "float", number_or_float, "`number` gave .*no Leaf"),
    ],
)
def test_mistake_of_an_author_names_the_method(monkeypatch, method, mistake, program, text):
    monkeypatch.setattr(type(Lazy.__autograph_staging__), method, mistake)
    with pytest.raises(TypeError, match=text):
        run(autograph.convert()(program), 3.0)


def test_shape_may_be_a_list():
    assert Leaf("float32", [2, 3]) == Leaf("float32", (2, 3))


def test_library_with_loops_needs_variables_of_them():
    class Looping(type(Lazy.__autograph_staging__)):
        variable = GraphLibrary.variable

    with pytest.raises(TypeError, match="Looping has loops, and no method `variable`"):
        Looping()


def test_object_that_a_branch_replaces_has_a_remedy_of_this_library():
    class Ball:
        def __init__(self, height):
            self.height = height

    def bounced(x):
        ball = Ball(x) if x > 0 else Ball(-x)
        return ball.height

    with pytest.raises(TypeError, match="Make Ball a named tuple, or assign attributes"):
        run(autograph.convert()(bounced), 3.0)


def test_builtin_that_no_program_calls_is_an_error():
    with pytest.raises(TypeError, match=r'`sqrt` .* `"math.sqrt"`'):
        type(Lazy.__autograph_staging__)(sqrt=np.sqrt)
    with pytest.raises(TypeError, match=r"`summ` .* `sum`"):
        type(Lazy.__autograph_staging__)(summ=sum)


def test_page_lists_the_builtin_functions():
    text = (FIXTURES / "staging" / "your_library.md").read_text()
    assert [name for name in NAMES if f"`{name}`" not in text] == []


def test_class_in_place_of_an_instance_is_an_error():
    class Array:
        __autograph_staging__ = type(Lazy.__autograph_staging__)

    with pytest.raises(TypeError, match="is the class Staging, not an instance"):
        autograph.staging.register(Lazy, type(Lazy.__autograph_staging__))
    with pytest.raises(TypeError, match="is the class Staging, not an instance"):
        autograph.convert()(number_or_float)(Array())

"""The protocol for authors of libraries: the page, its library, and the check of a library."""

import doctest
from pathlib import Path

import pytest

import autograph
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

    with pytest.raises(TypeError, match=r"lazy has no loops(.|\n)*test_graphs.py"):
        run(autograph.convert()(halved), 3.0)


def always_raises(xs):
    total = 0.0
    for _ in xs:
        raise ValueError("not a sum")
    return total


def test_error_of_an_unrolled_iteration_is_raised(monkeypatch):
    monkeypatch.delattr(type(Lazy.__autograph_staging__), "repeated")
    with pytest.raises(ValueError, match="not a sum"):
        run(autograph.convert()(always_raises), [1.0, 2.0])

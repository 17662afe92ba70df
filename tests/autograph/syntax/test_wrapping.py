"""Long lines are wrapped inside brackets, and mean the same."""

import ast

import pytest

from autograph.syntax.wrapping import wrapped

LONG = [
    "value = function(first_argument, second_argument, third_argument)",
    "if function(first)[second_index] and (third_operand or fourth_operand):\n    pass",
    "x = ag.if_stmt(test, lambda: one_value, lambda: other_value, get_state, set_state, ('x',))",
    "f(\n    [first_element, second_element, third_element, fourth_element, fifth_element],\n)",
]


@pytest.mark.parametrize("text", LONG)
def test_a_wrapped_text_means_the_same(text):
    new, moved = wrapped(text, 40, set())
    assert max(map(len, new.split("\n"))) <= 40
    assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(text))
    assert moved is not None


def test_lines_of_the_user_and_lines_without_brackets_stay():
    for text in (LONG[0], "value = first_argument + second_argument + third_argument"):
        assert wrapped(text, 40, {text}) == (text, None)
    assert (
        wrapped("name = 'a string that is longer than the width of a line'", 40, set())[1] is None
    )


def test_a_string_of_several_lines_is_not_broken():
    text = (
        'f("""first, second, third, fourth, fifth, sixth,\nseventh""", argument, another_argument)'
    )
    new, _ = wrapped(text, 40, set())
    assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(text))


def test_what_begins_at_a_break_moves_after_it():
    text = "value = function(first_argument, second_argument, third_argument)(last_argument_of_all)"
    new, moved = wrapped(text, 40, set())
    lines = new.split("\n")
    for name in ("first_argument", "second_argument", "third_argument", "last_argument_of_all"):
        start = text.index(name)
        line, column, end_line, end_column = moved((1, start, 1, start + len(name)))
        assert (line, lines[line - 1][column:end_column]) == (end_line, name)


def test_a_line_inside_a_bracket_keeps_its_indentation():
    text = "rows = [\n    first_of_four, second_of_four, third_of_four(with_an_argument),\n]"
    new, _ = wrapped(text, 40, set())
    assert new == (
        "rows = [\n    first_of_four, second_of_four,\n    third_of_four(with_an_argument),\n]"
    )
    deeper = "rows = [\n    function_of_two(first_of_two, second_of_two),\n]"
    new, _ = wrapped(deeper, 40, set())
    assert new == "rows = [\n    function_of_two(first_of_two,\n        second_of_two),\n]"


def test_empty_brackets_stay_together():
    new, _ = wrapped("items = {e for e in table.items() if e.new}", 40, set())
    assert new == "items = {\n    e for e in table.items() if e.new}"

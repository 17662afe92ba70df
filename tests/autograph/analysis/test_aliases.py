"""Which names may refer to one list."""

import gast
import pytest

from autograph.analysis.aliases import SharedLists
from tests.runtime.control_flow.agreement import check


def others(text, *names):
    body = gast.parse(text).body
    own = {node.id for node in gast.walk(gast.parse(text)) if isinstance(node, gast.Name)}
    return SharedLists.of(body, frozenset(own)).others(names)


@pytest.mark.parametrize(
    "text",
    [
        "a = []\nb = a\na.append(1)",
        "a = []\nb = c = a\nc.append(1)",
        "a = b = []\na.append(1)",
        "a = []\nb = a if x else []\na.append(1)",
    ],
)
def test_another_name_of_a_list_that_grows_is_found(text):
    assert "b" in others(text, "a")


@pytest.mark.parametrize(
    "text", ["a = []\nb = []\na.append(1)", "a = []\nb = list(a)\na.append(1)", "b = 1\na = [b]"]
)
def test_names_of_other_lists_are_not(text):
    assert "b" not in others(text, "a")


def test_a_list_that_holds_it_is_found_from_what_it_holds():
    text = "a = []\nrows = [a]\na.append(1)"
    assert "rows" in others(text, "a")
    assert "a" not in others(text, "rows")


def two_names_of_one_line(x):
    a = b = [1]
    if x > 0:
        a.append(x)
    return len(b), b[-1]


def test_names_that_one_line_gives_to_a_list_see_its_length():
    check(two_names_of_one_line, (2,), (-2,))

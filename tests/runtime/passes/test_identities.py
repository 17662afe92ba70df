"""Each identity: its text before and after, and where it must not fire."""

from pathlib import Path

import pytest

import runtime as tf
from runtime.core.verify import verify
from runtime.passes.identities import RULES, simplify
from runtime.passes.pattern import Library
from runtime.passes.prune import prune
from tests.runtime.passes.rule_cases import FIRES, STAYS

DIRECTORY = Path(__file__).parents[2] / "golden" / "passes"
BY_NAME = {rule.name: rule for rule in RULES}
EVERY_RULE = pytest.mark.parametrize("name", BY_NAME)


def graph_of(case):
    function, *specs = case
    return prune(tf.function(function, autograph=False).get_concrete_function(*specs).graph)


def by_one_rule(rule, graph):
    """What one rule alone makes of a graph."""
    return simplify(graph, Library((rule,)))


def test_every_rule_has_a_name_of_its_own_and_both_cases():
    assert len(BY_NAME) == len(RULES)
    assert set(FIRES) == set(STAYS) == set(BY_NAME)


@EVERY_RULE
def test_becomes(name, request):
    graph = graph_of(FIRES[name])
    after = by_one_rule(BY_NAME[name], graph)
    verify(after)
    words = BY_NAME[name].words
    text = f"{name}: {words}\n\n{graph!s}\n\n---- becomes ----\n\n{after!s}\n"
    path = DIRECTORY / f"{name.replace(' ', '_')}.txt"
    if request.config.getoption("--rewrite-golden"):
        DIRECTORY.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.read_text() == text
    assert str(after) != str(graph)


@EVERY_RULE
def test_stays_where_it_does_not_hold(name):
    graph = graph_of(STAYS[name])
    assert str(by_one_rule(BY_NAME[name], graph)) == str(graph)


@EVERY_RULE
def test_all_rules_together_leave_nothing_to_do(name):
    once = simplify(graph_of(FIRES[name]))
    assert str(simplify(once)) == str(once)

"""The scope of a function: its own names, and facts about the others."""

import gast
import pytest

from autograph.analysis.scopes import FunctionScope, ModuleNames


def scope(text, module=""):
    tree = gast.parse(text).body[0]
    return FunctionScope.of(tree, FunctionScope.outside(ModuleNames.of(gast.parse(module or text))))


def test_names_are_own_captured_or_of_the_module():
    found = scope("def f(x):\n    y = x + z\n    def g():\n        return y\n    return g, len")
    assert found.own == {"x", "y", "g"}
    assert found.captured == {"y"}
    assert found.is_of_module("z") and not found.is_of_module("y")


def test_a_built_in_is_one_unless_a_name_hides_it():
    plain = "def f(x):\n    return len(x)"
    assert scope(plain).is_builtin("len")
    assert not scope(plain, module=f"{plain}\nlen = 3").is_builtin("len")
    assert not scope("def f(x):\n    len = x\n    return len").is_builtin("len")


def test_a_dict_that_gets_items_may_gain_keys():
    assert scope("def f(x):\n    d = {}\n    d[x] = 1\n    return d").gains_keys("d")
    assert not scope("def f(x):\n    d = {}\n    return d[x]").gains_keys("d")


@pytest.mark.parametrize("change", ["append(x)", "extend(x)", "insert(0, x)"])
def test_a_list_that_grows_may_gain_items(change):
    assert scope(f"def f(x):\n    a = []\n    a.{change}\n    return a").gains_keys("a")
    assert not scope(f"def f(x, b):\n    a = []\n    b.{change}\n    return a").gains_keys("a")


def test_a_number_holds_no_list():
    found = scope("def f(x):\n    n = 1\n    rows = [x]\n    return n, rows")
    assert found.may_hold_list("rows")
    assert not found.may_hold_list("n")

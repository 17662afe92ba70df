"""The plan: which variables a block keeps for itself, and which it shares."""

import autograph

ONE = """\
def f(x):
    total = 0
    while x > 0:
        half = x // 2
        total = total + half
        x = half
    return total
"""

CLOSURE = """\
def f(x):
    count = 0
    def add():
        nonlocal count
        count += 1
    if x > 0:
        add()
    return count
"""


def test_a_variable_of_one_iteration_is_local_to_the_block():
    text = autograph.convert_source(ONE)
    assert "nonlocal total, x\n" in text
    assert "half" not in text.partition("get_state")[2].partition("def ")[0]


def test_a_variable_that_a_call_may_rebind_is_shared_with_the_block():
    text = autograph.convert_source(CLOSURE)
    assert "'count'" in text


def test_statements_inside_blocks_have_plans_of_their_own():
    text = autograph.convert_source(
        "def f(x):\n"
        "    if x > 0:\n"
        "        y = x\n"
        "        while y > 1:\n"
        "            y = y / 2\n"
        "        x = y\n"
        "    return x\n"
    )
    assert text.count("ag__.while_stmt(") == text.count("ag__.if_stmt(") == 1
    assert "nonlocal y\n" in text
    assert "nonlocal x\n" in text

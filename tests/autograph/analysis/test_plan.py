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


def test_a_line_of_several_statements_reads_what_it_assigned_before():
    text = autograph.convert_source(
        "def f(xs):\n"
        "    total = 0\n"
        "    for x in xs:\n"
        "        half = x // 2; total += half\n"
        "    return total\n"
    )
    assert "half = x // 2; total += half\n" in text
    assert "(total,) = vars_" in text


def test_a_line_that_deletes_a_variable_again_reads_it_unassigned():
    text = autograph.convert_source(
        "def f(xs):\n    for x in xs:\n        y = x; del y; print(y)\n    return 0\n"
    )
    assert "ag__.ld(y)" in text


def test_aliases_of_a_list_that_a_line_assigns_and_resizes_are_shared_with_the_block():
    text = autograph.convert_source(
        "def f(x, make):\n"
        "    items = make()\n"
        "    other = items\n"
        "    if x > 0:\n"
        "        items = make(); items.append(x)\n"
        "    return items, other\n"
    )
    assert "(items, other) = vars_" in text

"""Statements of a function: their blocks, jumps, spans and effects."""

import gast
import libcst as cst

from autograph.syntax.structure import (
    If,
    Jump,
    Leaf,
    Loop,
    Pairing,
    Region,
    TotalEffects,
    blocks_of,
    inside,
    is_loop,
    named_blocks,
)

TEXT = """\
for x in xs:
    if x > 1:
        total = total + x; continue
    elif x:
        break
    else:
        pass
while test:
    found = 1
try:
    a = b
except ValueError as error:
    c = error
finally:
    d = 1
with e as f:
    return f
"""


def statements(text=TEXT):
    pairing = Pairing(lambda line, column: column)
    return pairing.statements(cst.parse_module(text).body, gast.parse(text).body)


def test_each_statement_has_its_kind_and_its_blocks():
    loop, other, attempt, manager = statements()
    assert [type(each) for each in (loop, other, attempt, manager)] == [Loop, Loop, Region, Region]
    assert [name for name, _ in named_blocks(attempt)] == ["body", "handler", "finally"]
    assert is_loop(loop) and is_loop(other) and not is_loop(manager)
    assert blocks_of(Leaf) == ()


def test_a_jump_that_shares_a_line_is_a_statement_of_its_own():
    choice = statements()[0].body.statements[0]
    assert type(choice) is If
    leaf, jump = choice.body.statements
    assert type(leaf) is Leaf
    assert (type(jump), jump.kind) == (Jump, "continue")
    (arm,) = choice.orelse.statements
    assert type(arm) is If


def test_statements_inside_come_in_the_order_of_the_text():
    origins = [each.origin[:2] for each in inside(statements())]
    assert origins == sorted(origins)
    assert len(origins) == 15


def test_a_statement_has_the_effects_of_its_blocks():
    loop, other, attempt, manager = statements()
    effects = TotalEffects()
    assert set(effects.of_statement(loop).writes) == {"x", "total"}
    assert effects.of_statement(loop).reads == {"xs", "x", "total"}
    assert set(effects.of([attempt, manager]).writes) == {"a", "c", "d", "error", "f"}
    assert effects.of_statement(other) is effects.of_statement(other)


def test_a_return_of_none_is_plain():
    text = "def f():\n    return None\ndef g():\n    return 1\n"
    pairing = Pairing(lambda line, column: column)
    plain = []
    for node, syntax in zip(cst.parse_module(text).body, gast.parse(text).body, strict=True):
        (jump,) = pairing.block(node.body, syntax.body).statements
        plain.append(jump.plain_value)
    assert plain == [True, False]

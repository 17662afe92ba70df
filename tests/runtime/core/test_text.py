"""The text form of graphs."""

import runtime as tf
from tests.runtime.core.traced import SCALAR, concrete_of


def test_text_of_a_branch():
    def pick(x):
        return tf.cond(x > 0.0, lambda: x + 1.0, lambda: x)

    assert str(concrete_of(pick, SCALAR).graph) == (
        "graph pick(x: float32[]) -> float32[]\n"
        "  Greater/y = Const value=0.0 : float32[]\n"
        "  Greater = Greater x Greater/y : bool[]\n"
        "  cond = StatelessIf Greater x : float32[]\n"
        "      then_branch = graph pick_cond_true() captures (captured: float32[]) -> float32[]\n"
        "        add/y = Const value=1.0 : float32[]\n"
        "        add = AddV2 captured add/y : float32[]\n"
        "        return add\n"
        "      else_branch = graph pick_cond_false() captures (captured: float32[]) -> float32[]\n"
        "        return captured\n"
        "  cond/Identity = Identity cond : float32[]\n"
        "  Identity = Identity cond/Identity : float32[]\n"
        "  return Identity"
    )


def test_text_of_a_choice():
    def pick(i, x):
        return tf.switch_case(i, [lambda: x + 1.0, lambda: x])

    assert str(concrete_of(pick, tf.TensorSpec([], tf.int32), SCALAR).graph) == (
        "graph pick(i: int32[], x: float32[]) -> float32[]\n"
        "  switch_case/indexed_case = StatelessCase i x : float32[]\n"
        "      branch0 = graph pick_indexed_case_branch0() captures (captured: float32[])"
        " -> float32[]\n"
        "        add/y = Const value=1.0 : float32[]\n"
        "        add = AddV2 captured add/y : float32[]\n"
        "        return add\n"
        "      branch1 = graph pick_indexed_case_branch1() captures (captured: float32[])"
        " -> float32[]\n"
        "        return captured\n"
        "  switch_case/indexed_case/Identity = Identity switch_case/indexed_case : float32[]\n"
        "  Identity = Identity switch_case/indexed_case/Identity : float32[]\n"
        "  return Identity"
    )


def test_text_shows_the_order_of_effects():
    variable = tf.Variable(1.0)

    def step(x):
        variable.assign_add(x)
        return variable.read_value()

    text = str(concrete_of(step, SCALAR).graph)
    assert "ReadVariableOp captured spec=" in text
    assert "after AssignAddVariableOp : float32[]" in text

"""Random programs with branches, loops, calls and lists: one gradient, however they run."""

import traceback

import numpy as np
import pytest
from hypothesis import event, given, reject, settings
from hypothesis import strategies as st

import autograph
import runtime as tf

NAMES = ("a", "b", "c")
HELPERS = """
import runtime as tf

scale = tf.Variable(0.7, dtype=dtype)

def bent(x, y):
    if x > y:
        return tf.tanh(x - y) * scale
    return x * 0.5 + y

class Box:
    def __init__(self, held):
        self.held = held

    def add(self, x):
        if x > 0.2:
            self.held = self.held + tf.sin(x)
        return self.held
"""


@st.composite
def values(draw, depth=2):
    """An expression that is smooth and stays small."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from((*NAMES, "box.held", "row[0]", "row[1]", "scale", "0.3")))
    left, right = draw(values(depth - 1)), draw(values(depth - 1))
    form = draw(
        st.sampled_from(
            (
                "tf.tanh({0} * {1})",
                "({0} + {1}) * 0.5",
                "tf.sin({0}) - {1}",
                "bent({0}, {1})",
                "tf.sigmoid({0}) * {1}",
                "tf.reduce_max(tf.stack([{0} * 1.0, {1} * 2.0]))",
                "({0} if {1} > 0.1 else {1})",
            )
        )
    )
    return form.format(left, right)


@st.composite
def blocks(draw, depth, indent="    "):
    """Statements, which change variables, an object and a list."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statements(depth, indent))
    return lines


@st.composite
def statements(draw, depth, indent):
    kinds = ("assign", "box", "row") + (("if", "for", "while") if depth else ())
    kind = draw(st.sampled_from(kinds))
    value = draw(values())
    if kind == "assign":
        return [f"{indent}{draw(st.sampled_from(NAMES))} = {value}"]
    if kind == "box":
        return [f"{indent}{draw(st.sampled_from(NAMES))} = tf.tanh(box.add({value}))"]
    if kind == "row":
        return [f"{indent}row[{draw(st.integers(0, 1))}] = tf.tanh({value})"]
    inner = draw(blocks(depth - 1, indent + "    "))
    if kind == "if":
        lines = [f"{indent}if {value} > {draw(values(1))}:", *inner]
        if draw(st.booleans()):
            lines += [f"{indent}else:", *draw(blocks(depth - 1, indent + "    "))]
        return lines
    name = f"i{depth}{len(indent)}"
    exits = draw(st.sampled_from(("break", "continue", None)))
    leave = [f"{indent}    if {draw(values(1))} > 0.6:", f"{indent}        {exits}"] * bool(exits)
    if kind == "for":
        return [f"{indent}for {name} in tf.range({draw(st.integers(0, 3))}):", *leave, *inner]
    begin = [f"{indent}{name} = tf.constant(0)", f"{indent}while {name} < 3:"]
    return [*begin, f"{indent}    {name} += 1", *leave, *inner]


@st.composite
def programs(draw):
    body = draw(blocks(2))
    start = ["    box = Box(a * 0.5)", "    row = [b * 1.0, c * 1.0]"]
    end = "    return a + 2.0 * b + 3.0 * c + box.held + row[0] * row[1]"
    return "\n".join(["def program(a, b, c):", *start, *body, end, ""])


def gradients(function, variable, xs):
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    made = tape.gradient(y, [*xs, variable], unconnected_gradients="zero")
    return [y, *map(tf.convert_to_tensor, made)]


NUMBERS = st.tuples(*[st.floats(-1.5, 1.5, width=32)] * 3)


def defined(text, dtype):
    """The program and its variable."""
    space = {"dtype": dtype}
    autograph.exec(HELPERS + text, space)
    return space["program"], space["scale"]


STEP = 1e-6
"""For central differences in double precision: between rounding and the third derivative."""

SHIFTS = (0.0012345, 0.0023571, 0.0034913)
"""Added to the arguments; they have no common multiple that a program computes."""


def differences(program, numbers):
    """Slopes in each argument; None where a branch or a corner lies within a step of it."""

    def at(position, change):
        moved = [number + change * (i == position) for i, number in enumerate(numbers)]
        return float(program(*[tf.constant(number, tf.float64) for number in moved]))

    for position in range(len(numbers)):
        behind, here, ahead = (at(position, sign * STEP) for sign in (-1, 0, 1))
        is_smooth = abs(ahead - 2 * here + behind) < 1e-3 * STEP
        yield (ahead - behind) / (2 * STEP) if is_smooth else None


def check(text, numbers):
    program, scale = defined(text, tf.float32)
    xs = [tf.constant(number) for number in numbers]
    eager = gradients(program, scale, xs)
    across = gradients(tf.function(program), scale, xs)
    inside = tf.function(lambda *given: gradients(program, scale, list(given)))(*xs)
    for other in (across, inside):
        for a, b in zip(eager, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4, err_msg=text)


@given(programs(), NUMBERS)
def test_gradients_of_random_programs_are_the_same_however_they_run(text, numbers):
    check(text, numbers)


@settings(max_examples=15)
@given(programs(), NUMBERS)
def test_gradients_of_random_programs_are_the_same_in_machine_code(text, numbers):
    pytest.importorskip("llvmlite")
    program, scale = defined(text, tf.float32)
    xs = [tf.constant(number) for number in numbers]

    def slopes(*given):
        return gradients(program, scale, list(given))

    found = tf.function(slopes, jit_compile=True)(*xs)
    for a, b in zip(tf.function(slopes)(*xs), found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4, err_msg=text)


@given(programs(), NUMBERS)
def test_gradients_of_random_staged_programs_are_finite_differences(text, numbers):
    # At a point of its own, as 0 is, a branch may be taken that no neighbour takes.
    numbers = [number + shift for number, shift in zip(numbers, SHIFTS, strict=True)]
    # An operation gives a number of Python single precision.
    program, scale = defined(text.replace("0.3", "tf.cast(0.3, dtype)"), tf.float64)
    xs = [tf.constant(number, tf.float64) for number in numbers]
    _, *found, _ = gradients(tf.function(program), scale, xs)
    for slope, gradient in zip(differences(program, numbers), found, strict=True):
        if slope is not None:
            np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=1e-5, err_msg=text)


@st.composite
def taped(draw, depth, indent):
    """Statements, of which some give a tensor a second name, or take a gradient by one."""
    kind = draw(st.sampled_from(("alias", "tape", "other")))
    if kind == "alias":
        return [indent + draw(aliases())]
    if kind == "tape":
        return draw(tapes(depth, indent))
    if depth and draw(st.booleans()):
        head = f"if {draw(values(1))} > {draw(values(1))}:"
        head = draw(st.sampled_from((head, f"for _{depth} in tf.range(2):")))
        return [indent + head, *draw(some_taped(depth - 1, indent + "    "))]
    return draw(statements(0, indent))


@st.composite
def some_taped(draw, depth, indent="    "):
    parts = draw(st.lists(taped(depth, indent), min_size=1, max_size=3))
    return [line for part in parts for line in part]


PLACES = (*NAMES, "row[0]", "row[1]", "box.held")


@st.composite
def aliases(draw):
    target, first, second = (draw(st.sampled_from(PLACES)) for _ in range(3))
    chosen = f"{first} if {draw(values(1))} > 0.1 else {second}"
    return f"{target} = {draw(st.sampled_from((first, chosen)))}"


@st.composite
def tapes(draw, depth, indent):
    watched, source, other = (draw(st.sampled_from(PLACES)) for _ in range(3))
    source = draw(st.sampled_from((watched, source)))
    inner = indent + "    "
    body = draw(some_taped(depth - 1, inner)) if depth else []
    if draw(st.booleans()):
        body = [f"{inner}{draw(aliases())}", *body]
    target = draw(values().filter("0.3".__ne__))
    return [
        f"{indent}with tf.GradientTape() as tape{depth}:",
        f"{inner}tape{depth}.watch({watched})",
        *body,
        f"{inner}target = {target}",
        f"{indent}found, rest = tape{depth}.gradient("
        f"target, [{source}, {other}], unconnected_gradients='zero')",
        f"{indent}{draw(st.sampled_from(PLACES))} = tf.tanh(found) + rest * 0.1",
    ]


@st.composite
def taped_programs(draw):
    start = ["    box = Box(a * 0.5)", "    row = [b * 1.0, c * 1.0]"]
    body = [*draw(some_taped(2)), *draw(tapes(2, "    "))]
    end = "    return [a, b, c, box.held, row[0], row[1]]"
    return "\n".join(["def program(a, b, c):", *start, *body, end, ""])


@given(taped_programs(), NUMBERS)
def test_tapes_in_random_staged_programs_give_the_eager_gradient_or_an_error(text, numbers):
    program, _ = defined(text, tf.float32)
    xs = [tf.constant(number) for number in numbers]
    try:
        expected = program(*xs)
    except ValueError:
        reject()  # a number of Python has no gradient, and is a tensor in a graph
    try:
        found = tf.function(program)(*xs)
    except (TypeError, ValueError) as error:
        files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
        assert any(file.startswith("<autograph ") for file in files), f"{error}\n{text}"
        event("refused")
        return
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4, err_msg=text)

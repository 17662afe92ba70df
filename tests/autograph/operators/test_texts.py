# ruff: noqa: UP031, UP032 - the programs are as people write them
"""Text made of tensors is what plain Python makes of the numbers, or is refused."""

import collections
import dataclasses
import json
import pprint
import string
import typing

import pytest

import autograph
import runtime as tf


@dataclasses.dataclass
class Data:
    a: object


class Named(typing.NamedTuple):
    p: object


Pair = collections.namedtuple("Pair", "x y")


class WithStr:
    def __init__(self, a):
        self.a = a

    def __str__(self):
        return f"<{self.a:.1f}>"


class WithRepr:
    def __init__(self, a):
        self.a = a

    def __repr__(self):
        return "R(%r)" % self.a


class WithFormat:
    def __init__(self, a):
        self.a = a

    def __format__(self, spec):
        return format(self.a, spec) + "!"


def appended(x):
    values = []
    i = 0
    while i < x:
        values.append(i)
        i += 1
    return f"{values}"


def in_a_loop(x):
    text, i = "", 0
    while i < x:
        text = text + str(i)
        i += 1
    return text, len(text)


def in_branches(x):
    text = f"large {x}" if x > 2 else "small"
    return text, len(text)


def counted(x):
    total = 0
    for character in str(x):
        total += character == "1"
    return total


def digit_sum(x):
    total = 0
    for character in str(x):
        if character != "." and character != "-":
            total += int(character)
    return total


def ordered(x):
    values = [x, x + 1]
    return f"{values} {values.pop()} {values}"


def of_branches(x):
    text = "nothing"
    if x > 2:
        text = f"{x:+.1e}"
    return text + "."


PROGRAMS = {
    "f-string": lambda x: f"{x}",
    "precision": lambda x: f"v={x:.2f}|{x:8.3f}|{x:e}|{x:g}",
    "width": lambda x: f"{x:>8}|{x:<8}|{x:^8}|{x:08}",
    "conversions": lambda x: f"{x!r:>8}|{x!s:<8}|{x!a}",
    "shown": lambda x: f"{x=}|{x + 1 = :.1f}",
    "nested": lambda x: f"{x:{8}.{2}f}",
    "staged width": lambda x: f"{7:{abs(x) + 2:.0f}}",
    "str": lambda x: str(x) + "!",
    "repr": lambda x: repr(x),
    "ascii": lambda x: ascii(x),
    "format": lambda x: format(x, ".3f") + format(x),
    "len": lambda x: len(str(x)),
    "join": lambda x: ", ".join([str(x), "b", f"{x}"]),
    "joined text": lambda x: "-".join(str(x)),
    "percent": lambda x: "%s and %5.1f and %%" % (x, x),
    "percent alone": lambda x: "%r" % x,
    "percent of a dict": lambda x: "%(a)s %(b).1f" % {"a": x, "b": x},
    "str.format": lambda x: "{0} {0:>5} {a} {b[0]}".format(x, a=x, b=[x]),
    "containers": lambda x: f"{[x, 1]} {(x,)} {(x, 'a')} { {'k': x} }",
    "objects": lambda x: f"{Data(x)} {Named(x)} {Pair(1, x)}",
    "own __str__": lambda x: f"{WithStr(x)} {WithStr(x)!s:>10}",
    "own __repr__": lambda x: f"{WithRepr(x)}" + str(WithRepr(x)),
    "own __format__": lambda x: f"{WithFormat(x):.2f}",
    "comparison": lambda x: f"{x > 2} {x == x}",
    "equality": lambda x: f"{x}" == "3.5",
    "slices": lambda x: (str(x)[0], str(x)[::-1], str(x)[1:]),
    "palindrome": lambda x: str(x) == str(x)[::-1],
    "contained": lambda x: str(3) in str(x),
    "number in text": lambda x: int(f"{abs(x):.0f}") + float(str(x)),
    "methods": lambda x: (str(x).zfill(8), f"{x}".replace(".", ","), f"{x}".strip("-")),
    "questions": lambda x: (str(x).startswith("-"), str(x).find("."), str(x).count(str(1))),
    "generated": lambda x: ", ".join(str(x + k) for k in range(3)),
    "format_map": lambda x: "{a:.1f}".format_map({"a": x}),
    "python values": lambda x: f"{1:>3} {'a'!r} {[1, 2]} {None}",
}  # fmt: skip
FUNCTIONS = {
    **PROGRAMS,
    **{f.__name__: f for f in (
        appended, in_a_loop, in_branches, counted, digit_sum, ordered, of_branches,
    )},
}  # fmt: skip


def value(result):
    """What a traced function gives, as Python values."""
    if isinstance(result, tuple):
        return tuple(map(value, result))
    if isinstance(result, tf.Tensor):
        result = result.numpy()
    return result.decode() if isinstance(result, bytes) else result


@pytest.mark.parametrize("x", [3.5, -1.25, 11.0])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_text_is_that_of_plain_python(name, x):
    assert value(tf.function(FUNCTIONS[name])(tf.constant(x))) == FUNCTIONS[name](x)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_text_is_made_at_each_run(name):
    traced = tf.function(FUNCTIONS[name])
    traced(tf.constant(2.5))
    assert value(traced(tf.constant(3.5))) == FUNCTIONS[name](3.5)
    assert traced.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_converted_code_makes_the_text_of_python_numbers(name):
    assert autograph.to_graph(FUNCTIONS[name])(3.5) == FUNCTIONS[name](3.5)


@pytest.mark.parametrize("x", [7, -12, 0])
def test_text_of_integers(x):
    def f(x):
        return f"{x:>4} {x:04d} {x:x} {x!r} {-x}" + "%03d" % x, len(str(x))

    assert value(tf.function(f)(tf.constant(x))) == f(x)


def test_text_of_a_python_float_keeps_all_digits():
    def f(n):
        x = 0.1
        while n > 0:
            x += 0.2
            n -= 1
        return f"{x} {x:.20f}"

    assert value(tf.function(f)(tf.constant(1))) == f(1)


def test_text_of_bools_and_strings():
    def f(b, s):
        return f"{b} {b!r} {s} {s!r} {s:>4}"

    assert value(tf.function(f)(tf.constant(True), tf.constant("ä'"))) == f(True, "ä'")


def test_text_of_several_elements_is_that_of_numpy():
    traced = tf.function(lambda x: f"{x} " + str(x))
    assert value(traced(tf.constant([1, 2]))) == "[1 2] [1 2]"


@pytest.mark.parametrize(
    "make",
    [
        lambda x: string.Template("$x").substitute(x=x),
        lambda x: pprint.pformat([x]),
        lambda x: f"{ {1, str(x)} }",
        lambda x: json.dumps({"a": x}, default=str),
        lambda x: str(ValueError(x)),
        lambda x: f"{x:.2q}",
    ],
)
def test_text_that_cannot_be_made_is_refused(make):
    with pytest.raises((TypeError, ValueError)):
        tf.function(make)(tf.constant(1.5))


def test_a_format_that_does_not_fit_raises_as_in_python_where_it_runs():
    def f(x):
        return f"{x:d}" if x > 0 else "none"

    traced = tf.function(f)
    assert value(traced(tf.constant(-1.0))) == f(-1.0)
    with pytest.raises(ValueError, match="Unknown format code 'd'"):
        f(1.0)
    with pytest.raises(ValueError, match="Unknown format code 'd'"):
        traced(tf.constant(1.0))


# ---- raise and assert ----


class OwnError(Exception):
    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def raises_text(x):
    if x > 3:
        raise ValueError(f"{x:.1f} is too large")
    return x


def raises_values(x):
    if x > 3:
        raise KeyError("too large", x, [x])
    return x


def raises_own(x):
    if x > 3:
        raise OwnError("%s!" % x, x + 1)
    return x


def raises_in_else(x):
    if x <= 3:
        y = x
    else:
        message = str(x)
        raise ValueError("large: " + message)
    return y


def raises_in_loop(x):
    i = 0.0
    while i < x:
        if i > 2:
            raise ValueError(f"round {i}")
        i += 1.0
    return i


RAISING = (raises_text, raises_values, raises_own, raises_in_else, raises_in_loop)


@pytest.mark.parametrize("x", [1.5, 3.5])
@pytest.mark.parametrize("program", RAISING)
def test_raised_errors_hold_what_plain_python_puts_there(program, x):
    traced = tf.function(program)
    try:
        expected = program(x)
    except Exception as error:
        with pytest.raises(type(error)) as caught:
            traced(tf.constant(x))
        assert caught.value.args == error.args
        (place,) = vars(caught.value).pop("__notes__")
        assert vars(caught.value) == vars(error)
        assert f"{__file__}" in place and program.__name__ in place
    else:
        assert value(traced(tf.constant(x))) == expected


def test_what_a_branch_does_before_it_raises_is_done():
    count = tf.Variable(0)

    @tf.function
    def f(x):
        if x > 0:
            count.assign_add(1)
            raise ValueError("no")
        return x

    f(tf.constant(-1))
    assert int(count) == 0
    with pytest.raises(ValueError, match="no"):
        f(tf.constant(1))
    assert int(count) == 1

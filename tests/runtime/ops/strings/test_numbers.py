"""Numbers in strings."""

import pytest

import runtime as tf

S = tf.strings


def test_formats_need_a_tensor_for_each_placeholder():
    with pytest.raises(ValueError, match="The template expects 2 tensors"):
        S.format("{} {}", [1])


def made(tensor):
    return tensor.numpy().tolist() if tensor.shape.rank else tensor.numpy()


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (lambda: S.as_string([1.5, 1 / 3]), [b"1.500000", b"0.333333"]),
        (lambda: S.as_string(3.14159, precision=2), b"3.14"),
        (
            lambda: S.as_string([float("-inf"), 2.0**70]),
            [b"-inf", b"1180591620717411303424.000000"],
        ),
        (lambda: S.as_string(["a"]), [b"a"]),
        (lambda: S.as_string([True, False]), [b"true", b"false"]),
        (lambda: S.as_string(1 + 2j), b"(1.000000,2.000000)"),
        (lambda: S.to_number([" 1 ", "-3e2"]), [1.0, -300.0]),
        (lambda: S.format("{} and {}", [tf.constant([1, 2]), "a"]), b'[1 2] and "a"'),
    ],
)
def test_results(tensor, expected):
    assert made(tensor()) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: S.as_string([1], precision=2),
        lambda: S.to_number("a"),
        lambda: S.to_number("1.5", tf.int32),
        lambda: S.to_number("1", tf.uint8),
    ],
)
def test_what_is_refused(wrong):
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()


def test_templates_are_strings():
    with pytest.raises(TypeError, match="`template` has to be a string; got 3"):
        S.format(3, [1])

"""Strings that are joined and split."""

import pytest

import runtime as tf

S = tf.strings


def test_parts_of_several_strings_need_ragged_tensors():
    with pytest.raises(tf.errors.UnimplementedError, match=r"runtime\.strings\.substr"):
        S.split(["a b", "c"])


def test_strings_of_any_rank_put_together():
    spec = tf.TensorSpec(None, tf.string)
    function = tf.function(tf.strings.reduce_join, input_signature=[spec])
    assert function([["a", "b"], ["c", "d"]]).numpy() == b"abcd"
    assert function("a").numpy() == b"a"


def made(tensor):
    return tensor.numpy().tolist() if tensor.shape.rank else tensor.numpy()


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (lambda: S.join(["x", ["a", "b"]], ","), [b"x,a", b"x,b"]),
        (lambda: S.reduce_join([["a", "b"], ["c", "d"]]), b"abcd"),
        (lambda: S.reduce_join([["a", "b"], ["c", "d"]], axis=-1), [b"ab", b"cd"]),
        (lambda: S.reduce_join([["a", "b"], ["c", "d"]], 0, separator=","), [b"a,c", b"b,d"]),
        (lambda: S.reduce_join(tf.constant([[], []], tf.string), axis=1), [b"", b""]),
        (lambda: S.split("a,b,,c", ","), [b"a", b"b", b"", b"c"]),
        (lambda: S.split("a  b c", maxsplit=1), [b"a", b"b c"]),
        (lambda: S.bytes_split("ab"), [b"a", b"b"]),
    ],
)
def test_results(tensor, expected):
    assert made(tensor()) == expected


def test_what_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError):
        S.join([["a", "b"], ["c"]])
    with pytest.raises(ValueError, match="axis 2"):
        S.reduce_join([["a"]], axis=2)


def test_separators_are_strings():
    assert S.join(["a", "b"], separator=tf.constant("-")).numpy() == b"a-b"
    for function in (S.join, S.reduce_join):
        with pytest.raises(TypeError, match="`separator` has to be a string; got 3"):
            function(["a", "b"], separator=3)

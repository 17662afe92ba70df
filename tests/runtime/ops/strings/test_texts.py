"""Strings: what each operation makes of them, and what it refuses."""

import pytest

import runtime as tf

S = tf.strings
Invalid = tf.errors.InvalidArgumentError


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
        (lambda: S.join(["x", ["a", "b"]], ","), [b"x,a", b"x,b"]),
        (lambda: S.reduce_join([["a", "b"], ["c", "d"]]), b"abcd"),
        (lambda: S.length(["abc", "é"]), [3, 2]),
        (lambda: S.length(["abc", "é"], unit="UTF8_CHAR"), [3, 1]),
        (lambda: S.lower("ÀB"), "Àb".encode()),
        (lambda: S.lower("ÀB", encoding="utf-8"), "àb".encode()),
        (lambda: S.upper("ab"), b"AB"),
        (lambda: S.strip(" \ta\n"), b"a"),
        (lambda: S.substr(["hello", "you"], [-2, 0], [2, 9]), [b"lo", b"you"]),
        (lambda: S.substr("héllo", 1, 2, unit="UTF8_CHAR"), "él".encode()),
        (lambda: S.to_number([" 1 ", "-3e2"]), [1.0, -300.0]),
        (lambda: S.format("{} and {}", [tf.constant([1, 2]), "a"]), b'[1 2] and "a"'),
        (lambda: S.split("a,b,,c", ","), [b"a", b"b", b"", b"c"]),
        (lambda: S.split("a  b c", maxsplit=1), [b"a", b"b c"]),
        (lambda: S.bytes_split("ab"), [b"a", b"b"]),
    ],
)
def test_results(tensor, expected):
    assert made(tensor()) == expected


def test_hashes_are_the_same_everywhere():
    texts = ["abcdefgh", "abcdefghijklmnop", "abcdefghijklmnopqrst", "x" * 33, "z" * 65, "w" * 200]
    assert made(S.to_hash_bucket_fast(texts, 2**40)) == [
        178522695945,
        745026211517,
        120491886974,
        361916405303,
        273332821813,
        31020218240,
    ]


def test_the_hash_of_a_text_does_not_depend_on_the_others():
    texts = tf.constant(["", "a", "ab" * 200, "abc", "b", "x" * 9, "", "y" * 20, "z" * 40])
    together = S.to_hash_bucket_fast(texts, 2**40).numpy()
    for i, hashed in enumerate(together):
        assert S.to_hash_bucket_fast(texts[i : i + 1], 2**40).numpy() == hashed
    assert len(set(together.tolist())) == 8
    assert S.to_hash_bucket_fast(texts[:0], 2**40).shape[0] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: S.as_string([1], precision=2),
        lambda: S.join([["a", "b"], ["c"]]),
        lambda: S.length("a", unit="LETTER"),
        lambda: S.lower("a", encoding="latin"),
        lambda: S.substr("hello", 6, 1),
        lambda: S.to_number("a"),
        lambda: S.to_number("1.5", tf.int32),
        lambda: S.to_number("1", tf.uint8),
        lambda: S.to_hash_bucket_fast("a", 0),
    ],
)
def test_what_is_refused(wrong):
    with pytest.raises(Invalid):
        wrong()


def test_parts_of_several_strings_need_ragged_tensors():
    with pytest.raises(tf.errors.UnimplementedError, match=r"runtime\.strings\.substr"):
        S.split(["a b", "c"])


def test_formats_need_a_tensor_for_each_placeholder():
    with pytest.raises(ValueError, match="The template expects 2 tensors"):
        S.format("{} {}", [1])


def test_a_part_of_negative_length_is_the_rest():
    assert tf.strings.substr("hello", 1, -1).numpy() == b"ello"
    assert tf.strings.substr("hello", 1, 0).numpy() == b""
    assert tf.strings.substr("héllo", 1, -1, unit="UTF8_CHAR").numpy() == b""


def test_strings_of_any_rank_put_together():
    spec = tf.TensorSpec(None, tf.string)
    function = tf.function(tf.strings.reduce_join, input_signature=[spec])
    assert function([["a", "b"], ["c", "d"]]).numpy() == b"abcd"
    assert function("a").numpy() == b"a"

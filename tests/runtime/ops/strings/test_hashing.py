"""Hashes of strings."""

import pytest

import runtime as tf

S = tf.strings


def made(tensor):
    return tensor.numpy().tolist() if tensor.shape.rank else tensor.numpy()


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


def test_what_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError):
        S.to_hash_bucket_fast("a", 0)


def test_numbers_of_buckets_are_integers():
    with pytest.raises(TypeError, match="`num_buckets` has to be an integer"):
        S.to_hash_bucket_fast("a", float("inf"))

"""Regular expressions: RE2's semantics, in linear time, for any bytes."""

from __future__ import annotations

import time

import pytest

import runtime as tf

S = tf.strings


def replaced(*args, **kwargs):
    return S.regex_replace(*args, **kwargs).numpy()


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*b", "(a*)*b", "(.*a){12}", "^(([a-z])+.)+[A-Z]"]
)
def test_nested_repetitions_take_linear_time(pattern):
    text = "a" * 50_000 + "!"
    started = time.perf_counter()
    S.regex_full_match(text, pattern)
    S.regex_replace(text, pattern, "", replace_global=False)
    tf.function(lambda x: S.regex_full_match(x, pattern), autograph=False)(tf.constant(text))
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "pattern", "rewrite", "expected"),
    [
        ("é.", "x*", "-", "-é-.-".encode()),
        ("é", "", "-", "-é-".encode()),
        (b"\xff\xfe", "x*", "-", b"-\xff-\xfe-"),
        (b"\xc3", "x*", "-", b"-\xc3-"),
        ("aXbX", "(?i)x", r"[\0]", b"a[X]b[X]"),
        ("a\nb", "(?m)^", "> ", b"> a\n> b"),
        ("a\nb", "$", "!", b"a\nb!"),
        ("abc", "(?P<n>b)", r"<\1>", b"a<b>c"),
        ("aé", r"\C", "x", b"xxx"),
        ("αβ", r"\p{Greek}", "x", b"xx"),
        ("ab", "(a)|(b)", r"[\1\2]", b"[a][b]"),
        ("", "", "-", b"-"),
        ("aaa", "a*?", "-", b"-a-a-a-"),
    ],
)  # fmt: skip
def test_all_matches_are_replaced_as_re2_does(text, pattern, rewrite, expected):
    assert replaced(text, pattern, rewrite) == expected
    function = tf.function(lambda x: S.regex_replace(x, pattern, rewrite), autograph=False)
    assert function(tf.constant(text)).numpy() == expected


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [("é.", "x*", "-é.".encode()), ("aXbX", "X", b"a-bX"), ("ab", "c", b"ab"), ("", "", b"-")],
)
def test_first_match_alone_is_replaced(text, pattern, expected):
    assert replaced(text, pattern, "-", replace_global=False) == expected


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(", r"missing \)"),
        ("*", "no argument for repetition operator"),
        ("a{1001}", "invalid repetition size"),
        ("((a{100}){100}){100}", "invalid repetition|bad repetition|pattern too large"),
        (r"(a)\1", "invalid escape sequence"),
    ],
)
def test_pattern_that_is_none_is_an_error_with_words_of_re2(pattern, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        S.regex_full_match("a", pattern)
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.function(lambda x: S.regex_replace(x, pattern, ""), autograph=False)(tf.constant("a"))


@pytest.mark.parametrize(
    ("rewrite", "words"),
    [(r"\y", "a digit or a backslash"), ("\\", "a digit or"), (r"\2", "group 2, .* has 1")],
)
@pytest.mark.parametrize("replace_global", [True, False])
def test_rewrite_that_is_none_is_an_error(rewrite, words, replace_global):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        S.regex_replace("aXbX", "(X)", rewrite, replace_global)

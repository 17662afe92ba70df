"""Strings."""


def joining_and_lengths(tf):
    x = tf.constant(["ab", "c", ""])
    return (
        x + "!",
        "<" + x,
        tf.strings.length(x),
        tf.strings.join([x, ["1", "2", "3"]], separator="-"),
    )


def upper_and_lower(tf):
    return (
        tf.strings.upper(["abc", "De"]),
        tf.strings.lower("ABC"),
        tf.strings.strip([" a ", "b\n"]),
    )


def parts_of_strings(tf):
    return (
        tf.strings.substr(["hello", "world"], 1, 3),
        tf.strings.reduce_join(["a", "b"]),
        tf.strings.reduce_join([["a", "b"], ["c", "d"]], separator="+"),
        tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=-1, separator="+"),
        tf.strings.reduce_join([["a", "b"], ["c", "d"]], 0),
    )


def numbers_and_strings(tf):
    return (
        tf.strings.as_string([1, 20]),
        tf.strings.to_number(["1.5", "2"]),
        tf.strings.to_number("7", tf.int32),
        tf.strings.as_string([True, False]),
    )


def bad_number(tf):
    return tf.strings.to_number("x1")


def formatting(tf):
    return tf.strings.format("{} and {}", (tf.constant([1, 2]), tf.constant(3.5)))


def comparing_strings(tf):
    x = tf.constant(["a", "b"])
    return x == "a", x != ["a", "b"], tf.equal(x, x)


def strings_in_a_function(tf):
    @tf.function
    def greet(name, loud):
        text = tf.strings.join(["hello ", name])
        if loud:
            text = tf.strings.upper(text)
        return text

    return greet(tf.constant("bob"), tf.constant(True)), greet(
        tf.constant("bob"), tf.constant(False)
    )


def strings_in_a_loop(tf):
    @tf.function
    def repeat(s, n):
        result = tf.constant("")
        for _ in tf.range(n):
            result += s
        return result

    return repeat(tf.constant("ab"), tf.constant(3))


def bytes_and_unicode(tf):
    x = tf.constant(["é", b"\xff"])
    return x, tf.strings.length("é"), tf.strings.length("é", unit="UTF8_CHAR")


def no_arithmetic_with_strings(tf):
    return tf.constant("a") * 2


def string_truth(tf):
    return bool(tf.constant("")), bool(tf.constant("a"))


def nul_at_the_end(tf):
    return tf.constant([b"a\0", b"\0"])

"""Datasets of files: lines, and paths that match patterns."""

import gzip
import traceback
from pathlib import Path

import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset
CsvDataset = tf.data.experimental.CsvDataset


class TestLines:
    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("one\ntwo\n", [b"one", b"two"]),
            ("one\r\ntwo\rx\n\nthree", [b"one", b"twox", b"", b"three"]),
            ("", []),
            ("\n", [b""]),
        ],
    )
    def test_ends_of_lines(self, files, text, lines):
        files(a_txt=text)
        assert values(tf.data.TextLineDataset("a.txt")) == lines

    @pytest.mark.parametrize(
        ("reads", "lines"),
        [(None, b"123789"), (1, b"123789"), (2, b"172839"), (tf.data.AUTOTUNE, b"172839")],
    )
    def test_several_files(self, files, reads, lines):
        files(a="1\n2\n3\n", b="7\n8\n9\n")
        dataset = tf.data.TextLineDataset(["a", "b"], num_parallel_reads=reads)
        assert b"".join(values(dataset)) == lines

    def test_compressed_files(self, files):
        files(a=gzip.compress(b"1\n2\n"), b="1\n")
        assert values(tf.data.TextLineDataset("a", "GZIP")) == [b"1", b"2"]
        with pytest.raises(tf.errors.DataLossError, match=r"^b: no readable GZIP data"):
            values(tf.data.TextLineDataset("b", "GZIP"))


class TestListing:
    def test_patterns(self, files):
        files(a_txt="", b_txt="", c_csv="")
        assert values(Dataset.list_files("*.txt", shuffle=False)) == [b"a.txt", b"b.txt"]
        both = Dataset.list_files(["*.csv", "a.*"], shuffle=False)
        assert values(both) == [b"a.txt", b"c.csv"]

    def test_orders_are_random_unless_told_otherwise(self, files):
        files(**{f"f{i}": "" for i in range(30)})
        first, second = (values(Dataset.list_files("f*", seed=3)) for _ in range(2))
        assert first == second != sorted(first)
        dataset = Dataset.list_files("f*")
        assert sorted(values(dataset)) == sorted(first)
        assert values(dataset) != values(dataset)

    def test_no_match_is_an_error(self):
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="No files matched pattern: /no/such/"
        ):
            Dataset.list_files("/no/such/*")


class TestResampling:
    @pytest.mark.parametrize("initial", [None, [0.9, 0.1]])
    def test_classes_get_the_target_distribution(self, initial):
        source = Dataset.range(20_000)
        pairs = source.rejection_resample(
            lambda x: tf.cast(x % 10 == 0, tf.int32), [0.5, 0.5], initial, seed=1
        )
        kinds = [int(kind) for kind, _ in pairs]
        assert abs(sum(kinds) / len(kinds) - 0.5) < 0.03
        assert 3_500 < len(kinds) < 4_500
        numbers = [int(x) for _, x in pairs]
        assert numbers == sorted(set(numbers))

    def test_structure_and_range(self):
        pairs = Dataset.range(4).map(lambda x: (x, {"a": x}))
        kept = pairs.rejection_resample(lambda x, rest: x % 2, [0.0, 1.0], seed=3)
        assert {kind for kind, _ in values(kept)} <= {1}
        assert kept.element_spec[1] == pairs.element_spec
        with pytest.raises(tf.errors.InvalidArgumentError, match="gives class 2, but there are 2"):
            values(Dataset.range(4).rejection_resample(lambda x: x, [0.5, 0.5]))


class TestInFunctions:
    def test_loops_break_continue_and_return(self, files):
        files(a="1\n2\n\n3\n4\n")

        @tf.function
        def total(stop):
            result = 0.0
            for line in tf.data.TextLineDataset("a"):
                if line == "":
                    continue
                number = tf.strings.to_number(line)
                if number > stop:
                    break
                result += number
            else:
                return -result
            return result

        assert float(total(tf.constant(2.0))) == 3.0
        assert float(total(tf.constant(9.0))) == -10.0

    def test_gradients_and_variables(self, files):
        files(a_csv="1,2\n3,4\n")
        weight = tf.Variable(2.0)

        @tf.function
        def loss(rows):
            total = tf.constant(0.0)
            for x, y in rows:
                total += (x * weight - y) ** 2
            return total

        with tf.GradientTape() as tape:
            value = loss(CsvDataset("a.csv", [0.0, 0.0]))
        assert float(value) == 0.0 + 4.0
        assert float(tape.gradient(value, weight)) == 2 * 2.0 * 3

    def test_the_file_is_read_when_the_graph_runs(self, files):
        files(a="1\n")

        @tf.function
        def count(name):
            lines = 0
            for _ in tf.data.TextLineDataset(name):
                lines += 1
            for _ in Dataset.list_files("*", shuffle=False):
                lines += 100
            return lines

        assert int(count(tf.constant("a"))) == 101
        files(a="1\n2\n", b="")
        assert int(count(tf.constant("a"))) == 202

    def test_errors_of_files_are_at_the_users_line(self, files):
        files(a_csv="1\nx\n")

        @tf.function
        def total(rows):
            result = 0
            for (x,) in rows:  # here
                result += x
            return result

        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"a\.csv, line 2: Field 0"
        ) as caught:
            total(CsvDataset("a.csv", [0]))
        shown = "".join(traceback.format_exception(caught.value))
        line = Path(__file__).read_text().partition("# here")[0].count("\n") + 1
        assert f'test_files.py", line {line}, in total' in shown


def failing():
    yield 1
    raise KeyError("no more")


@pytest.mark.parametrize(
    "make",
    [
        lambda d: d,
        lambda d: d.prefetch(2),
        lambda d: d.map(lambda x: x + 1, num_parallel_calls=2),
        lambda d: d.shuffle(3).batch(2),
    ],
)
def test_errors_of_generators_show_their_line_from_any_thread(make):
    dataset = Dataset.from_generator(failing, output_signature=tf.TensorSpec([], tf.int64))
    with pytest.raises(KeyError, match="no more") as caught:
        values(make(dataset))
    assert 'raise KeyError("no more")' in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda d: d.batch(3), []),
        (lambda d: d.shuffle(3), []),
        (lambda d: d.map(lambda x: x).prefetch(1), []),
        (lambda d: d.repeat(2), []),
        (lambda d: d.concatenate(Dataset.range(1)), [0]),
    ],
)
def test_datasets_without_elements(make, wanted):
    assert values(make(Dataset.range(0))) == wanted

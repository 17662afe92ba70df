"""Datasets of files: lines, tables, and elements that were kept."""

import gzip
import traceback
from pathlib import Path

import numpy as np
import pytest

import runtime as tf

Dataset = tf.data.Dataset
CsvDataset = tf.data.experimental.CsvDataset
make_csv_dataset = tf.data.experimental.make_csv_dataset


def values(dataset):
    def plain(leaf):
        array = leaf.numpy()
        return array.tolist() if hasattr(array, "tolist") else array

    return [tf.nest.map_structure(plain, element) for element in dataset]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write files of texts into the working directory."""
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            data = text.encode() if isinstance(text, str) else text
            (tmp_path / name.replace("_", ".")).write_bytes(data)

    return write


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

    def test_names_from_a_dataset_a_matrix_and_paths(self, files, tmp_path):
        files(a="1\n", b="2\n")
        names = Dataset.from_tensor_slices(["a", "b"])
        for given in (names, [["a"], ["b"]], [tmp_path / "a", tmp_path / "b"]):
            assert values(tf.data.TextLineDataset(given)) == [b"1", b"2"]
        assert values(names.flat_map(tf.data.TextLineDataset)) == [b"1", b"2"]
        interleaved = names.interleave(lambda name: tf.data.TextLineDataset(name).skip(0))
        assert values(interleaved) == [b"1", b"2"]

    def test_compressed_files(self, files):
        files(a=gzip.compress(b"1\n2\n"), b="1\n")
        assert values(tf.data.TextLineDataset("a", "GZIP")) == [b"1", b"2"]
        with pytest.raises(tf.errors.DataLossError, match=r"^b: no readable GZIP data"):
            values(tf.data.TextLineDataset("b", "GZIP"))

    def test_missing_files_are_an_error_of_the_loop(self):
        dataset = tf.data.TextLineDataset("/no/such/file")
        with pytest.raises(tf.errors.NotFoundError, match="/no/such/file; No such file"):
            values(dataset)

    @pytest.mark.parametrize("reads", [0, -5])
    def test_at_least_one_file_is_read_at_once(self, reads):
        with pytest.raises(ValueError, match=f"must be 1 or more, not {reads}"):
            tf.data.TextLineDataset("a", num_parallel_reads=reads)

    def test_names_have_to_be_strings(self):
        for names in (3, Dataset.range(3)):
            with pytest.raises(TypeError, match="must contain strings"):
                tf.data.TextLineDataset(names)


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


TABLE = 'survived,age,name\n0,22.0,"a, b"\n1,,c\n0,3,"q""x"\n'


class TestTables:
    @pytest.mark.parametrize(
        ("text", "defaults", "options", "rows"),
        [
            (TABLE, [0, 1.5, ""], {"header": True}, [(0, 22.0, b"a, b"), (1, 1.5, b"c")]),
            (TABLE, [0.0, ""], {"header": True, "select_cols": [1, 2]}, [(22.0, b"a, b")]),
            ("1,ab\n 2 ,x", [tf.int32, tf.string], {}, [(1, b"ab"), (2, b"x")]),
            ("1;2\n", [0, 0], {"field_delim": ";"}, [(1, 2)]),
            ('1,"a\nb"\r\n2,c\r\n', [0, ""], {}, [(1, b"a\nb"), (2, b"c")]),
            ("9999999999\n", [tf.int64], {}, [(9999999999,)]),
        ],
    )
    def test_rows(self, files, text, defaults, options, rows):
        files(a_csv=text)
        assert values(CsvDataset("a.csv", defaults, **options))[: len(rows)] == rows

    @pytest.mark.parametrize(
        ("text", "defaults", "words"),
        [
            (TABLE, [0, 0, ""], r"a.csv, line 2: Field 1 \(age\) is not a valid int32: 22.0"),
            (TABLE, [0, tf.float32, ""], r"a.csv, line 3: Field 1 \(age\) is required but missing"),
            (TABLE, [0, 0.0], "a.csv, line 2: Expect 2 fields but have 3"),
            (TABLE, [0, 0.0, "", ""], "a.csv, line 2: Expect 4 fields but have 3"),
            ('h\n1\n"a\nb"\nx\n', [tf.int32], r"a.csv, line 3: Field 0 \(h\) is not a valid int32"),
            ('h\n"a\nb"\nx"y\n', [""], "a.csv, line 4: the quoted field has no closing quote"),
            ('h\n"a"b\n', [""], "a.csv, line 2: Quoted field has to end"),
            ("h\n1_0\n", [0], "is not a valid int32: 1_0"),
            ("h\n3000000000\n", [0], "is not a valid int32"),
            ("", [0], "a.csv: the file is empty"),
        ],
    )
    def test_wrong_fields_name_file_line_and_column(self, files, text, defaults, words):
        files(a_csv=text)
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            values(CsvDataset("a.csv", defaults, header=True))

    @pytest.mark.parametrize(
        ("defaults", "options", "words"),
        [
            ([0, 0], {"select_cols": [2, 1]}, "strictly increasing"),
            ([0], {"select_cols": [1, 2]}, "select_cols has 2 columns, but record_defaults has 1"),
            ([True], {}, "record_defaults has bool"),
            ([0], {"field_delim": ", "}, "one character"),
        ],
    )
    def test_arguments_that_do_not_fit(self, defaults, options, words):
        with pytest.raises(ValueError, match=words):
            CsvDataset("a.csv", defaults, **options)


class TestBatchesOfColumns:
    def test_types_follow_from_the_first_rows(self, files):
        files(a_csv="a,b,c,d,e\n1,2147483648,2,,x\n,,2.5,,\n")
        spec = make_csv_dataset("a.csv", 2).element_spec
        found = {name: (part.dtype.name, part.dims) for name, part in spec.items()}
        kinds = {"a": "int32", "b": "int64", "c": "float32", "d": "string", "e": "string"}
        assert found == {name: (kind, (2,)) for name, kind in kinds.items()}

    @pytest.mark.parametrize(
        ("options", "first"),
        [
            ({}, {"survived": [0, 1], "age": [22.0, 0.0], "name": [b"a, b", b"c"]}),
            ({"label_name": "survived"}, ({"age": [22.0, 0.0], "name": [b"a, b", b"c"]}, [0, 1])),
            ({"select_columns": ["age", 0]}, {"survived": [0, 1], "age": [22.0, 0.0]}),
            (
                {"column_defaults": [tf.int64, -1.0, "?"], "select_columns": None},
                {"survived": [0, 1], "age": [22.0, -1.0], "name": [b"a, b", b"c"]},
            ),
            (
                {"column_names": ["x", "y", "z"]},
                {"x": [0, 1], "y": [22.0, 0.0], "z": [b"a, b", b"c"]},
            ),
        ],
    )
    def test_elements(self, files, options, first):
        files(a_csv=TABLE)
        dataset = make_csv_dataset("*.csv", 2, num_epochs=1, shuffle=False, **options)
        found = values(dataset)
        assert found[0] == first
        assert len(found) == 2
        assert list(dataset.element_spec if isinstance(first, dict) else "") == list(
            first if isinstance(first, dict) else ""
        )

    def test_names_of_columns_are_utf8(self, files):
        files(a_csv="\u00e4,b\n1,2\n".encode("latin-1"))
        with pytest.raises(ValueError, match=r"a.csv: .* are not utf-8; set `column_names`"):
            make_csv_dataset("a.csv", 1)

    def test_rows_go_on_without_end_unless_told_otherwise(self, files):
        files(a_csv="a\n1\n2\n3\n")
        dataset = make_csv_dataset("a.csv", 2, shuffle=False)
        assert [x["a"] for x in values(dataset.take(3))] == [[1, 2], [3, 1], [2, 3]]
        shuffled = make_csv_dataset("a.csv", 3, num_epochs=1, shuffle_seed=1)
        assert sorted(values(shuffled)[0]["a"]) == [1, 2, 3]

    def test_files_take_turns(self, files):
        files(a_csv="a\n1\n2\n", b_csv="a\n11\n12\n")
        one = make_csv_dataset(["a.csv", "b.csv"], 4, num_epochs=1, shuffle=False)
        assert values(one) == [{"a": [1, 2, 11, 12]}]
        turns = make_csv_dataset("*.csv", 4, num_epochs=1, shuffle=False, num_parallel_reads=2)
        assert values(turns) == [{"a": [1, 11, 2, 12]}]

    def test_wrong_records_are_left_out_if_a_program_asks_for_it(self, files):
        files(a_csv="a,b\n1,2\n3,x\n5,6\n7\n8,9\n")
        options = {"num_epochs": 1, "shuffle": False, "column_defaults": [0, 0]}
        kept = make_csv_dataset("a.csv", 9, ignore_errors=True, **options)
        assert values(kept) == [{"a": [1, 5, 8], "b": [2, 6, 9]}]
        words = r"a.csv, line 3: Field 1 \(b\) is not a valid int32: x"
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            values(make_csv_dataset("a.csv", 9, **options))

    @pytest.mark.parametrize(
        ("pattern", "options", "words"),
        [
            ("none*.csv", {}, "No files match `file_pattern` none"),
            ("a.csv", {"label_name": "z"}, "Received: z"),
            ("a.csv", {"select_columns": ["z"]}, "Column z specified"),
            ("a.csv", {"select_columns": [5]}, "there are 2 columns"),
            ("a.csv", {"select_columns": ["a", 0]}, "column a twice"),
            ("a.csv", {"column_defaults": [0]}, "has 1 values, but 2 columns"),
            ("a.csv", {"header": False}, "Expected `column_names` or `header`"),
            ("a.csv", {"column_names": ["a"]}, "a.csv, line 2 has 2 fields, but there are 1"),
            ("?.csv", {}, "those of b.csv"),
            ("c.csv", {}, "have the same name"),
            ("d.csv", {}, "d.csv is empty"),
        ],
    )
    def test_refused(self, files, pattern, options, words):
        files(a_csv="a,b\n1,2\n", b_csv="b\n1\n", c_csv="a,a\n", d_csv="")
        pattern = ["a.csv", "b.csv"] if pattern == "?.csv" else pattern
        with pytest.raises(ValueError, match=words):
            make_csv_dataset(pattern, 2, **options)


ELEMENTS = Dataset.range(5).map(
    lambda n: (n, {"text": tf.strings.as_string(n), "row": tf.fill([n], 0.5)})
)


class TestKeptElements:
    def test_saved_elements_come_back(self, tmp_path):
        ELEMENTS.save(tmp_path / "a")
        loaded = Dataset.load(tmp_path / "a")
        assert values(loaded) == values(ELEMENTS)
        assert loaded.element_spec == ELEMENTS.element_spec

    @pytest.mark.parametrize(
        "rows",
        [["a", ""], [["a", "b"], ["c", "d"]], [True, False], [1 + 2j, 3j], np.float16([1.5, 2])],
    )
    def test_saved_elements_of_any_dtype(self, tmp_path, rows):
        dataset = Dataset.from_tensor_slices(rows)
        dataset.save(tmp_path)
        assert values(Dataset.load(tmp_path)) == values(dataset)

    def test_saving_again_replaces(self, tmp_path):
        ELEMENTS.save(tmp_path)
        Dataset.range(3).save(tmp_path)
        Dataset.load(tmp_path).map(lambda x: x + 1).save(tmp_path)
        assert values(Dataset.load(tmp_path)) == [1, 2, 3]
        assert len(list(tmp_path.iterdir())) == 1

    def test_saving_that_fails_leaves_what_was_saved(self, tmp_path):
        def numbers():
            yield 1
            raise KeyError("no more")

        Dataset.range(3).save(tmp_path)
        broken = Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64))
        with pytest.raises(KeyError):
            broken.save(tmp_path)
        assert values(Dataset.load(tmp_path)) == [0, 1, 2]
        assert len(list(tmp_path.iterdir())) == 1

    def test_refused(self, tmp_path):
        with pytest.raises(tf.errors.NotFoundError, match="No dataset was saved to /no/such"):
            Dataset.load("/no/such")
        with pytest.raises(ValueError, match="`take` elements before `save`"):
            Dataset.range(3).repeat().save(tmp_path)
        with pytest.raises(TypeError, match="convert the elements by `map`"):
            Dataset.range(3).window(2).save(tmp_path)
        with pytest.raises(TypeError, match="with text as keys"):
            Dataset.range(3).map(lambda x: {1: x}).save(tmp_path)
        Dataset.range(3).save(tmp_path)
        with pytest.raises(ValueError, match="`element_spec` is"):
            Dataset.load(tmp_path, tf.TensorSpec([], tf.int32))
        (tmp_path / "elements.data").write_bytes(b"")
        with pytest.raises(tf.errors.DataLossError, match="no element spec"):
            Dataset.load(tmp_path)

    @pytest.mark.parametrize("at", [100, 200, -25, -1])
    def test_damage_is_an_error_that_names_the_file(self, tmp_path, at):
        Dataset.range(100).save(tmp_path)
        path = tmp_path / "elements.data"
        whole = path.read_bytes()
        path.write_bytes(whole[:at])
        with pytest.raises(tf.errors.DataLossError, match=r"elements\.data is damaged"):
            values(Dataset.load(tmp_path))
        if at == 200:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            with pytest.raises(tf.errors.DataLossError, match="checksum of the block"):
                values(Dataset.load(tmp_path))

    def test_elements_of_different_shapes_and_ranks(self, tmp_path):
        def rows():
            for rank in (0, 1, 1, 2, 0):
                yield np.full([rank + 1] * rank, rank), [b"a" * rank] * rank

        specs = (tf.TensorSpec(None, tf.int32), tf.TensorSpec([None], tf.string))
        dataset = Dataset.from_generator(rows, output_signature=specs)
        dataset.save(tmp_path)
        loaded = Dataset.load(tmp_path)
        assert values(loaded) == values(dataset)
        assert len(loaded) == 5

    def test_errors_of_the_elements_stay_what_they_are(self, tmp_path):
        def numbers():
            yield 1
            raise FileNotFoundError("mine")

        dataset = Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64))
        with pytest.raises(FileNotFoundError, match="mine"):
            dataset.save(tmp_path)
        assert not list(tmp_path.iterdir())

    def test_no_elements(self, tmp_path):
        Dataset.range(0).save(tmp_path)
        assert values(Dataset.load(tmp_path)) == []

    def test_saving_while_a_graph_is_recorded_is_an_error_at_its_line(self, tmp_path):
        @tf.function
        def save():
            Dataset.range(3).save(tmp_path)

        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="outside of the func"):
            save()

    @pytest.mark.parametrize("keep", ["cache", "snapshot"])
    def test_a_complete_loop_keeps_elements_for_later_runs(self, tmp_path, keep):
        def numbers(start):
            source = Dataset.range(start, start + 3)
            return getattr(source, keep)(str(tmp_path / "kept"))

        assert values(numbers(0).take(2)) == [0, 1]
        assert values(numbers(5)) == [5, 6, 7]
        assert values(numbers(0)) == [5, 6, 7]
        assert int(numbers(0).cardinality()) == 3

    def test_elements_of_other_specs_are_an_error(self, tmp_path):
        name = str(tmp_path / "kept")
        assert values(ELEMENTS.cache(name)) == values(ELEMENTS)
        with pytest.raises(tf.errors.FailedPreconditionError, match="Delete the file"):
            values(Dataset.range(3).cache(name))


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

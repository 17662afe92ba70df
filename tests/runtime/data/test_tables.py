"""Datasets of tables: columns, batches of them, and what does not fit."""

import pytest

import runtime as tf
from tests.runtime.data.shown import values

CsvDataset = tf.data.experimental.CsvDataset


make_csv_dataset = tf.data.experimental.make_csv_dataset


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

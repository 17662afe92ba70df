"""Files of data: TensorFlow reads what the runtime writes, and both read the same elements."""

import gzip

import numpy as np
import pytest

import runtime

tensorflow = pytest.importorskip("tensorflow")

LIBRARIES = (runtime, tensorflow)
TABLE = 'survived,age,name\n0,22.0,"a, b"\n1,,c\n0,3,"q""x"\n'


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\rx\n\nthree")
    (tmp_path / "b.txt").write_bytes(b"1\n2\n3\n")
    (tmp_path / "c.gz").write_bytes(gzip.compress(b"1\n2\n"))
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "u.csv").write_text("a,b\n1,2.5\n99999999999,3e50\n, nan\n")
    (tmp_path / "v.csv").write_text("a,b\n1,2147483648\n,x\n")


def element(leaf):
    value = leaf.numpy()
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def described(value):
    """Return a value as nested lists of Python's; dicts keep their order."""
    if isinstance(value, dict):
        return {"dict": [(key, described(part)) for key, part in value.items()]}
    if isinstance(value, (tuple, list)):
        return [described(part) for part in value]
    if isinstance(value, (bytes, str, int, float)):
        return value
    if hasattr(value, "numpy"):
        return element(value)
    return [value.dtype.name, str(value.shape)]


def feature(tf, *values):
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def example(tf):
    features = {"a": feature(tf, 1, -2, 300), "b": feature(tf, 0.1), "c": feature(tf, b"\xff", b"")}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def short(tf):
    features = {"a": feature(tf, 7)}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def sequence(tf):
    words = tf.train.FeatureList(feature=[feature(tf, b"a", b"b"), feature(tf, b"c", b"d")])
    return tf.train.SequenceExample(
        context=tf.train.Features(feature={"id": feature(tf, 7)}),
        feature_lists=tf.train.FeatureLists(feature_list={"words": words}),
    ).SerializeToString()


def csv(tf, *arguments, **options):
    return list(tf.data.experimental.CsvDataset(*arguments, **options))


def batches(tf, name, **options):
    dataset = tf.data.experimental.make_csv_dataset(name, 2, num_epochs=1, shuffle=False, **options)
    return [dataset.element_spec, list(dataset)]


def parsed(tf, **features):
    return tf.io.parse_example([example(tf), short(tf)], features)


def fixed(tf, *arguments):
    return tf.io.FixedLenFeature(*arguments)


def rows(tf, *arguments, **options):
    return tf.io.FixedLenSequenceFeature(*arguments, **options)


CASES = [
    lambda tf: list(tf.data.TextLineDataset("a.txt")),
    lambda tf: list(tf.data.TextLineDataset(["a.txt", "b.txt"])),
    lambda tf: list(tf.data.TextLineDataset(["a.txt", "b.txt"], num_parallel_reads=2)),
    lambda tf: list(tf.data.TextLineDataset("c.gz", compression_type="GZIP")),
    lambda tf: csv(tf, "t.csv", [0, 1.5, ""], header=True),
    lambda tf: csv(tf, "t.csv", [0.0, tf.string], header=True, select_cols=[1, 2]),
    lambda tf: batches(tf, "t.csv"),
    lambda tf: batches(tf, "t.csv", label_name="survived"),
    lambda tf: batches(tf, "t.csv", select_columns=[2, "survived"], label_name="name"),
    lambda tf: batches(tf, "t.csv", column_defaults=[tf.int64, -1.0, "?"]),
    lambda tf: batches(tf, "t.csv", column_names=["x", "y", "z"]),
    lambda tf: batches(tf, "u.csv"),
    lambda tf: batches(tf, "v.csv"),
    lambda tf: batches(tf, ["v.csv", "v.csv"], num_parallel_reads=2),
    lambda tf: list(tf.data.experimental.Counter(3, 2).take(3)),
    lambda tf: len(example(tf)),
    lambda tf: parsed(tf, a=rows(tf, [], tf.int64, allow_missing=True, default_value=-1)),
    lambda tf: parsed(tf, b=fixed(tf, [], tf.float32, 2.5), c=fixed(tf, [2], tf.string, ["", "x"])),
    lambda tf: tf.io.parse_single_example(
        example(tf), {"c": fixed(tf, [2], tf.string), "a": fixed(tf, [3, 1], tf.int64)}
    ),
    lambda tf: tf.io.parse_single_sequence_example(
        sequence(tf), {"id": fixed(tf, [], tf.int64)}, {"words": rows(tf, [2], tf.string)}
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_elements_are_those_of_tensorflow(home, case):
    ours, theirs = (described(case(tf)) for tf in LIBRARIES)
    assert ours == theirs


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
@pytest.mark.parametrize(("writer", "reader"), [LIBRARIES, LIBRARIES[::-1]])
def test_one_reads_the_records_of_the_other(home, writer, reader, compression):
    records = [example(writer), b"", b"x" * 10_000]
    with writer.io.TFRecordWriter("records", compression) as file:
        for record in records:
            file.write(record)
    dataset = reader.data.TFRecordDataset("records", compression)
    assert [record.numpy() for record in dataset] == records


@pytest.mark.parametrize(("writer", "reader"), [LIBRARIES, LIBRARIES[::-1]])
def test_one_parses_the_examples_of_the_other(writer, reader):
    found = reader.train.Example.FromString(example(writer)).features.feature
    assert list(found["a"].int64_list.value) == [1, -2, 300]
    assert list(found["c"].bytes_list.value) == [b"\xff", b""]

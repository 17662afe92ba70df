"""Record files, and the examples that they hold."""

import gzip
import os
import struct

import pytest

import runtime as tf
from runtime.io import checksums
from runtime.io.records import frame

Feature = tf.train.Feature
RECORDS = [b"abc", b"", b"x" * 5000]


def written(path, options=None):
    with tf.io.TFRecordWriter(path, options) as writer:
        for record in RECORDS:
            writer.write(record)
    return path


def read(path, compression=None):
    return list(tf.data.TFRecordDataset(path, compression).as_numpy_iterator())


class TestChecksums:
    @pytest.mark.parametrize(
        ("data", "crc"),
        # RFC 3720, appendix B.4.
        [
            (b"\0" * 32, 0x8A9136AA),
            (b"\xff" * 32, 0x62A8AB43),
            (bytes(range(32)), 0x46DD794E),
            (bytes(range(31, -1, -1)), 0x113FDB5C),
            (b"", 0),
        ],
    )
    def test_published_values(self, data, crc):
        assert checksums.crc32c(data) == crc

    @pytest.mark.parametrize("size", [2048, 2049, 4095, 70_001])
    def test_lanes_agree_with_a_loop_over_bytes(self, size):
        data = bytes(i * 7 % 251 for i in range(size))
        assert checksums._wide_register(data) == checksums._register(data)


class TestRecordFiles:
    @pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
    def test_there_and_back(self, tmp_path, compression):
        path = written(tmp_path / "a", compression)
        assert read(path, compression) == RECORDS

    def test_options_choose_the_compression(self, tmp_path):
        options = tf.io.TFRecordOptions(compression_type="GZIP", compression_level=9)
        path = written(tmp_path / "a", options)
        assert gzip.decompress(path.read_bytes()).startswith(frame(b"abc"))

    def test_bytes_are_those_of_the_format(self):
        assert frame(b"abc") == b"\3\0\0\0\0\0\0\0\xb0\x99I\x0eabcnW\xf1!"

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda data: data[:-3], "truncated record at byte 35: 3 bytes are missing"),
            (lambda data: data[:5], "truncated record at byte 0: its length is cut off"),
            (lambda data: data[:25], "truncated record at byte 19: its length is cut off"),
            (lambda data: b"\1" + data[1:], "corrupted record at byte 0: the checksum of its len"),
            (
                lambda data: data[:40] + b"\1" + data[41:],
                "corrupted record at byte 35: the checksum of its len",
            ),
            (
                lambda data: data[:13] + b"Z" + data[14:],
                "corrupted record at byte 0: the checksum of its data",
            ),
            (lambda data: b"no records at all", "the file is no record file"),
            (lambda data: gzip.compress(data), "or compression_type does not fit"),
        ],
    )
    def test_damage_is_an_error_with_file_and_offset(self, tmp_path, change, words):
        path = written(tmp_path / "a.tfrecord")
        path.write_bytes(change(path.read_bytes()))
        with pytest.raises(tf.errors.DataLossError, match=f"a.tfrecord: .*{words}"):
            read(path)

    def test_a_length_beyond_the_file_allocates_nothing(self, tmp_path):
        length = struct.pack("<Q", 2**62)
        head = length + struct.pack("<I", checksums.masked_crc32c(length))
        (tmp_path / "a").write_bytes(head)
        with pytest.raises(tf.errors.DataLossError, match="bytes are missing"):
            read(tmp_path / "a")

    @pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
    def test_damaged_compression_names_the_file(self, tmp_path, compression):
        path = written(tmp_path / "a.z", compression)
        path.write_bytes(path.read_bytes()[:-7])
        with pytest.raises(tf.errors.DataLossError, match=f"a.z: no readable {compression} data"):
            read(path, compression)

    def test_records_before_the_damage_are_read(self, tmp_path):
        path = written(tmp_path / "a")
        path.write_bytes(path.read_bytes()[:-1])
        records = iter(tf.data.TFRecordDataset(path))
        assert next(records).numpy() == b"abc"
        assert next(records).numpy() == b""
        with pytest.raises(tf.errors.DataLossError):
            next(records)

    def test_other_arguments_are_refused(self, tmp_path):
        with pytest.raises(ValueError, match="compression_type 'LZ4' is unknown"):
            tf.io.TFRecordWriter(tmp_path / "a", "LZ4")
        with pytest.raises(ValueError, match="compression_type 'LZ4' is unknown"):
            tf.io.TFRecordOptions("LZ4")
        with pytest.raises(tf.errors.NotFoundError, match="/no/such/a; No such file"):
            tf.io.TFRecordWriter("/no/such/a")
        writer = tf.io.TFRecordWriter(tmp_path / "a")
        with pytest.raises(TypeError, match=r"tensor.numpy\(\)"):
            writer.write(tf.constant(b"abc"))
        writer.close()
        with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
            writer.write(b"abc")

    def test_flush_makes_records_readable(self, tmp_path):
        writer = tf.io.TFRecordWriter(tmp_path / "a")
        writer.write(b"abc")
        writer.flush()
        assert read(tmp_path / "a") == [b"abc"]
        writer.close()
        assert os.path.getsize(tmp_path / "a") == 19


def example(**features):
    kinds = {bytes: ("bytes_list", tf.train.BytesList), float: ("float_list", tf.train.FloatList)}
    made = {}
    for name, values in features.items():
        field, kind = kinds.get(type(values[0]), ("int64_list", tf.train.Int64List))
        made[name] = Feature(**{field: kind(value=values)})
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


ONE = example(a=[1, -2, 300], b=[0.5], c=[b"x"])
TWO = example(a=[7])
SEQUENCE = tf.train.SequenceExample()
SEQUENCE.context.feature["id"].int64_list.value.append(7)
for words in ([b"a", b"b"], [b"c", b"d"]):
    step = SEQUENCE.feature_lists.feature_list["words"].feature.add()
    step.bytes_list.value.extend(words)
Fixed, Rows = tf.io.FixedLenFeature, tf.io.FixedLenSequenceFeature


def plain(tensors):
    return {key: getattr(t.numpy(), "tolist", t.numpy)() for key, t in tensors.items()}


class TestMessages:
    def test_there_and_back(self):
        message = tf.train.Example.FromString(ONE)
        assert list(message.features.feature["a"].int64_list.value) == [1, -2, 300]
        assert message.SerializeToString() == ONE
        other = tf.train.Example()
        other.ParseFromString(ONE)
        assert other == message

    def test_a_feature_has_one_kind(self):
        feature = Feature(int64_list=tf.train.Int64List(value=[1]))
        feature.float_list.value.append(0.5)
        assert feature.WhichOneof("kind") == "float_list"
        assert not feature.int64_list.value

    def test_the_text_form(self):
        text = 'features {\n  feature {\n    key: "a"\n    value {\n      int64_list {\n'
        text += "        value: 7\n      }\n    }\n  }\n}\n"
        assert str(tf.train.Example.FromString(TWO)) == text

    @pytest.mark.parametrize(
        "make",
        [
            lambda: tf.train.Int64List(value=[1.5]),
            lambda: tf.train.BytesList(value=b"abc"),
            lambda: tf.train.BytesList(value=["abc"]),
            lambda: tf.train.FloatList(value=["1"]),
        ],
    )
    def test_values_of_other_types_are_refused(self, make):
        with pytest.raises(TypeError, match="field `value` takes"):
            make()


def values(order=None, **features):
    """An example, with its features in an order of its own."""
    example = tf.train.Example()
    entries = []
    for key in order or features:
        own = features[key]
        kind = {int: "int64_list", float: "float_list", bytes: "bytes_list"}[type(own[0])]
        one = tf.train.Example()
        getattr(one.features.feature[key], kind).value.extend(own)
        entries.append(one.features.SerializeToString())
    inner = b"".join(entries)
    example.features.ParseFromString(inner)
    length = len(inner)
    head = bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])
    return b"\x0a" + head + inner


def mixed(number, order):
    features = {"a": [number, -number], "b": [number / 2, 3.5], "c": [b"x" * number]}
    if order is None:
        keys = list(features)
        del keys[number % 4 : number % 4 + 1]
        features["a"] = features.get("a", [0, 0])
        keys = ["a", "b", *keys[2:]] if number % 2 else ["b", "a", *keys[2:]]
        if number % 5 == 0:
            features["rows"] = [1] * (number % 3 + 1)
            keys.append("rows")
        return values(keys, **features)
    return values(order, **features)


class TestParsing:
    @pytest.mark.parametrize(
        ("features", "expected"),
        [
            ({"a": Fixed([3], tf.int64)}, [1, -2, 300]),
            ({"a": Fixed([3, 1], tf.int64)}, [[1], [-2], [300]]),
            ({"a": Rows([], tf.int64, allow_missing=True)}, [1, -2, 300]),
            ({"a": Rows([3], tf.int64, allow_missing=True)}, [[1, -2, 300]]),
            ({"b": Fixed((), tf.float32)}, 0.5),
            ({"c": Fixed([], "string")}, b"x"),
            ({"none": Fixed([], tf.int64, 5)}, 5),
            ({"none": Fixed([2], tf.float32, [1, 2])}, [1.0, 2.0]),
            ({"none": Rows([2], tf.string, allow_missing=True)}, []),
        ],
    )
    def test_one_example(self, features, expected):
        (found,) = plain(tf.io.parse_single_example(ONE, features)).values()
        assert found == expected

    def test_keys_are_sorted(self):
        features = {"c": Fixed([], tf.string), "a": Fixed([3], tf.int64)}
        assert list(tf.io.parse_single_example(ONE, features)) == ["a", "c"]

    def test_a_batch_is_stacked_and_padded(self):
        features = {
            "a": Rows([], tf.int64, allow_missing=True, default_value=-1),
            "c": Fixed([], tf.string, "?"),
        }
        found = plain(tf.io.parse_example([ONE, TWO], features))
        assert found == {"a": [[1, -2, 300], [7, -1, -1]], "c": [b"x", b"?"]}
        none = tf.io.parse_example(tf.constant([], tf.string), features)
        assert none["a"].shape == (0, 0)

    @pytest.mark.parametrize("order", [["a", "b", "c"], None])
    def test_a_large_batch_gives_what_its_examples_give(self, order):
        features = {
            "a": Fixed([2], tf.int64),
            "b": Fixed([2, 1], tf.float32),
            "c": Fixed([], tf.string, "?"),
            "rows": Rows([], tf.int64, allow_missing=True),
        }
        examples = [mixed(number, order) for number in range(300)]
        batch = tf.io.parse_example(examples, features)
        for number, example in enumerate(examples):
            single = tf.io.parse_single_example(example, features)
            for key in ("a", "b", "c"):
                assert plain({key: batch[key][number]}) == plain({key: single[key]})
            padded = single["rows"].numpy().tolist()
            assert batch["rows"][number, : len(padded)].numpy().tolist() == padded

    @pytest.mark.parametrize(
        ("damage", "words"),
        [
            (lambda data: data[:-1], "Could not parse an example, Index: 77"),
            (lambda data: data + b"\xff", "Could not parse an example, Index: 77"),
            (lambda data: b"", "Feature: a .* is required but could not be found, Index: 77"),
            (lambda data: values(a=[1, 2, 3]), "Key: a, Index: 77. Number of int64 values"),
            (lambda data: values(a=[0.5, 1.5]), "Key: a, Index: 77. Data types don't match"),
        ],
    )
    def test_a_damaged_example_of_a_large_batch(self, damage, words):
        examples = [values(a=[1, number]) for number in range(100)]
        examples[77] = damage(examples[77])
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.parse_example(examples, {"a": Fixed([2], tf.int64)})

    def test_numbers_that_are_not_packed_and_unknown_fields(self):
        packed = values(a=[5, 300])
        entry = b"\x0a\x01a\x12\x09" + b"\x1a\x05\x08\x05\x08\xac\x02" + b"\x20\x07"
        loose = b"\x0a" + bytes([len(entry) + 2]) + b"\x0a" + bytes([len(entry)]) + entry
        features = {"a": Fixed([2], tf.int64)}
        found = tf.io.parse_example([packed, loose, loose + b"\x10\x01"] * 40, features)
        assert found["a"].numpy().tolist() == [[5, 300]] * 120

    def test_a_sequence(self):
        context, sequences = tf.io.parse_single_sequence_example(
            SEQUENCE.SerializeToString(),
            {"id": Fixed([], tf.int64)},
            {"words": Rows([2], tf.string), "none": Rows([], tf.int64, allow_missing=True)},
        )
        assert plain(context) == {"id": 7}
        assert plain(sequences) == {"none": [], "words": [[b"a", b"b"], [b"c", b"d"]]}

    @pytest.mark.parametrize(
        ("features", "words"),
        [
            ({"none": Fixed([], tf.int64)}, "Feature: none .* required but could not be found"),
            ({"a": Fixed([], tf.int64)}, r"Values size: 3 but output shape: \[\]"),
            ({"a": Fixed([3], tf.float32)}, "Data type: int64 but expected type: float32"),
            ({"a": Rows([2], tf.int64, True)}, "3, is no multiple of 2"),
        ],
    )
    def test_examples_that_do_not_fit(self, features, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.parse_single_example(ONE, features)

    def test_the_message_names_the_example_of_a_batch(self):
        features = {"a": Fixed([3], tf.int64)}
        with pytest.raises(tf.errors.InvalidArgumentError, match="Key: a, Index: 1, Name: second"):
            tf.io.parse_example([ONE, TWO], features, example_names=["first", "second"])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse an example"):
            tf.io.parse_single_example(b"junk", features)

    @pytest.mark.parametrize(
        ("features", "words"),
        [
            ({}, "features cannot be empty"),
            ({"a": 3}, "Unsupported int for key 'a'"),
            ({"a": Fixed([None], tf.int64)}, "use FixedLenSequenceFeature"),
            ({"a": Fixed([3], tf.int32)}, "then use tf.cast"),
            ({"a": Fixed([2], tf.int64, [1, 2, 3])}, "has 3 values"),
            ({"a": Rows([], tf.int64)}, "requires allow_missing=True"),
        ],
    )
    def test_features_that_are_refused(self, features, words):
        with pytest.raises(ValueError, match=words):
            tf.io.parse_single_example(ONE, features)

    def test_sequences_that_are_refused(self):
        data = SEQUENCE.SerializeToString()
        parse = tf.io.parse_single_sequence_example
        with pytest.raises(ValueError, match="at least one"):
            parse(data)
        with pytest.raises(ValueError, match="use FixedLenSequenceFeature"):
            parse(data, None, {"words": Fixed([], tf.string)})
        with pytest.raises(tf.errors.InvalidArgumentError, match="allow_missing=True"):
            parse(data, None, {"none": Rows([], tf.string)})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Key: words, Index: 0"):
            parse(data, None, {"words": Rows([], tf.string)})

    def test_sparse_tensors_are_refused_with_a_remedy(self):
        with pytest.raises(NotImplementedError, match=r"FixedLenSequenceFeature\(\[\], tf.int64"):
            tf.io.VarLenFeature(tf.int64)

    def test_in_a_function_shapes_are_known(self):
        features = {"a": Rows([], tf.int64, allow_missing=True), "c": Fixed([], tf.string, "?")}
        parse = tf.function(lambda rows: tf.io.parse_example(rows, features))
        found = parse(tf.constant([ONE, TWO]))
        assert found["a"].numpy().tolist() == [[1, -2, 300], [7, 0, 0]]
        concrete = parse.get_concrete_function(tf.TensorSpec([None], tf.string))
        assert concrete.structured_outputs["a"].shape.as_list() == [None, None]
        assert concrete.structured_outputs["c"].shape.as_list() == [None]

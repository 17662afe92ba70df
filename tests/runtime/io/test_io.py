"""Files, and tensors as bytes."""

import gzip
import zlib

import numpy as np
import pytest

import runtime as tf

gfile = tf.io.gfile


class TestBase64:
    def test_there_and_back(self):
        texts = tf.constant([b"hi?>", b"", b"a", bytes(range(256))])
        for pad in (False, True):
            back = tf.io.decode_base64(tf.io.encode_base64(texts, pad=pad))
            assert back.numpy().tolist() == texts.numpy().tolist()

    def test_the_form_for_urls(self):
        assert tf.io.encode_base64(["hi?>", "a"]).numpy().tolist() == [b"aGk_Pg", b"YQ"]
        assert tf.io.encode_base64("a", pad=True).numpy() == b"YQ=="

    @pytest.mark.parametrize(
        ("text", "words"), [("a+", "Invalid character"), ("a", "cannot be 1 modulo 4")]
    )
    def test_other_texts_are_refused(self, text, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.decode_base64(text)


class TestRawBytes:
    @pytest.mark.parametrize(
        ("data", "dtype", "expected"),
        [
            (b"\1\0\2\0", "int16", [1, 2]),
            ([b"\1\0\2\0"], "int16", [[1, 2]]),
            ([b"\1"], "bool", [[True]]),
            (np.float32([1.5, 2.5]).tobytes(), "float32", [1.5, 2.5]),
            (["", ""], "int32", np.zeros((2, 0))),
            (tf.constant([], tf.string), "int16", np.zeros((0, 0))),
        ],
    )
    def test_numbers(self, data, dtype, expected):
        found = tf.io.decode_raw(data, dtype)
        assert found.dtype is tf.as_dtype(dtype)
        np.testing.assert_array_equal(found.numpy(), expected)

    def test_the_other_order_of_bytes(self):
        assert tf.io.decode_raw(b"\0\1", "int16", little_endian=False).numpy().tolist() == [1]
        assert tf.io.decode_raw(b"\0\1", "uint8", little_endian=False).numpy().tolist() == [0, 1]

    def test_a_fixed_length(self):
        found = tf.io.decode_raw([b"\1\2", b"\3"], "uint8", fixed_length=3)
        assert found.numpy().tolist() == [[1, 2, 0], [3, 0, 0]]

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (([b"\1", b"\1\2"], "uint8"), "to all be the same size, but element 1 has size 2"),
            ((b"\1\2\3", "int16"), "has length 3 that is not a multiple of 2"),
            ((b"\1\2", "int16", True, 3), r"fixed_length \(3\) must be a multiple"),
            ((b"\1\2", "int16", True, 0), "must be greater than zero"),
            ((b"\1\2", "string"), "not in the list of allowed values"),
        ],
    )
    def test_refused(self, arguments, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.decode_raw(*arguments)

    def test_in_a_function(self):
        decode = tf.function(lambda x: tf.io.decode_raw(x, "int16"))
        assert decode(tf.constant([b"\1\0"])).numpy().tolist() == [[1]]


TENSORS = [
    [1, 2], 1.5, "text", ["a", b"\xff"], [True, False], [1 + 2j], np.zeros((0, 3), np.int64),
    np.float16([1.5]), np.uint8([[1], [2]]), 3,
]  # fmt: skip


class TestTensors:
    @pytest.mark.parametrize("value", TENSORS)
    def test_there_and_back(self, value):
        tensor = tf.constant(value)
        back = tf.io.parse_tensor(tf.io.serialize_tensor(tensor), tensor.dtype)
        assert back.dtype is tensor.dtype and back.shape == tensor.shape
        np.testing.assert_array_equal(back.numpy(), tensor.numpy())

    def test_in_a_function(self):
        again = tf.function(lambda x: tf.io.parse_tensor(tf.io.serialize_tensor(x), x.dtype))
        assert again(tf.constant([1, 2])).numpy().tolist() == [1, 2]

    def test_bytes_of_tensorflow(self):
        data = b'\x08\x03\x12\x04\x12\x02\x08\x02"\x08\x01\x00\x00\x00\x02\x00\x00\x00'
        assert tf.io.parse_tensor(data, tf.int32).numpy().tolist() == [1, 2]
        assert tf.io.serialize_tensor([1, 2]).numpy() == data

    @pytest.mark.parametrize(
        ("data", "dtype", "words"),
        [
            (b"junk", "float32", "Could not parse `serialized` as TensorProto, base64: anVuaw=="),
            ([b"junk"], "float32", "to be a scalar, got shape: \\[1\\]"),
            (tf.io.serialize_tensor([1]), "float32", r"parsed tensor \(int32\) and dtype \(float"),
        ],
    )
    def test_refused(self, data, dtype, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.parse_tensor(data, dtype)


class TestMessages:
    @pytest.mark.parametrize("value", TENSORS)
    def test_there_and_back(self, value):
        expected = tf.constant(value).numpy()
        assert np.asarray(tf.make_ndarray(tf.make_tensor_proto(value))).tolist() == (
            expected.tolist() if hasattr(expected, "tolist") else expected
        )

    def test_shapes(self):
        assert tf.make_ndarray(tf.make_tensor_proto(1, shape=[2])).tolist() == [1, 1]
        assert tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[3])).tolist() == [1, 2, 2]
        wide = tf.make_tensor_proto([1], shape=[3], verify_shape=True, allow_broadcast=True)
        assert tf.make_ndarray(wide).tolist() == [1, 1, 1]

    def test_refused(self):
        with pytest.raises(TypeError, match=r"Expected Tensor's shape: \(3,\), but got \(2,\)"):
            tf.make_tensor_proto([1, 2], shape=[3], verify_shape=True)
        with pytest.raises(ValueError, match="Takes at most 2, but got 3"):
            tf.make_tensor_proto([1, 2, 3], shape=[2])
        with pytest.raises(TypeError):
            tf.make_tensor_proto([1.5], dtype=tf.int32)


class TestTables:
    @pytest.mark.parametrize(
        ("records", "defaults", "options", "expected"),
        [
            ("1,2.5,a", [0, 0.0, ""], {}, [1, 2.5, b"a"]),
            (['1,"a,b"', ",x"], [[5], [""]], {}, [[1, 5], [b"a,b", b"x"]]),
            (["NA"], [7], {"na_value": "NA"}, [[7]]),
            (["1,2,3"], [0], {"select_cols": [1]}, [[2]]),
            (["1;2"], [0, 0], {"field_delim": ";"}, [[1], [2]]),
            (['"a""b"'], [""], {}, [[b'a"b']]),
            (['a"b'], [""], {"use_quote_delim": False}, [[b'a"b']]),
        ],
    )
    def test_columns(self, records, defaults, options, expected):
        columns = tf.io.decode_csv(records, defaults, **options)
        assert [np.asarray(column.numpy()).tolist() for column in columns] == expected

    @pytest.mark.parametrize(
        ("records", "defaults", "words"),
        [
            (["1"], [0, 0], "Expect 2 fields but have 1 in record 0"),
            (["1,2"], [0], "Expect 1 fields but have 2 in record 0"),
            ([""], [tf.constant([], tf.int32)], "Field 0 is required but missing in record 0"),
            (["x"], [0], "Field 0 in record 0 is not a valid int32: x"),
            (["99999999999"], [0], "is not a valid int32"),
            (['a"b'], [""], "Unquoted fields cannot have quotes"),
            (['"a'], [""], "has to end with quote"),
            (['"a"b'], [""], "has to end with quote"),
        ],
    )
    def test_refused(self, records, defaults, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.decode_csv(records, defaults)

    def test_arguments_are_checked(self):
        with pytest.raises(ValueError, match="not strictly increasing"):
            tf.io.decode_csv("1,2", [0, 0], select_cols=[1, 0])
        with pytest.raises(ValueError, match="do not match"):
            tf.io.decode_csv("1,2", [0, 0], select_cols=[1])
        with pytest.raises(TypeError, match="is bool"):
            tf.io.decode_csv("1", [True])


class TestCompressed:
    @pytest.mark.parametrize(
        ("data", "kind"),
        [(zlib.compress(b"x"), "ZLIB"), (gzip.compress(b"x", mtime=0), "GZIP"), (b"x", "")],
    )
    def test_contents(self, data, kind):
        assert tf.io.decode_compressed(data, kind).numpy() == b"x"

    def test_refused(self):
        with pytest.raises(tf.errors.DataLossError, match="inflate"):
            tf.io.decode_compressed(b"zzz", "ZLIB")
        with pytest.raises(tf.errors.DataLossError, match="inflate"):
            tf.io.decode_compressed(b"zzz", "GZIP")
        with pytest.raises(tf.errors.InvalidArgumentError, match="Only ZLIB, GZIP or NONE"):
            tf.io.decode_compressed(b"zzz", "Q")


class TestFiles:
    def test_written_and_read(self, tmp_path):
        path = str(tmp_path / "new" / "file")
        tf.io.write_file(path, b"\xff\0text")
        assert tf.io.read_file(path).numpy() == b"\xff\0text"

    def test_in_the_order_of_the_program(self, tmp_path):
        path = str(tmp_path / "file")

        @tf.function
        def both():
            tf.io.write_file(path, "first")
            before = tf.io.read_file(path)
            tf.io.write_file(path, "second")
            return before, tf.io.read_file(path)

        assert [x.numpy() for x in both()] == [b"first", b"second"]
        assert [x.numpy() for x in both()] == [b"first", b"second"]

    def test_in_a_graph_built_by_hand(self, tmp_path):
        path = str(tmp_path / "file")
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            write = tf.io.write_file(path, "text")
            assert not gfile.exists(path)
            session.run(write)
        assert gfile.exists(path)

    def test_missing(self):
        with pytest.raises(tf.errors.NotFoundError, match="/no/such; No such file or directory"):
            tf.io.read_file("/no/such")

    def test_patterns(self, tmp_path):
        for name in ("a.txt", "b.txt", "c"):
            tf.io.write_file(str(tmp_path / name), "")
        found = tf.io.matching_files([f"{tmp_path}/*.txt", f"{tmp_path}/c"]).numpy().tolist()
        assert [path.rsplit(b"/", 1)[1] for path in found] == [b"a.txt", b"b.txt", b"c"]
        assert tf.io.matching_files("/no/such/*").shape == [0]

    def test_graphs(self, tmp_path):
        graph = tf.Graph()
        with graph.as_default():
            tf.constant(1, name="x")
        for as_text in (True, False):
            path = tf.io.write_graph(graph, str(tmp_path), "graph", as_text=as_text)
            data = gfile.GFile(path, "rb").read()
            assert (b'name: "x"' in data) == as_text
        assert tf.compat.v1.GraphDef.FromString(data) == graph.as_graph_def()


class TestFileSystem:
    def test_directories(self, tmp_path):
        home = str(tmp_path)
        gfile.makedirs(f"{home}/a/b")
        gfile.makedirs(f"{home}/a/b")
        gfile.mkdir(f"{home}/a")
        gfile.GFile(f"{home}/a/f", "w").write("")
        assert gfile.listdir(f"{home}/a") == ["b", "f"]
        assert gfile.isdir(f"{home}/a") and not gfile.isdir(f"{home}/a/f")
        assert gfile.glob([f"{home}/*", f"{home}/a/*"]) == [
            f"{home}/{name}" for name in ("a", "a/b", "a/f")
        ]
        assert list(gfile.walk(home)) == [
            (home, ["a"], []), (f"{home}/a", ["b"], ["f"]), (f"{home}/a/b", [], []),
        ]  # fmt: skip
        assert [top for top, _, _ in gfile.walk(home, topdown=False)][-1] == home
        gfile.rmtree(f"{home}/a")
        assert not gfile.exists(f"{home}/a")

    def test_copies_and_names(self, tmp_path):
        a, b, c = (str(tmp_path / name) for name in "abc")
        gfile.GFile(a, "w").close()
        tf.io.write_file(a, "text")
        gfile.copy(a, b)
        with pytest.raises(tf.errors.AlreadyExistsError, match="file already exists"):
            gfile.copy(a, b)
        gfile.copy(a, b, overwrite=True)
        gfile.rename(b, c)
        with pytest.raises(tf.errors.AlreadyExistsError, match="file already exists"):
            gfile.rename(a, c)
        gfile.rename(a, c, overwrite=True)
        assert gfile.listdir(tmp_path) == ["c"]
        assert gfile.stat(c).length == 4 and not gfile.stat(c).is_directory
        gfile.remove(c)
        assert not gfile.exists(c)

    @pytest.mark.parametrize(
        ("call", "kind", "words"),
        [
            (lambda: gfile.listdir("/no/such"), "NotFound", "Could not find directory /no/such"),
            (lambda: gfile.mkdir("/no/such/a"), "NotFound", "No such file or directory"),
            (lambda: gfile.remove("/no/such"), "NotFound", "/no/such; No such file"),
            (lambda: gfile.remove("/"), "FailedPrecondition", "/; Is a directory"),
            (lambda: gfile.rmtree("/no/such"), "NotFound", "/no/such not found"),
            (lambda: gfile.copy("/no/such", "/no/b"), "NotFound", "/no/such; No such file"),
            (lambda: gfile.rename("/no/such", "/no/b"), "NotFound", "/no/such; No such file"),
            (lambda: gfile.stat("/no/such"), "NotFound", "/no/such; No such file"),
            (lambda: gfile.GFile("/no/such").read(), "NotFound", "/no/such; No such file"),
            (lambda: gfile.GFile("/no/a", "w").write(""), "NotFound", "/no/a; No such file"),
            (lambda: gfile.GFile("a", "q"), "InvalidArgument", "mode is not 'r' or 'w'"),
        ],
    )
    def test_errors(self, call, kind, words):
        with pytest.raises(getattr(tf.errors, f"{kind}Error"), match=words):
            call()


class TestGFile:
    @pytest.fixture
    def path(self, tmp_path):
        path = str(tmp_path / "file")
        with gfile.GFile(path, "w") as file:
            file.write("one\ntwo\nthree")
        return path

    def test_reading(self, path):
        file = gfile.GFile(path)
        assert (file.name, file.mode, file.size(), file.seekable()) == (path, "r", 13, True)
        assert file.readline() == "one\n" and file.tell() == 4
        assert file.read(2) == "tw"
        assert file.readlines() == ["o\n", "three"]
        file.seek(0)
        assert list(file) == ["one\n", "two\n", "three"]
        file.seek(-3, 2)
        assert file.read() == "ree"
        file.seek(position=0)
        assert file.next() == "one\n"

    def test_bytes(self, path):
        assert gfile.GFile(path, "rb").read() == b"one\ntwo\nthree"

    def test_more_text(self, path):
        with gfile.GFile(path, "a") as file:
            file.write("+")
            file.flush()
            assert gfile.GFile(path).read().endswith("three+")

    def test_refused(self, path):
        file = gfile.GFile(path)
        with pytest.raises(tf.errors.PermissionDeniedError, match="isn't open for writing"):
            file.write("x")
        with pytest.raises(tf.errors.PermissionDeniedError, match="isn't open for reading"):
            gfile.GFile(path, "a").read()
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid whence argument: 7"):
            file.seek(1, 7)
        with pytest.raises(tf.errors.InvalidArgumentError, match="negative position: -1"):
            file.seek(-1)
        with pytest.raises(TypeError, match="offset argument required"):
            file.seek()

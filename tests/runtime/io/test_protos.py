"""Fields of serialized messages; with TensorFlow installed, the same values as its op."""

import numpy as np
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import runtime as tf
from runtime.io import protos

SCALARS = {
    "i": (3, tf.int64), "s": (9, tf.string), "flag": (8, tf.bool), "u": (4, tf.uint64),
    "x": (17, tf.int32), "d": (1, tf.float64), "w": (13, tf.uint32),
}  # fmt: skip
LISTS = {"f": (2, tf.float32), "b": (12, tf.string)}
OF_TYPE = {"e": {"type_name": ".p.E"}, "sub": {"type_name": ".p.N"}}
KINDS = {**SCALARS, **LISTS, "e": (14, tf.int32), "sub": (11, tf.string)}


def field(message, name, number, kind, label=1, **options):
    message.field.add(name=name, number=number, type=kind, label=label, **options)


def described():
    """A file with a message that has fields of all kinds."""
    file = descriptor_pb2.FileDescriptorProto(name="a.proto", package="p", syntax="proto3")
    message = file.message_type.add(name="M")
    for number, (name, (kind, _)) in enumerate(KINDS.items(), 1):
        label = 3 if name in LISTS else 1
        field(message, name, number, kind, label, **OF_TYPE.get(name, {}))
    field(file.message_type.add(name="N"), "k", 1, 5)
    kinds = file.enum_type.add(name="E")
    kinds.value.add(name="ZERO", number=0)
    kinds.value.add(name="ONE", number=1)
    return file


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "messages.bin"
    path.write_bytes(descriptor_pb2.FileDescriptorSet(file=[described()]).SerializeToString())
    return str(path)


@pytest.fixture
def messages():
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(described().SerializeToString())
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName("p.M"))
    full = kind(
        i=-3, f=[1, 2.5], s="hé", b=[b"x", b"yz"], flag=True, e=1, u=2**63, d=1e300, x=-5, w=2**31
    )
    full.sub.k = 7
    return [full.SerializeToString(), kind(f=[4.0]).SerializeToString()]


def decoded(library, messages, source, kinds=KINDS):
    types = [library.as_dtype(dtype.name) for _, dtype in kinds.values()]
    return library.io.decode_proto(
        library.constant([[each] for each in messages]), "p.M", list(kinds), types, source
    )


def test_values_of_all_kinds(messages, source):
    found = decoded(tf, messages, source)
    values = dict(zip(KINDS, found.values, strict=True))
    assert values["i"].numpy().tolist() == [[[-3]], [[0]]]
    assert values["f"].numpy().tolist() == [[[1.0, 2.5]], [[4.0, 0.0]]]
    assert values["s"].numpy().tolist() == [[["hé".encode()]], [[b""]]]
    assert values["b"].numpy().tolist() == [[[b"x", b"yz"]], [[b"", b""]]]
    assert values["sub"].numpy().tolist() == [[[b"\x08\x07"]], [[b""]]]
    sizes = dict(zip(KINDS, found.sizes.numpy()[:, 0].T.tolist(), strict=True))
    assert (sizes["i"], sizes["f"], sizes["b"]) == ([1, 0], [2, 1], [2, 0])


def test_values_are_those_of_tensorflow(messages, source):
    tensorflow = pytest.importorskip("tensorflow")
    theirs, ours = decoded(tensorflow, messages, source), decoded(tf, messages, source)
    np.testing.assert_array_equal(ours.sizes, theirs.sizes)
    for found, expected in zip(ours.values, theirs.values, strict=True):
        np.testing.assert_array_equal(found.numpy(), expected.numpy())
        assert found.dtype.name == expected.dtype.name


def test_messages_are_decoded_in_a_graph(messages, source):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def first(serialized):
        found = tf.io.decode_proto(serialized, "p.M", ["f"], [tf.float32], source)
        assert found.values[0].shape.as_list() == [None, None]
        return tf.reduce_sum(found.values[0], -1)

    assert first(tf.constant(messages)).numpy().tolist() == [3.5, 4.0]


def test_descriptors_come_from_bytes_and_from_imported_modules(messages, source):
    with open(source, "rb") as file:
        held = b"bytes://" + file.read()
    found = tf.io.decode_proto(messages[0], "p.M", ["i"], [tf.int64], held)
    assert found.values[0].numpy().tolist() == [-3]
    name = descriptor_pb2.FileDescriptorProto(name="n").SerializeToString()
    found = tf.io.decode_proto(name, "google.protobuf.FileDescriptorProto", ["name"], [tf.string])
    assert found.values[0].numpy().tolist() == [b"n"]


def test_texts_are_parsed(source):
    found = tf.io.decode_proto(
        ["i: 5 e: ONE"], "p.M", ["i", "e"], [tf.int64, tf.int32], source, "text"
    )
    assert [value.numpy().tolist() for value in found.values] == [[[5]], [[1]]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"message_type": "p.X"}, "no message type 'p.X'.*protoc --descriptor_set_out"),
        ({"field_names": ["q"]}, "message p.M has no field 'q'; it has i, s"),
        ({"output_types": [tf.float32]}, "field p.M.i is int64, not float32"),
        ({"bytes": [b"\xff\xff"]}, "message of type p.M cannot be parsed"),
        ({"descriptor_source": b"bytes://\xff"}, "is not a serialized FileDescriptorSet"),
        ({"message_format": "json"}, "message_format is 'binary' or 'text', not 'json'"),
    ],
)
def test_what_does_not_fit_is_refused(source, change, message):
    arguments = {
        "bytes": [b""], "message_type": "p.M", "field_names": ["i"], "output_types": [tf.int64],
        "descriptor_source": source,
    }  # fmt: skip
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        protos.decode_proto(**{**arguments, **change})

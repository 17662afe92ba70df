"""Examples that tests parse."""

import runtime as tf

Feature = tf.train.Feature


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

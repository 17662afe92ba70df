"""`Example` and `SequenceExample`: named lists of values, the usual content of record files.

The field numbers are those of TensorFlow's `example.proto` and `feature.proto`.

>>> example = Example(features=Features(feature={
...     "age": Feature(int64_list=Int64List(value=[29])),
...     "name": Feature(bytes_list=BytesList(value=[b"Ada"]))}))
>>> Example.FromString(example.SerializeToString()) == example
True
>>> print(example.features.feature["age"], end="")
int64_list {
  value: 29
}
"""

from __future__ import annotations

from runtime.export.protobuf import Message


class BytesList(Message, fields="1 value *bytes"):
    """Byte strings.

    Args:
      value: a list of bytes.

    >>> BytesList(value=[b"a"]).value
    [b'a']
    """


class FloatList(Message, fields="1 value *float"):
    """Numbers with single precision.

    Args:
      value: a list of numbers, rounded to float32.

    >>> FloatList(value=[0.5]).value
    [0.5]
    """


class Int64List(Message, fields="1 value *int64"):
    """Integers from -2**63 to 2**63 - 1.

    Args:
      value: a list of ints.

    >>> Int64List(value=[1, -1]).value
    [1, -1]
    """


class Feature(
    Message,
    fields="""
    1 bytes_list BytesList?kind
    2 float_list FloatList?kind
    3 int64_list Int64List?kind
    """,
):
    """One list of values of one of three kinds.

    Args:
      bytes_list, float_list, int64_list: the list; at most one of the three.

    >>> Feature(float_list=FloatList(value=[0.5])).WhichOneof("kind")
    'float_list'
    """


class Features(Message, fields="1 feature string>Feature"):
    """Features by name.

    Args:
      feature: a dict from name to `Feature`.

    >>> sorted(Features(feature={"age": Feature()}).feature)
    ['age']
    """


class Example(Message, fields="1 features Features"):
    """One row of a data set: features by name.

    Args:
      features: the `Features`.

    >>> Example.FromString(b"").features.feature
    {}
    """


class FeatureList(Message, fields="1 feature *Feature"):
    """A sequence of features.

    Args:
      feature: a list of `Feature`.

    >>> len(FeatureList(feature=[Feature(), Feature()]).feature)
    2
    """


class FeatureLists(Message, fields="1 feature_list string>FeatureList"):
    """Sequences of features by name.

    Args:
      feature_list: a dict from name to `FeatureList`.

    >>> sorted(FeatureLists(feature_list={"words": FeatureList()}).feature_list)
    ['words']
    """


class SequenceExample(
    Message,
    fields="""
    1 context Features
    2 feature_lists FeatureLists
    """,
):
    """One sequence: features of the whole, and features of each step.

    Args:
      context: the `Features` of the whole.
      feature_lists: the `FeatureLists` of the steps.

    >>> len(SequenceExample(context=Features(feature={"id": Feature()})).SerializeToString())
    10
    """

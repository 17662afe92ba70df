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

from runtime.export.protobuf import message_classes

_CLASSES = message_classes(
    __name__,
    {
        "BytesList": "1 value *bytes",
        "FloatList": "1 value *float",
        "Int64List": "1 value *int64",
        "Feature": """
            1 bytes_list BytesList?kind
            2 float_list FloatList?kind
            3 int64_list Int64List?kind
        """,
        "Features": "1 feature string>Feature",
        "Example": "1 features Features",
        "FeatureList": "1 feature *Feature",
        "FeatureLists": "1 feature_list string>FeatureList",
        "SequenceExample": """
            1 context Features
            2 feature_lists FeatureLists
        """,
    },
    {},
)

for _kind in _CLASSES.values():
    _kind.__doc__ = __doc__

BytesList, FloatList, Int64List = (_CLASSES[f"{kind}List"] for kind in ("Bytes", "Float", "Int64"))
Feature, Features, Example = (_CLASSES[name] for name in ("Feature", "Features", "Example"))
FeatureList, FeatureLists = _CLASSES["FeatureList"], _CLASSES["FeatureLists"]
SequenceExample = _CLASSES["SequenceExample"]

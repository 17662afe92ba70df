"""`runtime.data`: datasets, which give elements one after the other.

>>> import runtime as tf
>>> digits = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4, 5])
>>> for batch in digits.map(lambda x: x * 10).batch(2):
...     print(batch.numpy())
[10 20]
[30 40]
[50]
"""

from runtime.core import namespaces
from runtime.data import experimental as experimental
from runtime.data.dataset import AUTOTUNE as AUTOTUNE
from runtime.data.dataset import INFINITE_CARDINALITY as INFINITE_CARDINALITY
from runtime.data.dataset import UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY
from runtime.data.dataset import Dataset as Dataset
from runtime.data.dataset import DatasetSpec as DatasetSpec
from runtime.data.dataset import OwnedIterator as Iterator  # noqa: F401
from runtime.data.files import TextLineDataset as TextLineDataset
from runtime.data.files import TFRecordDataset as TFRecordDataset


def __dir__() -> list[str]:
    """Return the public names."""
    return namespaces.public_names(globals(), ("experimental",))

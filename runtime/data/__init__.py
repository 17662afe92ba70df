"""`runtime.data`: datasets, sequences of elements.

>>> import runtime as tf
>>> digits = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4, 5])
>>> for batch in digits.map(lambda x: x * 10).batch(2):
...     print(batch.numpy())
[10 20]
[30 40]
[50]
"""

from autograph import namespaces
from runtime.absent import absent_from

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, absent_from(__name__))

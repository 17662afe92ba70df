"""`runtime.summary`: values and graphs for TensorBoard (extra `tensorboard`).

>>> import tempfile
>>> import runtime as tf
>>> with tempfile.TemporaryDirectory() as home:
...     writer = tf.summary.create_file_writer(home)
...     with writer.as_default():
...         for step in range(3):
...             written = tf.summary.scalar("loss", 1.0 / (step + 1), step=step)
...     writer.close()
"""

from autograph import namespaces
from runtime.absent import absent_from

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, absent_from(__name__))

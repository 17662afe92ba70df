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

from runtime.core import namespaces
from runtime.summary.context import record_if as record_if
from runtime.summary.context import should_record_summaries as should_record_summaries
from runtime.summary.tracing import graph as graph
from runtime.summary.tracing import trace_export as trace_export
from runtime.summary.tracing import trace_off as trace_off
from runtime.summary.tracing import trace_on as trace_on
from runtime.summary.values import audio as audio
from runtime.summary.values import histogram as histogram
from runtime.summary.values import image as image
from runtime.summary.values import scalar as scalar
from runtime.summary.values import text as text
from runtime.summary.writer import SummaryWriter as SummaryWriter
from runtime.summary.writer import create_file_writer as create_file_writer
from runtime.summary.writer import flush as flush


def __dir__() -> list[str]:
    """Return the public names."""
    return namespaces.public_names(globals())

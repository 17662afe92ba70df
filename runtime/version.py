"""`runtime.version`: the version of the surface and of the project, and of the graphs it writes."""

from autograph.version import __version__ as _project
from runtime.export import graphdef

VERSION = f"2.21.0+autograph.numpy.{_project}"
"""The version of TensorFlow whose names these are, and as its local part (PEP 440) the project.

Programs that ask for `startswith("2.")`, or compare the first numbers, find what they need.
"""

GRAPH_DEF_VERSION = graphdef.PRODUCER
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0

__all__ = [
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
    "VERSION",
]


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__

"""`runtime.version`: the version of the project, and of the graphs that it writes."""

from autograph.version import __version__ as VERSION
from runtime.export import graphdef

GRAPH_DEF_VERSION = graphdef.PRODUCER
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0

__all__ = [
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
    "VERSION",
]

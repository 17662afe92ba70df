"""`runtime.version`: the version of the project."""

from autograph.version import __version__ as VERSION

__all__ = ["VERSION"]

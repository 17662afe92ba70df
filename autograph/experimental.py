"""The names that TensorFlow keeps under `autograph.experimental`."""

from autograph.directives import do_not_convert, set_element_type, set_loop_options
from autograph.options import Feature

__all__ = ["Feature", "do_not_convert", "set_element_type", "set_loop_options"]

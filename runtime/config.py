"""`runtime.config`: switches for the whole process."""

from runtime.core.context import functions_run_eagerly as functions_run_eagerly
from runtime.core.context import run_functions_eagerly as run_functions_eagerly

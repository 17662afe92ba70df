"""`runtime.strings`: tensors of bytes."""

from runtime.ops.strings import as_string as as_string
from runtime.ops.strings import length as length
from runtime.ops.strings import to_number as to_number

"""`runtime.linalg`: matrices."""

from runtime.ops.creation import eye as eye
from runtime.ops.linalg import matmul as matmul
from runtime.ops.linalg import norm as norm
from runtime.ops.linalg import tensordot as tensordot

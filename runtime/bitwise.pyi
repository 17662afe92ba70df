from runtime.ops.math.logic import bitwise_and as bitwise_and
from runtime.ops.math.logic import bitwise_or as bitwise_or
from runtime.ops.math.logic import bitwise_xor as bitwise_xor
from runtime.ops.math.logic import invert as invert
from runtime.ops.math.logic import left_shift as left_shift
from runtime.ops.math.logic import right_shift as right_shift

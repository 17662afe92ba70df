"""`runtime.dtypes`: the types of elements."""

from runtime.core.dtypes import DType as DType
from runtime.core.dtypes import as_dtype as as_dtype
from runtime.core.dtypes import bfloat16 as bfloat16
from runtime.core.dtypes import bool as bool
from runtime.core.dtypes import complex64 as complex64
from runtime.core.dtypes import complex128 as complex128
from runtime.core.dtypes import double as double
from runtime.core.dtypes import float16 as float16
from runtime.core.dtypes import float32 as float32
from runtime.core.dtypes import float64 as float64
from runtime.core.dtypes import half as half
from runtime.core.dtypes import int8 as int8
from runtime.core.dtypes import int16 as int16
from runtime.core.dtypes import int32 as int32
from runtime.core.dtypes import int64 as int64
from runtime.core.dtypes import resource as resource
from runtime.core.dtypes import string as string
from runtime.core.dtypes import uint8 as uint8
from runtime.core.dtypes import uint16 as uint16
from runtime.core.dtypes import uint32 as uint32
from runtime.core.dtypes import uint64 as uint64
from runtime.core.dtypes import variant as variant
from runtime.ops.math.casting import cast as cast
from runtime.ops.math.casting import saturate_cast as saturate_cast
from runtime.ops.math.complexes import complex as complex

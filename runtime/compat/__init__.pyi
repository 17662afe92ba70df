import runtime
from runtime.compat import v1 as v1
from runtime.compat.horizon import forward_compatibility_horizon as forward_compatibility_horizon
from runtime.compat.horizon import forward_compatible as forward_compatible
from runtime.compat.lengths import dimension_at_index as dimension_at_index
from runtime.compat.lengths import dimension_value as dimension_value
from runtime.compat.texts import as_bytes as as_bytes
from runtime.compat.texts import as_str as as_str
from runtime.compat.texts import as_str_any as as_str_any
from runtime.compat.texts import as_text as as_text
from runtime.compat.texts import bytes_or_text_types as bytes_or_text_types
from runtime.compat.texts import complex_types as complex_types
from runtime.compat.texts import integral_types as integral_types
from runtime.compat.texts import path_to_str as path_to_str
from runtime.compat.texts import real_types as real_types

v2 = runtime

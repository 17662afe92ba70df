import runtime
from runtime.compat import v1 as v1
from runtime.compat.texts import as_bytes as as_bytes
from runtime.compat.texts import as_str as as_str
from runtime.compat.texts import as_str_any as as_str_any
from runtime.compat.texts import as_text as as_text

v2 = runtime

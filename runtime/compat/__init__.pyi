import runtime
from runtime.compat import v1 as v1

v2 = runtime

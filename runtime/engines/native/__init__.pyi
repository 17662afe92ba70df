from runtime.engines.native.plan import executable as executable
from runtime.engines.native.plan import source as source
from runtime.engines.native.plan import with_exact_parts as with_exact_parts

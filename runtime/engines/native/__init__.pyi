from runtime.engines.native.plan import executable as executable
from runtime.engines.native.plan import source as source
from runtime.engines.native.plan import with_exact_loops as with_exact_loops

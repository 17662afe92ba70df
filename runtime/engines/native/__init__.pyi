from runtime.engines.native.plan import executable as executable
from runtime.engines.native.plan import source as source

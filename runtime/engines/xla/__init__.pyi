from runtime.engines.xla.boundary import executable as executable
from runtime.engines.xla.boundary import source as source

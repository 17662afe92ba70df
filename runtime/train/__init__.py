"""`runtime.train`: what a training program keeps on disk: checkpoints, and examples."""

from autograph import namespaces
from runtime.absent import absent_from

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, absent_from(__name__))

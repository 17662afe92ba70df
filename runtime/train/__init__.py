"""`runtime.train`: what a training program keeps on disk: checkpoints, and examples."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)

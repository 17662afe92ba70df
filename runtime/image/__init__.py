"""`runtime.image`: images as tensors of shape [height, width, channels], or batches of them."""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)

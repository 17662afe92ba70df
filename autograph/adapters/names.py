"""Names of tensor libraries: the only place in `autograph` that lists them."""

TENSOR_LIBRARIES = frozenset({"jax", "jaxlib", "numpy", "runtime", "scipy", "tensorflow", "torch"})
"""Top-level modules whose functions are never converted."""

ADAPTERS = {
    "jax": "autograph.adapters.jax:LIBRARY",
    "jaxlib": "autograph.adapters.jax:LIBRARY",
    "torch": "autograph.adapters.torch:LIBRARY",
}
"""From a top-level module to the object that stages its values, imported on first use."""

"""Names of tensor libraries: the only place in `autograph` that lists them."""

TENSOR_LIBRARIES = frozenset(
    {"jax", "jaxlib", "ml_dtypes", "numpy", "opt_einsum", "runtime", "scipy", "tensorflow", "torch"}
)
"""Top-level modules whose functions are never converted."""

CONVERSION_ERRORS = frozenset(
    {"ConcretizationTypeError", "TracerArrayConversionError", "TracerBoolConversionError",
     "TracerIntegerConversionError", "GuardOnDataDependentSymNode", "TraceContextError"}
)  # fmt: skip
"""Names of the errors by which libraries refuse what a program does with values that they trace."""

TRANSFORMING = frozenset({"jax", "jaxlib"})
"""Top-level modules whose wrappers of functions keep the function as `__wrapped__`."""

COMPILERS = ("torch._dynamo.",)
"""Beginnings of the names of modules whose wrappers compile a function."""

ADAPTERS = {
    "jax": "autograph.adapters.jax.staging:LIBRARY",
    "jaxlib": "autograph.adapters.jax.staging:LIBRARY",
    "torch": "autograph.adapters.torch.staging:LIBRARY",
}
"""From a top-level module to the object that stages its values, imported on first use."""

"""The XLA engine: parts of graphs lowered to JAX, which compiles them for CPU, GPU or TPU.

It runs graphs as the plan does, and replaces what XLA can compile: sequences of operations with
their branches and loops. XLA raises no errors, so a part also computes whether the plan would
raise; then the plan runs it again from its start, and raises.
"""

from autograph.namespaces import on_demand

__getattr__, __dir__, __all__ = on_demand(__name__)

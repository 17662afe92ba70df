"""The native engine: loops over numbers and elements of arrays, compiled to machine code by LLVM.

It runs graphs as the plan does, and replaces what it can compile. A loop is compiled whole or not
at all, and computes what the plan computes; where the plan would raise, the plan runs the loop
again from its start, and raises. So errors need no second description.
"""

from autograph.namespaces import on_demand

__getattr__, __dir__, __all__ = on_demand(__name__)

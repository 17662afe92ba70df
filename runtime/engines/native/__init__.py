"""The native engine: parts of graphs compiled to machine code by LLVM.

It runs graphs as the plan does, and replaces what it can compile: sequences of operations on
numbers and arrays, with their branches and loops. A part computes what the plan computes; where the
plan would raise, the plan runs the part again from its start, and raises. So errors need no second
description.
"""

from autograph.namespaces import on_demand

__getattr__, __dir__, __all__ = on_demand(__name__)

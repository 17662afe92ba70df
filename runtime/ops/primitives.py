"""Op types that derivatives and passes call by name; the runtime loads them first."""

# ruff: noqa: F401 - the imports define op types

import runtime.ops.array.creation
import runtime.ops.array.dimensions
import runtime.ops.array.identity
import runtime.ops.array.joining
import runtime.ops.array.padding
import runtime.ops.array.ranges
import runtime.ops.array.repeating
import runtime.ops.array.shaping
import runtime.ops.base.convert
import runtime.ops.base.unbroadcasting
import runtime.ops.items.gathering
import runtime.ops.items.indexing
import runtime.ops.items.scattering
import runtime.ops.items.selecting
import runtime.ops.items.slicing
import runtime.ops.math.arithmetic
import runtime.ops.math.complexes
import runtime.ops.math.elementwise
import runtime.ops.math.logic
import runtime.ops.reduce.ordering
import runtime.ops.reduce.reduction
import runtime.ops.reduce.running
import runtime.ops.reduce.segments

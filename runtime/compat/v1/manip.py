"""`compat.v1.manip`: changes of shapes."""

from runtime.compat.v1.selections import gather_nd as gather_nd
from runtime.ops.arranging import reverse as reverse
from runtime.ops.arranging import roll as roll
from runtime.ops.scattering import scatter_nd as scatter_nd
from runtime.ops.shaping import reshape as reshape
from runtime.ops.shaping import tile as tile

from runtime.engines.engine import (
    get_inter_op_parallelism_threads as get_inter_op_parallelism_threads,
)
from runtime.engines.engine import (
    get_intra_op_parallelism_threads as get_intra_op_parallelism_threads,
)
from runtime.engines.engine import (
    set_inter_op_parallelism_threads as set_inter_op_parallelism_threads,
)
from runtime.engines.engine import (
    set_intra_op_parallelism_threads as set_intra_op_parallelism_threads,
)

from runtime.engines.engine import (
    set_intra_op_parallelism_threads as set_intra_op_parallelism_threads,
)

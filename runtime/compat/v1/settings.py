"""Settings of Sessions, accepted without effect: there is one process and one engine."""

from __future__ import annotations


class _Settings:
    _fields: frozenset[str] = frozenset()

    def __init__(self, **fields: object) -> None:
        """Set fields by name. Raises ValueError for an unknown field."""
        for name, value in fields.items():
            if name not in self._fields:
                raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
            setattr(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        """Set a field. Raises AttributeError for an unknown field."""
        if name not in self._fields:
            raise AttributeError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        object.__setattr__(self, name, value)


class GPUOptions(_Settings):
    """GPU settings of a Session; ignored.

    >>> GPUOptions(allow_growth=True).allow_growth
    True
    """

    _fields = frozenset(
        {"allow_growth", "per_process_gpu_memory_fraction", "visible_device_list", "allocator_type"}
    )


class ConfigProto(_Settings):
    """Settings of a Session; ignored.

    >>> ConfigProto(allow_soft_placement=True).allow_soft_placement
    True
    >>> ConfigProto(color=1)
    Traceback (most recent call last):
    ...
    ValueError: Protocol message ConfigProto has no "color" field.
    """

    _fields = frozenset(
        {
            "allow_soft_placement",
            "device_count",
            "device_filters",
            "gpu_options",
            "graph_options",
            "inter_op_parallelism_threads",
            "intra_op_parallelism_threads",
            "isolate_session_state",
            "log_device_placement",
            "operation_timeout_in_ms",
            "use_per_session_threads",
        }
    )

    def __init__(self, **fields: object) -> None:
        """Set fields by name. Raises ValueError for an unknown field."""
        super().__init__(**{"gpu_options": GPUOptions(), **fields})


class RunOptions(_Settings):
    """Settings of one run; ignored.

    >>> RunOptions(trace_level=RunOptions.FULL_TRACE).trace_level
    3
    """

    _fields = frozenset(
        {"trace_level", "timeout_in_ms", "inter_op_thread_pool", "output_partition_graphs"}
    )
    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = range(4)


class RunMetadata(_Settings):
    """Statistics of one run; always empty.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     session.run(tf.constant(1), run_metadata=RunMetadata())
    np.int32(1)
    """

    _fields = frozenset({"step_stats", "cost_graph", "partition_graphs"})

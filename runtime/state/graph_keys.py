"""Names of the collections of a graph."""


class GraphKeys:
    """Standard names of collections.

    >>> GraphKeys.LOSSES
    'losses'
    """

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    VARIABLES = "variables"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    GLOBAL_STEP = "global_step"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    LOSSES = "losses"
    READY_OP = "ready_op"
    REGULARIZATION_LOSSES = "regularization_losses"
    SAVERS = "savers"
    SUMMARIES = "summaries"
    SUMMARY_OP = "summary_op"
    TABLE_INITIALIZERS = "table_initializer"
    TRAIN_OP = "train_op"
    UPDATE_OPS = "update_ops"

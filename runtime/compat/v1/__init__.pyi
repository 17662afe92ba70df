from typing import Any

from runtime.compat.v1.collections import add_to_collection as add_to_collection
from runtime.compat.v1.collections import get_collection as get_collection
from runtime.compat.v1.collections import get_collection_ref as get_collection_ref
from runtime.compat.v1.collections import global_variables as global_variables
from runtime.compat.v1.collections import local_variables as local_variables
from runtime.compat.v1.collections import trainable_variables as trainable_variables
from runtime.compat.v1.initial_values import constant_initializer as constant_initializer
from runtime.compat.v1.initial_values import glorot_normal_initializer as glorot_normal_initializer
from runtime.compat.v1.initial_values import (
    glorot_uniform_initializer as glorot_uniform_initializer,
)
from runtime.compat.v1.initial_values import ones_initializer as ones_initializer
from runtime.compat.v1.initial_values import random_normal_initializer as random_normal_initializer
from runtime.compat.v1.initial_values import (
    random_uniform_initializer as random_uniform_initializer,
)
from runtime.compat.v1.initial_values import (
    truncated_normal_initializer as truncated_normal_initializer,
)
from runtime.compat.v1.initial_values import (
    variance_scaling_initializer as variance_scaling_initializer,
)
from runtime.compat.v1.initial_values import zeros_initializer as zeros_initializer
from runtime.compat.v1.placeholders import placeholder as placeholder
from runtime.compat.v1.placeholders import placeholder_with_default as placeholder_with_default
from runtime.compat.v1.scopes import AUTO_REUSE as AUTO_REUSE
from runtime.compat.v1.scopes import VariableScope as VariableScope
from runtime.compat.v1.scopes import get_variable as get_variable
from runtime.compat.v1.scopes import get_variable_scope as get_variable_scope
from runtime.compat.v1.scopes import name_scope as name_scope
from runtime.compat.v1.scopes import variable_scope as variable_scope
from runtime.compat.v1.variables import assign as assign
from runtime.compat.v1.variables import assign_add as assign_add
from runtime.compat.v1.variables import assign_sub as assign_sub
from runtime.compat.v1.variables import global_variables_initializer as global_variables_initializer
from runtime.compat.v1.variables import group as group
from runtime.compat.v1.variables import is_variable_initialized as is_variable_initialized
from runtime.compat.v1.variables import local_variables_initializer as local_variables_initializer
from runtime.compat.v1.variables import variables_initializer as variables_initializer
from runtime.core.context import disable_eager_execution as disable_eager_execution
from runtime.core.context import disable_v2_behavior as disable_v2_behavior
from runtime.core.context import enable_eager_execution as enable_eager_execution
from runtime.core.context import enable_v2_behavior as enable_v2_behavior
from runtime.core.context import (
    executing_eagerly_outside_functions as executing_eagerly_outside_functions,
)
from runtime.core.context import get_default_graph as get_default_graph
from runtime.core.context import reset_default_graph as reset_default_graph
from runtime.core.logger import get_logger as get_logger
from runtime.export.messages import GraphDef as GraphDef
from runtime.state.creation import GraphKeys as GraphKeys
from runtime.state.session import Session as Session
from runtime.state.session import get_default_session as get_default_session

def __getattr__(name: str) -> Any: ...

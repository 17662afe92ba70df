from typing import Any

from runtime.compat.v1.placeholders import placeholder as placeholder
from runtime.compat.v1.placeholders import placeholder_with_default as placeholder_with_default
from runtime.compat.v1.variables import global_variables as global_variables
from runtime.compat.v1.variables import global_variables_initializer as global_variables_initializer
from runtime.compat.v1.variables import group as group
from runtime.compat.v1.variables import trainable_variables as trainable_variables
from runtime.compat.v1.variables import variables_initializer as variables_initializer
from runtime.core.context import disable_eager_execution as disable_eager_execution
from runtime.core.context import enable_eager_execution as enable_eager_execution
from runtime.core.context import get_default_graph as get_default_graph
from runtime.core.context import get_logger as get_logger
from runtime.core.context import reset_default_graph as reset_default_graph
from runtime.export.messages import GraphDef as GraphDef
from runtime.state.session import Session as Session
from runtime.state.session import get_default_session as get_default_session

def __getattr__(name: str) -> Any: ...

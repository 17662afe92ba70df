"""`compat.v1.initializers`: initial values of variables."""

from runtime.compat.v1 import plain_initializers, scaled_initializers
from runtime.compat.v1.scaled_initializers import he_normal as he_normal
from runtime.compat.v1.scaled_initializers import he_uniform as he_uniform
from runtime.compat.v1.scaled_initializers import lecun_normal as lecun_normal
from runtime.compat.v1.scaled_initializers import lecun_uniform as lecun_uniform
from runtime.compat.v1.variables import (
    global_variables_initializer,
    local_variables_initializer,
    variables_initializer,
)

constant = plain_initializers.constant_initializer
global_variables = global_variables_initializer
glorot_normal = scaled_initializers.glorot_normal_initializer
glorot_uniform = plain_initializers.glorot_uniform_initializer
identity = scaled_initializers.identity_initializer
local_variables = local_variables_initializer
ones = plain_initializers.ones_initializer
orthogonal = scaled_initializers.orthogonal_initializer
random_normal = plain_initializers.random_normal_initializer
random_uniform = plain_initializers.random_uniform_initializer
truncated_normal = scaled_initializers.truncated_normal_initializer
uniform_unit_scaling = scaled_initializers.uniform_unit_scaling_initializer
variables = variables_initializer
variance_scaling = scaled_initializers.variance_scaling_initializer
zeros = plain_initializers.zeros_initializer

from runtime.compat.v1.initial_values import (
    constant_initializer,
    glorot_normal_initializer,
    glorot_uniform_initializer,
    ones_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    truncated_normal_initializer,
    variance_scaling_initializer,
    zeros_initializer,
)

constant = constant_initializer
glorot_normal = glorot_normal_initializer
glorot_uniform = glorot_uniform_initializer
ones = ones_initializer
random_normal = random_normal_initializer
random_uniform = random_uniform_initializer
truncated_normal = truncated_normal_initializer
variance_scaling = variance_scaling_initializer
zeros = zeros_initializer

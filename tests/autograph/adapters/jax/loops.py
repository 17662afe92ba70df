"""Loops that JAX stages."""

import autograph


@autograph.convert()
def doubled(x):
    while x < 100:
        x = x * 2
    return x


@autograph.convert()
def bounded(x):
    while x < 100:
        autograph.set_loop_options(maximum_iterations=20)
        x = x * 2
    return x

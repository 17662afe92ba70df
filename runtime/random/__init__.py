"""`runtime.random`: random numbers."""

from runtime.core import namespaces
from runtime.ops.random.sampling import categorical as categorical
from runtime.ops.random.sampling import gamma as gamma
from runtime.ops.random.sampling import normal as normal
from runtime.ops.random.sampling import poisson as poisson
from runtime.ops.random.sampling import shuffle as shuffle
from runtime.ops.random.sampling import truncated_normal as truncated_normal
from runtime.ops.random.sampling import uniform as uniform
from runtime.ops.random.seeds import set_seed as set_seed
from runtime.ops.random.stateless import fold_in as fold_in
from runtime.ops.random.stateless import split as split
from runtime.ops.random.stateless import stateless_binomial as stateless_binomial
from runtime.ops.random.stateless import stateless_categorical as stateless_categorical
from runtime.ops.random.stateless import stateless_gamma as stateless_gamma
from runtime.ops.random.stateless import stateless_normal as stateless_normal
from runtime.ops.random.stateless import stateless_poisson as stateless_poisson
from runtime.ops.random.stateless import stateless_truncated_normal as stateless_truncated_normal
from runtime.ops.random.stateless import stateless_uniform as stateless_uniform
from runtime.ops.random.streams import Algorithm as Algorithm
from runtime.random import experimental as experimental
from runtime.state.generator import Generator as Generator
from runtime.state.generator import create_rng_state as create_rng_state
from runtime.state.generator import get_global_generator as get_global_generator
from runtime.state.generator import set_global_generator as set_global_generator


def __dir__() -> list[str]:
    """Return the public names."""
    return namespaces.public_names(globals(), ("experimental",))

from runtime.ops.random.stateless import fold_in, split
from runtime.ops.random.stateless import stateless_shuffle as stateless_shuffle
from runtime.ops.random.streams import Algorithm as Algorithm
from runtime.state.generator import Generator as Generator
from runtime.state.generator import create_rng_state as create_rng_state
from runtime.state.generator import get_global_generator as get_global_generator
from runtime.state.generator import set_global_generator as set_global_generator

stateless_fold_in = fold_in
stateless_split = split

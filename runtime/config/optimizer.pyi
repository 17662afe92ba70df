from runtime.engines.engine import get_experimental_options as get_experimental_options
from runtime.engines.engine import get_jit as get_jit
from runtime.engines.engine import set_experimental_options as set_experimental_options
from runtime.engines.engine import set_jit as set_jit
from runtime.passes.pipeline import get_pass_times as get_pass_times

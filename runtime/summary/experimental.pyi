from runtime.summary.context import get_step as get_step
from runtime.summary.context import set_step as set_step

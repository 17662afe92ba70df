"""`runtime.autodiff`: tapes, gradients that programs state, gradients in graphs, and forwards."""

from runtime.autodiff.forward import ForwardAccumulator as ForwardAccumulator
from runtime.autodiff.tape import GradientTape as GradientTape

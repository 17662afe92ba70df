"""`runtime.autodiff`: tapes, gradients that programs state, gradients in graphs, and forwards."""

from runtime.autodiff.forward import ForwardAccumulator as ForwardAccumulator

from runtime.autodiff.forward import ForwardAccumulator as ForwardAccumulator
from runtime.autodiff.tape import GradientTape as GradientTape

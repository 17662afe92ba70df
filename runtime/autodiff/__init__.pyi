from runtime.autodiff.tape import GradientTape as GradientTape

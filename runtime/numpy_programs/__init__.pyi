from runtime.numpy_programs.program import NumPyFunction as NumPyFunction

"""Tensors, graphs and functions on NumPy, under the names of TensorFlow 2."""

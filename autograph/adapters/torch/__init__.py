"""Converted code with values of PyTorch."""

"""Convolutions, pooling and the layout of images."""

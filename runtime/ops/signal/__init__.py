"""Fourier and cosine transforms, frames of signals."""

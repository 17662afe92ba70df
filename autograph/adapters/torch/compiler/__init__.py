"""Converted functions under `torch.compile`."""

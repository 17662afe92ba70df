"""What tests share has no doctests: pytest must not import it where PyTorch is not installed."""

collect_ignore = ["exports.py", "nets.py"]

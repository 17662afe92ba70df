"""What converted code calls as `ag__`."""

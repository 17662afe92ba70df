"""Programs in which converted code once did something else than Python does."""

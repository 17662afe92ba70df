"""Questions about a function, asked of its syntax tree."""

"""Operations that act on the world: output, Python calls, the clock."""

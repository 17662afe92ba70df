"""Count what becomes of programs under conversion: agreed, refused or wrong."""

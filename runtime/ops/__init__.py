"""Operations, a file for each family; each op type is defined in one place."""

"""Operations that make, reshape and join tensors."""

"""Operations that read and write items of tensors."""

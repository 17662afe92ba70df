"""Operations of functional models."""

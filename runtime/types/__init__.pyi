from runtime.types import experimental as experimental

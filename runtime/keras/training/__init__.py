"""Training of models: steps, data in batches, progress."""

from runtime.keras.training.trainer import Trainer as Trainer

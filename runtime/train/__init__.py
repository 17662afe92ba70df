"""`runtime.train`: what a training program keeps on disk: checkpoints, and examples."""

from runtime.train.checkpoint import Checkpoint as Checkpoint
from runtime.train.manager import CheckpointManager as CheckpointManager
from runtime.train.reader import list_variables as list_variables
from runtime.train.reader import load_checkpoint as load_checkpoint
from runtime.train.state_file import latest_checkpoint as latest_checkpoint

"""`runtime.train`: what a training program keeps on disk: checkpoints, and examples."""

from runtime.core import namespaces
from runtime.io.messages import BytesList as BytesList
from runtime.io.messages import Example as Example
from runtime.io.messages import Feature as Feature
from runtime.io.messages import FeatureList as FeatureList
from runtime.io.messages import FeatureLists as FeatureLists
from runtime.io.messages import Features as Features
from runtime.io.messages import FloatList as FloatList
from runtime.io.messages import Int64List as Int64List
from runtime.io.messages import SequenceExample as SequenceExample
from runtime.train.checkpoint import Checkpoint as Checkpoint
from runtime.train.manager import CheckpointManager as CheckpointManager
from runtime.train.reader import list_variables as list_variables
from runtime.train.reader import load_checkpoint as load_checkpoint
from runtime.train.state_file import latest_checkpoint as latest_checkpoint


def __dir__() -> list[str]:
    """Return the public names."""
    return namespaces.public_names(globals())

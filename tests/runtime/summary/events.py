"""Event files, read back by TensorBoard."""

import pytest

loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
event_pb2 = pytest.importorskip("tensorboard.compat.proto.event_pb2")
tensor_util = pytest.importorskip("tensorboard.util.tensor_util")


def events(directory):
    """Return the events of all files in a directory, in order."""
    found = []
    for path in sorted(directory.iterdir()):
        if path.is_file():
            raw = loader.RawEventFileLoader(str(path)).Load()
            found += [event_pb2.Event.FromString(data) for data in raw]
    return found


def values(directory):
    """Return step, tag, plugin and value of each summary in a directory."""
    return [
        (
            event.step,
            value.tag,
            value.metadata.plugin_data.plugin_name,
            tensor_util.make_ndarray(value.tensor),
        )
        for event in events(directory)
        for value in event.summary.value
    ]


def scalars(directory):
    """Return step, tag and number of each summary of a scalar in a directory."""
    return [(step, tag, float(value)) for step, tag, _, value in values(directory)]

"""A checkpoint that cannot be read, or written, is an error, and changes no variable."""

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.io.value_file import ValueFile, write_values
from runtime.train.format import SUFFIX


def saved(directory):
    v = tf.Variable([1.0, 2.0, 3.0])
    path = tf.train.Checkpoint(v=v).write(directory / "c")
    v.assign([0.0, 0.0, 0.0])
    return v, path


def refused(v, path, text="is damaged, or another kind of file|is not a checkpoint"):
    with pytest.raises(tf.errors.DataLossError, match=text):
        tf.train.Checkpoint(v=v).restore(path)
    assert v.numpy().tolist() == [0.0, 0.0, 0.0]


def test_a_truncated_file_is_refused_wherever_it_ends(tmp_path):
    v, path = saved(tmp_path)
    content = Path(path + SUFFIX).read_bytes()
    for length in {*range(0, len(content), 23), len(content) - 1}:
        Path(path + SUFFIX).write_bytes(content[:length])
        refused(v, path)


def test_a_file_with_changed_bytes_is_refused_or_has_other_numbers(tmp_path):
    v, path = saved(tmp_path)
    content = Path(path + SUFFIX).read_bytes()
    generator = random.Random(5)
    for _ in range(300):
        changed = bytearray(content)
        changed[generator.randrange(len(content) - 12)] ^= 1 << generator.randrange(8)
        Path(path + SUFFIX).write_bytes(changed)
        try:
            tf.train.Checkpoint(v=v).restore(path).expect_partial()
        except (tf.errors.OpError, ValueError):
            assert v.numpy().tolist() == [0.0, 0.0, 0.0]
        v.assign([0.0, 0.0, 0.0])


def safetensors_file(path, header, data=b""):
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


FILES = {
    "of another program": {"a": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}},
    "of another version": {"__metadata__": {"format": "autograph-numpy", "version": "2"}},
    "without structure": {"__metadata__": {"format": "autograph-numpy", "version": "1"}},
    "a huge shape": {"a": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 4]}},
}


@pytest.mark.parametrize("header", FILES.values(), ids=FILES)
def test_other_safetensors_files_are_refused(tmp_path, header):
    v = tf.Variable([0.0, 0.0, 0.0])
    safetensors_file(tmp_path / f"c{SUFFIX}", header, b"\0\0\0\0")
    refused(v, str(tmp_path / "c"))


STRUCTURES = {
    "of another kind": {"kind": "saved model", "nodes": []},
    "no nodes": {"kind": "checkpoint", "nodes": []},
    "no list": {"kind": "checkpoint", "nodes": 3},
    "a node outside": {"kind": "checkpoint", "nodes": [{"children": {"v": 1}}]},
    "a negative node": {"kind": "checkpoint", "nodes": [{"children": {"v": -1}}]},
    "a bool": {"kind": "checkpoint", "nodes": [{"children": {"v": False}}, {"children": {}}]},
    "no children": {"kind": "checkpoint", "nodes": [{}]},
    "a missing array": {
        "kind": "checkpoint",
        "nodes": [{"children": {"v": 1}}, {"children": {}, "key": "nope"}],
    },
    "a key twice": {
        "kind": "checkpoint",
        "nodes": [{"children": {"v": 1}, "key": "a"}, {"children": {}, "key": "a"}],
    },
    "text": "checkpoint",
}


@pytest.mark.parametrize("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_structures_that_do_not_fit_are_refused(tmp_path, structure):
    v = tf.Variable([0.0, 0.0, 0.0])
    write_values(str(tmp_path / f"c{SUFFIX}"), {"a": np.zeros(3, np.float32)}, structure)
    refused(v, str(tmp_path / "c"))


def test_a_cycle_of_nodes_ends(tmp_path):
    nodes = [{"children": {"v": 1, "loop": 0}}, {"children": {}, "key": "a"}]
    structure = {"kind": "checkpoint", "nodes": nodes}
    write_values(str(tmp_path / f"c{SUFFIX}"), {"a": np.float32(4)}, structure)
    checkpoint = tf.train.Checkpoint(v=tf.Variable(0.0))
    checkpoint.loop = checkpoint
    checkpoint.restore(tmp_path / "c").assert_consumed()
    assert checkpoint.v.numpy() == 4.0


ENCODED = [
    {"a": ["string", [3]]},
    {"a": ["variant", [3]]},
    {"a": ["complex64", [2**50, 0]]},
    {"a": 3},
    [],
]


@pytest.mark.parametrize("encoded", ENCODED, ids=str)
def test_encodings_that_do_not_fit_are_refused(tmp_path, encoded):
    metadata = {"format": "autograph-numpy", "version": "1", "structure": "{}"}
    header = {"__metadata__": {**metadata, "encoded": json.dumps(encoded)}}
    header["a"] = {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]}
    safetensors_file(tmp_path / "f", header, b"abc")
    with pytest.raises(tf.errors.DataLossError):
        ValueFile(str(tmp_path / "f")).array("a")


FULL = """
import resource, signal, sys
import runtime as tf
v = tf.Variable(tf.zeros([100_000]))
checkpoint = tf.train.Checkpoint(v=v)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    checkpoint.save(sys.argv[1])
except tf.errors.ResourceExhaustedError as error:
    print("refused", checkpoint.save_counter.numpy(), "File too large" in str(error))
"""


def run(text, *args):
    return subprocess.run(
        [sys.executable, "-c", text, *map(str, args)], capture_output=True, text=True, check=False
    )


def test_a_full_disk_is_an_error_and_leaves_the_old_checkpoint(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(tmp_path / "c")
    done = run(FULL, tmp_path / "c")
    assert done.stdout.strip() == "refused 0 True", done.stderr
    assert sorted(os.listdir(tmp_path)) == [f"c-1{SUFFIX}", "checkpoint"]
    assert tf.train.latest_checkpoint(tmp_path) == path


SAVING = """
import sys
import runtime as tf
step = tf.Variable(0)
weights = [tf.Variable(tf.zeros([20_000])) for _ in range(3)]
checkpoint = tf.train.Checkpoint(step=step, weights=weights)
manager = tf.train.CheckpointManager(checkpoint, sys.argv[1], max_to_keep=2)
manager.restore_or_initialize()
print("ready", flush=True)
while True:
    step.assign_add(1)
    for each in weights:
        each.assign(tf.fill([20_000], float(step)))
    manager.save()
    print(int(step), flush=True)
"""


def kill_while_saving(directory, delay):
    """Let a process write checkpoints, kill it, and read what it has left."""
    process = subprocess.Popen(
        [sys.executable, "-c", SAVING, str(directory)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    reported = process.stdout.read().split()
    process.wait()
    step, weights = tf.Variable(0), [tf.Variable(tf.zeros([20_000])) for _ in range(3)]
    checkpoint = tf.train.Checkpoint(step=step, weights=weights)
    latest = tf.train.latest_checkpoint(directory)
    if latest is None:
        assert not reported
        return
    checkpoint.restore(latest).assert_consumed()
    for each in weights:
        assert np.all(each.numpy() == float(step))
    if reported:
        assert int(step) in (int(reported[-1]), int(reported[-1]) + 1)
    for path in tf.train.CheckpointManager(checkpoint, directory, 2).checkpoints:
        assert os.path.exists(path + SUFFIX)


def test_a_killed_process_leaves_the_last_good_checkpoint(tmp_path):
    for delay in (0.003, 0.05):
        kill_while_saving(tmp_path, delay)


@pytest.mark.slow
def test_fifty_killed_processes_leave_the_last_good_checkpoint(tmp_path):
    generator = random.Random(9)
    for _ in range(50):
        kill_while_saving(tmp_path, generator.uniform(0.0, 0.1))

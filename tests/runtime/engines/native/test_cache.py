"""Machine code on disk: found again, and only where nobody else can have put it."""

import errno
import os
import subprocess
import sys
import threading

import pytest

pytest.importorskip("llvmlite")

from runtime.engines.native import cache

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners")

PROGRAM = """
import numpy as np
import runtime as tf
from runtime.engines.native import cache

stored, load = [], cache.load
found = []
store = cache.store
cache.store = lambda key, code: (stored.append(key), store(key, code))
cache.load = lambda key: (found.append(load(key) is not None), load(key))[1]
compute = lambda x, y: (tf.exp(x) + y, tf.reduce_sum(x * y))
f = tf.function(compute, jit_compile=True, autograph=False)
print(*(float(np.sum(v)) for v in f(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))))
print(len(stored), found)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "autograph-numpy-native"


def run():
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_another_process_loads_the_code(place):
    first, second = run(), run()
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("1 [False]", "0 [True]")


def test_code_is_found_by_its_key(place):
    cache.store("key", b"code")
    assert cache.load("key") == b"code"
    assert cache.load("other") is None
    assert [file.name for file in place.iterdir()] == ["key"]


def test_folder_that_others_can_write_to_is_not_used(place):
    cache.store("key", b"code")
    place.chmod(0o777)
    assert cache.load("key") is None
    cache.store("more", b"code")
    assert not (place / "more").exists()


def test_file_that_others_can_write_to_is_not_loaded(place):
    cache.store("key", b"code")
    (place / "key").chmod(0o666)
    assert cache.load("key") is None


def test_links_are_not_followed(place, tmp_path):
    cache.store("key", b"code")
    (place / "key").rename(tmp_path / "elsewhere")
    (place / "key").symlink_to(tmp_path / "elsewhere")
    assert cache.load("key") is None


def test_damaged_file_is_compiled_again(place):
    cache.store("key", b"code")
    (place / "key").write_bytes((place / "key").read_bytes()[:-1])
    assert cache.load("key") is None


def test_read_only_disk_stores_nothing(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    cache.store("key", b"code")
    assert cache.load("key") is None


def test_full_disk_leaves_no_part_of_a_file(place, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache.store("key", b"code")
    assert not list(place.iterdir())


def test_writers_at_a_time_leave_one_whole_file(place):
    code = os.urandom(1 << 20)
    writers = [threading.Thread(target=cache.store, args=("key", code)) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert cache.load("key") == code
    assert [file.name for file in place.iterdir()] == ["key"]


def test_old_files_are_removed(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST", 4)
    for number in range(5):
        cache.store(f"key{number}", b"code")
        os.utime(place / f"key{number}", (number, number))
    assert cache.load("key0") is None
    assert cache.load("key4") == b"code"

"""Results on disk: found again, and only where nobody else can have put them."""

import errno
import os
import threading

import pytest

from autograph.stored import Store

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners")

STORE = Store("tests", 1000)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "autograph-numpy-tests"


def test_a_result_is_found_by_its_key(place):
    STORE.store("key", b"result")
    assert STORE.load("key") == b"result"
    assert STORE.load("other") is None
    assert [file.name for file in place.iterdir()] == ["key"]


def test_folder_that_others_can_write_to_is_not_used(place):
    STORE.store("key", b"result")
    place.chmod(0o777)
    assert STORE.load("key") is None
    STORE.store("more", b"result")
    assert not (place / "more").exists()


def test_file_that_others_can_write_to_is_not_loaded(place):
    STORE.store("key", b"result")
    (place / "key").chmod(0o666)
    assert STORE.load("key") is None


def test_links_are_not_followed(place, tmp_path):
    STORE.store("key", b"result")
    (place / "key").rename(tmp_path / "elsewhere")
    (place / "key").symlink_to(tmp_path / "elsewhere")
    assert STORE.load("key") is None


def test_damaged_file_is_not_loaded(place):
    STORE.store("key", b"result")
    (place / "key").write_bytes((place / "key").read_bytes()[:-1])
    assert STORE.load("key") is None


def test_read_only_disk_stores_nothing(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    STORE.store("key", b"result")
    assert STORE.load("key") is None


def test_full_disk_leaves_no_part_of_a_file(place, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    STORE.store("key", b"result")
    assert not list(place.iterdir())


def test_writers_at_a_time_leave_one_whole_file(place):
    result = os.urandom(1 << 20)
    writers = [threading.Thread(target=STORE.store, args=("key", result)) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert STORE.load("key") == result
    assert [file.name for file in place.iterdir()] == ["key"]


def test_old_files_are_removed(place):
    for number in range(5):
        STORE.store(f"key{number}", b"result")
        os.utime(place / f"key{number}", (number, number))
    Store("tests", 4).store("key5", b"result")
    assert [STORE.load(f"key{number}") for number in range(2)] == [None, None]
    assert [STORE.load(f"key{number}") for number in range(2, 6)] == [b"result"] * 4

"""Files of a model: copied beside it, and read from there."""

import os

import pytest

import runtime as tf
from runtime.saved_model.saving import FILE
from tests.runtime.saved_model.models import reloaded


class Reading(tf.Module):
    def __init__(self, path):
        super().__init__()
        self.file = tf.saved_model.Asset(path)

    @tf.function(input_signature=[])
    def read(self):
        return tf.io.read_file(self.file.asset_path)


def test_assets_are_copied_and_read_from_the_folder(tmp_path):
    (tmp_path / "words.txt").write_text("a\nb")
    net = Reading(tmp_path / "words.txt")
    tf.saved_model.save(net, tmp_path / "model")
    (tmp_path / "words.txt").write_text("changed")
    os.rename(tmp_path / "model", tmp_path / "moved")
    loaded = tf.saved_model.load(tmp_path / "moved")
    assert loaded.read().numpy() == b"a\nb"
    path = loaded.file.asset_path.numpy().decode()
    assert path == str(tmp_path / "moved" / "assets" / "words.txt")
    assert reloaded(loaded, tmp_path / "again").read().numpy() == b"a\nb"


def test_assets_of_one_name_are_two_files(tmp_path):
    net = tf.Module()
    net.parts = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.txt").write_text(name)
        net.parts.append(Reading(tmp_path / name / "words.txt"))
    loaded = reloaded(net, tmp_path / "model")
    assert [part.read().numpy() for part in loaded.parts] == [b"a", b"b"]
    (tmp_path / "a" / "words.txt").write_text("new")
    net.parts.pop()
    (tmp_path / "model" / "assets" / "other.txt").write_text("of another program")
    loaded = reloaded(net, tmp_path / "model")
    assert loaded.parts[0].read().numpy() == b"new"
    assert sorted(os.listdir(tmp_path / "model" / "assets")) == ["other.txt", "words_2.txt"]


def test_a_missing_asset_is_refused(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match=r"words\.txt is not a file"):
        tf.saved_model.save(Reading(tmp_path / "words.txt"), tmp_path / "model")
    assert not os.path.exists(tmp_path / "model" / FILE)

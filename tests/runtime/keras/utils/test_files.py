"""Files of the local cache: copied, unpacked, or missing."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from runtime import keras


def source(tmp_path, kind):
    text = tmp_path / "words.txt"
    text.write_text("hello")
    path = tmp_path / f"words{kind}"
    if kind == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(text, "words.txt")
    elif kind != ".txt":
        with tarfile.open(path, "w:gz") as archive:
            archive.add(text, "words.txt")
    return path


def test_a_local_address_is_copied_into_the_cache(tmp_path, home):
    path = source(tmp_path, ".txt")
    found = keras.utils.get_file("w.txt", path.as_uri())
    assert found == str(home / "w.txt")
    path.write_text("changed")
    assert Path(keras.utils.get_file("w.txt", path.as_uri())).read_text() == "hello"


@pytest.mark.parametrize(
    ("kind", "name", "folder"),
    [
        (".zip", "words.zip", "words_extracted"),
        (".tar.gz", "words.tar.gz", "words_extracted"),
        (".tar.gz", "words", "words"),
        (".tgz", None, "words.tgz"),
    ],
)
def test_archives_are_extracted_where_keras_extracts_them(tmp_path, home, kind, name, folder):
    origin = source(tmp_path, kind).as_uri()
    for _ in range(2):
        found = keras.utils.get_file(name, origin, extract=True)
        assert found == str(home / folder)
        assert Path(found, "words.txt").read_text() == "hello"


def test_a_missing_file_is_an_error_with_a_command(home):
    with pytest.raises(FileNotFoundError) as caught:
        keras.utils.get_file("far.bin", "https://example.org/far.bin")
    expected = f"curl -L --create-dirs -o '{home / 'far.bin'}' 'https://example.org/far.bin'"
    assert expected in str(caught.value)


def archive_of(path, *members):
    with tarfile.open(path, "w") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"hello")) if member.size else archive.addfile(
                member
            )
    return path.as_uri()


def member(name, size=0, **fields):
    made = tarfile.TarInfo(name)
    made.size = size
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def test_a_link_of_an_archive_is_extracted_as_the_file_it_leads_to(tmp_path, home):
    link = member("also.txt", type=tarfile.SYMTYPE, linkname="deep/words.txt")
    origin = archive_of(tmp_path / "w.tar", member("deep/words.txt", 5), link)
    folder = Path(keras.utils.get_file("w.tar", origin, extract=True))
    assert (folder / "also.txt").read_text() == (folder / "deep/words.txt").read_text() == "hello"
    assert not (folder / "also.txt").is_symlink()


@pytest.mark.parametrize("name", ["../out.txt", "/out.txt"])
def test_no_member_of_an_archive_is_written_outside_of_its_folder(tmp_path, home, name):
    origin = archive_of(tmp_path / "w.tar", member(name, 5))
    with pytest.raises(ValueError, match="has a member outside of it: '"):
        keras.utils.get_file("w.tar", origin, extract=True)
    assert not list(tmp_path.rglob("out.txt"))


def test_a_member_that_is_no_file_is_refused(tmp_path, home):
    origin = archive_of(tmp_path / "w.tar", member("pipe", type=tarfile.FIFOTYPE))
    with pytest.raises(ValueError, match="no file: 'pipe'"):
        keras.utils.get_file("w.tar", origin, extract=True)

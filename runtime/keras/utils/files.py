"""Files that programs fetch: from a local cache, or from a `file://` address."""

from __future__ import annotations

import os
import shutil
import tarfile
import urllib.parse
import urllib.request
import zipfile
from typing import Any


def get_file(
    fname: Any = None,
    origin: str | None = None,
    untar: bool = False,
    *,
    cache_subdir: str = "datasets",
    extract: bool = False,
    cache_dir: Any = None,
) -> str:
    """Return the path of a file in the local cache; nothing is downloaded from a network.

    Args:
      fname: name of the file; None: that of `origin`.
      origin: address of the file. One that begins with `file://` is copied into the cache.
      untar, extract: whether to unpack an archive, tar or zip.
      cache_subdir: directory in the cache.
      cache_dir: directory of the cache; None: `KERAS_HOME`, or `~/.keras`.

    Returns: path of the file; that of the directory with the content of an archive.

    Raises: FileNotFoundError if the file is neither there nor at a `file://` address.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     _ = pathlib.Path(home, "notes.txt").write_text("text")
    ...     path = get_file(origin=pathlib.Path(home, "notes.txt").as_uri(), cache_dir=home)
    ...     os.path.relpath(path, home)
    'datasets/notes.txt'
    """
    if fname is None and origin is None:
        raise ValueError("`get_file` needs `fname` or `origin`.")
    source = urllib.parse.urlparse(origin or "")
    name = str(os.fspath(fname) if fname else os.path.basename(source.path))
    path = folder = cached(name, cache_subdir, cache_dir)
    if extract or untar:
        path, folder = _archive_and_folder(path)
        if os.path.isdir(folder):
            return folder
    if source.scheme == "file" and not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(urllib.request.url2pathname(source.path), path)
    if not os.path.exists(path):
        fetch = f"curl -L --create-dirs -o '{path}' '{origin}'" if origin else f"cp FILE '{path}'"
        raise FileNotFoundError(
            f"There is no file '{path}', and nothing is downloaded. Fetch it once:\n  {fetch}"
        )
    return _unpacked(path, folder) if extract or untar else path


def cached(name: str, directory: str, cache: Any = None) -> str:
    """Return the path of a file in a directory of the cache; None: `KERAS_HOME`, or `~/.keras`."""
    home = cache or os.environ.get("KERAS_HOME") or os.path.expanduser("~/.keras")
    return os.path.join(os.fspath(home), directory, name)


def _archive_and_folder(path: str) -> tuple[str, str]:
    """Return the paths of an archive and its content; Keras gives both one name without ending."""
    for ending in (".tar.gz", ".zip"):
        if path.endswith(ending):
            return path, path.removesuffix(ending) + "_extracted"
    return (path, f"{path}_extracted") if os.path.isfile(path) else (f"{path}_archive", path)


def _unpacked(path: str, folder: str) -> str:
    os.makedirs(folder, exist_ok=True)
    if tarfile.is_tarfile(path):
        _write_members(path, folder)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            packed.extractall(folder)
    else:
        raise ValueError(f"File '{path}' is neither a tar nor a zip archive.")
    return folder


def _write_members(path: str, folder: str) -> None:
    """Unpack a tar archive; `extractall` has a safe form only from Python 3.11.4 on."""
    root = os.path.realpath(folder)
    with tarfile.open(path) as archive:
        for member in archive:
            target = os.path.realpath(os.path.join(root, member.name))
            if os.path.commonpath([root, target]) != root:
                raise ValueError(f"File '{path}' has a member outside of it: '{member.name}'.")
            if member.isdir():
                os.makedirs(target, exist_ok=True)
                continue
            content = archive.extractfile(member)  # of a link: the file it leads to
            if content is None:
                raise ValueError(f"File '{path}' has a member that is no file: '{member.name}'.")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                shutil.copyfileobj(content, file)

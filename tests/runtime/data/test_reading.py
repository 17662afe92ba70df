"""Names of files are strings, or a dataset of them."""

import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


def test_names_have_to_be_strings():
    for names in (3, Dataset.range(3)):
        with pytest.raises(TypeError, match="must contain strings"):
            tf.data.TextLineDataset(names)


def test_missing_files_are_an_error_of_the_loop():
    dataset = tf.data.TextLineDataset("/no/such/file")
    with pytest.raises(tf.errors.NotFoundError, match="/no/such/file; No such file"):
        values(dataset)


def test_names_from_a_dataset_a_matrix_and_paths(files, tmp_path):
    files(a="1\n", b="2\n")
    names = Dataset.from_tensor_slices(["a", "b"])
    for given in (names, [["a"], ["b"]], [tmp_path / "a", tmp_path / "b"]):
        assert values(tf.data.TextLineDataset(given)) == [b"1", b"2"]
    assert values(names.flat_map(tf.data.TextLineDataset)) == [b"1", b"2"]
    interleaved = names.interleave(lambda name: tf.data.TextLineDataset(name).skip(0))
    assert values(interleaved) == [b"1", b"2"]


@pytest.mark.parametrize("reads", [0, -5])
def test_at_least_one_file_is_read_at_once(reads):
    with pytest.raises(ValueError, match=f"must be 1 or more, not {reads}"):
        tf.data.TextLineDataset("a", num_parallel_reads=reads)

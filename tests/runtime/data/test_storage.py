"""Elements that are kept in files, for later loops and programs."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


ELEMENTS = Dataset.range(5).map(
    lambda n: (n, {"text": tf.strings.as_string(n), "row": tf.fill([n], 0.5)})
)


class TestKeptElements:
    def test_saved_elements_come_back(self, tmp_path):
        ELEMENTS.save(tmp_path / "a")
        loaded = Dataset.load(tmp_path / "a")
        assert values(loaded) == values(ELEMENTS)
        assert loaded.element_spec == ELEMENTS.element_spec

    @pytest.mark.parametrize(
        "rows",
        [["a", ""], [["a", "b"], ["c", "d"]], [True, False], [1 + 2j, 3j], np.float16([1.5, 2])],
    )
    def test_saved_elements_of_any_dtype(self, tmp_path, rows):
        dataset = Dataset.from_tensor_slices(rows)
        dataset.save(tmp_path)
        assert values(Dataset.load(tmp_path)) == values(dataset)

    def test_saving_again_replaces(self, tmp_path):
        ELEMENTS.save(tmp_path)
        Dataset.range(3).save(tmp_path)
        Dataset.load(tmp_path).map(lambda x: x + 1).save(tmp_path)
        assert values(Dataset.load(tmp_path)) == [1, 2, 3]
        assert len(list(tmp_path.iterdir())) == 1

    def test_saving_that_fails_leaves_what_was_saved(self, tmp_path):
        def numbers():
            yield 1
            raise KeyError("no more")

        Dataset.range(3).save(tmp_path)
        broken = Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64))
        with pytest.raises(KeyError):
            broken.save(tmp_path)
        assert values(Dataset.load(tmp_path)) == [0, 1, 2]
        assert len(list(tmp_path.iterdir())) == 1

    def test_refused(self, tmp_path):
        with pytest.raises(tf.errors.NotFoundError, match="No dataset was saved to /no/such"):
            Dataset.load("/no/such")
        with pytest.raises(ValueError, match="`take` elements before `save`"):
            Dataset.range(3).repeat().save(tmp_path)
        with pytest.raises(TypeError, match="convert the elements by `map`"):
            Dataset.range(3).window(2).save(tmp_path)
        with pytest.raises(TypeError, match="with text as keys"):
            Dataset.range(3).map(lambda x: {1: x}).save(tmp_path)
        Dataset.range(3).save(tmp_path)
        with pytest.raises(ValueError, match="`element_spec` is"):
            Dataset.load(tmp_path, tf.TensorSpec([], tf.int32))
        (tmp_path / "elements.data").write_bytes(b"")
        with pytest.raises(tf.errors.DataLossError, match="is not an element spec"):
            Dataset.load(tmp_path)

    @pytest.mark.parametrize("at", [100, 200, -25, -1])
    def test_damage_is_an_error_that_names_the_file(self, tmp_path, at):
        Dataset.range(100).save(tmp_path)
        path = tmp_path / "elements.data"
        whole = path.read_bytes()
        path.write_bytes(whole[:at])
        with pytest.raises(tf.errors.DataLossError, match=r"elements\.data is damaged"):
            values(Dataset.load(tmp_path))
        if at == 200:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            with pytest.raises(tf.errors.DataLossError, match="checksum of the block"):
                values(Dataset.load(tmp_path))

    def test_elements_of_different_shapes_and_ranks(self, tmp_path):
        def rows():
            for rank in (0, 1, 1, 2, 0):
                yield np.full([rank + 1] * rank, rank), [b"a" * rank] * rank

        specs = (tf.TensorSpec(None, tf.int32), tf.TensorSpec([None], tf.string))
        dataset = Dataset.from_generator(rows, output_signature=specs)
        dataset.save(tmp_path)
        loaded = Dataset.load(tmp_path)
        assert values(loaded) == values(dataset)
        assert len(loaded) == 5

    def test_errors_of_the_elements_stay_what_they_are(self, tmp_path):
        def numbers():
            yield 1
            raise FileNotFoundError("mine")

        dataset = Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64))
        with pytest.raises(FileNotFoundError, match="mine"):
            dataset.save(tmp_path)
        assert not list(tmp_path.iterdir())

    def test_no_elements(self, tmp_path):
        Dataset.range(0).save(tmp_path)
        assert values(Dataset.load(tmp_path)) == []

    def test_saving_while_a_graph_is_recorded_is_an_error_at_its_line(self, tmp_path):
        @tf.function
        def save():
            Dataset.range(3).save(tmp_path)

        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="outside of the func"):
            save()

    @pytest.mark.parametrize("keep", ["cache", "snapshot"])
    def test_a_complete_loop_keeps_elements_for_later_runs(self, tmp_path, keep):
        def numbers(start):
            source = Dataset.range(start, start + 3)
            return getattr(source, keep)(str(tmp_path / "kept"))

        assert values(numbers(0).take(2)) == [0, 1]
        assert values(numbers(5)) == [5, 6, 7]
        assert values(numbers(0)) == [5, 6, 7]
        assert int(numbers(0).cardinality()) == 3

    def test_elements_of_other_specs_are_an_error(self, tmp_path):
        name = str(tmp_path / "kept")
        assert values(ELEMENTS.cache(name)) == values(ELEMENTS)
        with pytest.raises(tf.errors.FailedPreconditionError, match="Delete the file"):
            values(Dataset.range(3).cache(name))

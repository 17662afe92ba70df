"""The writer that tests of summaries use."""

import pytest

import runtime as tf


@pytest.fixture
def writer(tmp_path):
    made = tf.summary.create_file_writer(str(tmp_path))
    yield made
    made.close()

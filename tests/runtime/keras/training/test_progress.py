"""What `fit` shows while it trains."""

import importlib.util

import pytest

PROGRAM = """\
import runtime as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
history = model.fit(tf.ones([8, 2]), tf.ones([8, 1]), epochs=2)
"""


@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("nbconvert", "ipykernel"))),
    reason="nbconvert and ipykernel are not installed",
)
@pytest.mark.skipif(
    importlib.util.find_spec("ipywidgets") is not None, reason="the line changes in place"
)
def test_a_notebook_without_widgets_shows_a_line_for_each_epoch():
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(PROGRAM)])
    ExecutePreprocessor(timeout=120).preprocess(notebook)
    outputs = notebook.cells[0].outputs
    assert {each.get("name") for each in outputs} == {"stdout"}
    lines = "".join(each["text"] for each in outputs).splitlines()
    assert [line[:5] for line in lines] == ["Epoch", "1/1 ━", "Epoch", "1/1 ━"]

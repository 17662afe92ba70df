"""Drawings of models."""

from runtime import keras


def test_a_model_is_drawn_as_a_graph(tmp_path):
    x = keras.Input((4,), name="x")
    a = keras.layers.Dense(3, name="a")(x)
    model = keras.Model(x, keras.layers.Add(name="sum")([a, keras.layers.Dense(3, name="b")(x)]))
    keras.utils.plot_model(model, tmp_path / "m.dot", show_shapes=True)
    text = (tmp_path / "m.dot").read_text()
    assert text.startswith("digraph {")
    assert 'n1 [label="a (Dense)\\n(None, 3)"];' in text
    assert [line for line in text.splitlines() if "->" in line] == [
        *("  n0 -> n1;", "  n0 -> n2;", "  n1 -> n3;", "  n2 -> n3;")
    ]


def test_a_chain_of_layers_is_drawn(tmp_path):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(2)])
    keras.utils.plot_model(model, tmp_path / "m.dot")
    text = (tmp_path / "m.dot").read_text()
    edges = [line for line in text.splitlines() if "->" in line]
    assert edges[-1] == f"  n{len(edges) - 1} -> n{len(edges)};"

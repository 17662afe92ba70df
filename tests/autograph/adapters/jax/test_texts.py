# ruff: noqa: SIM108 - the programs are as people write them
"""Texts of traced values: made when the program runs, or refused."""

import pytest

import autograph

jax = pytest.importorskip("jax")


def printing(x):
    if x > 0:
        print("pos", x, sep="=")
    return x


def test_print_shows_values_when_the_program_runs(capsys):
    converted = jax.jit(autograph.to_graph(printing))
    converted(3)
    converted(-3)
    converted(4)
    jax.effects_barrier()
    assert capsys.readouterr().out == "pos=3\npos=4\n"


def chosen_text(x):
    if x > 0:
        text = f"{x:.1f}"
    else:
        text = "-" + str(x)
    return "<" + text + ">"


@pytest.mark.parametrize("x", [1.5, -2.0])
def test_text_of_traced_values_is_the_text_of_the_values(x):
    converted = jax.jit(autograph.to_graph(chosen_text))
    with pytest.raises(TypeError, match="`text` is"):
        converted(x)

    def same_template(x):
        if x > 0:
            text = f"x={x}"
        else:
            text = f"x={x * 2}"
        return "<" + text + ">"

    assert jax.jit(autograph.to_graph(same_template))(x) == same_template(x)


def compared(x):
    return 1 if f"{x}" == "1.0" else 2


def measured(x):
    return len(str(x))


@pytest.mark.parametrize("function", [compared, measured])
def test_text_that_python_needs_is_refused(function):
    with pytest.raises(TypeError, match="known only when the program runs") as raised:
        jax.jit(autograph.to_graph(function))(1.0)
    assert f"in {function.__name__}\n" in str(raised.value)


@pytest.mark.parametrize("convert", [autograph.to_graph, autograph.convert(recursive=True)])
def test_text_and_checks_work_where_arguments_hold_the_arrays(convert):
    def guarded_dict(arguments):
        x = arguments["x"][0]
        if x > 0:
            raise ValueError(f"above {x}")
        return x

    converted = jax.jit(convert(guarded_dict))
    assert converted({"x": [-1.0]}) == -1
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"ValueError: above 2\.0"):
        converted({"x": [2.0]})

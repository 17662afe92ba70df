"""The page on JAX: what it shows is what happens."""

import doctest
from pathlib import Path

import pytest

import autograph

jax = pytest.importorskip("jax")

PAGE = Path(autograph.__file__).parent.parent / "fixtures" / "jax_in_five_minutes.md"


def test_programs_of_the_page_print_what_it_shows():
    text = PAGE.read_text().replace("```python\n", "").replace("```\n", "")
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    shown = []
    runner.run(test, out=shown.append)
    assert not shown, "".join(shown)


@pytest.mark.parametrize("name", ["square_root", "decode", "settled", "doubled", "logarithm"])
def test_jit_refuses_the_programs_of_the_page_as_they_are_written(name):
    text = PAGE.read_text()
    start = text.index(f"... def {name}" if f"... def {name}" in text else f">>> def {name}")
    lines = text[start : text.index("\n>>>", start)].splitlines()
    written = "\n".join(line[4:] for line in lines if line[:3] == "...")
    space = autograph.exec(
        "import autograph\nimport jax.numpy as jnp\ntable = jnp.ones((3, 3))\n" + written + "\n"
    )
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(space[name])(1 if name == "decode" else 1.0)

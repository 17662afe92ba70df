"""The page on PyTorch: what it shows is what happens."""

import doctest
from pathlib import Path

import pytest

import autograph

torch = pytest.importorskip("torch")

PAGE = Path(autograph.__file__).parent.parent / "fixtures" / "pytorch_in_five_minutes.md"


def test_programs_of_the_page_print_what_it_shows():
    torch.compiler.reset()
    text = PAGE.read_text().replace("```python\n", "").replace("```\n", "")
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    shown = []
    runner.run(test, out=shown.append)
    assert not shown, "".join(shown)


@pytest.mark.parametrize("name", ["square_root", "decode"])
def test_compiler_refuses_the_programs_of_the_page_as_they_are_written(name):
    torch.compiler.reset()
    found = {}
    text = PAGE.read_text()
    start = text.index(f"... def {name}")
    lines = text[start : text.index("\n>>>", start)].splitlines()
    found = autograph.exec(
        "import torch\ntable = torch.ones(3, 3)\n" + "\n".join(line[4:] for line in lines) + "\n"
    )
    args = {"square_root": (torch.tensor(9.0),), "decode": (torch.tensor(0), torch.zeros(3))}
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(found[name], fullgraph=True, backend="eager")(*args[name])

"""The figures of converted programs, on texts whose figures are known."""

import ast
from pathlib import Path

import pytest

import autograph
from tools import figures
from tools.figures import FileFigures, FunctionFigure

SOURCE = '''\
class A:
    @property
    def x(self):
        return 1  # kept

    @x.setter
    def x(self, value):
        # lost
        self.y = value


def f(n):
    """Counts."""

    def g():
        return n

    return g()
'''
GENERATED = '''\
class A:
    @property
    def x(self):
        return 1  # kept

    @x.setter
    def x(self, value):
        do_return = False
        self.y = value


def f(n):
    """Counts."""

    def g():

        return n
    g = g
    return g()
'''


def test_lines_are_counted_alike_on_both_sides() -> None:
    assert figures.compare("m", SOURCE, GENERATED) == FileFigures(
        (
            FunctionFigure("m.A.x", 3, 3, scaffolding=False),
            FunctionFigure("m.A.x", 4, 4, scaffolding=True),
            FunctionFigure("m.f", 5, 6, scaffolding=False),
        ),
        long_lines=(),
        lost_comments=("# lost",),
    )


def test_functions_below_statements_and_classes_are_found() -> None:
    text = "if x:\n def f(): pass\nelse:\n def f(): pass\n"
    text += "class A:\n class B:\n  async def g(): pass"
    assert [key for key, _ in figures.outermost(ast.parse(text))] == [
        ("f", 0),
        ("f", 1),
        ("A.B.g", 0),
    ]


def test_a_missing_function_is_an_error() -> None:
    with pytest.raises(KeyError):
        figures.compare("m", "def f(): pass", "def g(): pass")


def test_long_lines_count_only_when_new() -> None:
    old, new = f"x = '{'a' * 100}'\n", f"y = '{'a' * 100}'\n"
    assert figures.compare("m", old, "if 1:\n  " + old).long_lines == ()
    assert figures.compare("m", old, old + new).long_lines == (new.strip(),)


@pytest.mark.parametrize(
    ("body", "early"),
    [
        ("for x in y:\n  return x", True),
        ("try:\n  return 1\nfinally:\n  pass", True),
        ("with x:\n  if y:\n   return 1", True),
        ("for x in y:\n  def g():\n   return 1", False),
        ("if x:\n  return 1", False),
    ],
)
def test_early_returns(body: str, early: bool) -> None:
    text = "def f():\n " + body.replace("\n", "\n ")
    assert figures.returns_early(ast.parse(text)) is early


def test_return_flags_are_accepted_where_a_return_leaves_a_loop() -> None:
    source = "def f(xs):\n    for x in xs:\n        return x\n"
    (function,) = figures.compare("m", source, source + "    do_return = 1\n").functions
    assert not function.scaffolding


def one_file(**changes: object) -> list[FileFigures]:
    good = {"functions": (FunctionFigure("f", 1, 1, scaffolding=False),)}
    empty: dict[str, object] = {"long_lines": (), "lost_comments": ()}
    return [FileFigures(**{**good, **empty, **changes})]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "missed"),
    [
        ({}, []),
        ({"functions": (FunctionFigure("f", 10, 26, scaffolding=False),)}, []),
        (
            {"functions": (FunctionFigure("f", 10, 27, scaffolding=False),)},
            ["median ratio"],
        ),
        (
            {"functions": (FunctionFigure("f", 10, 50, scaffolding=False),)},
            ["median ratio", "90th percentile of ratios"],
        ),
        ({"long_lines": ("x",)}, ["new lines over 100 columns"]),
        ({"lost_comments": ("# x", "# y")}, ["comments lost"]),
    ],
)
def test_targets(changes: dict[str, object], missed: list[str]) -> None:
    assert [t.name for t in figures.targets(one_file(**changes)) if not t.met] == missed


def test_status_follows_the_targets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.py"
    path.write_text("def f(x):\n    return x  # same\n")
    monkeypatch.setattr(autograph, "convert_source", lambda text: text, raising=False)
    assert figures.main([str(path)]) == 0
    assert "comments lost: 0 (at most 0): met" in capsys.readouterr().out
    monkeypatch.setattr(autograph, "convert_source", lambda text: text.replace("# same", ""))
    assert figures.main([str(path)]) == 1
    assert "lost: # same" in capsys.readouterr().out


def test_nothing_to_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autograph, "convert_source", lambda text: text, raising=False)
    path = tmp_path / "empty.py"
    path.write_text("")
    assert figures.main([str(path)]) == 1

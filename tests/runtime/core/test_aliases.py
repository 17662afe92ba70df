import ast
import inspect

from runtime.core import aliases


def test_each_alias_says_what_it_stands_for():
    body = ast.parse(inspect.getsource(aliases)).body
    named = [at for at, node in enumerate(body) if isinstance(node, ast.Assign)]
    assert len(named) == 7
    assert all(isinstance(ast.literal_eval(body[at + 1].value), str) for at in named)

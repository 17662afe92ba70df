"""Python's parser, one thread at a time."""

import ast
import threading

import pytest

from autograph.syntax.grammar import parse


def test_threads_that_parse_at_once_all_get_their_trees():
    text = "(" * 60 + "1" + ")" * 60
    trees = []

    def work():
        trees.extend(parse(text, mode="eval") for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {ast.dump(tree) for tree in trees} == {ast.dump(ast.parse("1", mode="eval"))}
    assert len(trees) == 200


def test_an_error_names_the_file_and_frees_the_lock():
    with pytest.raises(SyntaxError) as caught:
        parse("x = (", "mine.py")
    assert caught.value.filename == "mine.py"
    assert ast.unparse(parse("x = 1")) == "x = 1"

import subprocess
import sys
from pathlib import Path

from tools import oracle
from tools.bench import peers


def test_the_tests_run_in_the_environment_with_tensorflow(monkeypatch):
    wanted, ran = [], []

    def environment(requirements):
        wanted.extend(requirements)
        return Path(sys.executable)

    def run(command, cwd, env):
        ran.append((command, cwd))
        return subprocess.CompletedProcess(command, 3)

    monkeypatch.setattr(peers, "environment", environment)
    monkeypatch.setattr(subprocess, "run", run)
    assert oracle.main(["-k", "loops"]) == 3
    for name in ("tensorflow-cpu==", "numpy", "gast", "pillow", "tensorboard"):
        assert any(requirement.startswith(name) for requirement in wanted), name
    ((command, directory),) = ran
    assert command[0] == sys.executable
    assert command[-3:] == ["tests/runtime/oracle", "-k", "loops"]
    assert (directory / "tests" / "runtime" / "oracle").is_dir()


def test_help_sets_nothing_up(monkeypatch, capsys):
    monkeypatch.setattr(peers, "environment", lambda requirements: 1 / 0)
    assert oracle.main(["--help"]) == 0
    assert "python -m tools.oracle" in capsys.readouterr().out

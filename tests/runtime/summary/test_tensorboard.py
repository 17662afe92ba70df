"""TensorBoard shows summaries in a browser: loads each page in Chromium without a window."""

import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("tensorboard")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium"),
]


def log(directory):
    writer = tf.summary.create_file_writer(directory)

    @tf.function
    def net(x):
        with tf.name_scope("first_layer"):
            return tf.nn.relu(x)

    with writer.as_default():
        for step in range(20):
            tf.summary.scalar("training_loss", 1.0 / (step + 1), step=step)
            tf.summary.histogram("weights", np.sin(np.arange(50.0) + step), step=step)
        tf.summary.image("digits", np.eye(8, dtype=np.float32)[None, ..., None], step=0)
        tf.summary.trace_on()
        net(tf.constant([1.0, 2.0]))
        tf.summary.trace_export("net", step=0)
    writer.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Serve a log directory; yield the address."""
    home = tmp_path_factory.mktemp("logs")
    log(home / "run")
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(home), "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://localhost:{port}/data/plugin/scalars/tags", b"training_loss")
        yield f"http://localhost:{port}"
    finally:
        server.kill()
        server.wait()


def wait_for(address, content):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address) as answer:
                if content in answer.read():
                    return
        except OSError:
            pass
        time.sleep(0.5)
    raise AssertionError(f"{address} has no {content!r}")


def page(address, tmp_path):
    """Return the document that the browser shows."""
    command = [
        BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={tmp_path}", "--timeout=30000", "--virtual-time-budget=30000",
        "--window-size=1400,1400", "--dump-dom", address,
    ]  # fmt: skip
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return answer.stdout


def test_curves_histograms_and_images_are_shown(address, tmp_path):
    shown = page(f"{address}/#timeseries", tmp_path)
    for tag in ("training_loss", "weights", "digits"):
        assert re.search(rf">\s*{tag}\s*<", shown), tag
    assert "No dashboards are active" not in shown


def test_the_server_draws_the_graph(address):
    with urllib.request.urlopen(f"{address}/data/plugin/graphs/graph?run=run&tag=net") as answer:
        text = answer.read().decode()
    assert re.search(r"first_layer/Relu\"", text)

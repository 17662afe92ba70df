"""Evaluation of tensors in a test: eagerly, or by a Session of the graph that the test builds."""

from __future__ import annotations

import random
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.core.context import executing_eagerly, reset_default_graph
from runtime.core.graph import Graph
from runtime.core.structure import map_structure
from runtime.core.thread import STATE
from runtime.ops.random.seeds import set_seed
from runtime.state.session import Session, get_default_session

SEED = 87654321
"""The seed at the start of every test."""


class EagerSession:
    """The result of `session()` in eager mode: `run` evaluates and accepts no feeds."""

    def __init__(self, case: SessionCase) -> None:
        self._case = case

    def run(self, fetches: object, *args: object, **kwargs: object) -> Any:
        """Return the values of a structure of tensors. Raises RuntimeError for feeds and
        options.
        """
        if kwargs.pop("feed_dict", None):
            raise RuntimeError(
                "feed_dict is not supported when eager execution is enabled (in this case, "
                "sess.run(t) is shorthand for t.numpy()"
            )
        if args or kwargs:
            raise RuntimeError(
                "Optional args are not supported when eager execution is enabled (in this case, "
                "sess.run(t) is shorthand for t.numpy()"
            )
        return self._case.evaluate(fetches)


class SessionCase(unittest.TestCase):
    """A test with fixed seeds and an empty default graph that evaluates tensors."""

    _cached: tuple[Session, tuple[Any, Any]] | None = None

    def setUp(self) -> None:
        """Set the seeds of Python, NumPy and the runtime; clear the default graph."""
        super().setUp()
        self._forget_session()
        random.seed(SEED)
        np.random.seed(SEED % 2**32)
        graph: Graph | None = STATE.graph
        if graph is None or graph is type(STATE).graph:
            reset_default_graph()
        set_seed(SEED)

    def tearDown(self) -> None:
        """Close the Session of `cached_session`."""
        self._forget_session()
        super().tearDown()

    def _forget_session(self) -> None:
        if self._cached is not None:
            self._cached[0].close()
            self._cached = None

    def evaluate(self, tensors: object) -> Any:
        """Return the values of a structure of tensors, as NumPy arrays and scalars.

        Args:
          tensors: tensors, variables, functions without parameters that return them, or lists,
            tuples and dicts of them. In a graph built by hand: fetches of a Session, including
            names.

        Raises: ValueError for a value that cannot be evaluated.
        """
        if executing_eagerly():
            return map_structure(self._value, tensors)
        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.cached_session() as own:
            return own.run(tensors)

    def _value(self, tensor: object) -> Any:
        if tensor is None:
            return None
        if hasattr(tensor, "numpy"):
            return tensor.numpy()
        if callable(tensor):
            return self.evaluate(tensor())
        raise ValueError(f"Unsupported type {type(tensor)}.")

    @contextmanager
    def session(
        self,
        graph: Graph | None = None,
        config: object = None,
        use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Iterator[Any]:
        """Create a Session for a `with` block, with graph and Session as defaults.

        In eager mode it yields an object whose `run` is `evaluate`.

        Args:
          graph: the graph; None: the default graph.
          config: as in Session.
          use_gpu, force_gpu: ignored: the program selects devices.

        Returns: A context manager; its value has the method `run`.
        """
        if executing_eagerly():
            yield EagerSession(self)
            return
        with Session(graph=graph, config=config) as session:
            yield session

    @contextmanager
    def cached_session(
        self,
        graph: Graph | None = None,
        config: object = None,
        use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Iterator[Any]:
        """Like `session`, but all blocks of one test share the Session.

        Args:
          graph, config, use_gpu, force_gpu: as for `session`.

        Returns: A context manager; its value has the method `run`.
        Raises: ValueError if a block uses another graph or config than the first one.
        """
        if executing_eagerly():
            yield EagerSession(self)
            return
        session = self._session_of(graph, config)
        with session.graph.as_default(), session.as_default():
            yield session

    def _session_of(self, graph: Graph | None, config: object) -> Session:
        if self._cached is None:
            self._cached = (Session(graph=graph, config=config), (graph, config))
        session, (first_graph, first_config) = self._cached
        if graph is not first_graph:
            raise ValueError(
                "The graph used to get the cached session is different than the one that was used "
                "to create the session. Maybe create a new session with self.session()"
            )
        if config is not first_config:
            raise ValueError(
                "The config used to get the cached session is different than the one that was "
                "used to create the session. Maybe create a new session with self.session()"
            )
        return session

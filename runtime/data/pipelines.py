"""Pipelines: iterables of elements, as tuples of arrays, that datasets run.

Each iteration over a pipeline starts from the first element. Nothing here depends on tensors,
structures or graphs.
"""

from __future__ import annotations

import itertools
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError

Element = tuple[Any, ...]
Run = Callable[..., Element]
"""A function on the components of an element."""

INFINITE = -1
UNKNOWN = -2

AUTOTUNE = -1
"""Lets the runtime choose how much runs at once."""

AHEAD = 2
"""Elements that `prefetch(AUTOTUNE)` makes ahead, and functions that run at once."""

_END = object()
_DRAWN = 4096
"""Random numbers per draw: a draw of one number takes longer than an element."""


class Pipeline:
    """An iterable of elements that starts over for each loop.

    Args:
      begin: returns an iterator over the elements.
      count: the number of elements, `INFINITE` or `UNKNOWN`.

    Attributes:
      draws: the random numbers of its orders.
      repeatable: whether equal `draws` lead to equal elements.
    """

    __slots__ = ("begin", "count", "draws", "repeatable")

    def __init__(self, begin: Callable[[], Iterator[Element]], count: int = UNKNOWN) -> None:
        self.begin = begin
        self.count = count
        self.draws: tuple[Any, ...] = ()
        self.repeatable = True

    def __iter__(self) -> Iterator[Element]:
        return self.begin()


def text(value: Any) -> Any:
    """Return a string as an array: NumPy would cut bytes at trailing zeros."""
    return np.array(value, object) if isinstance(value, bytes) else value


def rows(component: Any) -> Iterable[Any]:
    """Return the rows of an array."""
    is_text = isinstance(component, np.ndarray) and component.dtype.kind == "O"
    return map(text, component) if is_text else component


def slices(*components: Any) -> Pipeline:
    """Return the rows of arrays, those of one index together."""
    return Pipeline(lambda: zip(*map(rows, components), strict=True), len(components[0]))


def single(*components: object) -> Pipeline:
    """Return a pipeline of one element."""
    return Pipeline(lambda: iter((components,)), 1)


def counted(start: int, stop: int | None, step: int, dtype: Any) -> Pipeline:
    """Return the integers from `start`; infinite if `stop` is None."""
    if stop is None:
        return Pipeline(lambda: ((dtype(i),) for i in itertools.count(start, step)), INFINITE)
    numbers = range(start, stop, step)
    return Pipeline(lambda: ((dtype(i),) for i in numbers), len(numbers))


def mapped(source: Pipeline, run: Run) -> Pipeline:
    """Apply a function to each element."""
    return Pipeline(lambda: itertools.starmap(run, source), source.count)


def mapped_ahead(source: Pipeline, run: Run, workers: int, ordered: bool) -> Pipeline:
    """Apply a function to each element, several at a time on threads."""
    return Pipeline(lambda: _ahead(source, run, workers, ordered), source.count)


def _ahead(source: Pipeline, run: Run, workers: int, ordered: bool) -> Iterator[Element]:
    waiting: deque[Future[Element]] = deque()
    elements = iter(source)
    with ThreadPoolExecutor(workers) as pool:
        try:
            for element in elements:
                waiting.append(pool.submit(run, *element))
                if len(waiting) > workers:
                    yield _first_of(waiting, ordered).result()
            while waiting:
                yield _first_of(waiting, ordered).result()
        finally:
            for future in waiting:
                future.cancel()


def _first_of(waiting: deque[Future[Element]], ordered: bool) -> Future[Element]:
    if not ordered:
        for future in waiting:
            if future.done():
                waiting.remove(future)
                return future
    return waiting.popleft()


def filtered(source: Pipeline, test: Run) -> Pipeline:
    """Return the elements for which a test holds."""
    return Pipeline(lambda: (each for each in source if test(*each)[0]))


def flattened(source: Pipeline, inner: Callable[..., Pipeline]) -> Pipeline:
    """Map each element to a pipeline, and concatenate these pipelines."""
    return Pipeline(lambda: itertools.chain.from_iterable(inner(*element) for element in source))


def interleaved(
    source: Pipeline, inner: Callable[..., Pipeline], cycle: int, block: int
) -> Pipeline:
    """Take `block` elements of each of `cycle` pipelines in turn."""
    return Pipeline(lambda: _interleaved(source, inner, cycle, block))


def _interleaved(
    source: Pipeline, inner: Callable[..., Pipeline], cycle: int, block: int
) -> Iterator[Element]:
    """Yield blocks of `cycle` slots in turn; an empty slot is filled when its turn comes."""
    inputs: Iterator[Element] | None = iter(source)
    slots: list[Iterator[Element] | None] = [None] * cycle
    place = 0
    while inputs is not None or any(slot is not None for slot in slots):
        slot = slots[place]
        if slot is None and inputs is not None:
            opened = next(inputs, None)
            if opened is None:
                inputs = None
            else:
                slots[place] = iter(inner(*opened))
            continue
        if slot is not None:
            given = 0
            for element in itertools.islice(slot, block):
                given += 1
                yield element
            if given < block:
                slots[place] = None
        place = (place + 1) % cycle


def shuffled(source: Pipeline, size: int, draw: Callable[[], np.random.Generator]) -> Pipeline:
    """Draw elements from a buffer of `size`, refilled after each draw; `draw` gives the numbers."""
    return Pipeline(lambda: _shuffled(source, size, draw()), source.count)


def _shuffled(source: Pipeline, size: int, numbers: np.random.Generator) -> Iterator[Element]:
    elements = iter(source)
    buffer = list(itertools.islice(elements, size))
    places: list[int] = []
    for element in elements:
        if not places:
            places = numbers.integers(0, len(buffer), _DRAWN).tolist()
        place = places.pop()
        chosen, buffer[place] = buffer[place], element
        yield chosen
    for place in numbers.permutation(len(buffer)).tolist():
        yield buffer[place]


Stack = Callable[[Sequence[Any]], Any]
"""Makes one component of those of several elements."""


def batched(source: Pipeline, size: int, drop: bool, stacks: Sequence[Stack]) -> Pipeline:
    """Stack `size` successive elements; `drop` omits a smaller batch at the end."""
    count = source.count
    if count >= 0:
        count = count // size if drop else -(-count // size)
    return Pipeline(lambda: _batched(source, size, drop, stacks), count)


def _batched(source: Pipeline, size: int, drop: bool, stacks: Sequence[Stack]) -> Iterator[Element]:
    elements = iter(source)
    while chunk := list(itertools.islice(elements, size)):
        if drop and len(chunk) < size:
            return
        columns = zip(*chunk, strict=True)
        yield tuple(stack(column) for stack, column in zip(stacks, columns, strict=True))


def unbatched(source: Pipeline, rows_each: int | None) -> Pipeline:
    """Return the rows of the components of each element; None: their number is not known."""
    count = source.count
    if count >= 0:
        count = UNKNOWN if rows_each is None else count * rows_each
    return Pipeline(lambda: itertools.chain.from_iterable(map(_rows, source)), count)


def _rows(element: Element) -> Iterator[Element]:
    shapes = [np.shape(component) for component in element]
    if len({shape[:1] for shape in shapes}) != 1 or not shapes[0]:
        raise InvalidArgumentError.of(
            f"Cannot unbatch components with shapes {', '.join(map(str, shapes))}: their first "
            "dimensions must be equal."
        )
    return zip(*map(rows, element), strict=True)


def repeated(source: Pipeline, times: int | None) -> Pipeline:
    """Repeat all elements; None: forever, unless there are none."""
    if times is None:
        count = 0 if source.count == 0 else INFINITE
        return Pipeline(lambda: _endlessly(source), count)
    count = source.count * times if source.count >= 0 else source.count if times else 0
    return Pipeline(lambda: itertools.chain.from_iterable(source for _ in range(times)), count)


def _endlessly(source: Pipeline) -> Iterator[Element]:
    while True:
        nothing = True
        for element in source:
            nothing = False
            yield element
        if nothing:
            return


def taken(source: Pipeline, count: int) -> Pipeline:
    """Return the first elements."""
    known = source.count
    return Pipeline(
        lambda: itertools.islice(source, count),
        count if known == INFINITE else min(count, known) if known >= 0 else UNKNOWN,
    )


def skipped(source: Pipeline, count: int) -> Pipeline:
    """Omit the first elements."""
    known = source.count
    return Pipeline(
        lambda: itertools.islice(source, count, None),
        max(known - count, 0) if known >= 0 else known,
    )


def concatenated(first: Pipeline, second: Pipeline) -> Pipeline:
    """Concatenate two pipelines."""
    counts = first.count, second.count
    count = INFINITE if INFINITE in counts else UNKNOWN if UNKNOWN in counts else sum(counts)
    return Pipeline(lambda: itertools.chain(first, second), count)


def zipped(*sources: Pipeline) -> Pipeline:
    """Combine elements of several pipelines, up to the end of the shortest."""
    known = [source.count for source in sources if source.count != INFINITE]
    count = UNKNOWN if UNKNOWN in known else min(known, default=INFINITE)
    return Pipeline(
        lambda: (
            tuple(itertools.chain.from_iterable(each)) for each in zip(*sources, strict=False)
        ),
        count,
    )


def numbered(source: Pipeline, start: int) -> Pipeline:
    """Return pairs of the number of an element and the element."""
    return Pipeline(
        lambda: ((np.int64(i), *each) for i, each in enumerate(source, start)), source.count
    )


def cached(source: Pipeline) -> Pipeline:
    """Keep the elements in memory after their first complete loop."""
    kept: list[Element] | None = None

    def begin() -> Iterator[Element]:
        nonlocal kept
        if kept is not None:
            yield from kept
            return
        elements = []
        for element in source:
            elements.append(element)
            yield element
        kept = elements

    return Pipeline(begin, source.count)


def prefetched(source: Pipeline, size: int) -> Pipeline:
    """Compute up to `size` elements ahead, on a thread."""
    return Pipeline(lambda: _prefetched(source, size), source.count)


def _prefetched(source: Pipeline, size: int) -> Iterator[Element]:
    ready: queue.Queue[Any] = queue.Queue(size)
    stopped = threading.Event()

    def work() -> None:
        last: Any = _END
        try:
            for element in source:
                if not _put(ready, element, stopped):
                    return
        except BaseException as error:
            last = _Raised(error)
        _put(ready, last, stopped)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (element := ready.get()) is not _END:
            if isinstance(element, _Raised):
                raise element.error
            yield element
    finally:
        stopped.set()


class _Raised:
    def __init__(self, error: BaseException) -> None:
        self.error = error


def _put(ready: queue.Queue[Any], item: object, stopped: threading.Event) -> bool:
    """Wait for a free place; return False if the consumer has stopped."""
    while not stopped.is_set():
        try:
            ready.put(item, timeout=0.1)
        except queue.Full:
            continue
        return True
    return False


def windowed(
    source: Pipeline, size: int, shift: int, stride: int, drop: bool
) -> Iterable[list[Element]]:
    """Return windows of `size` elements, `stride` apart; windows start `shift` elements apart."""
    held: list[Element] = []
    span = (size - 1) * stride + 1
    elements = iter(source)
    held += itertools.islice(elements, span)
    while held:
        chosen = held[:span:stride]
        if drop and len(chosen) < size:
            return
        yield chosen
        gone = len(held)
        held = held[shift:]
        if shift > gone:
            next(itertools.islice(elements, shift - gone - 1, shift - gone), None)
        held += itertools.islice(elements, span - len(held))


def sampled(
    sources: Sequence[Pipeline],
    weights: Sequence[float] | None,
    stops: bool,
    draw: Callable[[], np.random.Generator],
) -> Pipeline:
    """Draw elements of pipelines at random; `stops`: until the first one is empty."""
    drawn = [i for i in range(len(sources)) if weights is None or weights[i] > 0]
    if len(drawn) == 1:
        return sources[drawn[0]]
    endless = not stops and any(sources[i].count == INFINITE for i in drawn)
    count = INFINITE if endless else UNKNOWN
    return Pipeline(lambda: _sampled(sources, weights, stops, draw()), count)


def _sampled(
    sources: Sequence[Pipeline],
    weights: Sequence[float] | None,
    stops: bool,
    numbers: np.random.Generator,
) -> Iterator[Element]:
    begun = [iter(source) for source in sources]
    shares = np.ones(len(begun)) if weights is None else np.asarray(weights, float)
    while shares.any():
        place = int(numbers.choice(len(begun), p=shares / shares.sum()))
        element = next(begun[place], None)
        if element is not None:
            yield element
        elif stops:
            return
        else:
            shares[place] = 0.0


def resampled(
    source: Pipeline, target: object, initial: Any | None, draw: Callable[[], np.random.Generator]
) -> Pipeline:
    """Keep elements, which start with their class, so that classes have a target distribution.

    `initial` is that of the source; None: the elements so far, and one more of each class.
    """
    return Pipeline(lambda: _resampled(source, target, initial, draw()))


def _resampled(
    source: Pipeline, target: Any, initial: Any | None, numbers: np.random.Generator
) -> Iterator[Element]:
    counts = np.ones(len(target)) if initial is None else np.asarray(initial, float)
    for element in source:
        kind = int(element[0])
        if not 0 <= kind < len(target):
            raise InvalidArgumentError.of(
                f"class_func gives class {kind}, but there are {len(target)} classes."
            )
        if initial is None:
            counts[kind] += 1
        ratios = np.divide(target, counts, out=np.zeros(len(target)), where=counts > 0)
        if numbers.random() * ratios.max() < ratios[kind]:
            yield element

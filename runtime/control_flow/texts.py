"""String conversion of traced values, for string formatting in converted code."""

from __future__ import annotations

from runtime.control_flow.growing import GrowingList
from runtime.control_flow.iterables import StagedIterable
from runtime.core.errors import StagingError
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.strings import texts


def text(value: object, conversion: str, spec: object) -> Tensor:
    """Return the text of a tensor, variable or growing list; see `texts.text_of`.

    Raises:
      StagingError: for other staged values, which have no text.
    """
    if isinstance(value, StagedIterable):
        raise StagingError(
            f"a {type(value).__name__} of tensors would become text, but its items are known only "
            "when the graph runs.",
            public=TypeError,
            remedy="Append them to a list, and make text of that.",
        )
    return texts.text_of(
        convert_to_tensor(value), conversion, spec, listed=isinstance(value, GrowingList)
    )

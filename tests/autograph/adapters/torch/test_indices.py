"""Elements of tensors at integer scalars, whose values Python does not ask for."""

import pytest

torch = pytest.importorskip("torch")

from autograph.adapters.torch import indices  # noqa: E402

pytestmark = pytest.mark.sample

X = torch.arange(24).reshape(2, 3, 4)
I, J = torch.tensor(1), torch.tensor(-1, dtype=torch.int32)  # noqa: E741


@pytest.mark.parametrize(
    ("index", "plain"),
    [
        (I, 1),
        ((I, J), (1, -1)),
        ((..., J), (..., -1)),
        ((slice(None), J, None), (slice(None), -1, None)),
        ((0, slice(1, None), I), (0, slice(1, None), 1)),
    ],
)
def test_elements_are_those_at_the_numbers(index, plain):
    torch.testing.assert_close(indices.selected(X, index), X[plain])
    changed, expected = X.clone(), X.clone()
    assert indices.assigned(changed, index, 7)
    expected[plain] = 7
    torch.testing.assert_close(changed, expected)


@pytest.mark.parametrize("index", [1, slice(None), (0, [1, 2]), torch.tensor([0, 1]), X > 3])
def test_other_indices_are_left_to_pytorch(index):
    assert indices.selected(X, index) is None
    assert not indices.assigned(X.clone(), index, 7)


def test_truths_and_floats_are_no_positions():
    assert indices.is_position(I)
    for value in (1, torch.tensor(1.0), torch.tensor(True), torch.tensor([1])):
        assert not indices.is_position(value)

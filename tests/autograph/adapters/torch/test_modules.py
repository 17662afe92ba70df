"""Modules are converted with all in them, and stay what they are."""

import pytest

import autograph
from tests.autograph.adapters.torch.nets import Gate, Net, X

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.sample


def test_converted_module_keeps_its_state_hooks_and_class():
    module = Net()
    names, hooked = list(module.state_dict()), []
    module.body[1].register_forward_hook(lambda *_: hooked.append(1))
    assert autograph.convert(module) is module
    assert type(module) is Net
    assert list(module.state_dict()) == names
    module(X)
    assert hooked == [1]


def test_hooks_are_converted():
    module = Net().eval()
    module.body[0].register_forward_hook(lambda _, __, out: out * 2 if out.sum() > 0 else out)
    module.register_forward_pre_hook(lambda _, given: (given[0] if given[0][0] > 0 else -given[0],))
    expected = [module(x) for x in (X, -X)]
    exported = torch.export.export(autograph.convert(module), (X,), strict=False).module()
    compiled = torch.compile(module, fullgraph=True, backend="eager")
    for x, wanted in zip((X, -X), expected, strict=True):
        torch.testing.assert_close(exported(x), wanted)
        torch.testing.assert_close(compiled(x), wanted)


def test_converted_class_converts_the_modules_that_it_makes():
    @autograph.convert()
    class Twice(Net):
        def __init__(self):
            super().__init__()
            self.more = Gate()

        def forward(self, x):
            return self.more(super().forward(x))

    module = Twice().eval()
    exported = torch.export.export(module, (X,), strict=False).module()
    for x in (X, -X):
        torch.testing.assert_close(exported(x), module(x))

"""Tensors changed in place in staged statements: every name of a tensor sees the change."""

# The programs are written as users write them.
# ruff: noqa: B905, SIM108

import pytest

import autograph
from tests.autograph.adapters.torch.exports import INPUTS, agree, exported, fake, tensors, traced

torch = pytest.importorskip("torch")

proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")

# ---- programs: what they return, and their arguments afterwards, are compared ----


def second_name(x, c):
    y = x
    if c > 0:
        x += 1
    return x, y


def in_else_only(x, c):
    y = x
    if c > 0:
        pass
    else:
        x *= 2
    return x + 0, y + 0


def both_branches(x, c):
    y = x
    if c > 0:
        x -= 1
    else:
        x /= 2
    return y * 1


def item(x, c):
    y = x
    if c > 0:
        x[0] = 7.0
        x[1] += 2.0
        x[-1] *= 3.0
    return x * 1, y * 1


def item_by_tensor(x, c):
    y = x
    i = c.to(torch.int64) * 0 + 1
    if c > 0:
        x[i] = 9.0
        x[i] += 2.0
    return y * 1


def in_list(x, c):
    kept = [x, x * 2]
    if c > 0:
        kept[0] += 1
        kept[1][0] = 5
    x += 10
    return kept[0] * 1, kept[1], x * 1


class Holder:
    def __init__(self, buf):
        self.buf = buf


def attribute(x, c):
    held = Holder(x)
    if c > 0:
        held.buf += 1
    else:
        held.buf.zero_()
    x += 1
    return held.buf * 1, x * 1


def add_method(x, c):
    if c > 0:
        x.add_(1).mul_(3)
    return x * 1


def zeroed(x, c):
    y = x.view(-1)
    if c > 0:
        x.zero_()
    return y * 1


def closure(x, c):
    def change():
        x.add_(5)

    if c > 0:
        change()
    return x * 1


def view_made_inside(x, c):
    if c > 0:
        row = x[1:]
        row += 4
    return x * 1


def view_made_outside(x, c):
    row = x[1:]
    if c > 0:
        row += 4
    return x * 1, row * 1


def out_argument(x, c):
    if c > 0:
        torch.add(x, 1, out=x)
    return x * 1


def two_names_in_the_branch(x, c):
    y = x
    if c > 0:
        x += 1
        y += 1
        x = y * 2
    return x, y * 1


def in_while(x, c):
    y = x
    while c < 3:
        x += 1
        c = c + 1
    return x * 1, y * 1, c


def item_in_while(x, c):
    i = 0
    y = x
    while i < c:
        x[0] = i + 1
        x[1] += 2
        i += 1
    return y * 1


def in_for(x, c):
    y = x
    total = torch.zeros(3)
    same = total
    for row in x.clone():
        total += row
        y -= 1
    return total, same, x * 1, c


def for_rows(x, c):
    out = torch.zeros(3)
    for i, v in enumerate(x * 1):
        out[i] = v * 2
        if v > c:
            out[0] += 10
            x += v
    return out


def if_in_while(x, c):
    y = x
    while c < 4:
        if c > 1:
            x += 1
        else:
            x[0] = 5
        c = c + 1
    return y * 1


def while_in_if(x, c):
    y = x
    if c > 0:
        while c < 5:
            x += 1
            c = c + 1
        x *= 2
    return y * 1, c


def nested_names(x, c):
    held = [x]
    while c < 4:
        y = x
        if c > 1:
            for _ in range(2):
                y += 1
        c = c + 1
    return held[0] * 1, x * 1


def until_large(x, c):
    while x.sum() < 20:
        x += c.abs() + 1
    return x * 1


def made_in_branch(x, c):
    if c > 0:
        y = x * 2
        z = y
        y += 1
        z[0] = 3
        x = y
    return x * 1


def made_before(x, c):
    total = torch.zeros(3)
    if c > 0:
        total += x
    total /= 2
    return total


def rebound_then_changed(x, c):
    acc = torch.zeros(3)
    while c < 3:
        acc = acc + x
        acc *= 2
        c = c + 1
    return acc


def started_fresh(x, c):
    acc = torch.zeros(3)
    while c < 3:
        acc = acc + x
        c = c + 1
    acc /= 2
    return acc


def numbers(x, c):
    total = 0
    count = 0
    for v in x:
        if v > c:
            total += v
            count += 1
        total += 1
    return total, torch.as_tensor(count)


def numbers_in_two_loops(x, c):
    total = 0
    for v in x:
        for w in x:
            total += v * w
            if w > c:
                total += 1
    return total


def kept_on_one_side(x, c):
    y = x
    if c > 0:
        y = x * 2
    return x, y + 1


def same_after_loop(x, c):
    while c < 3:
        x.add_(1)
        c = c + 1
    x += 1
    return x


def assigned_in_branch(x, c):
    if c > 0:
        z = x
        z += 1
    return x * 1


def not_contiguous(x, c):
    m = torch.stack([x, x * 2], dim=1)
    column = m[:, 0]
    if c > 0:
        flat = column.reshape(-1)
        flat += 1
        same = column.contiguous()
        same += 1
    return m, column * 1


def through_data(x, c):
    y = torch.zeros(3)
    if c > 0:
        y = x.data * 2
    return y


def change_by_data(x, c):
    if c > 0:
        x.data.add_(1)
    return x * 1


def in_expression(x, c):
    y = x.add_(1) if c > 0 else x.mul_(2)
    return x * 1, y * 1


def through_detach(x, c):
    if c > 0:
        x.detach().add_(1)
    return x * 1


def inplace_function(x, c):
    if c < 2:
        torch.nn.functional.relu(x, inplace=True)
    return x * 1


def with_value_by_test(x, c):
    total = x * 0
    positive = c > 0
    if positive:
        y = x * 2
    if positive:
        w = y
        y += 1
        total += w
    if positive:
        y -= 2
        total += y
    return total


def element_of_itself(x, c):
    i = (c > 0).to(torch.int64)
    y = x
    x[i] = y[2]
    if x[i] > 0:
        y[i - 1] = x[i] * 2
    return x * 1


def other_made_anew_before_the_change(x, c):
    y = x * 2
    z = y
    if c > 0:
        z = y * 3
    z += 1
    return z


def early_return(x, c):
    x += 1
    if c > 0:
        x *= 2
        return x * 3
    x -= 1
    return x * 5


PROGRAMS = [
    second_name, in_else_only, both_branches, item, item_by_tensor, in_list, attribute, add_method,
    zeroed, closure, view_made_inside, view_made_outside, out_argument, two_names_in_the_branch,
    in_while, item_in_while, in_for, for_rows, if_in_while, while_in_if, nested_names,
    until_large, made_in_branch, made_before, rebound_then_changed, started_fresh, numbers,
    numbers_in_two_loops, kept_on_one_side, same_after_loop, assigned_in_branch, not_contiguous,
    through_data, change_by_data, in_expression, through_detach, inplace_function,
    with_value_by_test, early_return, element_of_itself, other_made_anew_before_the_change,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("trace", [exported, traced, fake])
def test_all_names_see_changes(trace, function):
    agree(function, trace(function, tensors(*INPUTS[0])))


@pytest.mark.parametrize("trace", [exported, traced])
def test_arguments_stay_while_tracing(trace):
    arguments = tensors(*INPUTS[0])
    trace(kept_on_one_side, arguments)
    torch.testing.assert_close(arguments, tensors(*INPUTS[0]))


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(3))
        self.norm = torch.nn.BatchNorm1d(3)

    def forward(self, x):
        if x.sum() > 0:
            self.seen += x.sum(0)
            x = self.norm(x)
        else:
            self.seen.zero_()
        return x * 2


def test_buffers_change():
    plain = Counting()
    converted = autograph.to_graph(Counting)()
    samples = [torch.rand(4, 3), torch.rand(4, 3) + 1, -torch.rand(4, 3), torch.rand(4, 3)]
    program = torch.export.export(converted, (samples[0],), strict=False).module()
    for sample in samples:
        torch.testing.assert_close(program(sample), plain(sample))
        torch.testing.assert_close(program.seen, plain.seen)
        torch.testing.assert_close(program.norm.running_var, plain.norm.running_var)
        assert program.norm.num_batches_tracked == plain.norm.num_batches_tracked


def test_gradient_of_what_is_changed():
    def f(x, c):
        y = x * 2
        z = y
        if c > 0:
            y *= x
        return (z * z).sum()

    for values in INPUTS:
        (x, c), (other, _) = tensors(*values), tensors(*values)
        x.requires_grad_()
        other.requires_grad_()
        f(x, c).backward()
        exported(f, (other.detach().clone().requires_grad_(), c))(other, c).backward()
        torch.testing.assert_close(other.grad, x.grad)


# ---- refused ----


def changed_then_rebound(x, c):
    while c < 3:
        x += 1
        x = x * 2
        c = c + 1
    return x


def row_of_loop(x, c):
    for row in x.view(3, 1):
        row += c
    return x


def items_of_list(x, c):
    out = 0
    for v, w in zip([x, x * 2, x * 3], x * 1):
        if w > 0:
            x += 1
        out = out + v
    return out


def row_by_tensor(x, c):
    i = c.to(torch.int64) * 0
    m = x.view(3, 1)
    if c > 0:
        row = m[i]
        row += 1
    return x


def two_views(x, c):
    rest = x[1:]
    if c > 0:
        rest += 1
        x[0] = 5
    return x


def another_name_by_branch_inside(x, c):
    while c < 3:
        y = x
        if c > 0:
            y = x * 2
        y += 1
        c = c + 1
    return x


def view_of_branch_inside(x, c):
    while c < 3:
        if c > 1:
            y = x[1:]
        else:
            y = x[:2]
        y.add_(1)
        c = c + 1
    return x


def another_name_by_branch(x, c):
    if c > 0:
        x = x * 2
    x += 1
    return x


def the_other_name(x, c):
    y = x
    if c > 0:
        y = x * 2
    x += 1
    return x, y


def view_by_branch(x, c):
    y = x[1:] if c > 0 else x[:2]
    y.zero_()
    return x


def after_a_loop(x, c):
    y = x
    while c < 3:
        y = y * 2
        c = c + 1
    y[0] = 1
    return y


def two_outputs(x, c):
    if c > 0:
        y = x * 2
        z = y
    else:
        y = x * 3
        z = y * 1
    y += 1
    return y, z


def number_with_two_names(x, c):
    total = 0
    change = 0
    for v in x:
        before = total
        total += v
        change = total - before
    return change + c


def passed_on(x, c):
    total = 0
    previous = 0
    for v in x:
        total += v
        previous = total
    return previous + c


def used_in_the_same_statement(x, c):
    y = x * 2
    z = y
    if c > 0:
        z = y * 3
    total = x * 0
    while c < 3:
        total = total + y
        z += 1
        c = c + 1
    return total


def in_a_record(x, c):
    y = x * 2
    record = {"y": y, "z": y * 3}
    if c > 0:
        record["z"] = y
    record["z"] += 1
    return record


def other_shape(x, c):
    if c > 0:
        x.resize_(2)
    return x


def in_test(x, c):
    while x.add_(1).sum() < c:
        pass
    return x


def part_of_a_name_by_branch(x, c):
    y = x * 2
    z = x * 0
    if c > 0:
        z = y
    y[1:] += 1.0
    return z


def name_by_a_branch_in_a_branch(x, c):
    y = x * 2
    z = x * 0
    if c > 3:
        c = c + 1
    else:
        z = y if c > 0 else z
    y[0] = 1
    return z


def name_by_two_branches(x, c):
    y = x * 2
    z = y if c > 0 else x * 0
    w = z if c < 3 else x * 5
    y += 1
    return w


def smaller_of_two(x, c):
    a, b = x[0] * 1, x[1] * 1
    least = min(a, b)
    least += 1
    return a, b, c


def largest_item(x, c):
    top = max(x)
    top += 1
    return x, c


def item_of_sorted(x, c):
    rows = sorted(x)
    rows[0] += 1
    return x, c


def largest_before_a_change(x, c):
    top = max(x[0], x[1])
    x += 1
    return top, c


def argument_by_two_names(x, c):
    y = x[0] if c > 0 else x[1]
    y += 1
    return c


REFUSED = [
    (smaller_of_two, "what `min` gives is a copy"),
    (largest_item, "what `max` gives is a copy"),
    (item_of_sorted, "what `sorted` gives is a copy"),
    (largest_before_a_change, "what `max` gives is a copy"),
    (argument_by_two_names, "the conditional expression|may be the same tensor as another one"),
    (changed_then_rebound, "is another one in later iterations"),
    (row_of_loop, "is a copy, and is changed in place"),
    (items_of_list, "uses the same elements by another tensor or a copy"),
    (row_by_tensor, "is a copy, and is changed in place"),
    (two_views, "uses the same elements by another tensor"),
    (another_name_by_branch_inside, "`y` may be the same tensor as another one"),
    (view_of_branch_inside, "`y` may be the same tensor as another one"),
    (another_name_by_branch, "`x` may be the same tensor as another one"),
    (the_other_name, "`y` may be the same tensor as another one"),
    (view_by_branch, "the return value may be the same tensor as another one"),
    (after_a_loop, "`y` may be the same tensor as another one"),
    (two_outputs, "`y` may be the same tensor as another one"),
    (number_with_two_names, "a tensor has two names"),
    (used_in_the_same_statement, "`z` may be the same tensor as another one"),
    (in_a_record, r"may be the same tensor as another one"),
    (part_of_a_name_by_branch, "`z` may be the same tensor as another one"),
    (name_by_a_branch_in_a_branch, "`z` may be the same tensor as another one"),
    (name_by_two_branches, "may be the same tensor as another one"),
    (other_shape, "changes what a tensor made outside of it is"),
    (in_test, "the test of a staged loop changes a tensor"),
]


@pytest.mark.parametrize("trace", [exported, traced, fake])
@pytest.mark.parametrize(("function", "text"), REFUSED)
def test_changes_that_depend_on_what_runs_are_refused(function, text, trace):
    with pytest.raises(TypeError, match=text) as raised:
        trace(function, tensors(*INPUTS[0]))
    assert f'File "{__file__}", line ' in str(raised.value)
    assert f"in {function.__name__}\n" in str(raised.value)

"""What code can read: the attributes and variables that it mentions."""

from autograph.reach.reads import Reads


class Point:
    shared = 0

    def __init__(self, x=0):
        self.x = x

    def move(self, by):
        self.x += by


def read(value):
    return [place.label for place, _ in Reads({"value": value}).places()]


def test_only_what_code_mentions_is_read():
    point = Point()
    assert read(lambda: point) == ["point"]
    assert read(lambda: point.x) == ["point", "point.x"]
    assert "point.shared" in read(lambda: point.shared)
    assert "Point.shared" in read(lambda: point.shared)
    assert "point.x" in read(lambda name: getattr(point, name))


def test_what_a_later_function_mentions_is_read():
    point = Point()
    assert "value[0].x" in read([point, lambda: point, lambda p: p.x])


def test_attributes_are_read_by_patterns_and_operators():
    point, other = Point(), Point()

    class Sum:
        def __add__(self, _):
            return other.x

    total = Sum()

    def match():
        match point:
            case Point(x=1):
                return 1

    assert "point.x" in read(match)
    assert "other.x" in read(lambda: total + 1)

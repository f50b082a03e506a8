"""The arithmetic of the virtual list."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assistant.ui.models.messages import MessageItem
from assistant.ui.widgets.chat.heights import Heights
from assistant.ui.widgets.chat.message_list import MessageList
from assistant.ui.widgets.chat.placement import Placement, Viewport

HEIGHTS = st.lists(st.integers(1, 400), min_size=1, max_size=60)
AREA = Viewport(height=500, margin=24, gap=8)


@given(
    HEIGHTS,
    st.lists(st.tuples(st.integers(0, 59), st.integers(1, 900)), max_size=20),
    st.lists(st.integers(1, 50), max_size=10),
)
def test_sums_and_look_ups_are_those_of_the_plain_list(
    heights: list[int], changes: list[tuple[int, int]], added: list[int]
) -> None:
    tree = Heights(heights)
    plain = list(heights)
    for height in added:
        tree.append(height)
        plain.append(height)
    for index, height in changes:
        if index < len(plain):
            tree.set(index, height)
            plain[index] = height
    assert tree.total == sum(plain)
    for index in range(len(plain)):
        assert tree.offset(index) == sum(plain[:index])
        assert tree.at(sum(plain[:index])) == index
        assert tree.at(sum(plain[: index + 1]) - 1) == index
    assert tree.at(sum(plain) + 100) == len(plain) - 1


def placed(heights: list[int], index: int, top: int) -> Placement:
    placement = Placement(len(heights), heights.__getitem__, AREA)
    placement.around(index, top)
    return placement


@given(HEIGHTS, st.data())
def test_the_viewport_is_covered_without_holes(heights: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(heights) - 1))
    tops = placed(heights, index, data.draw(st.integers(-2_000, 2_000))).tops
    order = sorted(tops)
    assert order == list(range(order[0], order[-1] + 1))
    for above, below in pairwise(order):
        assert tops[below] == tops[above] + heights[above]
    first, last = order[0], order[-1]
    assert tops[first] <= (AREA.margin if first == 0 else 0)
    assert last == len(heights) - 1 or tops[last] + heights[last] >= AREA.height


@given(HEIGHTS, st.data())
def test_a_message_in_the_middle_stays_where_it_is(heights: list[int], data: st.DataObject) -> None:
    padded = [600, *heights, 600]
    index = data.draw(st.integers(1, len(heights)))
    top = data.draw(st.integers(0, 400))
    placement = placed(padded, index, top)
    end = AREA.height - AREA.margin + AREA.gap
    reaches_end = sum(padded[index:]) + top <= end
    begins_too_low = top - sum(padded[:index]) > AREA.margin
    assert reaches_end or begins_too_low or placement.tops[index] == top


@given(HEIGHTS)
def test_the_end_is_at_the_bottom_or_all_fits_from_the_top(heights: list[int]) -> None:
    placement = Placement(len(heights), heights.__getitem__, AREA)
    placement.from_end()
    last = len(heights) - 1
    assert placement.at_end
    bottom = placement.tops[last] + heights[last] - AREA.gap
    if sum(heights) - AREA.gap <= AREA.height - 2 * AREA.margin:
        assert placement.tops[0] == AREA.margin
    else:
        assert bottom == AREA.height - AREA.margin


def test_a_measured_height_survives_messages_added_before_it() -> None:
    messages = MessageList(720)
    messages.replace_all([MessageItem("b", "user", "x"), MessageItem("c", "user", "y")])
    messages.measure(1, 777)
    messages.prepend([MessageItem("a", "user", "z")])
    assert messages.index("c") == 2
    assert messages.heights[2] == 777


def test_a_measured_height_goes_with_the_new_name_of_its_message() -> None:
    messages = MessageList(720)
    messages.replace_all([MessageItem("a", "user", "x")])
    messages.measure(0, 777)
    messages.rename("a", "b")
    messages.prepend([])
    assert "a" not in messages
    assert messages[0].message_id == "b"
    assert messages.heights[0] == 777

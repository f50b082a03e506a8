"""The text of messages as documents: nothing is loaded, what stays is not touched, everything can be selected."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QUrl
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocument
from PySide6.QtWidgets import QToolTip, QWidget

from assistant.ui.widgets.chat.blocks import Paragraph, Run, Table
from assistant.ui.widgets.chat.markdown import parse
from assistant.ui.widgets.chat.prose_document import ProseDocument
from assistant.ui.widgets.chat.prose_formats import ProseFormats, is_right_to_left
from assistant.ui.widgets.chat.prose_view import ProseView, TableView
from assistant.ui.widgets.chat.table_document import TableDocument
from assistant.ui.widgets.chat.text_view import TextView
from tests.ui.chat_support import light_theme, settle, shown


@pytest.fixture
def formats(qapp: Any) -> ProseFormats:
    return ProseFormats(light_theme(qapp))


def prose(formats: ProseFormats, source: str) -> tuple[QWidget, ProseView]:
    """A shown view in a parent that the caller keeps."""
    page = QWidget()
    view = ProseView(page, formats)
    view.show_paragraphs([block for block in parse(source) if isinstance(block, Paragraph)])
    view.resize(600, view.height_at(600))
    shown(page, 640, 480)
    return page, view


def described(document: QTextDocument) -> list[tuple[str, float, list[tuple[str, bool, bool, str]]]]:
    """What a document holds, piece by piece with its look."""
    result = []
    block = document.begin()
    while block.isValid():
        pieces: list[tuple[str, bool, bool, str]] = []
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            form = fragment.charFormat()
            piece = (fragment.text(), form.fontWeight() > 500, form.fontItalic(), form.anchorHref())
            if pieces and pieces[-1][1:] == piece[1:]:
                pieces[-1] = (pieces[-1][0] + piece[0], *piece[1:])
            else:
                pieces.append(piece)
            iterator += 1
        result.append((block.text(), block.blockFormat().topMargin(), pieces))
        block = block.next()
    return result


RUNS = st.lists(
    st.builds(
        Run, st.text("ab😀\n漢م ", min_size=1, max_size=8), st.booleans(), st.booleans(), code=st.booleans()
    ),
    max_size=4,
).map(tuple)
PARAGRAPHS = st.lists(
    st.builds(
        Paragraph,
        st.sampled_from(["text", "heading"]),
        RUNS,
        st.sampled_from([0, 1, 3]),
        st.sampled_from(["", "l", "q"]),
    ),
    max_size=6,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARAGRAPHS, min_size=1, max_size=4))
def test_changing_a_document_step_by_step_gives_the_same_as_writing_it_once(
    formats: ProseFormats, states: list[list[Paragraph]]
) -> None:
    stepwise, once = QTextDocument(), QTextDocument()
    changing = ProseDocument(stepwise, formats)
    for state in states:
        changing.show(state)
    ProseDocument(once, formats).show(states[-1])
    assert described(stepwise) == described(once)


def test_text_that_is_added_behind_a_selection_does_not_join_it(formats: ProseFormats) -> None:
    page, view = prose(formats, "one two")
    view.selectAll()
    view.show_paragraphs([block for block in parse("one two three") if isinstance(block, Paragraph)])
    assert view.selected_text() == "one two"
    assert page is not None


def test_each_paragraph_is_one_block_whatever_its_text(formats: ProseFormats) -> None:
    document = QTextDocument()
    ProseDocument(document, formats).show([Paragraph("text", (Run("a\nb"),)), Paragraph("text", (Run("c"),))])
    assert document.blockCount() == 2


def test_text_that_grows_keeps_the_selection(formats: ProseFormats) -> None:
    page, view = prose(formats, "one **two** three")
    cursor = view.textCursor()
    cursor.setPosition(4)
    cursor.setPosition(7, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    view.show_paragraphs(
        [block for block in parse("one **two** three and four\n\n- five") if isinstance(block, Paragraph)]
    )
    assert view.selected_text() == "two"
    assert page is not None


def test_no_image_is_ever_loaded(formats: ProseFormats) -> None:
    page, view = prose(formats, "![x](http://tracker.test/p.png) <img src='file:///etc/hostname'>")
    for name in (
        "http://tracker.test/p.png",
        "file:///etc/hostname",
        ":/qt-project.org/styles/commonstyle/images/up-32.png",
    ):
        for kind in (QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.HtmlResource):
            assert not view.loadResource(kind.value, QUrl(name))
            assert not view.document().resource(kind.value, QUrl(name))
    assert "￼" not in view.toPlainText()
    assert page is not None


def test_the_chat_brings_in_no_network_module() -> None:
    code = (
        "import sys; import assistant.ui.widgets.chat.conversation_view, assistant.ui.widgets.chat.composer;"
        "print([m for m in sys.modules if 'QtNetwork' in m or 'WebEngine' in m or m in ('socket', 'ssl', 'httpx')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_click_on_a_link_is_told_and_nothing_is_opened(formats: ProseFormats) -> None:
    page, view = prose(formats, "[docs](https://x.test/ä?q=1)")
    asked: list[str] = []
    view.link_activated.connect(asked.append)
    source = view.source()
    view.anchorClicked.emit(QUrl("https://x.test/ä?q=1"))
    settle()
    assert asked == ["https://x.test/%C3%A4?q=1"]
    assert view.source() == source
    assert page is not None


def test_an_address_that_poses_as_another_one_shows_its_true_form(formats: ProseFormats) -> None:
    page, view = prose(formats, "[bank](https://pаypal.test/)")  # the second letter is Cyrillic
    asked: list[str] = []
    view.link_activated.connect(asked.append)
    href = view.document().begin().begin().fragment().charFormat().anchorHref()
    view.anchorClicked.emit(QUrl(href))
    assert asked[0].startswith("https://xn--")
    assert page is not None


def test_text_with_a_link_is_a_tab_stop_and_other_text_is_not(formats: ProseFormats) -> None:
    from PySide6.QtCore import Qt

    page, plain = prose(formats, "no link")
    other, linked = prose(formats, "[a](https://x.test)")
    assert not plain.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert linked.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert page is not other


def test_the_selection_has_the_markers_of_whole_items(formats: ProseFormats) -> None:
    page, view = prose(formats, "Do:\n\n- first\n- second\n\n7. seventh")
    view.selectAll()
    assert view.selected_text() == "Do:\n• first\n• second\n7. seventh"
    view.copy()
    assert QGuiApplication.clipboard().text() == "Do:\n• first\n• second\n7. seventh"
    assert not QGuiApplication.clipboard().mimeData().hasHtml()
    assert page is not None


def test_the_menu_offers_copy_for_a_selection_and_remember_always(formats: ProseFormats) -> None:
    page, view = prose(formats, "some words")
    asked: list[str] = []
    view.remember_requested.connect(asked.append)

    def entry(title: str) -> Any:
        return next(action for action in view.menu_at(QPoint(1, 1)).actions() if action.text() == title)

    assert not entry("Copy").isEnabled()
    entry("Remember this").trigger()
    view.selectAll()
    assert entry("Copy").isEnabled()
    entry("Remember selection").trigger()
    assert asked == ["", "some words"]
    assert page is not None


def test_right_to_left_paragraphs_start_at_the_right(formats: ProseFormats) -> None:
    page, view = prose(formats, "- مرحبا بك\n- hello")
    first, second = view.document().firstBlock(), view.document().lastBlock()
    assert first.blockFormat().rightMargin() > 0
    assert first.blockFormat().leftMargin() == 0
    assert second.blockFormat().leftMargin() > 0
    assert is_right_to_left("123 — שלום")
    assert not is_right_to_left("123 hello שלום")
    assert page is not None


def test_a_table_that_grows_equals_one_that_is_written_whole(formats: ProseFormats) -> None:
    rows = tuple(((Run(f"{n}"),), (Run("x" * n),)) for n in range(6))
    growing, whole = QTextDocument(), QTextDocument()
    table = TableDocument(growing, formats)
    for count in (1, 2, 2, 5, 6, 3, 6):
        table.show(Table(((Run("n"),), (Run("x"),)), rows[:count], ("", "right")))
    TableDocument(whole, formats).show(Table(((Run("n"),), (Run("x"),)), rows, ("", "right")))
    assert growing.toPlainText() == whole.toPlainText()
    assert growing.size() == whole.size()


def test_a_table_wider_than_the_page_scrolls_sideways_in_itself(formats: ProseFormats) -> None:
    page = QWidget()
    view = TableView(page, formats)
    (table,) = parse("|" + " a |" * 60 + "\n|" + "---|" * 60 + "\n|" + " wide |" * 60)
    assert isinstance(table, Table)
    view.show_table(table)
    view.resize(400, view.height_at(400))
    shown(page)
    assert view.horizontalScrollBar().maximum() > 0


def test_selected_cells_are_copied_as_rows_and_columns(formats: ProseFormats) -> None:
    page = QWidget()
    view = TableView(page, formats)
    (table,) = parse("| a | b |\n|---|---|\n| 1 | **2** |\n| 3 | 4 |")
    assert isinstance(table, Table)
    view.show_table(table)
    view.resize(400, view.height_at(400))
    shown(page)
    shown_table = view.document().rootFrame().childFrames()[0]
    cursor = shown_table.firstCursorPosition()
    cursor.setPosition(shown_table.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    assert view.selected_text() == "a\tb\n1\t2\n3\t4"


def test_a_link_under_the_pointer_tells_its_address(formats: ProseFormats) -> None:
    page, view = prose(formats, "[a](https://x.test/ä)")
    view.highlighted.emit(QUrl("https://x.test/ä"))
    assert QToolTip.text() == "https://x.test/%C3%A4"
    view.highlighted.emit(QUrl())
    assert page is not None


def test_text_is_as_high_as_its_lines(formats: ProseFormats) -> None:
    page, view = prose(formats, "word " * 200)
    narrow, wide = view.height_at(200), view.height_at(600)
    assert narrow > 2 * wide
    view.resize(600, wide)
    assert view.verticalScrollBar().maximum() == 0
    assert isinstance(view, TextView)
    assert page is not None

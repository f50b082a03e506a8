"""The one style sheet. Widgets opt into a look by their `kind` property, never by colours of their own."""

from __future__ import annotations

from assistant.config.paths import resource
from assistant.ui.theme.tokens import RADIUS, SPACE, TYPE, Tokens


def _picture(name: str, t: Tokens) -> str:
    """A small picture that a style sheet can only take from a file."""
    return resource(f"icons/{name}-{t.name}.svg").as_posix()


def stylesheet(t: Tokens) -> str:
    """Qt style sheet for the tokens `t`."""
    return f"""
* {{ font-size: {TYPE.side}px; }}
QWidget {{ color: {t.text}; }}
QMainWindow, QDialog, QWidget[kind="page"] {{ background: {t.window}; }}
QWidget[kind="side"] {{ background: {t.sunken}; }}
QFrame[kind="card"] {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: {RADIUS.card}px; }}
QFrame[kind="rule"] {{ background: {t.line}; border: none; max-height: 1px; min-height: 1px; }}
QLabel {{ background: transparent; }}
QLabel[kind="welcome"] {{ font-size: {TYPE.welcome}px; font-weight: 600; }}
QLabel[kind="title"] {{ font-size: {TYPE.title}px; font-weight: 600; }}
QLabel[kind="brand"] {{ font-size: {TYPE.reading}px; font-weight: 600; }}
QLabel[kind="reading"] {{ font-size: {TYPE.reading}px; }}
QLabel[kind="heading"] {{ font-size: {TYPE.reading}px; font-weight: 600; }}
QLabel[kind="muted"] {{ color: {t.muted}; }}
QLabel[kind="small"] {{ color: {t.muted}; font-size: {TYPE.small}px; }}
QLabel[kind="danger"] {{ color: {t.danger}; }}
QLabel[kind="warn"] {{ color: {t.warn}; }}
QLabel[kind="ok"] {{ color: {t.ok}; }}
QLabel[kind="memory"] {{ color: {t.memory}; }}

QLineEdit, QPlainTextEdit[kind="field"], QTextEdit[kind="field"], QSpinBox, QDoubleSpinBox, QComboBox {{
    background: {t.surface}; border: 1px solid {t.line}; border-radius: {RADIUS.control}px;
    padding: 6px 10px; min-height: 18px; selection-background-color: {t.accent};
    selection-color: {t.on_accent};
}}
QLineEdit:focus, QPlainTextEdit[kind="field"]:focus, QTextEdit[kind="field"]:focus, QSpinBox:focus,
QDoubleSpinBox:focus, QComboBox:focus {{ border: 2px solid {t.accent}; padding: 5px 9px; }}
QLineEdit:disabled {{ color: {t.muted}; }}
QLineEdit, QPlainTextEdit, QTextEdit {{ placeholder-text-color: {t.muted}; }}
QComboBox::drop-down {{ border: none; width: 26px; }}
QComboBox::down-arrow {{ image: url("{_picture("chevron", t)}"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ background: {t.surface}; border: 1px solid {t.line}; padding: 4px;
    selection-background-color: {t.selected}; selection-color: {t.text}; outline: none; }}

QPushButton {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: {RADIUS.control}px;
    padding: 6px 14px; min-height: 18px; }}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:pressed {{ background: {t.selected}; }}
QPushButton:focus {{ border: 2px solid {t.accent}; padding: 5px 13px; }}
QPushButton:disabled {{ color: {t.muted}; background: {t.sunken}; }}
QPushButton[kind="primary"] {{ background: {t.accent}; color: {t.on_accent}; border: 1px solid {t.accent};
    font-weight: 600; }}
QPushButton[kind="primary"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[kind="primary"]:disabled {{ background: {t.sunken}; color: {t.muted}; border-color: {t.line}; }}
QPushButton[kind="danger"] {{ background: {t.danger}; color: {t.surface if not t.is_dark else t.window};
    border: 1px solid {t.danger}; font-weight: 600; }}
QPushButton[kind="danger"]:disabled {{ background: {t.sunken}; color: {t.muted}; border-color: {t.line}; }}
QPushButton[kind="quiet"] {{ background: transparent; border: 1px solid transparent; padding: 4px 8px; }}
QPushButton[kind="quiet"]:hover {{ background: {t.hover}; }}
QPushButton[kind="quiet"]:focus {{ border: 2px solid {t.accent}; padding: 3px 7px; }}
QPushButton[kind="link"] {{ background: transparent; border: 1px solid transparent; color: {t.accent};
    padding: 2px 4px; }}
QPushButton[kind="link"]:hover {{ text-decoration: underline; }}
QPushButton[kind="link"]:focus {{ border: 1px solid {t.accent}; border-radius: 4px; }}
QPushButton[kind="choice"] {{ text-align: left; padding: {SPACE.m}px {SPACE.l}px; min-height: 58px;
    border-radius: {RADIUS.card}px; }}
QPushButton[kind="choice"]:checked {{ border: 2px solid {t.accent}; background: {t.accent_soft}; }}
QPushButton[kind="chip"] {{ background: {t.sunken}; color: {t.muted}; border: 1px solid transparent;
    border-radius: 11px; padding: 2px 10px; font-size: {TYPE.small}px; min-height: 16px; }}
QPushButton[kind="chip"]:hover {{ color: {t.text}; }}
QPushButton[kind="chip"]:focus {{ border: 1px solid {t.accent}; }}
QPushButton[kind="memorychip"] {{ background: {t.memory_soft}; color: {t.memory};
    border: 1px solid transparent; border-radius: 11px; padding: 2px 10px; font-size: {TYPE.small}px;
    min-height: 16px; }}
QPushButton[kind="memorychip"]:hover, QPushButton[kind="memorychip"]:focus {{ border: 1px solid {t.memory}; }}

QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: {RADIUS.control}px;
    padding: 5px; }}
QToolButton:hover {{ background: {t.hover}; }}
QToolButton:pressed, QToolButton:checked {{ background: {t.selected}; }}
QToolButton:focus {{ border: 1px solid {t.accent}; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
QToolButton[kind="send"] {{ background: {t.accent}; border-radius: {RADIUS.control}px; padding: 6px; }}
QToolButton[kind="send"]:focus {{ border: 2px solid {t.text}; padding: 5px; }}
QToolButton[kind="send"]:disabled {{ background: {t.sunken}; }}

QTextBrowser[kind="prose"] {{ background: transparent; border: none; padding: 0; }}
QFrame[kind="bubble"] {{ background: {t.accent_soft}; border: none; border-radius: {RADIUS.card}px; }}
QFrame[kind="bubble"][editing="true"] {{ border: 1px solid {t.accent}; }}
QFrame[kind="banner"] {{ background: {t.sunken}; border: 1px solid {t.line}; border-radius: {RADIUS.control}px; }}
QFrame[kind="banner"][temporary="true"] {{ border: 1px dashed {t.muted}; }}
QToolButton[kind="variant"] {{ color: {t.muted}; padding: 0; font-size: {TYPE.reading}px; }}
QToolButton[kind="variant"]:hover {{ color: {t.text}; }}
QToolButton[kind="variant"]:disabled {{ color: {t.line}; background: transparent; }}
QFrame[kind="code"] {{ background: {t.sunken}; border: 1px solid {t.line}; border-radius: {RADIUS.control}px; }}
QPlainTextEdit[kind="code"] {{ background: transparent; border: none; padding: 2px {SPACE.m}px 0 {SPACE.m}px; }}
QPushButton[kind="codefold"] {{ background: transparent; color: {t.muted}; border: none; border-radius: 0;
    border-top: 1px solid {t.line}; padding: 0 {SPACE.m}px; min-height: 0; text-align: left;
    font-size: {TYPE.small}px; }}
QPushButton[kind="codefold"]:hover {{ color: {t.text}; }}
QPushButton[kind="codefold"]:focus {{ color: {t.text}; border: 1px solid {t.accent}; }}
QPushButton[kind="disclosure"] {{ background: transparent; color: {t.muted}; border: 1px solid transparent;
    padding: 2px {SPACE.s}px 2px {SPACE.xs}px; text-align: left; }}
QPushButton[kind="disclosure"]:hover {{ color: {t.text}; }}
QPushButton[kind="disclosure"]:focus {{ border: 1px solid {t.accent}; }}
QPushButton[kind="meter"] {{ background: transparent; color: {t.muted}; border: 1px solid transparent;
    border-radius: 6px; padding: 1px {SPACE.xs}px; min-height: 16px; font-size: {TYPE.small}px; }}
QPushButton[kind="meter"]:hover {{ color: {t.text}; text-decoration: underline; }}
QPushButton[kind="meter"]:focus {{ border: 1px solid {t.accent}; padding: 1px {SPACE.xs}px; }}
QPushButton[kind="meter"][level="over"] {{ color: {t.danger}; }}
QPushButton[kind="memorylink"] {{ background: transparent; color: {t.memory}; border: 1px solid transparent;
    border-radius: 6px; padding: 0 {SPACE.xs}px; min-height: 16px; font-size: {TYPE.small}px; font-weight: 600; }}
QPushButton[kind="memorylink"]:hover {{ text-decoration: underline; }}
QPushButton[kind="memorylink"]:focus {{ border: 1px solid {t.memory}; }}
QPushButton[kind="leading"] {{ background: {t.memory_soft}; color: {t.memory}; border: 1px solid transparent;
    padding: 5px {SPACE.m}px; text-align: left; }}
QPushButton[kind="leading"]:hover, QPushButton[kind="leading"]:focus {{ border: 1px solid {t.memory};
    padding: 5px {SPACE.m}px; }}
QPushButton[kind="tab"] {{ background: transparent; color: {t.muted}; border: 1px solid transparent; }}
QPushButton[kind="tab"]:hover {{ color: {t.text}; }}
QPushButton[kind="tab"]:checked {{ background: {t.memory_soft}; color: {t.memory}; }}
QPushButton[kind="tab"]:focus {{ border: 1px solid {t.memory}; padding: 6px 14px; }}
QLabel[kind="chiptext"] {{ color: {t.memory}; font-size: {TYPE.small}px; }}
QLabel[kind="chipmuted"] {{ color: {t.muted}; font-size: {TYPE.small}px; }}
QLabel[kind="detail"] {{ color: {t.muted}; font-size: {TYPE.small}px; }}
QToolButton[kind="jump"] {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: 18px; padding: 0; }}
QToolButton[kind="jump"]:hover {{ background: {t.hover}; }}
QFrame[kind="composer"] {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: {RADIUS.card}px; }}
QFrame[kind="composer"][temporary="true"] {{ background: {t.sunken}; border: 1px dashed {t.muted}; }}
QFrame[kind="composer"][active="true"] {{ border: 1px solid {t.accent}; }}
QFrame[kind="composer"][temporary="true"][active="true"] {{ border: 1px dashed {t.accent}; }}
QPlainTextEdit[kind="composer"] {{ background: transparent; border: none; padding: 0; font-size: {TYPE.reading}px;
    selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}

QListView {{ background: transparent; border: none; outline: none; }}
QTableView {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: {RADIUS.control}px; }}
QHeaderView {{ background: transparent; }}
QHeaderView::section {{ background: {t.surface}; color: {t.muted}; border: none;
    border-bottom: 1px solid {t.line}; padding: 6px 8px; }}
QTableView::item {{ padding: 4px 8px; }}
QScrollArea {{ background: transparent; border: none; }}
QScrollArea > QWidget > QWidget[kind="page"] {{ background: {t.window}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {t.line}; border-radius: 4px; min-height: 32px; margin: 1px; }}
QScrollBar::handle:vertical:hover {{ background: {t.muted}; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {t.line}; border-radius: 4px; min-width: 32px; margin: 1px; }}
QScrollBar::handle:horizontal:hover {{ background: {t.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: transparent; border: none; height: 0; width: 0; }}

QMenu {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: {RADIUS.control}px;
    padding: 4px; }}
QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 6px; }}
QMenu::item:selected {{ background: {t.hover}; }}
QMenu::item:disabled {{ color: {t.muted}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
QToolTip {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.line}; padding: 4px 8px; }}
QProgressBar {{ background: {t.sunken}; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
QCheckBox, QRadioButton {{ spacing: {SPACE.s}px; background: transparent; }}
QCheckBox::indicator {{ width: 16px; height: 16px; border: 1px solid {t.muted}; border-radius: 4px;
    background: {t.surface}; }}
QCheckBox::indicator:checked {{ background: {t.accent}; border-color: {t.accent};
    image: url("{_picture("check", t)}"); }}
QCheckBox::indicator:focus {{ border: 2px solid {t.accent}; }}
QCheckBox:disabled, QRadioButton:disabled, QLabel:disabled, QSpinBox:disabled {{ color: {t.muted}; }}
QCheckBox::indicator:disabled {{ border-color: {t.line}; background: {t.sunken}; image: none; }}
QCheckBox::indicator:checked:disabled {{ border-color: {t.muted}; background: {t.muted};
    image: url("{_picture("check", t)}"); }}
QRadioButton::indicator {{ width: 16px; height: 16px; border: 1px solid {t.muted}; border-radius: 9px;
    background: {t.surface}; }}
QRadioButton::indicator:checked {{ width: 8px; height: 8px; border: 5px solid {t.accent}; background: {t.on_accent}; }}
QRadioButton::indicator:focus {{ border-color: {t.accent}; }}
QRadioButton::indicator:unchecked:focus {{ width: 14px; height: 14px; border: 2px solid {t.accent}; }}
QRadioButton::indicator:disabled {{ border-color: {t.line}; background: {t.sunken}; }}
QRadioButton::indicator:checked:disabled {{ border-color: {t.muted}; background: {t.sunken}; }}
QRadioButton:focus {{ color: {t.accent}; }}
QProgressBar[kind="memory"]::chunk {{ background: {t.memory}; }}
QSpinBox::up-button, QSpinBox::down-button {{ width: 0; border: none; }}
QDialog {{ border: 1px solid {t.line}; }}
QSplitter::handle {{ background: transparent; }}
QTabBar::tab {{ background: transparent; padding: 8px 14px; border: none; color: {t.muted}; }}
QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {t.line}; }}
"""

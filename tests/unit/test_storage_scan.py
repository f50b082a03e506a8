"""The byte scan finds text wherever and however it is written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.core.errors import InvalidInputError, InvalidTextError, StorageError
from assistant.storage.scan import Hit, find_bytes, fragments


def test_a_hit_says_file_place_and_encoding(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "a.bin"
    file.parent.mkdir()
    file.write_bytes(b"\xff\x00Grun" + "Grüße".encode())
    assert find_bytes(tmp_path, ["Grüße"]) == [Hit(file, 6, "Grüße", "utf-8")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "json"])
def test_text_is_found_in_each_encoding(tmp_path: Path, encoding: str) -> None:
    text = "Größe 日本 🎉"
    content = json.dumps(text).encode() if encoding == "json" else text.encode(encoding)
    (tmp_path / "a").write_bytes(b"..." + content + b"...")
    assert {hit.encoding for hit in find_bytes(tmp_path, [text])} == {encoding}


def test_every_place_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"aaaa")
    (tmp_path / "b").write_bytes(b"-aa")
    assert [(hit.path.name, hit.offset) for hit in find_bytes(tmp_path, [b"aa"])] == [
        ("a", 0),
        ("a", 1),
        ("a", 2),
        ("b", 1),
    ]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.lists(st.sampled_from(["a", "b", "ä", "\0"]), max_size=60).map("".join),
    needle=st.lists(st.sampled_from(["a", "b", "ä", "\0"]), min_size=1, max_size=5).map("".join),
    chunk=st.integers(1, 20),
)
def test_no_border_between_chunks_hides_a_hit(tmp_path: Path, content: str, needle: str, chunk: int) -> None:
    stored, wanted = content.encode(), needle.encode()
    (tmp_path / "a").write_bytes(stored)
    expected = [at for at in range(len(stored)) if stored.startswith(wanted, at)]
    assert [hit.offset for hit in find_bytes(tmp_path, [wanted], chunk=chunk)] == expected


def test_several_needles_are_found_in_one_pass(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"penicillin and peanuts")
    hits = find_bytes(tmp_path, ["peanuts", b"penicillin", "pen", "absent"])
    assert {(hit.offset, hit.needle) for hit in hits} == {(0, b"penicillin"), (0, "pen"), (15, "peanuts")}


def test_a_single_file_and_a_missing_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x marks")
    assert len(find_bytes(tmp_path / "a", ["marks"])) == 1
    assert find_bytes(tmp_path / "missing", ["marks"]) == []


def test_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "a").write_bytes(b"secret")
    (inside / "file").symlink_to(outside / "a")
    (inside / "folder").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    assert find_bytes(inside, ["secret"]) == []


def test_an_empty_needle_is_refused(tmp_path: Path) -> None:
    for needle in ("", b""):
        with pytest.raises(InvalidInputError):
            find_bytes(tmp_path, ["fine", needle])


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidTextError):
        find_bytes(tmp_path, ["a\ud800"])


def test_a_file_that_can_not_be_read_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"x")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StorageError, match="not known what it holds"):
        find_bytes(tmp_path, ["x"])


def test_sockets_and_pipes_are_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert find_bytes(tmp_path, ["x"]) == []


@settings(max_examples=200, deadline=None)
@given(text=st.text(min_size=1, max_size=200), cut=st.integers(0, 200), length=st.integers(2, 30))
def test_wherever_a_page_ends_one_fragment_is_whole(text: str, cut: int, length: int) -> None:
    pieces = fragments(text, length=length)
    assert all(piece in text for piece in pieces)
    before, after = text[:cut], text[cut:]
    if len(text) >= 2 * length and text.isalnum():
        assert any(piece in before or piece in after for piece in pieces)


def test_a_short_text_is_its_own_fragment_and_blank_text_has_none() -> None:
    assert fragments("short") == ["short"]
    assert fragments(" \n") == []

"""A look into the index files of Chroma before its native code reads them.

That code trusts what it reads: a file that was cut short, blanked by a crash or written over makes it answer
wrongly without a word, or ends the process. The layout (hnswlib's, as Chroma 1.x saves it) is

* `header.bin`, 100 bytes: version; offset of the links, capacity, number of elements, bytes of an element, offsets of
  its label and of its vector; top level, entry element; the most links on upper levels, on the lowest one, M;
  two numbers of the construction
* `data_level0.bin`: the elements: number of links (16 bits), links (32 bits each), vector, label (64 bits)
* `length.bin`: a float for each element
* `link_lists.bin`: for each element the bytes of its links on upper levels, then those links
* `index_metadata.pickle`: Chroma's own table of labels, once the index has elements
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

INDEX_FILES = ("header.bin", "data_level0.bin", "length.bin", "link_lists.bin")
_LABELS = "index_metadata.pickle"
_HEADER = struct.Struct("<i6QiI3QdQ")
_VERSION = 1
_LINK_BYTES = 4


@dataclass(frozen=True, slots=True)
class _Header:
    version: int
    links_at: int
    capacity: int
    count: int
    element_bytes: int
    label_at: int
    vector_at: int
    top_level: int
    entry: int
    most_links: int
    most_links_lowest: int


def damage_of(folder: Path) -> str:
    """What is wrong with the index in `folder`; empty when nothing is, or when there is no index.

    Raises:
        OSError: a file can't be read.
    """
    present = [name for name in INDEX_FILES if (folder / name).is_file()]
    if not present:
        return ""
    missing = sorted(set(INDEX_FILES) - set(present))
    if missing:
        return f"{', '.join(missing)} missing"
    content = (folder / "header.bin").read_bytes()
    if len(content) != _HEADER.size:
        return "header.bin has a wrong size"
    header = _Header(*_HEADER.unpack(content)[:11])
    if header.version != _VERSION:
        return f"header.bin has version {header.version}"
    if element_count(folder) == 0:
        return ""
    return _header_damage(header) or _elements_damage(folder, header) or _levels_damage(folder, header)


def element_count(folder: Path) -> int:
    """Elements of the index in `folder`; 0 when there is none that Chroma would use.

    Without its table of labels Chroma begins an index anew, from the log.
    """
    try:
        content = (folder / "header.bin").read_bytes()
    except OSError:
        return 0
    if len(content) != _HEADER.size or not (folder / _LABELS).is_file():
        return 0
    return int(_HEADER.unpack(content)[3])


def _header_damage(header: _Header) -> str:
    links_end = header.links_at + _LINK_BYTES * (1 + header.most_links_lowest)
    fits = (
        header.count <= header.capacity
        and 0 < header.most_links <= header.most_links_lowest < 10_000
        and links_end <= header.vector_at < header.label_at
        and header.label_at + 8 <= header.element_bytes < 1_000_000
        and header.entry < header.count
        and 0 <= header.top_level < 64
    )
    return "" if fits else "header.bin makes no sense"


def _elements_damage(folder: Path, header: _Header) -> str:
    import numpy as np

    size = (folder / "data_level0.bin").stat().st_size
    if size < header.count * header.element_bytes:
        return "data_level0.bin is cut short"
    if (folder / "length.bin").stat().st_size < 4 * header.count:
        return "length.bin is cut short"
    elements = np.memmap(
        folder / "data_level0.bin", dtype=np.uint8, mode="r", shape=(header.count, header.element_bytes)
    )
    at = header.links_at
    numbers = np.ascontiguousarray(elements[:, at : at + 2]).view("<u2")
    links_end = at + _LINK_BYTES * (1 + header.most_links_lowest)
    links = np.ascontiguousarray(elements[:, at + _LINK_BYTES : links_end]).view("<u4")
    labels = np.ascontiguousarray(elements[:, header.label_at : header.label_at + 8]).view("<u8")
    used = np.arange(header.most_links_lowest)[np.newaxis, :] < numbers
    sound = (
        int(numbers.max()) <= header.most_links_lowest
        and bool((links[used] < header.count).all())
        and len(np.unique(labels)) == header.count
    )
    return "" if sound else "data_level0.bin makes no sense"


def _levels_damage(folder: Path, header: _Header) -> str:
    content = (folder / "link_lists.bin").read_bytes()
    level_bytes = _LINK_BYTES * (1 + header.most_links)
    at, levels_of_entry = 0, 0
    for element in range(header.count):
        if at + 4 > len(content):
            return "link_lists.bin is cut short"
        (size,) = struct.unpack_from("<I", content, at)
        at += 4
        if size % level_bytes or at + size > len(content):
            return "link_lists.bin makes no sense"
        for level in range(at, at + size, level_bytes):
            (number,) = struct.unpack_from("<H", content, level)
            if number > header.most_links:
                return "link_lists.bin makes no sense"
            links = struct.unpack_from(f"<{number}I", content, level + 4)
            if any(link >= header.count for link in links):
                return "link_lists.bin makes no sense"
        if element == header.entry:
            levels_of_entry = size // level_bytes
        at += size
    return "" if levels_of_entry == header.top_level else "link_lists.bin does not fit header.bin"

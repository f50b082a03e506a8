"""What a program asks of the system's scheduler."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import struct
import sys
from pathlib import Path

_SET_ATTRIBUTES = {"x86_64": 314, "aarch64": 274}
"""Numbers of the system call sched_setattr(2)."""
_ATTRIBUTES = struct.Struct("<IIQiIQQQ")
_NORMAL = 0
_RESET_ON_FORK = 1
_SHORTEST_SLICE_NS = 100_000


def wake_promptly() -> bool:
    """Have the calling thread get a core soon after it wakes, though others compute; it gets no more time in all.

    Linux may let a thread wait until the next tick of its clock, 4 ms, before one that runs gives way. Since 6.12 one
    that asks for short slices of time goes first (EEVDF: an earlier virtual deadline). Threads and processes that it
    starts have slices of the usual length.

    Returns:
        Whether the system took it; elsewhere nothing changes.
    """
    number = _SET_ATTRIBUTES.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return False
    if os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK != _NORMAL:
        return False
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    wanted = _ATTRIBUTES.pack(
        _ATTRIBUTES.size, _NORMAL, _RESET_ON_FORK, niceness, 0, _SHORTEST_SLICE_NS, 0, 0
    )
    return bool(ctypes.CDLL(None).syscall(number, 0, ctypes.create_string_buffer(wanted), 0) == 0)


def give_way(niceness: int) -> None:
    """Lower the priority of this process, a child that computes, and of its session.

    Args:
        niceness: 1 to 19, the higher the lower. Windows: `start_child` has lowered it already.
    """
    if not hasattr(os, "nice"):
        return
    os.nice(niceness)
    if os.getsid(0) == os.getpid():
        # Linux compares sessions first, and a process's own priority within its session only.
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")

"""The `keepsake` command: starts the app, or answers about it. Imports nothing heavy before it has to."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from assistant.core.errors import AssistantError
from assistant.core.version import VERSION

CHILD_MODULES = (
    "assistant.models.local_server",
    "assistant.embedding.export",
    "assistant.embedding.embedding_worker",
    "assistant.memory.chroma_worker",
    "assistant.memory.ledger.index_worker",
)
"""What a frozen program may run as its own child process; see `assistant.core.process.child_command`."""

_USAGE_ERROR = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: the words after the program's name; those of this process by default.

    Returns:
        The exit code: 0 when all went well, 1 when something failed, 2 for words that it does not know.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    # For this process and its children: ONNX Runtime reports to its maker from the moment it is imported.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    if getattr(sys, "frozen", False):
        import multiprocessing

        multiprocessing.freeze_support()
    if words[:1] == ["--child"]:
        return _run_child(words[1:])
    parser = _parser()
    try:
        options = parser.parse_args(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else _USAGE_ERROR
    if options.version:
        print(f"keepsake {VERSION}")
        return 0
    try:
        if options.self_test:
            from assistant.selftest import run_self_test

            return run_self_test()
        from assistant.bootstrap import run_app

        return run_app(options.profile)
    except AssistantError as error:
        print(f"keepsake: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keepsake", description="A private desktop assistant that remembers.", allow_abbrev=False
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--self-test", action="store_true", help="check that every part works here")
    parser.add_argument(
        "--profile", default="default", metavar="NAME", help="whose data to open (default: %(default)s)"
    )
    return parser


def _run_child(words: list[str]) -> int:
    if not words or words[0] not in CHILD_MODULES:
        print(f"keepsake: --child takes one of: {', '.join(CHILD_MODULES)}", file=sys.stderr)
        return _USAGE_ERROR
    import runpy

    sys.argv = words
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

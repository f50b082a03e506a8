"""Puts resources/ into an installed copy, as assistant/resources; everything else is in pyproject.toml."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithResources(build_py):
    """Copies the package, and what it finds through `assistant.config.resource`."""

    def run(self) -> None:
        super().run()
        # An editable install finds the folder where it is.
        if not self.editable_mode:
            target = Path(self.build_lib) / "assistant" / "resources"
            shutil.copytree(Path(__file__).parent / "resources", target, dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithResources})

"""Prepare the models that come with Keepsake.

python packaging/prepare_models.py           the embedding model, into this user's cache, where the app looks
python packaging/prepare_models.py FOLDER    FOLDER/embedding-model and FOLDER/trial-model, for a bundle
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

from assistant.config.paths import AppPaths
from assistant.core.errors import AssistantError
from assistant.embedding.manifest import export_folder_name, verify_export
from assistant.embedding.provision import open_embedder
from assistant.embedding.weights import BUNDLED_FOLDER, PACKAGED_SHA256
from assistant.models.trial_model import BUNDLE_FOLDER, trial_model_path


def show(step: str, done: int, total: int) -> None:
    print(f"  {step} ({done} of {total})", flush=True)


async def export_into(cache: Path) -> Path:
    """The exported embedding model in `cache`, made when it is not there.

    Raises:
        AssistantError: it can't be made; what the packaged weights give without an export is not enough here.
    """
    embedder = await open_embedder(cache, progress=show)
    await embedder.close()
    folder = cache / export_folder_name(PACKAGED_SHA256)
    verify_export(folder)
    return folder


async def prepare_bundle(folder: Path) -> None:
    exported = await export_into(folder / "exports")
    shutil.rmtree(folder / BUNDLED_FOLDER, ignore_errors=True)
    shutil.copytree(exported, folder / BUNDLED_FOLDER)
    trial = folder / BUNDLE_FOLDER
    trial.mkdir(parents=True, exist_ok=True)
    shutil.copy(trial_model_path(), trial)


def main(arguments: list[str]) -> int:
    try:
        if arguments:
            asyncio.run(prepare_bundle(Path(arguments[0])))
        else:
            asyncio.run(export_into(AppPaths.for_user().cache))
    except AssistantError as error:
        print(f"{error}\n{error.detail}".strip(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

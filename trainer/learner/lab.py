"""JupyterLab, opened on the first chapter."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from trainer.course.clone import NOTEBOOKS, ROOT
from trainer.course.problem import Problem
from trainer.spark import quick_start

SETTINGS = Path(__file__).parent / "jupyter"


def first_chapter() -> str:
    """Name the first notebook, as a path in the clone."""
    chapters = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
    if not chapters:
        raise Problem(
            f"Found no notebook in {NOTEBOOKS}. The kit runs from its clone: "
            "`git clone` it, and `uv run trainer lab` in that folder."
        )
    return chapters[0].relative_to(ROOT).as_posix()


def sign_chapters() -> None:
    """Say that the course's own notebooks may be trusted, so that JupyterLab shows them whole."""
    from nbformat import NO_CONVERT, read
    from nbformat.reader import NotJSONError
    from nbformat.sign import NotebookNotary

    notary = NotebookNotary()
    for chapter in NOTEBOOKS.glob("[0-9]*.ipynb"):
        # One that a learner has spoilt is JupyterLab's to complain about.
        with contextlib.suppress(OSError, NotJSONError):
            notary.sign(read(chapter, NO_CONVERT))


def open_lab(arguments: Sequence[str], console: Console) -> None:
    """Serve JupyterLab until it is stopped; further arguments are JupyterLab's own."""
    from jupyterlab.labapp import LabApp

    chapter = first_chapter()
    # JupyterLab asks about news otherwise, over the page, and looks for them on the network.
    _put_first("JUPYTER_CONFIG_PATH", SETTINGS)
    # Our kernel knows the course's words before the first cell; panel and buttons lie there, too.
    _put_first("JUPYTER_PATH", SETTINGS)
    sign_chapters()
    quick_start.make_in_the_background()
    console.print(f"Opening {chapter} in JupyterLab. To stop it, press Ctrl-C twice.")
    LabApp.launch_instance(
        argv=[
            f"--ServerApp.root_dir={ROOT}",
            f"--LabApp.default_url=/lab/tree/{chapter}",
            f"--FileContentsManager.preferred_dir={NOTEBOOKS}",
            "--log-level=ERROR",
            # Nothing reaches for a network: no news, no look for a newer version.
            "--LabApp.news_url=None",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--LabApp.extension_manager=readonly",
            # What goes between notebook and kernel stays between them.
            "--KernelManager.transport_encryption=auto",
            # In a container one is often root, and JupyterLab would refuse.
            *(["--allow-root"] if os.geteuid() == 0 else []),
            *arguments,
        ]
    )


def _put_first(variable: str, folder: Path) -> None:
    paths = [str(folder), os.environ.get(variable, "")]
    os.environ[variable] = os.pathsep.join(filter(None, paths))

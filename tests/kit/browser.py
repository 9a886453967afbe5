"""JupyterLab in a real browser, as tests drive it."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import nbformat
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
SIZES = {"laptop": (1440, 900), "projector": (1024, 768)}
THEMES = Path("@jupyterlab", "apputils-extension", "themes.jupyterlab-settings")
SERIOUS = ("serious", "critical")


@contextlib.contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """Serve JupyterLab from a clone; give its address."""
    # Settings and open tabs of its own, not those of whoever runs the tests.
    own = {"JUPYTER_RUNTIME_DIR": folder / "runtime", "JUPYTER_CONFIG_DIR": folder / "config"}
    own |= {"PYTHONPATH": folder}
    process = subprocess.Popen(
        [sys.executable, "-m", "trainer.cli", "lab", "--no-browser", "--ServerApp.port_retries=50"],
        cwd=folder,
        env=os.environ | {name: str(place) for name, place in own.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        addresses = (re.search(r"http://127\S+", line) for line in process.stdout)
        yield next(found[0] for found in addresses if found)
    finally:
        process.terminate()
        process.communicate()


@dataclass(frozen=True)
class Lab:
    """A JupyterLab that is served, and a browser to look at it with."""

    folder: Path
    address: str
    browser: BrowserContext

    def write(self, name: str, cells: Sequence[str]) -> str:
        """Write a notebook of code cells; give its path."""
        code = [nbformat.v4.new_code_cell(text) for text in cells]
        notebook = nbformat.v4.new_notebook(cells=code)
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, self.folder / "notebooks" / name)
        return f"notebooks/{name}"

    def choose_theme(self, name: str) -> None:
        """Choose a theme, for all pages that are opened from now on."""
        file = self.folder / "config" / "lab" / "user-settings" / THEMES
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"theme": f"JupyterLab {name.capitalize()}"}))

    @contextlib.contextmanager
    def open(self, path: str, size: str = "laptop") -> Iterator[Page]:
        """Open a notebook in a window of its own; give the page once its kernel is there."""
        width, height = SIZES[size]
        page = self.browser.new_page()
        page.set_viewport_size({"width": width, "height": height})
        # A workspace of its own: what one test opens and folds up is nothing to the next.
        place = f"/lab/workspaces/w{id(page)}/tree/{path}"
        page.goto(re.sub(r"/lab/tree/[^?]*", place, self.address))
        page.get_by_text("| Idle").wait_for()
        try:
            yield page
        finally:
            page.close()
            self._end_kernels()

    def _end_kernels(self) -> None:
        """Let go of kernels, and of the Spark in each."""
        server, token = re.match(r"(http://[^/]+).*token=(\w+)", self.address).groups()
        allowed = {"Authorization": f"token {token}"}
        with urlopen(Request(f"{server}/api/sessions", headers=allowed)) as sessions:
            for each in json.load(sessions):
                gone = f"{server}/api/sessions/{each['id']}"
                urlopen(Request(gone, headers=allowed, method="DELETE")).close()


def cell(page: Page, number: int) -> Locator:
    """Find a cell of the notebook, counted from 0."""
    return page.locator(".jp-Notebook-cell").nth(number)


def run(page: Page, number: int, text: str | None = None) -> None:
    """Run a cell, with another text if one is given."""
    cell(page, number).locator(".cm-content").click()
    if text is not None:
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")


def serious_faults(page: Page, parts: list[str] | None = None) -> list[str]:
    """List what axe finds serious or worse in a page, or in parts of it."""
    found = Axe().run(page, context=parts).response["violations"]
    return [
        f"{fault['id']}: {place['html'][:160]} {place['failureSummary']}"
        for fault in found
        if fault["impact"] in SERIOUS
        for place in fault["nodes"]
    ]

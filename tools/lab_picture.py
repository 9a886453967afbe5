"""Takes the README's picture: chapter 4 in JupyterLab, with a walk, its timeline and the panel.

uv run python -m tools.lab_picture

It shows the outputs as they are committed: run it after the notebook was run.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.kit.browser import CHROMIUM, Lab, jupyterlab
from tests.kit.conftest import copied
from trainer.course.clone import ROOT

PICTURE = ROOT / "docs" / "lab.png"
CHAPTER = "notebooks/04_windows.ipynb"
STEP = "micro-batch 6"
PATIENCE = 180_000


def take(folder: Path) -> None:
    """Serve a copy of the course, open the chapter, and keep what is seen."""
    kit = copied(folder / "kit")
    with jupyterlab(kit) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        with Lab(kit, address, context).open(CHAPTER) as page:
            page.get_by_title("Course: chapters and exercises").click()
            walk = page.locator("div:has(> input[type=radio])").first
            walk.scroll_into_view_if_needed()
            walk.get_by_role("radio", name=STEP).check(force=True)
            walk.evaluate("walk => walk.scrollIntoView({block: 'start'})")
            page.locator(".jp-RenderedImage img").locator("visible=true").first.wait_for()
            page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        take(Path(folder))

"""A learner's first exercise in JupyterLab, in a real browser."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import nbformat
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from trainer.course.exercise import find

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PATIENCE = 180_000
CLEANSING = find("ride_cleansing")
CELLS = ["from trainer import check, session; session()", f"%exercise {CLEANSING.stem}"]
WRONG = """from pyspark.sql import DataFrame
from datagen.geo import is_in_nyc

def cleanse(rides: DataFrame) -> DataFrame:
    return rides.filter(is_in_nyc("start_lon", "start_lat"))
"""
TIMELINE = "img[alt='timeline of the case']"


@contextlib.contextmanager
def jupyterlab(folder) -> Iterator[str]:
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


@pytest.fixture
def page(clone) -> Iterator[Page]:
    """A page with a notebook of two cells: one gets ready, one asks for the exercise."""
    cells = [nbformat.v4.new_code_cell(code) for code in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, clone / "notebooks" / "mine.ipynb")
    with jupyterlab(clone) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        page.goto(re.sub("/lab/tree/[^?]*", "/lab/tree/notebooks/mine.ipynb", address))
        page.get_by_text("| Idle").wait_for()
        yield page
        browser.close()


def cell(page: Page, number: int):
    """Find a cell of the notebook, counted from 0."""
    return page.locator(".jp-Notebook-cell").nth(number)


def run(page: Page, number: int, text: str | None = None) -> None:
    """Run a cell, with another text if one is given."""
    cell(page, number).locator(".cm-content").click()
    if text is not None:
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")


@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here")
def test_an_exercise_is_solved_in_jupyterlab(clone, page):
    """The stub comes into a cell; a wrong answer gets idea and picture, a right one a tick."""
    run(page, 0)
    run(page, 1)
    expect(cell(page, 2)).to_contain_text("raise NotImplementedError")
    run(page, 2, f"%%exercise {CLEANSING.stem}\n{WRONG}")
    expect(cell(page, 2)).to_contain_text(f"✗ {CLEANSING.stem}: wrong")
    expect(cell(page, 2)).to_contain_text("You kept rides that start in the city.")
    cell(page, 2).locator(TIMELINE).wait_for()
    solution = CLEANSING.solution.read_text()
    run(page, 2, f"%%exercise {CLEANSING.stem}\n{solution}")
    expect(cell(page, 2)).to_contain_text(f"✓ {CLEANSING.stem}: correct")
    assert (clone / "exercises" / CLEANSING.stub.name).read_text() == solution

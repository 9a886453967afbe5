"""JupyterLab, opened on the first chapter."""

import os
import re
import subprocess
import sys
import time
import urllib.request
from urllib.error import URLError

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_notebook, new_output

from trainer.course.problem import Problem
from trainer.learner import lab


def answered(address: str) -> int:
    """Ask until the server, which prints its address first, listens."""
    until = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(address) as answer:
                return answer.status
        except URLError:
            assert time.monotonic() < until
            time.sleep(0.1)


def test_lab_prints_an_address_that_answers(tmp_path):
    """`trainer lab --no-browser` serves the first chapter; other options are JupyterLab's own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "trainer.cli", "lab", "--no-browser", "--ServerApp.port_retries=50"],
        env=os.environ | {"JUPYTER_RUNTIME_DIR": str(tmp_path), "TRAINER_CACHE": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        addresses = (re.search(r"http://127\S+", line) for line in process.stdout)
        address = next(found[0] for found in addresses if found)
        assert f"/lab/tree/{lab.first_chapter()}?token=" in address
        assert answered(address) == 200
    finally:
        process.terminate()
        process.communicate()


def test_the_chapters_are_trusted(monkeypatch, tmp_path):
    """As JupyterLab asks: what they hold was signed; a notebook that is none is left alone."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    # A process that runs tests for another has none, and Jupyter wants one.
    monkeypatch.setattr(sys, "argv", ["trainer"])
    monkeypatch.setattr(lab, "NOTEBOOKS", tmp_path)
    cell = new_code_cell("step(…)", outputs=[new_output("display_data", {"text/html": "<p>"})])
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "01_mine.ipynb")
    (tmp_path / "02_broken.ipynb").write_text("no notebook")
    lab.sign_chapters()
    notary = NotebookNotary()
    saved = nbformat.read(tmp_path / "01_mine.ipynb", 4)
    assert notary.check_signature(saved)
    saved.cells[0].source = "changed"
    assert not notary.check_signature(saved)


def test_outside_a_clone_one_line_says_what_to_do(monkeypatch, tmp_path):
    """The notebooks come with the clone, not with the package."""
    monkeypatch.setattr(lab, "NOTEBOOKS", tmp_path)
    with pytest.raises(Problem, match=r"Found no notebook in .* The kit runs from its clone"):
        lab.first_chapter()

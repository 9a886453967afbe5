"""The course is brought up to date in real clones, and nothing that a learner wrote is lost."""

import io
import json
import os
import shutil
import subprocess
import sys

import pytest
from rich.console import Console

from trainer.course.clone import ROOT
from trainer.course.git import git
from trainer.course.problem import Problem
from trainer.learner.aside import NOTE
from trainer.learner.news import forget_old_verdicts, tell
from trainer.learner.progress import Progress
from trainer.learner.update import update

STUB, OTHER = "exercises/ch01a_first.py", "exercises/ch01b_second.py"
CHAPTER, CODE = "notebooks/01_first.ipynb", "trainer/check.py"
AUTHOR = {
    f"GIT_{who}_{what}": text
    for who in ("AUTHOR", "COMMITTER")
    for what, text in (("NAME", "Ann"), ("EMAIL", "ann@example.org"))
}


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch, tmp_path):
    """Git knows an author, and nothing else of the machine that the tests run on."""
    for name, text in (AUTHOR | {"GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(tmp_path)}).items():
        monkeypatch.setenv(name, text)


@pytest.fixture
def course(tmp_path):
    """The course, as it is published."""
    folder = tmp_path / "course"
    folder.mkdir()
    git("init", "-q", "-b", "main", at=folder)
    publish(
        folder,
        {
            STUB: "# rides\n\ndef first():\n    # TODO\n    raise NotImplementedError\n",
            OTHER: "def second():\n    raise NotImplementedError\n",
            CHAPTER: notebook("# One"),
            CODE: "print('check')\n",
            "CHANGELOG.md": "# Changelog\n",
            ".gitignore": "/mine/\nprogress.json*\n",
        },
    )
    return folder


@pytest.fixture
def clone(course, tmp_path):
    """A learner's clone of it."""
    git("clone", "-q", str(course), str(tmp_path / "clone"), at=tmp_path)
    return tmp_path / "clone"


def notebook(*cells, output="1"):
    """Write a notebook of code cells, each with an output."""
    told = [{"output_type": "stream", "name": "stdout", "text": [output]}]
    shown = [
        {"cell_type": "code", "source": [c], "outputs": told, "execution_count": len(output)}
        for c in cells
    ]
    return json.dumps({"cells": shown, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def publish(folder, files):
    """Write files (None: take one away), and commit them."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).unlink() if text is None else (folder / path).write_text(text)
    git("add", "-A", at=folder)
    git("commit", "-q", "-m", "A change", at=folder)


def files(clone):
    """Give all files of a clone but git's, with their texts."""
    found = (path for path in clone.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(clone).as_posix(): path.read_text() for path in found}


def kept(clone):
    """Give what lies in mine/, by the path that it had."""
    return {path.split("/", 2)[2]: text for path, text in files(clone).items() if "mine/" in path}


def told(brought):
    """Give what an update says."""
    console = Console(file=io.StringIO(), width=200)
    tell(brought, console)
    return console.file.getvalue()


def is_clean(clone):
    """Tell whether nothing is half done: no merge, no note, all of the course's commits there."""
    states = ("MERGE_HEAD", "index.lock", NOTE.name)
    here = git("merge-base", "--is-ancestor", "@{upstream}", "HEAD", at=clone) == ""
    return here and not any((clone / ".git" / state).exists() for state in states)


def test_without_news_nothing_happens(clone):
    """And what was written stays as it is."""
    (clone / STUB).write_text("mine\n")
    assert update(clone) is None
    assert (clone / STUB).read_text() == "mine\n"


def test_what_the_learner_did_not_touch_is_the_courses(course, clone):
    """New, changed and removed files alike; there is nothing to keep."""
    publish(course, {STUB: "new\n", OTHER: None, "exercises/ch02a_third.py": "third\n"})
    brought = update(clone)
    assert files(clone) == files(course)
    assert brought.kept == []
    assert is_clean(clone)


def test_an_answer_stays_in_its_place_when_its_task_changes(course, clone):
    """Byte for byte, though the same lines changed; what is asked for now is told."""
    answer = "def first():\r\n    return 'mine \udcff'\n".encode("utf-8", "surrogateescape")
    (clone / STUB).write_bytes(answer)
    publish(course, {STUB: "# rides and fares\n\ndef first():\n    raise NotImplementedError\n"})
    brought = update(clone)
    assert (clone / STUB).read_bytes() == answer
    assert brought.kept == []
    assert "your answer is as you wrote it" in told(brought)
    assert "-# rides\n" in told(brought) and "+# rides and fares\n" in told(brought)
    assert git("show", f"HEAD:{STUB}", at=clone).startswith("# rides and fares")
    assert not (clone / "mine").exists()


def test_an_answer_to_a_task_that_did_not_change_is_not_even_moved(course, clone):
    """The update goes past it."""
    (clone / STUB).write_text("mine\n")
    before = (clone / STUB).stat()
    publish(course, {OTHER: "new\n"})
    update(clone)
    assert (clone / STUB).stat() == before


def test_a_staged_answer_stays(course, clone):
    """`git add` changes nothing."""
    (clone / STUB).write_text("mine\n")
    git("add", "-A", at=clone)
    publish(course, {STUB: "new\n"})
    update(clone)
    assert (clone / STUB).read_text() == "mine\n"
    assert is_clean(clone)


def test_a_committed_answer_stays(course, clone):
    """In a commit of its own beside the course's, which are all there."""
    publish(clone, {STUB: "mine\n", "notes.md": "notes\n"})
    publish(course, {STUB: "new\n", OTHER: "other\n"})
    brought = update(clone)
    there = files(clone)
    assert (there[STUB], there[OTHER], there["notes.md"]) == ("mine\n", "other\n", "notes\n")
    assert "your answer is as you wrote it" in told(brought)
    assert git("status", "--porcelain", at=clone) == ""
    assert is_clean(clone)


def test_a_committed_answer_that_was_edited_since_stays_as_it_is_now(course, clone):
    """What stands in the file is what counts."""
    publish(clone, {STUB: "mine\n"})
    (clone / STUB).write_text("mine, and better\n")
    publish(course, {STUB: "new\n"})
    update(clone)
    assert (clone / STUB).read_text() == "mine, and better\n"
    assert is_clean(clone)


@pytest.mark.parametrize("committed", [True, False])
def test_an_answer_outlives_its_exercise(course, clone, committed):
    """Where the course drops the exercise, the answer is kept."""
    publish(clone, {STUB: "mine\n"}) if committed else (clone / STUB).write_text("mine\n")
    publish(course, {STUB: None})
    brought = update(clone)
    assert not (clone / STUB).exists()
    assert kept(clone) == {STUB: "mine\n"}
    assert f"is kept as {brought.kept[0]}" in told(brought)
    assert is_clean(clone)


def test_a_notebook_that_was_only_run_is_the_courses_again(course, clone):
    """Outputs come back when it is run."""
    (clone / CHAPTER).write_text(notebook("# One", output="22"))
    publish(course, {CHAPTER: notebook("# One, better")})
    assert update(clone).kept == []
    assert files(clone) == files(course)


@pytest.mark.parametrize("committed", [True, False])
def test_a_notebook_with_cells_of_ones_own_is_kept(course, clone, committed):
    """The chapter is the course's, one's own copy lies in mine/."""
    own = notebook("# One", "my own", output="22")
    publish(clone, {CHAPTER: own}) if committed else (clone / CHAPTER).write_text(own)
    publish(course, {CHAPTER: notebook("# One, better")})
    brought = update(clone)
    assert (clone / CHAPTER).read_text() == (course / CHAPTER).read_text()
    assert kept(clone) == {CHAPTER: own}
    assert "Chapters that changed: 01_first.ipynb." in told(brought)
    assert is_clean(clone)


def test_a_broken_notebook_is_kept(course, clone):
    """What can't be read may be worth something all the same."""
    (clone / CHAPTER).write_text("{")
    publish(course, {CHAPTER: notebook("# One, better")})
    update(clone)
    assert kept(clone) == {CHAPTER: "{"}


def test_what_lies_in_the_way_is_kept(course, clone):
    """An untracked file, an ignored one, an edited one that is no answer."""
    publish(course, {"notes.md": "the course's\n", "a.log": "new\n", CODE: "new\n"})
    (clone / ".git" / "info" / "exclude").write_text("*.log\n")
    (clone / "notes.md").write_text("mine\n")
    (clone / "a.log").write_text("mine, too\n")
    (clone / CODE).write_text("mine as well\n")
    update(clone)
    assert kept(clone) == {
        "notes.md": "mine\n",
        "a.log": "mine, too\n",
        CODE: "mine as well\n",
    }
    assert (clone / "notes.md").read_text() == "the course's\n"
    assert is_clean(clone)


def test_what_was_deleted_comes_back_where_it_changed(course, clone):
    """A stub, staged or not."""
    (clone / STUB).unlink()
    git("rm", "-q", OTHER, at=clone)
    publish(course, {STUB: "new\n", OTHER: "new\n"})
    update(clone)
    assert files(clone) == files(course)
    assert is_clean(clone)


def test_code_that_both_changed_in_commits_is_for_git(course, clone):
    """One line names the file; answers, edits and commits are as they were."""
    publish(clone, {CODE: "print('mine')\n", STUB: "mine\n"})
    (clone / OTHER).write_text("edited\n")
    before, head = files(clone), git("rev-parse", "HEAD", at=clone)
    publish(course, {CODE: "print('new')\n", STUB: "new\n", OTHER: "new\n"})
    with pytest.raises(Problem, match=f"as it was, .*both change {CODE}"):
        update(clone)
    assert files(clone) == before
    assert git("rev-parse", "HEAD", at=clone) == head
    assert not (clone / ".git" / NOTE.name).exists()


def test_without_a_network_one_line_says_so(course, clone):
    """And nothing was changed."""
    (clone / STUB).write_text("mine\n")
    before = files(clone)
    shutil.rmtree(course)
    with pytest.raises(
        Problem, match=r"^Could not reach the course \(.+\); nothing was changed\.$"
    ):
        update(clone)
    assert files(clone) == before


def test_a_folder_that_was_not_cloned_says_what_to_do(tmp_path):
    """One line, with the way on."""
    with pytest.raises(Problem, match=r"was not cloned with git .* `git clone` the course anew"):
        update(tmp_path)


def test_a_clone_that_follows_no_other_says_so(clone):
    """A branch of one's own has no news."""
    git("switch", "-q", "-c", "own", at=clone)
    with pytest.raises(Problem, match="follows no other"):
        update(clone)


def test_a_merge_that_is_under_way_comes_first(course, clone):
    """It is somebody's work, and no one else's to end."""
    publish(clone, {CODE: "mine\n"})
    publish(course, {CODE: "new\n"})
    git("fetch", "-q", at=clone)
    subprocess.run(["git", "merge", "-q", "@{upstream}"], cwd=clone, capture_output=True)
    before = files(clone)
    with pytest.raises(Problem, match="A merge or a rebase is under way"):
        update(clone)
    assert files(clone) == before


KILLED = """
import os, sys
from pathlib import Path
from trainer.learner import aside, update
count, after = 0, int(sys.argv[2])
def dies(name, where):
    real = getattr(where, name)
    def until(*arguments, **named):
        global count
        count += 1
        if count > after:
            os._exit(9)
        return real(*arguments, **named)
    setattr(where, name, until)
dies("git", update), dies("git", aside), dies("replace", Path), dies("unlink", Path)
update.update(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("committed", [True, False])
def test_an_update_that_is_killed_anywhere_loses_nothing(course, clone, tmp_path, committed):
    """The next one ends as it would have ended."""
    own = notebook("# One", "my own")
    if committed:
        publish(clone, {"notes.md": "notes\n"})
    (clone / STUB).write_text("mine\n")
    (clone / CHAPTER).write_text(own)
    (clone / "new.md").write_text("mine\n")
    publish(course, {STUB: "new\n", CHAPTER: notebook("# Two"), OTHER: "x\n", "new.md": "new\n"})
    for steps in range(100):
        again = tmp_path / f"again {steps}"
        shutil.copytree(clone, again, symlinks=True)
        ran = subprocess.run(
            [sys.executable, "-c", KILLED, str(again), str(steps)],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
        )
        assert ran.returncode in (0, 9), ran.stderr.decode()
        if steps % 3 == committed or ran.returncode == 0:
            survives(again, own)
        if ran.returncode == 0:
            break
    assert ran.returncode == 0 and steps > 10


def survives(clone, own):
    """Update a clone in which an update was killed, and look for all that was written."""
    update(clone)
    assert (clone / STUB).read_text() == "mine\n"
    assert kept(clone) == {CHAPTER: own, "new.md": "mine\n"}
    assert (clone / OTHER).read_text() == "x\n"
    assert is_clean(clone)


def test_what_is_new_is_told(course, clone):
    """The changelog's new lines, in number; exercises; packages."""
    lines = [f"- Change {number}" for number in range(25)]
    publish(
        course,
        {
            "CHANGELOG.md": "\n".join(["# Changelog", *lines]),
            "exercises/ch02a_third.py": "third\n",
            STUB: None,
            OTHER: "new\n",
            "pyproject.toml": "",
        },
    )
    text = told(update(clone))
    assert text.startswith("The course is now that of ") and ": 1 change.\n" in text
    assert "- Change 19\n… and 5 more lines in CHANGELOG.md\n" in text
    assert "New: exercises/ch02a_third.py\n" in text
    assert f"Gone from the course: {STUB}\n" in text
    assert f"{OTHER} changed; you had written nothing in it." in text
    assert "Packages changed" in text


def test_verdicts_on_what_changed_are_forgotten(course, clone, tmp_path):
    """Where the task or its checks are others, the exercise is to be checked again."""
    progress = Progress(tmp_path / "progress.json")
    for stem in ("ch01a_first", "ch01b_second"):
        progress.attempted(stem, "correct")
    publish(
        course, {"tests/exercises/test_ch01b_second.py": "", "tests/exercises/test_ch09a_x.py": ""}
    )
    assert forget_old_verdicts(update(clone), progress) == ["ch01b_second"]
    assert progress.of("ch01b_second").verdict == "untouched"
    assert progress.of("ch01b_second").solved
    assert progress.of("ch01a_first").verdict == "correct"


def test_a_shallow_clone_is_brought_up_to_date(course, tmp_path):
    """Though it knows nothing of what was before."""
    git("clone", "-q", "--depth", "1", course.as_uri(), "shallow", at=tmp_path)
    (tmp_path / "shallow" / STUB).write_text("mine\n")
    publish(course, {STUB: "new\n", OTHER: "other\n"})
    update(tmp_path / "shallow")
    assert (tmp_path / "shallow" / STUB).read_text() == "mine\n"
    assert (tmp_path / "shallow" / OTHER).read_text() == "other\n"


def test_names_with_signs_of_their_own_are_files_like_others(course, clone):
    """Spaces, stars and letters from elsewhere mean themselves."""
    odd = ["exercises/*.py", "a b.md", "ü.md", ":(top)x.md"]
    publish(course, dict.fromkeys(odd, "old\n"))
    update(clone)
    for path in odd:
        (clone / path).write_text("mine\n")
    publish(course, dict.fromkeys(odd, "new\n"))
    update(clone)
    assert kept(clone) == dict.fromkeys(odd[1:], "mine\n")
    assert (clone / odd[0]).read_text() == "mine\n"
    assert (clone / STUB).read_text() == (course / STUB).read_text()


def test_the_courses_own_folders_are_ignored_by_git():
    """What is kept, and progress, never come to `git status`."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a clone")
    for path in ("mine/update-1/x.py", "progress.json"):
        assert git("check-ignore", path) == f"{path}\n"

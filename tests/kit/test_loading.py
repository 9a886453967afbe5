"""Answers as they were loaded: what goes wrong is quoted from the text that ran."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark import cloudpickle

from trainer.running.answer import Crashed
from trainer.running.calling import call
from trainer.running.loading import load, load_module

HEAD = "def answer():\n"


@pytest.fixture
def save(tmp_path) -> Callable[[str | bytes], Path]:
    """Save an answer, always to the same file."""

    def write(text: str | bytes) -> Path:
        path = tmp_path / "an_answer.py"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def refused(path: Path) -> str:
    """Load what cannot be loaded; give what is told."""
    with pytest.raises(Crashed) as caught:
        load(path, "answer")
    return str(caught.value)


def crashed(function: Callable) -> str:
    """Call what raises; give what is told."""
    with pytest.raises(Crashed) as caught:
        call(function, 30)
    return str(caught.value)


def test_a_second_syntax_error_is_quoted_as_it_stands(save):
    """Not the line that stood there when the file was first looked at."""
    assert refused(save(HEAD + "    return (1,\n")).endswith("(line 2: return (1,)")
    assert refused(save(HEAD + "    return [2, 3\n")).endswith("(line 2: return [2, 3)")


def test_a_second_error_while_loading_is_quoted_as_it_stands(save):
    """Just so where the file is Python, but can't be run."""
    assert refused(save("nothing\n")).endswith("(line 1: nothing)")
    assert refused(save("no_thing\n")).endswith("(line 1: no_thing)")


def test_a_file_saved_since_is_quoted_as_it_was_loaded(save):
    """What ran is what is quoted."""
    function = load(save(HEAD + "    return 1 / 0\n"), "answer")
    save("# Now there is a line above.\n" + HEAD + "    return 1\n")
    assert crashed(function) == "ZeroDivisionError: division by zero (line 2: return 1 / 0)"


def test_a_file_that_is_gone_is_quoted_as_it_was_loaded(save):
    """What was read once need not be there any more."""
    path = save(HEAD + "    return 1 / 0\n")
    function = load(path, "answer")
    path.unlink()
    assert crashed(function).endswith("(line 2: return 1 / 0)")


def test_of_two_texts_of_a_file_each_is_quoted_for_its_own_function(save):
    """An older function that still runs keeps its lines."""
    older = load(save(HEAD + "    return 1 / 0\n"), "answer")
    newer = load(save(HEAD + "    return 2 / 0\n"), "answer")
    assert crashed(newer).endswith("(line 2: return 2 / 0)")
    assert crashed(older).endswith("(line 2: return 1 / 0)")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"# -*- coding: latin-1 -*-\nf\xfcr\n", "(line 2: für)"),
        (b"\xef\xbb\xbffirst\r\n", "(line 1: first)"),
        (b"a = '\x0c'\r\nb = '\xe2\x80\xa8'\r\nthird\r\n", "(line 3: third)"),
    ],
    ids=["in another encoding", "with a mark before it", "with signs that end no line"],
)
def test_lines_are_counted_and_read_as_python_does(save, text, line):
    """In the file's own encoding, with the line ends that Python knows."""
    assert refused(save(text)).endswith(line)


def test_a_file_that_is_no_text_is_not_quoted(save):
    """What can't be read can't be quoted."""
    assert "\xff" not in refused(save(b"a = '\xff'\n"))


def test_a_fault_in_another_file_is_not_taken_for_one_of_this(save):
    """What an answer imports may be no Python, what it opens not there; both are its line's."""
    broken = 'compile("(", "elsewhere.py", "exec")\n'
    assert refused(save("\n" + broken)).endswith(f"(line 2: {broken.strip()})")
    told = refused(save("\nopen('/not/there.csv')\n"))
    assert "FileNotFoundError" in told and told.endswith("(line 2: open('/not/there.csv'))")


def test_what_lies_beside_a_file_can_be_imported_as_it_is_now(tmp_path):
    """Also when it has changed; and it takes the place of nothing else."""
    (tmp_path / "answer.py").write_text("import json\nimport beside_it\nimport pack.inside\n")
    (tmp_path / "json.py").write_text("")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "inside.py").write_text("")
    for number in (1, 2):
        (tmp_path / "beside_it.py").write_text(f"number = {number}\n" + "#" * number)
        module = load_module(tmp_path / "answer.py")
        assert module.beside_it.number == number
        assert module.json.dumps(1) == "1"
        assert {"beside_it", "pack.inside"} <= cloudpickle.list_registry_pickle_by_value()


def test_what_lies_beside_one_answer_is_not_found_by_the_next(tmp_path):
    """Two answers may each have a module of the same name in a folder of their own."""
    for name, value in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "its_helper.py").write_text(f"value = {value}\n")
        text = "def f():\n    from its_helper import value\n    return value\n"
        (tmp_path / f"{name}.py").write_text(text)
    for _ in range(2):
        for name, value in (("one", 1), ("two", 2)):
            assert load(tmp_path / f"{name}.py", "f", beside=tmp_path / name)() == value


def test_an_error_without_arguments_has_its_text(tmp_path):
    """Spark's own errors are like that."""
    text = (
        "class AnalysisException(Exception):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "    def __str__(self):\n        return 'No such path: x.\\nMore.'\n"
        "raise AnalysisException()\n"
    )
    (tmp_path / "a.py").write_text(text)
    with pytest.raises(Crashed, match=r"AnalysisException: No such path: x\."):
        load(tmp_path / "a.py", "f")

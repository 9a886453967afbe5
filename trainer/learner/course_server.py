"""What JupyterLab's server answers about the course: verdicts for its panel, doctor, reset."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

from jupyter_server.base.handlers import APIHandler
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from trainer.course.clone import NOTEBOOKS, ROOT, lessons
from trainer.course.exercise import Exercise, exercises, find
from trainer.course.problem import Problem
from trainer.course.stub import is_untouched, reset
from trainer.display.marks import MARKS
from trainer.display.palette import DARK, LIGHT, declared
from trainer.learner import doctor, overview
from trainer.learner.progress import Progress
from trainer.workshop.seat.courier import courier
from trainer.workshop.seat.joining import help_told
from trainer.workshop.seat.letters import Letters
from trainer.workshop.seat.membership import FOLDER, membership


def course(progress: Progress) -> dict:
    """Describe the course as the panel shows it: chapters, verdicts, and what comes next."""
    following = overview.at_hand(progress)
    return {
        "chapters": [_chapter(int(path.name[:2]), path.name, progress) for path in lessons()],
        "next": following.stem if following else None,
        "class": in_class(),
    }


def in_class(folder: Path = FOLDER) -> dict | None:
    """Describe the place in a class, and what its instructor says; None where none was joined."""
    place, kept = membership(folder), Letters(folder).kept()
    if not place:
        return None
    lines = [
        {"number": each, "text": kept.lines[str(each)]} for each in sorted(map(int, kept.lines))
    ]
    told = {"help": kept.help, "unknown": kept.unknown, "off": kept.off}
    return {"name": place.name, **told, "lines": lines}


def _chapter(number: int, notebook: str, progress: Progress) -> dict:
    return {
        "number": number,
        "title": overview.chapter_title(number),
        "notebook": (NOTEBOOKS / notebook).relative_to(ROOT).as_posix(),
        "exercises": [_exercise(e, progress) for e in exercises() if e.chapter == number],
    }


def _exercise(exercise: Exercise, progress: Progress) -> dict:
    verdict = overview.state(exercise, progress)
    return {
        "stem": exercise.stem,
        "place": f"{exercise.chapter}{exercise.letter}",
        "title": exercise.name.replace("_", " ").capitalize(),
        "verdict": verdict,
        "solved": not overview.is_open(exercise, progress),
        "mark": MARKS[verdict][0],
        "colour": MARKS[verdict][1],
    }


def start_over(exercise: Exercise, cell: str | None, progress: Progress) -> dict:
    """Put a stub back, keeping what is in the file and what is in a notebook's cell."""
    kept = [] if is_untouched(exercise) else [reset(exercise)]
    issued = exercise.issued.read_text(encoding="utf-8")
    texts = {path.read_text("utf-8", "replace") for path in kept if path}
    if cell is not None and cell not in texts | {issued}:
        exercise.stub.write_text(cell, encoding="utf-8")
        kept.append(reset(exercise))
    progress.started_over(exercise.stem)
    names = [path.relative_to(ROOT).as_posix() for path in kept if path]
    return {"text": issued, "kept": names}


class CourseHandler(APIHandler):
    """The course, as the panel shows it."""

    @authenticated
    def get(self) -> None:
        """Give chapters and verdicts."""
        # As long as somebody looks at the panel, what the instructor says is asked for.
        courier()
        self.finish(course(Progress()))


class ResetHandler(APIHandler):
    """A stub that is put back as it was issued."""

    @authenticated
    def post(self) -> None:
        """Put one back, and say what was kept where."""
        asked = self.get_json_body() or {}
        try:
            exercise = find(asked.get("exercise", ""))
        except Problem as problem:
            raise HTTPError(404, reason=str(problem)) from None
        self.finish(start_over(exercise, asked.get("cell"), Progress()))


class HelpHandler(APIHandler):
    """The instructor of the class, asked over."""

    @authenticated
    async def post(self) -> None:
        """Ask, or take it back."""
        asked = self.get_json_body() or {}
        about, fine = asked.get("exercise") or Progress().last(), not asked.get("wanted")
        try:
            # A board that is out of reach keeps no notebook waiting.
            says = await asyncio.to_thread(help_told, about, fine=fine)
        except Problem as problem:
            raise HTTPError(409, reason=str(problem)) from None
        self.finish({"says": says})


class DoctorHandler(APIHandler):
    """The doctor's findings, each as soon as it is known."""

    @authenticated
    async def post(self) -> None:
        """Write one finding a line; Spark is started by one of them, which takes a while."""
        findings = doctor.examine()
        # Findings come from a thread: the server goes on with notebooks meanwhile.
        while line := await asyncio.to_thread(_next_line, findings):
            self.write(line)
            await self.flush()
        self.finish()


def _next_line(findings: Iterator[tuple[str, doctor.Finding]]) -> str:
    for name, finding in findings:
        return json.dumps({"name": name, "verdict": finding.verdict, "says": finding.says}) + "\n"
    return ""


class PaletteHandler(APIHandler):
    """The colours of reports, stepper and panel, for themes light and dark."""

    @authenticated
    def get(self) -> None:
        """Write them as a style sheet."""
        dark = "body[data-jp-theme-light='false']"
        styles = f":root{{{declared(LIGHT)}}}\n{dark}{{{declared(DARK)}}}\n"
        self.finish(styles, set_content_type="text/css")


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "trainer.learner.course_server"}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    handlers = {
        "course": CourseHandler,
        "reset": ResetHandler,
        "help": HelpHandler,
        "doctor": DoctorHandler,
        "palette.css": PaletteHandler,
    }
    base = server.web_app.settings["base_url"]
    server.web_app.add_handlers(
        ".*$",
        [(url_path_join(base, "taxi-streams", name), each) for name, each in handlers.items()],
    )

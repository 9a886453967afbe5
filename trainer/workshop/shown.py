"""What pages show of a board: each learner's row, and the class as a whole."""

from collections import Counter
from datetime import datetime

from trainer.workshop import course_words, plan
from trainer.workshop.board import Board, Learner
from trainer.workshop.room import Room
from trainer.workshop.stuck import stuck

MOST_IDEAS = 8
# What a wall has room for, beside the rest.
MOST_ON_THE_WALL = 5
# Fewer than that would know whose it was.
FEWEST_IN_FRONT_OF_ALL = 2


def row(learner: Learner) -> dict:
    """Give a learner's line of the table."""
    known = course_words.known()
    cells = {
        stem: {
            "verdict": each.verdict,
            "since": each.since,
            "checks": each.checks,
            "solved": each.solved,
            "rule": course_words.rule(stem, each.rule),
        }
        for stem, each in learner.standings.items()
        if stem in known
    }
    return {
        "number": learner.number,
        "name": learner.name,
        "last": learner.last,
        "handed_in": learner.handed_in,
        "cells": cells,
    }


def overall(room: Room, now: float) -> dict:
    """Give what is said of the class as such, and names nobody."""
    board = room.board
    at_work = Counter(each.at_work for each in board.learners.values() if each.at_work)
    most = next((stem for stem, _ in at_work.most_common() if stem in course_words.known()), None)
    return {
        "now": now,
        "learners": len(board.learners),
        "handed_in": sum(each.handed_in is not None for each in board.learners.values()),
        "through": through(board),
        "at": {"exercise": most, "learners": at_work[most]} if most else None,
        "ideas": ideas(board, FEWEST_IN_FRONT_OF_ALL, MOST_ON_THE_WALL),
        "planned": plan.at(room.plan, datetime.fromtimestamp(now)),
        "line": board.said,
        "released": board.released,
    }


def by_name(room: Room, now: float) -> dict:
    """Give what the instructor alone is shown: who wants help, and who is stuck."""
    board = room.board
    learners = board.learners.values()
    asking = sorted((each for each in learners if each.asked), key=lambda each: each.asked)
    seeming = [(each, found) for each in learners if (found := stuck(each, now))]
    seeming.sort(key=lambda pair: pair[1].since)
    return {
        "ideas": ideas(board, 1, MOST_IDEAS),
        "off": [number for number, each in board.everyone.items() if each.off],
        "help": [
            {
                "number": each.number,
                "name": each.name,
                "since": each.asked,
                "exercise": each.asked_about or each.at_work,
            }
            for each in asking
        ],
        "stuck": [
            {
                "name": each.name,
                "why": found.why,
                "exercise": found.exercise,
                "since": found.since,
            }
            for each, found in seeming
        ],
    }


def through(board: Board) -> dict[str, dict[str, int]]:
    """Count for each exercise who has solved it, and who else has tried."""
    counted = {stem: {"solved": 0, "tried": 0} for stem in course_words.known()}
    for learner in board.learners.values():
        for stem, each in learner.standings.items():
            if stem in counted:
                counted[stem]["solved" if each.solved else "tried"] += 1
    return counted


def ideas(board: Board, fewest: int, most: int) -> list[dict]:
    """List what most got wrong, with what to discuss: how many had it, and have it still."""
    learners = board.learners.values()
    had = Counter(idea for each in learners for idea in each.ideas)
    have = Counter(
        (stem, each.idea)
        for learner in learners
        for stem, each in learner.standings.items()
        if each.idea and each.verdict != "correct"
    )
    listed = [(count, idea) for idea, count in had.items() if count >= fewest]
    listed.sort(key=lambda each: (-each[0], each[1]))
    known = [each for each in listed if each[1][0] in course_words.known()]
    return [_idea(*idea, count, have[idea]) for count, idea in known[:most]]


def _idea(stem: str, name: str, had: int, have: int) -> dict:
    what, _, then = course_words.idea(stem, name).replace("*", "").partition(". ")
    return {"exercise": stem, "what": what.rstrip("."), "then": then, "had": had, "have": have}

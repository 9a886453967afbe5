"""Checks the learner's own answer and says the verdict in a line or two."""

from trainer.exercise import NoSuchExercise, find


def check(name: str) -> None:
    """Check the answer in `exercises/` and print the verdict."""
    # Not needed, and not loaded, before something is checked.
    from trainer.verdict import Kind, grade

    try:
        exercise = find(name)
    except NoSuchExercise as error:
        print(error)
        return
    verdict = grade(exercise, exercise.stub)
    print(f"{exercise.stem}: {verdict.kind}. {verdict.message}")
    if verdict.kind in (Kind.UNTOUCHED, Kind.UNFINISHED):
        print(f"Write your answer in exercises/{exercise.stub.name}, save it, and check again.")

"""Those who judge, so many at a time; what one fails at is asked once more."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from trainer.course.problem import Problem
from trainer.grading.judging.remote import START_SECONDS
from trainer.grading.judging.worker import GraderFailed, GraderStuck, Job, Judged, judged
from trainer.grading.sandbox.apart import Apart, Failed, Lost

# Beyond what a submission may take, and the start of its first runner: comparing rows.
GRACE_SECONDS = START_SECONDS + 30
LOOK_EVERY = 5
Answer = dict[str, Judged] | GraderFailed


class Worker(Protocol):
    """Whoever judges one submission after the other."""

    def asked(self, job: Job) -> Answer:
        """Judge one; a Problem says that nothing can be judged any more."""

    def dismiss(self) -> None:
        """End whatever is going on."""


class Process:
    """A process of this machine that judges."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self.process = Apart(judged)

    def asked(self, job: Job) -> Answer:
        """Judge one; whatever comes of it."""
        try:
            return self.process.ask(job, job.seconds + GRACE_SECONDS)
        except Lost as error:
            return GraderStuck(f"the judge's process was lost over it: {error}")
        except Failed as error:
            return GraderFailed(str(error))

    def dismiss(self) -> None:
        """End it for good."""
        self.process.dismiss()


class Staff(Protocol):
    """Where workers come from, and how many there is room for."""

    def places(self) -> int:
        """Say how many there is room for now."""

    def hire(self) -> Worker:
        """Give one more."""


class Crew:
    """So many workers, who take one job after the other."""

    def __init__(self, staff: Staff) -> None:
        """Know where to hire them; there may be room for more in a while."""
        self.staff = staff
        self.workers: list[Worker] = []
        self.threads: list[threading.Thread] = []
        # Whoever judges waits for the one who keeps the grades, and not the memory.
        self.results: queue.Queue = queue.Queue(maxsize=max(1, staff.places()))
        self.stopped = threading.Event()

    def judge(
        self, jobs: Sequence[Job], started: Callable[[str], None] = lambda student: None
    ) -> Iterator[tuple[Job, Answer]]:
        """Give the answers as they come; tell, from any thread, whose turn it is."""
        waiting = iter(jobs)
        lock = threading.Lock()

        def serve(worker: Worker) -> None:
            while not self.stopped.is_set():
                with lock:
                    job = next(waiting, None)
                if job is None:
                    break
                started(job.submission.student)
                try:
                    self._hand_over((job, self._asked_twice(worker, job)))
                except Problem as problem:
                    self._hand_over((job, problem))

        try:
            for _ in jobs:
                job, answer = self._next(serve, len(jobs))
                if isinstance(answer, Problem):
                    raise answer
                yield job, answer
        finally:
            self.stop()
            for thread in self.threads:
                thread.join()

    def _next(self, serve: Callable[[Worker], None], most: int) -> tuple[Job, Answer | Problem]:
        while True:
            while len(self.workers) < min(self.staff.places(), most):
                self._begin(serve)
            with suppress(queue.Empty):
                return self.results.get(timeout=LOOK_EVERY)

    def _begin(self, serve: Callable[[Worker], None]) -> None:
        self.workers.append(self.staff.hire())
        # A worker is ended with the thread that started it, so each thread stays with its own.
        thread = threading.Thread(target=serve, args=(self.workers[-1],), daemon=True)
        self.threads.append(thread)
        thread.start()

    def _hand_over(self, result: tuple[Job, Answer | Problem]) -> None:
        while not self.stopped.is_set():
            with suppress(queue.Full):
                return self.results.put(result, timeout=1)
        return None

    def _asked_twice(self, worker: Worker, job: Job) -> Answer:
        answer = worker.asked(job)
        if isinstance(answer, GraderFailed) and not self.stopped.is_set():
            answer = worker.asked(job)
        return answer

    def stop(self) -> None:
        """End all that was started."""
        self.stopped.set()
        for worker in self.workers:
            worker.dismiss()

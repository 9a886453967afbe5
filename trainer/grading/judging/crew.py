"""The processes that judge, so many at a time; one that fails is asked once more."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from trainer.grading.judging.remote import START_SECONDS
from trainer.grading.judging.worker import GraderFailed, GraderStuck, Job, Judged, judged
from trainer.grading.sandbox.apart import Apart, Failed, Lost

# Beyond what a submission may take, and the start of its first runner: comparing rows.
GRACE_SECONDS = START_SECONDS + 30
Answer = dict[str, Judged] | GraderFailed


class Crew:
    """So many workers, who take one job after the other."""

    def __init__(self, size: int) -> None:
        """Hire them."""
        self.workers = [Apart(judged) for _ in range(size)]
        # Whoever judges waits for the one who keeps the grades, and not the memory.
        self.results: queue.Queue = queue.Queue(maxsize=size)
        self.stopped = threading.Event()

    def judge(
        self, jobs: Sequence[Job], started: Callable[[str], None] = lambda student: None
    ) -> Iterator[tuple[Job, Answer]]:
        """Give the answers as they come; tell, from any thread, whose turn it is."""
        waiting = iter(jobs)
        lock = threading.Lock()

        def serve(worker: Apart) -> None:
            while not self.stopped.is_set():
                with lock:
                    job = next(waiting, None)
                if job is None:
                    break
                started(job.submission.student)
                self._hand_over((job, self._asked_twice(worker, job)))

        # A worker is ended with the thread that started it, so each thread stays with its own.
        threads = [threading.Thread(target=serve, args=(each,)) for each in self.workers]
        for thread in threads:
            thread.daemon = True
            thread.start()
        try:
            for _ in jobs:
                yield self.results.get()
        finally:
            self.stop()
            for thread in threads:
                thread.join()

    def _hand_over(self, result: tuple[Job, Answer]) -> None:
        while not self.stopped.is_set():
            with suppress(queue.Full):
                return self.results.put(result, timeout=1)
        return None

    def _asked_twice(self, worker: Apart, job: Job) -> Answer:
        answer = self._asked(worker, job)
        if isinstance(answer, GraderFailed) and not self.stopped.is_set():
            answer = self._asked(worker, job)
        return answer

    def _asked(self, worker: Apart, job: Job) -> Answer:
        try:
            return worker.ask(job, job.seconds + GRACE_SECONDS)
        except Lost as error:
            return GraderStuck(f"the judge's process was lost over it: {error}")
        except Failed as error:
            return GraderFailed(str(error))

    def stop(self) -> None:
        """End all that was started."""
        self.stopped.set()
        for worker in self.workers:
            worker.dismiss()

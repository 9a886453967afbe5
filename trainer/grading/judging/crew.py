"""The processes that judge, so many at a time; one that fails is replaced."""

import contextlib
import multiprocessing
import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence

from trainer.grading.judging.worker import GraderFailed, Job, Judged, work

# Beyond what a submission may take: starting runners, collecting tests, comparing rows.
GRACE_SECONDS = 600
Answer = dict[str, Judged] | GraderFailed


class Worker:
    """One process that judges, started when it is needed."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self.process, self.pipe = None, None
        self.dismissed, self.lock = False, threading.Lock()

    def ask(self, job: Job) -> Answer:
        """Have a submission judged."""
        try:
            self._start()
            self.pipe.send(job)
            if self.pipe.poll(job.seconds + GRACE_SECONDS):
                return self.pipe.recv()
            reason = f"the judge did not come to an end within {job.seconds + GRACE_SECONDS:.0f} s"
        except (EOFError, OSError):
            reason = "the judge's process ended"
        self.stop()
        return GraderFailed(reason)

    def _start(self) -> None:
        with self.lock:
            if self.dismissed:
                raise EOFError
            if self.process is None:
                context = multiprocessing.get_context("spawn")
                self.pipe, theirs = context.Pipe()
                self.process = context.Process(target=work, args=(theirs, os.getpid()), daemon=True)
                self.process.start()
                theirs.close()

    def dismiss(self) -> None:
        """End the process for good."""
        with self.lock:
            self.dismissed = True
        self.stop()

    def stop(self) -> None:
        """End the process and what it started; kindly first, so that it can tidy up."""
        with self.lock:
            process, self.process = self.process, None
        if process is not None:
            process.terminate()
            process.join(15)
            process.kill()
            process.join()
            with contextlib.suppress(OSError):
                self.pipe.close()


class Crew:
    """So many workers, who take one job after the other."""

    def __init__(self, size: int) -> None:
        """Hire them."""
        self.workers = [Worker() for _ in range(size)]
        self.results: queue.Queue = queue.Queue()
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
                self.results.put((job, self._asked_twice(worker, job)))

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

    def _asked_twice(self, worker: Worker, job: Job) -> Answer:
        answer = worker.ask(job)
        if isinstance(answer, GraderFailed) and not self.stopped.is_set():
            answer = worker.ask(job)
        return answer

    def stop(self) -> None:
        """End all that was started."""
        self.stopped.set()
        for worker in self.workers:
            worker.dismiss()

"""The client for threads."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeout
from itertools import islice
from types import TracebackType
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, Union

from .answers import to_batch_result, to_check
from .base import (
    FIRST_BATCH,
    MOVING,
    PATIENT,
    STATUS,
    USAGE,
    Base,
    Expand,
    answered_error,
    batch_options,
    create_call,
    job_call,
    list_call,
    part_size,
    patience,
    pause_before,
    remove_call,
    results_call,
    waited_too_long,
)
from .calls import Answered, Call, GiveUp, Options, Send, Sleep, Step, Take, make
from .errors import VerdictError
from .types import BatchItem, BatchResult, Check, Decision, Job, JobResult, OutcomeItem
from .uploads import JobFile


class Verdict(Base):
    """Safe to share between threads."""

    def __enter__(self) -> Verdict:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the idle connections."""
        self._transport.close()

    @property
    def jobs(self) -> Jobs:
        """Bulk jobs: files of addresses."""
        return Jobs(self._call)

    def check(
        self,
        email: str,
        ip: Optional[str] = None,
        *,
        tag: Optional[str] = None,
        expand: Expand = (),
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Check:
        """How risky is this address? Raises VerdictError, except where the fallback stands in.

        tag says what the check is for, such as a form or a campaign, never a person; at most 64 characters.
        Every call takes timeout, deadline (both in seconds) and retries.
        """
        call, is_dropped = self._check_call(email, ip, tag, expand, idempotency_key)
        try:
            return to_check(self._call(call, Options(timeout, deadline, retries)).body, is_dropped)
        except VerdictError as error:
            return self._stand_in(error, email, ip, is_dropped)

    def check_batch(
        self,
        items: Sequence[BatchItem],
        *,
        expand: Expand = (),
        batch_size: int = FIRST_BATCH,
        concurrency: int = 2,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[BatchResult]:
        """Checks any number of addresses, in requests as large as the plan allows; results in the order of the items.

        The first failure stops the batch, whatever the fallback; `error.results` has what was answered.
        """
        results: List[BatchResult] = []
        try:
            for result in self.check_each(
                items,
                expand=expand,
                batch_size=batch_size,
                concurrency=concurrency,
                timeout=timeout,
                deadline=deadline,
                retries=retries,
            ):
                results.append(result)
        except VerdictError as error:
            later = ((i, result) for i, result in enumerate(error.results) if result is not None)
            raise answered_error(error, [*enumerate(results), *later])
        return results

    def check_each(
        self,
        items: Iterable[BatchItem],
        *,
        expand: Expand = (),
        batch_size: int = FIRST_BATCH,
        concurrency: int = 2,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Iterator[BatchResult]:
        """As check_batch, one result after the other, for more items than fit in memory."""
        source, patience, give_up = iter(items), batch_options(timeout, deadline, retries), GiveUp()
        sent: Deque[Tuple[int, Future[Answered]]] = deque()
        size, taken, is_over = batch_size, 0, False

        def send(part: List[BatchItem]) -> Answered:
            try:
                return self._call(self._batch_call(part, expand, give_up), patience)
            except BaseException:
                give_up.is_set = True
                raise

        with ThreadPoolExecutor(concurrency, "verdict-batch") as pool:
            try:
                while True:
                    while len(sent) < concurrency and not is_over and not give_up.is_set:
                        part = list(islice(source, size))
                        is_over = len(part) < size
                        if part:
                            sent.append((taken, pool.submit(send, part)))
                            taken += len(part)
                    if not sent:
                        return
                    answered = sent[0][1].result()
                    sent.popleft()
                    size = part_size(size, answered.limits.rate_limit)
                    for item in answered.body["results"]:
                        yield to_batch_result(item)
            except VerdictError as error:
                give_up.is_set = True
                wait([future for _, future in sent])
                raise answered_error(error, _results_of(sent))
            finally:
                give_up.is_set = True

    def outcomes(
        self,
        items: Sequence[OutcomeItem],
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Says what became of checked people: at most 1,000 items, by the id of a check or by address.

        Never counts, and is safe to repeat: the last word wins. Needs a key with the scope `outcomes`.
        """
        return self._call(self._outcomes_call(items), Options(timeout, deadline, retries)).body

    def status(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Is the service there and the key good? Which data is loaded? Never counts."""
        return self._call(STATUS, Options(timeout, deadline, retries)).body

    def usage(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Dict[str, Any]:
        """What the running month has used. Never counts."""
        return self._call(USAGE, Options(timeout, deadline, retries)).body

    def _call(self, call: Call, options: Options) -> Answered:
        steps = make(call, options, self._settings())
        try:
            step = next(steps)
            while True:
                try:
                    result = self._do(step)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            answered: Answered = end.value
            return answered

    def _do(self, step: Step) -> Any:
        if isinstance(step, Take):
            place = self._places.take()
            if place.done():
                return "free"
            try:
                place.result(step.seconds)
                return "queued"
            except BaseException as error:
                self._places.leave(place)
                if isinstance(error, FutureTimeout):
                    return "none"
                raise
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Send):
            return self._send(step.request, step.timeout)
        self._places.release("unknown")


def _results_of(sent: Iterable[Tuple[int, Future[Answered]]]) -> Iterator[Tuple[int, BatchResult]]:
    for start, future in sent:
        if future.exception() is None:
            for i, item in enumerate(future.result().body["results"]):
                yield start + i, to_batch_result(item)


class Jobs:
    """A file goes in, every row comes back with its verdict."""

    def __init__(self, call: Callable[[Call, Options], Answered]) -> None:
        self._call = call

    def create(
        self,
        file: JobFile,
        *,
        format: Optional[str] = None,
        column: Optional[str] = None,
        start: bool = False,
        name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Job:
        """Takes a pathlib.Path, text, bytes, rows, an open file or any iterable of parts. An error of the file is raised as it is."""
        call, options = create_call(file, format, column, start, name, idempotency_key)
        job: Job = self._call(call, options).body["job"]
        return job

    def get(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return self._one("GET", job_id, "", Options(timeout, deadline, retries))

    def start(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return self._one("POST", job_id, "start/", Options(timeout, deadline, retries))

    def pause(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return self._one("POST", job_id, "pause/", Options(timeout, deadline, retries))

    def cancel(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return self._one("POST", job_id, "cancel/", Options(timeout, deadline, retries))

    def remove(self, job_id: str) -> None:
        """Erases the job with all of its rows."""
        self._call(remove_call(job_id), Options(deadline=60.0))

    def list(self) -> List[Job]:
        jobs: List[Job] = []
        cursor: Optional[str] = None
        while True:
            page = self._call(list_call(cursor), Options()).body
            jobs += page["jobs"]
            cursor = page["next_cursor"]
            if cursor is None:
                return jobs

    def wait(
        self,
        job_id: str,
        *,
        interval: float = 2.0,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[Job], None]] = None,
    ) -> Job:
        """Returns when the job has ended, paused, or is ready and waits for `start`: `status` says which.

        Goes on through failures of the network; raises `deadline_exceeded` after `timeout` seconds, if given.
        """
        ends_at = None if timeout is None else time.monotonic() + timeout
        while True:
            asking = patience(job_id, timeout, ends_at)
            try:
                job = self._one("GET", job_id, "", asking)
            except VerdictError as error:
                raise waited_too_long(error, asking, job_id, timeout) or error
            if on_progress:
                on_progress(job)
            if job["status"] not in MOVING:
                return job
            time.sleep(pause_before(ends_at, interval))

    def results(
        self, job_id: str, *, decision: Union[Decision, Sequence[Decision], None] = None
    ) -> Iterator[JobResult]:
        """Every row of the file in its order."""
        cursor: Optional[str] = None
        while True:
            page = self._call(results_call(job_id, decision, cursor), PATIENT).body
            yield from page["results"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _one(self, method: str, job_id: str, verb: str, options: Options) -> Job:
        job: Job = self._call(job_call(method, job_id, verb), options).body["job"]
        return job

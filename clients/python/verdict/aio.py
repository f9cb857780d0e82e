"""The client for asyncio. Requests run in threads of its own, so that the standard library is all it needs."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import (
    Any,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Deque,
    Dict,
    Iterable,
    List,
    Optional,
    Sequence,
    Tuple,
    Type,
    Union,
)

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


class AsyncVerdict(Base):
    """The same calls as Verdict, to be awaited. A thread for each of the `concurrency` places sends the requests."""

    _threads: ThreadPoolExecutor

    def start_anew(self) -> None:
        super().start_anew()
        self._threads = ThreadPoolExecutor(self._places.count, "verdict")

    async def __aenter__(self) -> AsyncVerdict:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def close(self) -> None:
        self._threads.shutdown(wait=False)
        self._transport.close()

    @property
    def jobs(self) -> AsyncJobs:
        """Bulk jobs: files of addresses."""
        return AsyncJobs(self._call)

    async def check(
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
        """How risky is this address? Raises VerdictError, except where the fallback stands in."""
        call, is_dropped = self._check_call(email, ip, tag, expand, idempotency_key)
        try:
            return to_check((await self._call(call, Options(timeout, deadline, retries))).body, is_dropped)
        except VerdictError as error:
            return self._stand_in(error, email, ip, is_dropped)

    async def check_batch(
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
        """As Verdict.check_batch: the first failure stops the batch, and `error.results` has what was answered."""
        results: List[BatchResult] = []
        try:
            async for result in self.check_each(
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

    async def check_each(
        self,
        items: Union[Iterable[BatchItem], AsyncIterable[BatchItem]],
        *,
        expand: Expand = (),
        batch_size: int = FIRST_BATCH,
        concurrency: int = 2,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> AsyncIterator[BatchResult]:
        """As check_batch, one result after the other, from any iterable."""
        source, patience, give_up = _each(items), batch_options(timeout, deadline, retries), GiveUp()
        sent: Deque[Tuple[int, asyncio.Task[Answered]]] = deque()
        size, taken, is_over = batch_size, 0, False

        async def send(part: List[BatchItem]) -> Answered:
            try:
                return await self._call(self._batch_call(part, expand, give_up), patience)
            except BaseException:
                give_up.is_set = True
                raise

        try:
            while True:
                while len(sent) < concurrency and not is_over and not give_up.is_set:
                    part: List[BatchItem] = []
                    while len(part) < size and not is_over:
                        try:
                            part.append(await source.__anext__())
                        except StopAsyncIteration:
                            is_over = True
                    if part:
                        sent.append((taken, asyncio.ensure_future(send(part))))
                        taken += len(part)
                if not sent:
                    return
                answered = await sent[0][1]
                sent.popleft()
                size = part_size(size, answered.limits.rate_limit)
                for item in answered.body["results"]:
                    yield to_batch_result(item)
        except VerdictError as error:
            give_up.is_set = True
            ended = await asyncio.gather(*(task for _, task in sent), return_exceptions=True)
            results = (
                (start + i, to_batch_result(item))
                for (start, _), answer in zip(sent, ended)
                if isinstance(answer, Answered)
                for i, item in enumerate(answer.body["results"])
            )
            raise answered_error(error, results)
        finally:
            give_up.is_set = True
            for _, task in sent:
                task.cancel()

    async def outcomes(
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
        return (await self._call(self._outcomes_call(items), Options(timeout, deadline, retries))).body

    async def status(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Is the service there and the key good? Which data is loaded? Never counts."""
        return (await self._call(STATUS, Options(timeout, deadline, retries))).body

    async def usage(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Dict[str, Any]:
        """What the running month has used. Never counts."""
        return (await self._call(USAGE, Options(timeout, deadline, retries))).body

    async def _call(self, call: Call, options: Options) -> Answered:
        steps = make(call, options, self._settings())
        try:
            step = next(steps)
            while True:
                try:
                    result = await self._do(step)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            answered: Answered = end.value
            return answered

    async def _do(self, step: Step) -> Any:
        if isinstance(step, Take):
            place = self._places.take()
            if place.done():
                return "free"
            try:
                await asyncio.wait_for(asyncio.wrap_future(place), step.seconds)
                return "queued"
            except BaseException as error:
                self._places.leave(place)
                if isinstance(error, asyncio.TimeoutError):
                    return "none"
                raise
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        places = self._places
        if not isinstance(step, Send):
            return places.release("unknown")
        # Whoever cancels the call leaves a thread at work, and its place is free when it ends.
        sending = self._threads.submit(self._send, step.request, step.timeout)
        sending.add_done_callback(lambda done: places.release("unknown") if done.cancelled() else None)
        return await asyncio.wrap_future(sending)


async def _each(items: Union[Iterable[BatchItem], AsyncIterable[BatchItem]]) -> AsyncIterator[BatchItem]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


class AsyncJobs:
    """A file goes in, every row comes back with its verdict."""

    def __init__(self, call: Callable[[Call, Options], Awaitable[Answered]]) -> None:
        self._call = call

    async def create(
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
        job: Job = (await self._call(call, options)).body["job"]
        return job

    async def get(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return await self._one("GET", job_id, "", Options(timeout, deadline, retries))

    async def start(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return await self._one("POST", job_id, "start/", Options(timeout, deadline, retries))

    async def pause(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return await self._one("POST", job_id, "pause/", Options(timeout, deadline, retries))

    async def cancel(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Job:
        return await self._one("POST", job_id, "cancel/", Options(timeout, deadline, retries))

    async def remove(self, job_id: str) -> None:
        """Erases the job with all of its rows."""
        await self._call(remove_call(job_id), Options(deadline=60.0))

    async def list(self) -> List[Job]:
        jobs: List[Job] = []
        cursor: Optional[str] = None
        while True:
            page = (await self._call(list_call(cursor), Options())).body
            jobs += page["jobs"]
            cursor = page["next_cursor"]
            if cursor is None:
                return jobs

    async def wait(
        self,
        job_id: str,
        *,
        interval: float = 2.0,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[Job], None]] = None,
    ) -> Job:
        """As Verdict.jobs.wait."""
        ends_at = None if timeout is None else time.monotonic() + timeout
        while True:
            asking = patience(job_id, timeout, ends_at)
            try:
                job = await self._one("GET", job_id, "", asking)
            except VerdictError as error:
                raise waited_too_long(error, asking, job_id, timeout) or error
            if on_progress:
                on_progress(job)
            if job["status"] not in MOVING:
                return job
            await asyncio.sleep(pause_before(ends_at, interval))

    async def results(
        self, job_id: str, *, decision: Union[Decision, Sequence[Decision], None] = None
    ) -> AsyncIterator[JobResult]:
        """Every row of the file in its order."""
        cursor: Optional[str] = None
        while True:
            page = (await self._call(results_call(job_id, decision, cursor), PATIENT)).body
            for row in page["results"]:
                yield row
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def _one(self, method: str, job_id: str, verb: str, options: Options) -> Job:
        job: Job = (await self._call(job_call(method, job_id, verb), options)).body["job"]
        return job

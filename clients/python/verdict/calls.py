"""One call of the API, tries and waits together, written once for threads and for asyncio.

A call is a generator: it yields what has to be done, `Take`, `Send` or `Sleep`, and is told what came of it. Whoever drives it decides
how to wait.
"""

from __future__ import annotations

import json
import platform
import random
import time
import uuid
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Generator, Literal, Optional, Union, cast
from urllib.parse import urljoin, urlsplit

from .answers import IsAnswer
from .breaker import RetryBreaker
from .errors import VerdictError
from .secret import Secret
from .transport import Request, Response, TimedOut, Unreachable
from .types import Limits
from .uploads import Upload
from .version import VERSION

_FIRST_WAIT, _WAIT_MAX = 0.05, 2.0
_USER_AGENT = f"verdict-python/{VERSION} Python/{platform.python_version()}"
# With less than this part of a try's time left, a call is not sent any more.
_TOO_LATE = 0.1


Place = Literal["free", "queued", "none"]


@dataclass(frozen=True)
class Take:
    """Wait for a place so long; told how it came, or that it did not."""

    seconds: float


@dataclass(frozen=True)
class Leave:
    """Give the place back without sending."""


@dataclass(frozen=True)
class Send:
    """Send in the place that was taken, and give it back."""

    request: Request
    timeout: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


Answer = Dict[str, Any]
Step = Union[Take, Leave, Send, Sleep]
Steps = Generator[Step, Any, "Answered"]


@dataclass(frozen=True)
class Answered:
    body: Answer
    limits: Limits


@dataclass(frozen=True)
class Options:
    """How patient a call is; None is what the client has."""

    timeout: Optional[float] = None
    deadline: Optional[float] = None
    retries: Optional[int] = None


class GiveUp:
    """Stops the tries of a batch that the caller no longer waits for."""

    def __init__(self) -> None:
        self.is_set = False


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    is_answer: IsAnswer
    json: Any = None
    upload: Optional[Upload] = None
    content_type: Optional[str] = None
    # Where a try may take longer than others.
    timeout: Optional[float] = None
    # Without a key it might count twice when it is sent twice.
    is_charged: bool = False
    # A person waits for it, so it is not repeated while most calls of its kind fail.
    is_interactive: bool = False
    # One of the caller's own: it is sent, or the call fails.
    idempotency_key: Optional[str] = None
    # Values of ip that were left out of it; the server shows their number by key.
    dropped_ips: int = 0
    give_up: Optional[GiveUp] = None


class OnceKeys:
    """Keys under which the service remembers an answer; none for a while when it remembers no more today."""

    def __init__(self, is_wanted: bool) -> None:
        self._is_wanted = is_wanted
        self._paused_until = 0.0

    def next(self) -> Optional[str]:
        return str(uuid.uuid4()) if self._is_wanted and time.time() >= self._paused_until else None

    def pause(self, seconds: float) -> None:
        self._paused_until = time.time() + seconds


@dataclass
class Settings:
    base_url: str
    api_key: Secret
    timeout: float
    deadline: float
    retries: int
    once_keys: OnceKeys
    breaker: RetryBreaker
    # Requests that run at once.
    concurrency: int


def make(call: Call, options: Options, settings: Settings) -> Steps:
    retries = settings.retries if options.retries is None else options.retries
    timeout = next(value for value in (options.timeout, call.timeout, settings.timeout) if value is not None)
    deadline = settings.deadline if options.deadline is None else options.deadline
    ends_at = time.monotonic() + deadline
    own_key = settings.once_keys.next() if call.is_charged and not call.idempotency_key else None
    headers: Dict[str, str] = {
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
        "User-Agent": _USER_AGENT,
        "X-API-Key": settings.api_key,
    }
    if call.idempotency_key or own_key:
        headers["Idempotency-Key"] = call.idempotency_key or own_key or ""
    if call.dropped_ips:
        headers["Verdict-Dropped-Ips"] = str(call.dropped_ips)
    if call.content_type:
        headers["Content-Type"] = call.content_type
    text = None
    if call.json is not None:
        headers["Content-Type"] = "application/json"
        text = json.dumps(call.json).encode("utf-8")
    url = settings.base_url + call.path
    attempt = 0
    last: Optional[VerdictError] = None
    while True:
        # The time of a try begins with its place, so that waiting costs the deadline only.
        place: Place = yield Take(max(0.0, ends_at - time.monotonic()))
        left = ends_at - time.monotonic()
        # An answer that comes after the deadline is charged and read by nobody.
        if place == "none" or left < min(timeout, deadline) * _TOO_LATE:
            if place != "none":
                yield Leave()
            if last:
                raise last
            if place == "free":
                raise VerdictError(f"No answer within the deadline of {deadline:g} s.", code="deadline_exceeded")
            raise VerdictError(
                f"{settings.concurrency} requests were running until the deadline of {deadline:g} s,"
                " so this one was not sent.",
                code="queue_timeout",
            )
        body = call.upload.open() if call.upload else text
        try:
            try:
                response: Response = yield Send(Request(call.method, url, dict(headers), body), min(timeout, left))
            except TimedOut as cause:
                if ends_at - time.monotonic() <= 0.001:
                    raise VerdictError(
                        f"No answer within the deadline of {deadline:g} s.", code="deadline_exceeded"
                    ) from cause
                raise VerdictError(f"No answer within {timeout:g} s.", code="timeout") from cause
            except Unreachable as cause:
                raise VerdictError("The service could not be reached.", code="network_error") from cause
            answered = _read(response, url, call.is_answer)
            if call.is_interactive:
                settings.breaker.record(False)
            return answered
        except VerdictError as error:
            last = error
            if call.is_interactive:
                settings.breaker.record(error.validator_unavailable and error.status != 429)
            if own_key and error.code == "idempotency_limit":
                # Nothing of this call was admitted, nor will anything be under its key: it goes on without.
                settings.once_keys.pause(error.retry_after_seconds or 0)
                own_key = None
                del headers["Idempotency-Key"]
                continue
            may_have_counted = (
                call.is_charged and not call.idempotency_key and not own_key and error.status != 429
            )
            is_given_up = call.give_up is not None and call.give_up.is_set
            if not error.retryable or attempt >= retries or may_have_counted or is_given_up:
                raise
            if call.is_interactive and error.status != 429 and settings.breaker.is_open():
                raise
            jitter = random.random() * min(_WAIT_MAX, _FIRST_WAIT * 2**attempt)
            wait = (error.retry_after_seconds or 0) + jitter
            # Waiting past the deadline would only turn a clear reason into a vague one.
            if wait >= ends_at - time.monotonic():
                raise
            yield Sleep(wait)
            attempt += 1


def _read(response: Response, url: str, is_answer: IsAnswer) -> Answered:
    headers, status = response.headers, response.status
    limits = Limits(
        rate_limit=_number(headers.get("ratelimit-limit")),
        rate_remaining=_number(headers.get("ratelimit-remaining")),
        quota_limit=_number(headers.get("x-quota-limit")),
        quota_remaining=_number(headers.get("x-quota-remaining")),
        quota_reset_seconds=_number(headers.get("x-quota-reset")),
    )
    detail: Dict[str, Any] = {
        "status": status,
        "limits": limits,
        "request_id": headers.get("x-request-id"),
        "retry_after_seconds": _retry_after(headers.get("retry-after")),
    }
    if 300 <= status < 400:
        here, there = urlsplit(url), urlsplit(urljoin(url, headers.get("location") or ""))
        raise VerdictError(
            f"base_url leads elsewhere: {here.scheme}://{here.netloc} redirects to {there.scheme}://{there.netloc}."
            " The key was not sent there.",
            code="redirected",
            **detail,
        )
    try:
        parsed: Any = json.loads(response.body.decode("utf-8"))
    except ValueError:
        message = f"Something other than the API answered {status}: its answer is not JSON."
        raise VerdictError(message, code="not_json", **detail) from None
    is_ok = 200 <= status < 300
    if isinstance(parsed, dict):
        body = cast(Answer, parsed)
        if is_ok and is_answer(body):
            return Answered(body, limits)
        if not is_ok and isinstance(body.get("error"), str) and isinstance(body.get("code"), str):
            raise VerdictError(
                body["error"],
                code=body["code"],
                errors=body.get("errors") or [],
                checks_used=body.get("checks_used"),
                checks_limit=body.get("checks_limit"),
                **detail,
            )
    message = f"Something other than the API answered {status}: its JSON is not an answer to this call."
    raise VerdictError(message, code="bad_answer", **detail)


def _number(text: Optional[str]) -> Optional[float]:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return int(value) if value.is_integer() else value


def _retry_after(text: Optional[str]) -> Optional[float]:
    """In seconds, or as the date that proxies write."""
    if text is None:
        return None
    seconds = _number(text)
    if seconds is not None:
        return max(0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None

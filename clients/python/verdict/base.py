"""What both clients have in common: their settings, and calls as data."""

from __future__ import annotations

import os
import ssl
import time
import uuid
import warnings
import weakref
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

from .answers import has_job, has_page_of, is_batch_of, is_check, is_outcomes, is_status, is_success, is_usage
from .breaker import RetryBreaker
from .calls import Call, GiveUp, OnceKeys, Options, Settings
from .errors import VerdictError
from .ips import UsableIp
from .places import Pace, Places
from .secret import Secret
from .transport import Request, Response, TimedOut, Transport
from .types import BatchItem, BatchResult, Check, Decision, OutcomeItem
from .uploads import TYPES, JobFile, read_job_file

FIRST_BATCH, BATCH_MAX = 50, 1000
# What a batch may take per item beyond the time of a single check.
_ITEM_SECONDS = 0.01
_UPLOAD_SECONDS = 600.0
# Pages of a long list are asked for one after the other, and may have to wait for their turn.
PATIENT_SECONDS = 120.0
PATIENT = Options(None, PATIENT_SECONDS, 20)
MOVING = frozenset({"parsing", "running"})

Expand = Sequence[str]


class Base:
    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 1.0,
        deadline: float = 3.0,
        retries: int = 2,
        concurrency: int = 64,
        idempotency: bool = True,
        fallback: Optional[Decision] = None,
        warn: Optional[Callable[[str], None]] = None,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """`api_key` and `base_url` default to VERDICT_API_KEY and VERDICT_URL, which are read by the first call.

        timeout: seconds for one try; a batch adds 0.01 for each item
        deadline: seconds for one call, tries and waits together
        retries: further tries after one that may succeed when repeated
        concurrency: requests that run at once; more calls wait, and one whose turn comes too late is not sent
        idempotency: whether checks carry an Idempotency-Key, so that all tries count as one
        fallback: the decision that stands in when the validator is slow or down
        warn: told once when an ip is none and is left out; warnings.warn
        """
        # At once, so that no frame holds it as it was given.
        api_key = None if api_key is None else Secret(api_key)
        self._api_key = api_key
        self._base_url = None if base_url is None else _read_base_url(base_url)
        self._timeout = _positive("timeout", timeout)
        self._deadline = _positive("deadline", deadline)
        if not retries >= 0:
            raise ValueError("retries must be 0 or more")
        if not concurrency >= 1:
            raise ValueError("concurrency must be 1 or more")
        self._retries = retries
        self._concurrency = concurrency
        self._once_keys = OnceKeys(idempotency)
        self._fallback: Optional[Decision] = fallback
        self._usable_ip = UsableIp(warn or (lambda message: warnings.warn(message, stacklevel=4)))
        self._transport = Transport(context, concurrency)
        self.start_anew()
        _clients.add(self)

    @property
    def ips_dropped(self) -> int:
        """How many values of `ip` were none and were dropped; lists and rules by network did not see those checks."""
        return self._usable_ip.dropped

    def start_anew(self) -> None:
        """Also in a forked child: the threads that held places are the parent's."""
        self._places = Places(self._concurrency)
        self._breaker = RetryBreaker()

    def _send(self, request: Request, timeout: float) -> Response:
        """Sends in the place that was taken, and gives it back."""
        places, started = self._places, time.monotonic()
        pace: Pace = "unknown"
        try:
            response = self._transport.send(request, timeout)
            pace = "prompt" if time.monotonic() - started < timeout / 2 else "slow"
            return response
        except TimedOut:
            pace = "late"
            raise
        finally:
            places.release(pace)

    def _settings(self) -> Settings:
        api_key = self._api_key or Secret(os.environ.get("VERDICT_API_KEY") or "")
        if not api_key:
            raise _not_configured("VERDICT_API_KEY", "api_key")
        address = self._base_url or os.environ.get("VERDICT_URL")
        if not address:
            raise _not_configured("VERDICT_URL", "base_url")
        base_url = self._base_url or _read_base_url(address)
        return Settings(
            base_url,
            api_key,
            self._timeout,
            self._deadline,
            self._retries,
            self._once_keys,
            self._breaker,
            self._places.count,
        )

    def _check_call(
        self, email: str, ip: Optional[str], tag: Optional[str], expand: Expand, idempotency_key: Optional[str]
    ) -> Tuple[Call, bool]:
        if not email:
            raise VerdictError(
                "email: is required",
                code="invalid_request",
                status=400,
                errors=[{"field": "email", "message": "is required"}],
            )
        usable = self._usable_ip(ip)
        is_dropped = bool(ip) and usable is None
        call = Call(
            "POST",
            "check/" + _query(expand),
            is_check,
            json={"email": email, **({"ip": usable} if usable else {}), **({"tag": tag} if tag else {})},
            is_charged=True,
            is_interactive=True,
            idempotency_key=idempotency_key,
            dropped_ips=int(is_dropped),
        )
        return call, is_dropped

    def _stand_in(self, error: VerdictError, email: str, ip: Optional[str], is_dropped: bool) -> Check:
        if self._fallback is None or not error.validator_unavailable:
            raise error
        return Check(decision=self._fallback, email=email, ip=ip, fallback=error, ip_dropped=is_dropped)

    def _batch_call(self, part: Sequence[BatchItem], expand: Expand, give_up: GiveUp) -> Call:
        items = [self._item(item) for item in part]
        return Call(
            "POST",
            "check/batch/" + _query(expand),
            is_batch_of(len(part)),
            json={"items": items},
            timeout=self._timeout + len(part) * _ITEM_SECONDS,
            is_charged=True,
            dropped_ips=sum(1 for given, sent in zip(part, items) if given.get("ip") and not sent.get("ip")),
            give_up=give_up,
        )

    def _outcomes_call(self, items: Sequence[OutcomeItem]) -> Call:
        timeout = self._timeout + len(items) * _ITEM_SECONDS
        return Call("POST", "outcomes/", is_outcomes, json={"items": list(items)}, timeout=timeout)

    def _item(self, item: Mapping[str, Any]) -> Dict[str, Any]:
        ip = self._usable_ip(item.get("ip"))
        rest = {name: value for name, value in item.items() if name != "ip"}
        return {**rest, "ip": ip} if ip else rest


_clients: "weakref.WeakSet[Base]" = weakref.WeakSet()


def _after_fork() -> None:
    for client in list(_clients):
        client.start_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

STATUS = Call("GET", "status/", is_status)
USAGE = Call("GET", "usage/", is_usage)


def batch_options(timeout: Optional[float], deadline: Optional[float], retries: Optional[int]) -> Options:
    return Options(timeout, 30.0 if deadline is None else deadline, 10 if retries is None else retries)


def _not_ended(job_id: str, timeout: Optional[float]) -> VerdictError:
    return VerdictError(f"The job {job_id} did not end within {timeout or 0:g} s.", code="deadline_exceeded")


def waited_too_long(
    error: VerdictError, asking: Options, job_id: str, timeout: Optional[float]
) -> Optional[VerdictError]:
    """The end of a wait, when the last question ran out of the wait's own time."""
    is_own_time = asking.deadline is not None and asking.deadline < PATIENT_SECONDS
    if not is_own_time or error.code not in ("deadline_exceeded", "queue_timeout"):
        return None
    return _not_ended(job_id, timeout)


def patience(job_id: str, timeout: Optional[float], ends_at: Optional[float]) -> Options:
    """How long to ask for a job that is waited for until then."""
    if ends_at is None:
        return PATIENT
    left = ends_at - time.monotonic()
    if left <= 0:
        raise _not_ended(job_id, timeout)
    return Options(None, min(PATIENT_SECONDS, left), PATIENT.retries)


def pause_before(ends_at: Optional[float], interval: float) -> float:
    return interval if ends_at is None else min(interval, max(0.0, ends_at - time.monotonic()))


def answered_error(error: VerdictError, results: Iterable[Tuple[int, BatchResult]]) -> VerdictError:
    """Puts what was answered on the error, each result at the index of its item."""
    by_index = dict(results)
    size = max(by_index, default=-1) + 1
    error.results = [by_index.get(index) for index in range(size)]
    return error


def create_call(
    file: JobFile, form: Optional[str], column: Optional[str], start: bool, name: Optional[str], key: Optional[str]
) -> Tuple[Call, Options]:
    upload = read_job_file(file)
    query = [("column", column), ("name", name), ("start", "auto" if start else None)]
    path = "jobs/?" + urlencode([(field, value) for field, value in query if value is not None])
    call = Call(
        "POST",
        path,
        has_job,
        upload=upload,
        content_type=TYPES[form or upload.form],
        idempotency_key=key or str(uuid.uuid4()),
    )
    return call, Options(_UPLOAD_SECONDS, _UPLOAD_SECONDS, None if upload.is_repeatable else 0)


def job_call(method: str, job_id: str, verb: str = "") -> Call:
    return Call(method, f"jobs/{quote(job_id, safe='')}/{verb}", has_job)


def remove_call(job_id: str) -> Call:
    return Call("DELETE", f"jobs/{quote(job_id, safe='')}/", is_success, timeout=60.0)


def list_call(cursor: Optional[str]) -> Call:
    return Call("GET", "jobs/?limit=500" + _cursor(cursor), has_page_of("jobs"))


def results_call(job_id: str, decisions: Union[str, Sequence[str], None], cursor: Optional[str]) -> Call:
    wanted = [decisions] if isinstance(decisions, str) else list(decisions or [])
    decision = f"&decision={','.join(wanted)}" if wanted else ""
    path = f"jobs/{quote(job_id, safe='')}/results/?limit=500{decision}{_cursor(cursor)}"
    return Call("GET", path, has_page_of("results"), timeout=30.0)


def part_size(current: int, rate_limit: Optional[float]) -> int:
    return max(1, min(BATCH_MAX, int(rate_limit) if rate_limit else current))


def _cursor(cursor: Optional[str]) -> str:
    return "" if cursor is None else f"&cursor={quote(cursor, safe='')}"


def _query(expand: Expand) -> str:
    return f"?expand={','.join(expand)}" if expand else ""


def _read_base_url(text: str) -> str:
    """The address of the API with its last slash. A bare origin means version 1."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"base_url must be an http or https address, not {text!r}")
    if parts.query or parts.fragment:
        raise ValueError("base_url must have neither a query nor a fragment")
    origin = f"{parts.scheme}://{parts.netloc}"
    if parts.path in ("", "/"):
        return f"{origin}/api/v1/"
    return origin + parts.path.rstrip("/") + "/"


def _positive(name: str, value: float) -> float:
    if not value > 0:
        raise ValueError(f"{name} must be more than 0")
    return value


def _not_configured(variable: str, option: str) -> VerdictError:
    return VerdictError(f"Set {variable}, or give the client {option}.", code="not_configured")

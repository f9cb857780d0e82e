"""What the client raises."""

from __future__ import annotations

from typing import List, Optional, Sequence

from .types import BatchResult, FieldError, Limits

# Something between us and the API answered in its place.
_FOREIGN = frozenset({"not_json", "bad_answer", "redirected"})
# A month does not end within a deadline.
_FINAL = frozenset(
    {
        "deadline_exceeded",
        "queue_timeout",
        "not_configured",
        "quota_exceeded",
        "key_quota_exceeded",
        "idempotency_limit",
        "test_limit",
    }
)


def _is_transient(status: int) -> bool:
    return status in (0, 408, 429) or status >= 500


class VerdictError(Exception):
    """`str(error)` is a sentence for people, `error.code` is for programs."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
        limits: Optional[Limits] = None,
        errors: Sequence[FieldError] = (),
        checks_used: Optional[int] = None,
        checks_limit: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        # 0 when there was no answer.
        self.status = status
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.limits = limits
        self.errors = list(errors)
        self.checks_used = checks_used
        self.checks_limit = checks_limit
        # Of a batch that failed: what was answered, each result at the index of its item.
        self.results: List[Optional[BatchResult]] = []

    @property
    def validator_unavailable(self) -> bool:
        """The validator is slow, down, has no room, or something else answered: a fallback decision may stand in."""
        if self.code == "not_configured":
            return False
        return self.code in _FOREIGN or _is_transient(self.status)

    @property
    def quota_used_up(self) -> bool:
        """The month's checks are used up, for the account or for this key: no outage, and it lasts until the month ends."""
        return self.code in ("quota_exceeded", "key_quota_exceeded")

    @property
    def retryable(self) -> bool:
        """Whether the same request may be answered when it is sent again."""
        if self.code in _FINAL:
            return False
        # A page with status 200 may be gone in a moment; a refusal by a proxy will not.
        return _is_transient(self.status) or (self.code in _FOREIGN and self.status < 300)

"""What the API sends and takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict

from .signals import Signals

if TYPE_CHECKING:
    from .errors import VerdictError

Decision = Literal["allow", "challenge", "review", "block"]
DECISIONS = ("allow", "challenge", "review", "block")


class FieldError(TypedDict):
    field: str
    message: str


@dataclass(frozen=True)
class Limits:
    """How much is left, as the headers of an answer say."""

    rate_limit: Optional[float] = None
    rate_remaining: Optional[float] = None
    quota_limit: Optional[float] = None
    quota_remaining: Optional[float] = None
    quota_reset_seconds: Optional[float] = None


@dataclass(frozen=True)
class Check:
    """A verdict. When `fallback` is set, the validator could not be asked and your own decision stands in."""

    decision: Decision
    email: str
    ip: Optional[str] = None
    id: Optional[str] = None
    risk_score: Optional[float] = None
    signals: Signals = field(default_factory=lambda: Signals())
    reasons: Sequence[str] = ()
    created_at: Optional[str] = None
    breakdown: Optional[Mapping[str, Any]] = None
    fallback: Optional[VerdictError] = None
    # The `ip` was none, so lists and rules by network did not see the check.
    ip_dropped: bool = False


class _BatchItem(TypedDict):
    email: str


class BatchItem(_BatchItem, total=False):
    ip: Optional[str]
    tag: str
    ref: str


class _OutcomeItem(TypedDict):
    outcome: Literal["genuine", "abuse", "bounced", "complained"]


class OutcomeItem(_OutcomeItem, total=False):
    """What became of a person: the id of a check or an address, and the outcome."""

    id: str
    email: str
    note: str


@dataclass(frozen=True)
class BatchResult:
    """A check, or what is wrong with the item."""

    ref: Optional[str]
    check: Optional[Check] = None
    error: Optional[str] = None
    code: Optional[str] = None
    errors: Sequence[FieldError] = ()


class _Job(TypedDict):
    id: str
    status: str


class Job(_Job, total=False):
    """A bulk job; `status` is parsing, ready, running, paused, completed, canceled, failed or expired."""

    api_key_id: str
    name: Optional[str]
    format: str
    columns: List[str]
    column: Optional[str]
    other_columns: List[str]
    rows: int
    distinct: int
    malformed: int
    duplicates: int
    done: int
    by_decision: Dict[str, int]
    unknown: int
    quote: Optional[Dict[str, int]]
    phase: Optional[str]
    asking_again: Optional[Dict[str, int]]
    considered: List[str]
    seconds_left: Optional[int]
    paused_because: Optional[str]
    failed_because: Optional[str]
    failed_code: Optional[str]
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    expires_at: str


class JobResult(TypedDict, total=False):
    """One row of a job's file."""

    row: int
    input: Dict[str, Any]
    decision: Optional[Decision]
    risk_score: Optional[float]
    disposable_email: Optional[bool]
    mx_valid: Optional[bool]
    free_provider: Optional[bool]
    reasons: List[str]
    log_id: Optional[str]
    error: Optional[str]

"""The client of the Verdict email risk API."""

from .aio import AsyncVerdict
from .client import Verdict
from .errors import VerdictError
from .types import BatchItem, BatchResult, Check, Decision, FieldError, Job, JobResult, Limits
from .webhooks import verify_webhook

__all__ = [
    "AsyncVerdict",
    "BatchItem",
    "BatchResult",
    "Check",
    "Decision",
    "FieldError",
    "Job",
    "JobResult",
    "Limits",
    "Verdict",
    "VerdictError",
    "verify_webhook",
]

"""The client of the Verdict email risk API."""

from .aio import AsyncVerdict
from .client import Verdict
from .errors import VerdictError
from .signals import Signals
from .types import BatchItem, BatchResult, Check, Decision, FieldError, Job, JobResult, Limits, OutcomeItem
from .version import VERSION as __version__
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
    "OutcomeItem",
    "Signals",
    "Verdict",
    "VerdictError",
    "__version__",
    "verify_webhook",
]

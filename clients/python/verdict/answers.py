"""Whether JSON is what an operation answers with: a portal or a proxy may say 200 to anything."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, cast

from .signals import Signals
from .types import DECISIONS, BatchResult, Check

Fields = Dict[str, Any]
IsAnswer = Callable[[Fields], bool]


def is_check(body: Mapping[str, Any]) -> bool:
    return body.get("success") is True and body.get("decision") in DECISIONS


def is_batch_of(count: int) -> IsAnswer:
    def is_item(item: Any) -> bool:
        if not isinstance(item, dict):
            return False
        fields = cast(Fields, item)
        check = fields.get("check")
        return is_check(cast(Fields, check)) if isinstance(check, dict) else isinstance(fields.get("error"), str)

    def is_batch(body: Fields) -> bool:
        results: Any = body.get("results")
        entries: List[Any] = results if isinstance(results, list) else []  # pyright: ignore[reportUnknownVariableType]
        return results is entries and len(entries) == count and all(map(is_item, entries))

    return is_batch


def is_status(body: Dict[str, Any]) -> bool:
    return body.get("status") == "ok"


def is_usage(body: Dict[str, Any]) -> bool:
    return isinstance(body.get("checks_used"), int)


def is_outcomes(body: Dict[str, Any]) -> bool:
    return isinstance(body.get("recorded"), int) and isinstance(body.get("errors"), list)


def has_job(body: Dict[str, Any]) -> bool:
    job: Any = body.get("job")
    if not isinstance(job, dict):
        return False
    fields = cast(Fields, job)
    return isinstance(fields.get("id"), str) and isinstance(fields.get("status"), str)


def has_page_of(name: str) -> IsAnswer:
    def is_page(body: Dict[str, Any]) -> bool:
        return isinstance(body.get(name), list) and isinstance(body.get("next_cursor"), (str, type(None)))

    return is_page


def is_success(body: Dict[str, Any]) -> bool:
    return body.get("success") is True


def to_check(body: Mapping[str, Any], ip_dropped: bool = False) -> Check:
    return Check(
        decision=body["decision"],
        email=body.get("email", ""),
        ip=body.get("ip"),
        id=body.get("id"),
        risk_score=body.get("risk_score"),
        signals=body.get("signals") or Signals(),
        reasons=body.get("reasons", []),
        created_at=body.get("created_at"),
        breakdown=body.get("breakdown"),
        ip_dropped=ip_dropped,
    )


def to_batch_result(item: Mapping[str, Any]) -> BatchResult:
    check = item.get("check")
    if check is not None:
        return BatchResult(ref=item.get("ref"), check=to_check(check))
    return BatchResult(item.get("ref"), None, item.get("error"), item.get("code"), item.get("errors") or [])

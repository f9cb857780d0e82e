"""Runs the cases of packages/sdk-conformance: one task a line on standard input, one outcome a line on standard output.

With --asyncio the calls are those of AsyncVerdict.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, AsyncIterator, Dict, Iterable, Iterator, List

from verdict import AsyncVerdict, Check, Verdict, VerdictError, verify_webhook

FOLDER = tempfile.TemporaryDirectory()
SECONDS = {"timeoutMs": "timeout", "deadlineMs": "deadline", "intervalMs": "interval"}
RENAMED = {
    "apiKey": "api_key",
    "idempotencyKey": "idempotency_key",
    "batchSize": "batch_size",
}
METHODS = {"checkBatch": "check_batch", "checkEach": "check_each"}


def options_of(given: Dict[str, Any]) -> Dict[str, Any]:
    return {
        SECONDS.get(name, RENAMED.get(name, name)): value / 1000 if name in SECONDS else value
        for name, value in given.items()
    }


def options_of_call(call: Dict[str, Any]) -> Dict[str, Any]:
    given = call.get("input")
    tagged = call["method"] == "check" and isinstance(given, dict) and "tag" in given
    return {**options_of(call.get("options", {})), **({"tag": given["tag"]} if tagged else {})}


def told(error: VerdictError) -> Dict[str, Any]:
    limits = error.limits and {
        "rateLimit": error.limits.rate_limit,
        "rateRemaining": error.limits.rate_remaining,
        "quotaLimit": error.limits.quota_limit,
        "quotaRemaining": error.limits.quota_remaining,
        "quotaResetSeconds": error.limits.quota_reset_seconds,
    }
    return {
        "message": str(error),
        "code": error.code,
        "status": error.status,
        "requestId": error.request_id,
        "retryAfterSeconds": error.retry_after_seconds,
        "limits": limits,
        "errors": error.errors,
        "checksUsed": error.checks_used,
        "checksLimit": error.checks_limit,
        "quotaUsedUp": error.quota_used_up,
        "results": [result is not None for result in error.results],
    }


def plain(value: Any) -> Any:
    if isinstance(value, Check):
        fields = dataclasses.asdict(dataclasses.replace(value, fallback=None))
        return {**fields, "success": value.fallback is None, "ipDropped": value.ip_dropped}
    if dataclasses.is_dataclass(value):
        fields = {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return fields
    return [plain(each) for each in value] if isinstance(value, list) else value


def ended(value: Any) -> Dict[str, Any]:
    if isinstance(value, Check) and value.fallback is not None:
        return {"fallback": {**plain(value), **told(value.fallback)}}
    return {"value": plain(value)}


def failed(error: Exception, read: int) -> Dict[str, Any]:
    if isinstance(error, VerdictError):
        return {"error": told(error), "read": read}
    if isinstance(error, (TypeError, ValueError)):
        return {"usageError": str(error)}
    return {"fileError": str(error)}


def file_of(call: Dict[str, Any]) -> Any:
    how, content = call.get("as"), call.get("input")
    if how == "missing":
        return Path("nowhere.csv")
    if how == "stream":
        return iter(content.splitlines(keepends=True))
    if how == "path":
        path = Path(FOLDER.name) / f"{threading.get_ident()}.csv"
        path.write_text(content)
        return path
    return content


def arguments(call: Dict[str, Any]) -> List[Any]:
    if call["method"] == "jobs.create":
        return [file_of(call)]
    given = call.get("input")
    if call["method"] == "check" and isinstance(given, dict):
        return [given["email"], given.get("ip")]
    return [] if given is None else [given]


def find(client: Any, method: str) -> Any:
    for name in METHODS.get(method, method).split("."):
        client = getattr(client, name)
    return client


def webhook(message: Dict[str, Any]) -> Any:
    return verify_webhook(message["secret"], message["headers"], message["body"], now=message["now"])


def make_client(kind: Any, task: Dict[str, Any], warnings: List[str]) -> Any:
    options = {"apiKey": "k", "timeoutMs": 60_000, "deadlineMs": 120_000, **task["client"]}
    return kind(base_url=task["baseUrl"], warn=warnings.append, **options_of(options))


def count(outcomes: Iterable[Dict[str, Any]]) -> Dict[str, Any]:
    def ending(outcome: Dict[str, Any]) -> str:
        if "value" in outcome:
            return "answered"
        return "fallback" if "fallback" in outcome else outcome.get("error", {}).get("code", "other")

    return {"calls": Counter(map(ending, outcomes))}


def run(task: Dict[str, Any]) -> Dict[str, Any]:
    warnings: List[str] = []
    call = task["call"]

    def once(client: Any) -> Dict[str, Any]:
        rows: List[Any] = []
        try:
            if call["method"] == "verifyWebhook":
                return ended(webhook(call["input"]))
            value = find(client, call["method"])(*arguments(call), **options_of_call(call))
            if isinstance(value, Iterator):
                for row in value:
                    rows.append(row)
                value = rows
            return ended(value)
        except Exception as error:
            return failed(error, len(rows))

    with make_client(Verdict, task, warnings) as client:
        if task["atOnce"]:
            with ThreadPoolExecutor(task["atOnce"]) as callers:
                return count(callers.map(once, [client] * task["atOnce"]))
        outcomes = [once(client) for _ in range(task["calls"])]
    return {**outcomes[-1], "warnings": warnings, "ipsDropped": client.ips_dropped}


async def run_async(task: Dict[str, Any]) -> Dict[str, Any]:
    warnings: List[str] = []
    call = task["call"]

    async def once(client: Any) -> Dict[str, Any]:
        rows: List[Any] = []
        try:
            if call["method"] == "verifyWebhook":
                return ended(webhook(call["input"]))
            value = find(client, call["method"])(*arguments(call), **options_of_call(call))
            if isinstance(value, AsyncIterator):
                async for row in value:
                    rows.append(row)
                value = rows
            else:
                value = await value
            return ended(value)
        except Exception as error:
            return failed(error, len(rows))

    async with make_client(AsyncVerdict, task, warnings) as client:
        if task["atOnce"]:
            return count(await asyncio.gather(*(once(client) for _ in range(task["atOnce"]))))
        outcomes = [await once(client) for _ in range(task["calls"])]
    return {**outcomes[-1], "warnings": warnings, "ipsDropped": client.ips_dropped}


def main() -> None:
    is_async = "--asyncio" in sys.argv
    writing = threading.Lock()

    def answer(line: str) -> None:
        task = json.loads(line)
        try:
            outcome = asyncio.run(run_async(task)) if is_async else run(task)
        except Exception as error:
            outcome = failed(error, 0)
        with writing:
            print(json.dumps({"id": task["id"], "outcome": outcome}), flush=True)

    with ThreadPoolExecutor(16) as pool:
        for line in sys.stdin:
            pool.submit(answer, line)


main()

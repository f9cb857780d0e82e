"""Standard Webhooks: HMAC-SHA-256 over `id.timestamp.body`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from typing import Mapping, Optional, Union


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: Union[str, bytes],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> bool:
    """True when the message is genuine and recent. Take `webhook-id` as seen once: deliveries can repeat.

    The body must be the bytes that arrived: parsing and printing JSON again changes them.
    """
    if not hasattr(body, "encode") and not hasattr(body, "decode"):
        raise TypeError("body must be the bytes or the text of the request, not parsed JSON")
    key = _decode(re.sub(r"^whsec_", "", secret))
    if not key:
        raise ValueError("The secret is not one of the form whsec_...")
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = given.get("webhook-id"), given.get("webhook-timestamp")
    signatures = given.get("webhook-signature")
    if not message_id or not timestamp or not signatures or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        return False
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{timestamp}.".encode("utf-8") + content
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    pairs = (entry.partition(",") for entry in signatures.split(" "))
    return any(version == "v1" and hmac.compare_digest(expected, _decode(value)) for version, _, value in pairs)


def _decode(text: str) -> bytes:
    """An unreadable signature is simply not the right one."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""

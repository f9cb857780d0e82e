"""Leaves out an `ip` that is none."""

from __future__ import annotations

import ipaddress
import json
import re
from typing import Callable, Optional

_BRACKETED = re.compile(r"\[([^\]]*)\](?::\d{1,5})?")
_WITH_PORT = re.compile(r"([^:]+):\d{1,5}")


class UsableIp:
    """Takes off port and brackets, drops what is no address, counts it and warns once.

    A proxy's mistake must not cost a sign-up, but lists and rules by network do not see such a check.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self.dropped = 0

    def __call__(self, ip: Optional[str]) -> Optional[str]:
        if not ip:
            return None
        text = _bare(ip.strip())
        if _is_ip(text):
            return text
        self.dropped += 1
        if self.dropped == 1:
            self._warn(f"verdict: {json.dumps(ip)} is not an IP address, so checks are sent without it.")
        return None


def _bare(text: str) -> str:
    found = _BRACKETED.fullmatch(text) or _WITH_PORT.fullmatch(text)
    return found.group(1) if found else text


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text

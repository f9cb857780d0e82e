"""Leaves out an `ip` that is none."""

from __future__ import annotations

import ipaddress
import json
from typing import Callable, Optional


class UsableIp:
    """Proxies write `unknown`, or an address with a port. The `ip` decides nothing, so it must not cost a sign-up."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._has_warned = False

    def __call__(self, ip: Optional[str]) -> Optional[str]:
        if not ip:
            return None
        text = ip.strip()
        if _is_ip(text):
            return text
        if not self._has_warned:
            self._has_warned = True
            self._warn(f"verdict: {json.dumps(ip)} is not an IP address, so checks are sent without it.")
        return None


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text

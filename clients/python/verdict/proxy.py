"""The proxy of the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in capitals or not."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Dict, Optional
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass_environment

from .secret import Secret


@dataclass(frozen=True)
class Proxy:
    host: str
    port: int
    headers: Dict[str, str] = field(default_factory=dict, repr=False)


def find_proxy(scheme: str, netloc: str) -> Optional[Proxy]:
    address = getproxies_environment().get(scheme)
    if not address or proxy_bypass_environment(netloc):
        return None
    parts = urlsplit(address if "://" in address else f"http://{address}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"{scheme.upper()}_PROXY must be an http address")
    headers: Dict[str, str] = {}
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode("utf-8")
        headers["Proxy-Authorization"] = Secret("Basic " + base64.b64encode(login).decode("ascii"))
    return Proxy(parts.hostname, parts.port or 80, headers)

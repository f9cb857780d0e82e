"""The proxy of the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in capitals or not."""

from __future__ import annotations

import base64
import urllib.request
from dataclasses import dataclass, field
from typing import Any, Dict, Optional
from urllib.parse import unquote, urlsplit

from .secret import Secret

# The standard library has them on every platform and describes them on none.
_environment: Any = urllib.request


@dataclass(frozen=True)
class Proxy:
    host: str
    port: int
    headers: Dict[str, str] = field(repr=False)


def find_proxy(scheme: str, netloc: str) -> Optional[Proxy]:
    address: Optional[str] = _environment.getproxies_environment().get(scheme)
    if not address or _environment.proxy_bypass_environment(netloc):
        return None
    parts = urlsplit(address if "://" in address else f"http://{address}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"{scheme.upper()}_PROXY must be an http address")
    headers: Dict[str, str] = {}
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode("utf-8")
        headers["Proxy-Authorization"] = Secret("Basic " + base64.b64encode(login).decode("ascii"))
    return Proxy(parts.hostname, parts.port or 80, headers)

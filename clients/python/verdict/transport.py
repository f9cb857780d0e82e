"""One request over a kept connection, within a time limit."""

from __future__ import annotations

import gzip
import http.client
import os
import select
import socket
import ssl
import threading
import time
import weakref
import zlib
from dataclasses import dataclass, field
from typing import List, Mapping, Optional, Tuple, Union
from urllib.parse import urlsplit

from . import resolver
from .connection import Connection, TlsConnection
from .proxy import find_proxy
from .uploads import Source

# Servers end idle connections after some seconds; one that is younger is very likely still there.
_IDLE_SECONDS = 4.0

AnyConnection = Union[Connection, TlsConnection]
Idle = List[Tuple[float, AnyConnection, Tuple[str, str]]]


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: Union[bytes, Source, None] = field(default=None, repr=False)


@dataclass(frozen=True)
class Response:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class TimedOut(Exception):
    """No whole answer within the time."""


class Unreachable(Exception):
    """No connection, or one that ended without a whole answer."""


class Transport:
    def __init__(self, context: Optional[ssl.SSLContext], idle_max: int) -> None:
        self._context = context
        self._idle_max = idle_max
        self._idle: Idle = []
        self._lock = threading.Lock()
        # A client that nobody closed leaves no open sockets behind.
        weakref.finalize(self, _close_all, self._idle)
        _transports.add(self)

    def send(self, request: Request, timeout: float) -> Response:
        ends_at = time.monotonic() + timeout
        parts = urlsplit(request.url)
        place = (parts.scheme, parts.netloc)
        connection, target, headers = self._prepare(request, ends_at)
        is_kept = False
        try:
            response, body = _exchange(connection, request, target, headers)
            is_kept = not response.will_close
            return Response(response.status, response.headers, _decoded(response, body))
        except socket.timeout as error:
            # Frames of the standard library hold the bytes of the request, and with them the key.
            raise TimedOut() from error.with_traceback(None)
        except (OSError, http.client.HTTPException, EOFError, zlib.error) as error:
            if isinstance(request.body, Source) and request.body.failure is not None:
                raise request.body.failure from None
            raise Unreachable(str(error)) from error.with_traceback(None)
        finally:
            if is_kept:
                self._keep(place, connection)
            else:
                connection.close()

    def close(self) -> None:
        with self._lock:
            idle = self._idle[:]
            self._idle.clear()
        _close_all(idle)

    def forget(self) -> None:
        """In a forked child: the connections belong to the parent, and a lock may have been held."""
        self._lock = threading.Lock()
        idle = self._idle[:]
        self._idle.clear()
        _close_all(idle)

    def _prepare(self, request: Request, ends_at: float) -> Tuple[AnyConnection, str, Mapping[str, str]]:
        parts = urlsplit(request.url)
        host, headers = parts.hostname or "", request.headers
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        proxy = find_proxy(parts.scheme, parts.netloc)
        if proxy and parts.scheme == "http":
            target, headers = request.url, {**headers, **proxy.headers}
        connection = self._take((parts.scheme, parts.netloc))
        if connection is None:
            if parts.scheme == "https":
                context = self._context = self._context or ssl.create_default_context()
                connection = TlsConnection(proxy.host if proxy else host, proxy.port if proxy else parts.port, context)
                if proxy:
                    connection.set_tunnel(host, parts.port or 443, proxy.headers)
            else:
                connection = Connection(proxy.host if proxy else host, proxy.port if proxy else parts.port)
        connection.ends_at = ends_at
        return connection, target, headers

    def _take(self, place: Tuple[str, str]) -> Optional[AnyConnection]:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                since, connection, where = self._idle.pop()
            is_young = time.monotonic() - since < _IDLE_SECONDS
            # What has something to say while nobody asked was ended by the server.
            if is_young and where == place and connection.sock and not select.select([connection.sock], [], [], 0)[0]:
                return connection
            connection.close()

    def _keep(self, place: Tuple[str, str], connection: AnyConnection) -> None:
        with self._lock:
            if len(self._idle) < self._idle_max:
                self._idle.append((time.monotonic(), connection, place))
                return
        connection.close()


_transports: "weakref.WeakSet[Transport]" = weakref.WeakSet()


def _after_fork() -> None:
    resolver.forget()
    for transport in list(_transports):
        transport.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _close_all(idle: Idle) -> None:
    for _, connection, _ in idle:
        connection.close()


def _exchange(
    connection: AnyConnection, request: Request, target: str, headers: Mapping[str, str]
) -> Tuple[http.client.HTTPResponse, bytes]:
    is_stream = isinstance(request.body, Source)
    sent = dict(headers)
    if is_stream:
        sent["Transfer-Encoding"] = "chunked"
    try:
        connection.request(request.method, target, request.body, sent, encode_chunked=is_stream)
    except (BrokenPipeError, ConnectionResetError):
        # A server that refuses a file does so before it has read all of it; its reason is worth reading.
        if not is_stream:
            raise
    response = connection.getresponse()
    body = response.read()
    return response, body


def _decoded(response: http.client.HTTPResponse, body: bytes) -> bytes:
    return gzip.decompress(body) if response.headers.get("content-encoding") == "gzip" else body

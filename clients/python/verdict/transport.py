"""One request over a kept connection, within a time limit."""

from __future__ import annotations

import gzip
import http.client
import select
import socket
import ssl
import threading
import time
import zlib
from dataclasses import dataclass
from typing import List, Mapping, Optional, Tuple, Union
from urllib.parse import urlsplit

from .uploads import Source

# Servers end idle connections after some seconds; one that is younger is very likely still there.
_IDLE_SECONDS = 4.0
_IDLE_MAX = 16


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: Union[bytes, Source, None] = None


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
    def __init__(self, context: Optional[ssl.SSLContext] = None) -> None:
        self._context = context
        self._idle: List[Tuple[float, http.client.HTTPConnection, Tuple[str, str]]] = []
        self._lock = threading.Lock()

    def send(self, request: Request, timeout: float) -> Response:
        ends_at = time.monotonic() + timeout
        parts = urlsplit(request.url)
        place = (parts.scheme, parts.netloc)
        connection = self._take(place) or self._connect(parts.scheme, parts.hostname or "", parts.port)
        is_kept = False
        try:
            target = f"{parts.path}?{parts.query}" if parts.query else parts.path
            response, body = self._exchange(connection, request, target, ends_at)
            is_kept = not response.will_close
            return Response(response.status, response.headers, _decoded(response, body))
        except socket.timeout as error:
            raise TimedOut() from error
        except (OSError, http.client.HTTPException, EOFError, zlib.error) as error:
            if isinstance(request.body, Source) and request.body.failure is not None:
                raise request.body.failure
            raise Unreachable(str(error)) from error
        finally:
            if is_kept:
                self._keep(place, connection)
            else:
                connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection, _ in idle:
            connection.close()

    def _exchange(
        self, connection: http.client.HTTPConnection, request: Request, target: str, ends_at: float
    ) -> Tuple[http.client.HTTPResponse, bytes]:
        connection.timeout = _left(ends_at)
        if connection.sock is None:
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sock.settimeout(_left(ends_at))
        is_stream = isinstance(request.body, Source)
        headers = dict(request.headers)
        if is_stream:
            headers["Transfer-Encoding"] = "chunked"
        try:
            connection.request(request.method, target, request.body, headers, encode_chunked=is_stream)
        except (BrokenPipeError, ConnectionResetError):
            # A server that refuses a file does so before it has read all of it; its reason is worth reading.
            if not is_stream:
                raise
        connection.sock.settimeout(_left(ends_at))
        response = connection.getresponse()
        chunks = []
        while True:
            if connection.sock is not None:
                connection.sock.settimeout(_left(ends_at))
            chunk = response.read1(65_536)
            if not chunk:
                break
            chunks.append(chunk)
        body = b"".join(chunks)
        expected = response.headers.get("content-length")
        if request.method != "HEAD" and expected is not None and expected.isdigit() and len(body) < int(expected):
            raise http.client.IncompleteRead(body)
        return response, body

    def _connect(self, scheme: str, host: str, port: Optional[int]) -> http.client.HTTPConnection:
        if scheme == "https":
            if self._context is None:
                self._context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, context=self._context)
        return http.client.HTTPConnection(host, port)

    def _take(self, place: Tuple[str, str]) -> Optional[http.client.HTTPConnection]:
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

    def _keep(self, place: Tuple[str, str], connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < _IDLE_MAX:
                self._idle.append((time.monotonic(), connection, place))
                return
        connection.close()


def _left(ends_at: float) -> float:
    left = ends_at - time.monotonic()
    if left <= 0:
        raise socket.timeout("timed out")
    return left


def _decoded(response: http.client.HTTPResponse, body: bytes) -> bytes:
    return gzip.decompress(body) if response.headers.get("content-encoding") == "gzip" else body

"""An HTTP connection whose every wait ends at one moment: name, handshake, request, each byte of the answer."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from functools import partial
from typing import Any, Optional, Tuple

from .resolver import resolve


class Connection(http.client.HTTPConnection):
    """`ends_at` is set before each exchange."""

    ends_at = 0.0

    def __init__(self, host: str, port: Optional[int]) -> None:
        super().__init__(host, port)
        _prepare(self)

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        sock: Any = self.sock
        _send(sock, data, self.ends_at)


class TlsConnection(http.client.HTTPSConnection):
    """`ends_at` is set before each exchange."""

    ends_at = 0.0

    def __init__(self, host: str, port: Optional[int], context: ssl.SSLContext) -> None:
        super().__init__(host, port, context=context)
        _prepare(self)

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        sock: Any = self.sock
        _send(sock, data, self.ends_at)


def left(ends_at: float) -> float:
    remaining = ends_at - time.monotonic()
    if remaining <= 0:
        raise socket.timeout("timed out")
    return remaining


def _prepare(connection: Any) -> None:
    def create(address: Tuple[str, int], *_: Any) -> socket.socket:
        return _open(address, connection.ends_at)

    def respond(sock: socket.socket, *args: Any, **options: Any) -> _Response:
        return _Response(sock, connection.ends_at, *args, **options)

    connection._create_connection = create
    connection.response_class = respond


def _open(address: Tuple[str, int], ends_at: float) -> socket.socket:
    failure: Optional[OSError] = None
    for family, kind, protocol, _, place in resolve(address[0], address[1], left(ends_at)):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(left(ends_at))
            sock.connect(place)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # The handshake that may follow has what is left then.
            sock.settimeout(left(ends_at))
            return sock
        except OSError as error:
            sock.close()
            failure = error
            if isinstance(error, socket.timeout):
                break
    raise failure or OSError("the name has no address")


def _send(sock: socket.socket, data: Any, ends_at: float) -> None:
    view = memoryview(data)
    while len(view):
        sock.settimeout(left(ends_at))
        view = view[sock.send(view) :]


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, ends_at: float, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        raw = self.fp.detach()
        self.fp = io.BufferedReader(_Reader(raw, partial(_limit, sock, ends_at)))


class _Reader(io.RawIOBase):
    """Sets the time that is left before each read: a socket's own limit begins anew with every byte."""

    def __init__(self, raw: Any, limit: Any) -> None:
        self._raw = raw
        self._limit = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        self._limit()
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _limit(sock: socket.socket, ends_at: float) -> None:
    sock.settimeout(left(ends_at))

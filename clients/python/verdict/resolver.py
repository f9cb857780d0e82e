"""Resolves names within a time limit, which `getaddrinfo` has not."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Dict, List, Tuple

Place = Tuple[str, int]
_running: Dict[Place, "Future[List[Any]]"] = {}
_lock = threading.Lock()


def resolve(host: str, port: int, timeout: float) -> List[Any]:
    """As `getaddrinfo`. Calls for one name share one thread, so that a slow resolver holds no more than one."""
    place = (host, port)
    with _lock:
        found = _running.get(place)
        if found is None:
            found = _running[place] = Future()
            threading.Thread(target=_ask, args=(place, found), name="verdict-resolver", daemon=True).start()
    try:
        return found.result(timeout)
    except FutureTimeout:
        raise socket.timeout("timed out") from None


def forget() -> None:
    """In a forked child nobody would ever answer."""
    global _lock
    _lock = threading.Lock()
    _running.clear()


def _ask(place: Place, found: Future[List[Any]]) -> None:
    try:
        addresses = socket.getaddrinfo(place[0], place[1], 0, socket.SOCK_STREAM)
    except BaseException as error:
        _end(place)
        found.set_exception(error)
    else:
        _end(place)
        found.set_result(addresses)


def _end(place: Place) -> None:
    with _lock:
        _running.pop(place, None)

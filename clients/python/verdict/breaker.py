"""Stops retries while more than half of the recent tries failed: repeating them would keep a struggling service down."""

from __future__ import annotations

import threading
from collections import deque
from typing import Deque

# Twice the places of a client, so that one moment in which all of them are late does not open it.
_RECENT, _ENOUGH = 128, 10


class RetryBreaker:
    def __init__(self) -> None:
        self._recent: Deque[bool] = deque(maxlen=_RECENT)
        self._lock = threading.Lock()

    def record(self, is_failure: bool) -> None:
        with self._lock:
            self._recent.append(is_failure)

    def is_open(self) -> bool:
        with self._lock:
            return len(self._recent) >= _ENOUGH and sum(self._recent) * 2 > len(self._recent)

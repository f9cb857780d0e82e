"""Semaphore with a FIFO queue and an adaptive limit (AIMD), for threads and for asyncio alike.

It starts small, grows with prompt answers and halves after a time-out: on a starved machine the requests that run at once are what
makes each of them late.
"""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from typing import Deque, List, Literal

# Well in time, in time, without an answer in time, or in a way that says nothing about speed.
Pace = Literal["prompt", "slow", "late", "unknown"]
_FIRST, _MIN = 8, 4


class Places:
    def __init__(self, count: int) -> None:
        self.count = count
        self._limit = float(min(_FIRST, count))
        self._taken = 0
        self._was_late = False
        self._waiting: Deque[Future[None]] = deque()
        self._lock = threading.Lock()

    def take(self) -> Future[None]:
        """A future that is done when the place is there. Whoever stops waiting must `leave` with it."""
        place: Future[None] = Future()
        with self._lock:
            if self._taken >= self._limit:
                self._waiting.append(place)
                return place
            self._taken += 1
        place.set_result(None)
        return place

    def leave(self, place: Future[None]) -> None:
        """Gives up waiting; a place that was granted in the same moment goes to the next."""
        if not place.cancel():
            self.release("unknown")

    def release(self, pace: Pace) -> None:
        granted: List[Future[None]] = []
        with self._lock:
            self._taken -= 1
            if pace == "prompt":
                self._limit = min(self.count, self._limit + (1 / self._limit if self._was_late else 1))
            if pace == "late":
                self._was_late = True
                self._limit = max(min(_MIN, self.count), self._limit / 2)
            while self._waiting and self._taken < self._limit:
                place = self._waiting.popleft()
                if place.set_running_or_notify_cancel():
                    self._taken += 1
                    granted.append(place)
        for place in granted:
            place.set_result(None)

"""What a server cannot show: a slow resolver. python3 -m unittest discover -s tests -t ."""

from __future__ import annotations

import asyncio
import socket
import time
import unittest
from typing import Any
from unittest import mock

from verdict import AsyncVerdict, Verdict

DEADLINE = 0.5


def slow(*_: Any) -> Any:
    time.sleep(5)
    raise socket.gaierror("no such name")


class SlowResolver(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch("socket.getaddrinfo", slow)
        patch.start()
        self.addCleanup(patch.stop)
        self.started = time.monotonic()

    def test_check_returns_by_its_deadline(self) -> None:
        with Verdict("k", "http://slow-1.example/", deadline=DEADLINE, fallback="review") as verdict:
            check = verdict.check("a@b.example")
        self.assertEqual(check.decision, "review")
        self.assertLess(time.monotonic() - self.started, 4)

    def test_asyncio_returns_by_its_deadline_for_more_callers_than_places(self) -> None:
        async def sign_ups() -> Any:
            client = AsyncVerdict("k", "http://slow-2.example/", deadline=DEADLINE, concurrency=8, fallback="review")
            async with client as verdict:
                return await asyncio.gather(*(verdict.check("a@b.example") for _ in range(100)))

        checks = asyncio.run(sign_ups())
        self.assertEqual({check.decision for check in checks}, {"review"})
        self.assertLess(time.monotonic() - self.started, 4)


if __name__ == "__main__":
    unittest.main()

"""What a server cannot show: a slow resolver. python3 -m unittest discover -s tests -t ."""

from __future__ import annotations

import asyncio
import socket
import threading
import unittest
from typing import Any
from unittest import mock

from verdict import AsyncVerdict, Verdict

DEADLINE = 0.5


class SlowResolver(unittest.TestCase):
    """The resolver answers when the test is over, so a call that returns did not wait for it."""

    def setUp(self) -> None:
        self.is_over = threading.Event()
        self.addCleanup(self.is_over.set)

        def resolve(*_: Any) -> Any:
            # A call that waits for it would otherwise hold the run for ever.
            self.has_answered = not self.is_over.wait(120)
            raise socket.gaierror("no such name")

        self.has_answered = False
        patch = mock.patch("socket.getaddrinfo", resolve)
        patch.start()
        self.addCleanup(patch.stop)

    def test_check_returns_by_its_deadline(self) -> None:
        with Verdict("k", "http://slow-1.example/", deadline=DEADLINE, fallback="review") as verdict:
            check = verdict.check("a@b.example")
        self.assertEqual(check.decision, "review")
        self.assertFalse(self.has_answered)

    def test_asyncio_returns_by_its_deadline_for_more_callers_than_places(self) -> None:
        async def sign_ups() -> Any:
            client = AsyncVerdict("k", "http://slow-2.example/", deadline=DEADLINE, concurrency=8, fallback="review")
            async with client as verdict:
                return await asyncio.gather(*(verdict.check("a@b.example") for _ in range(100)))

        checks = asyncio.run(sign_ups())
        self.assertEqual({check.decision for check in checks}, {"review"})
        self.assertFalse(self.has_answered)


if __name__ == "__main__":
    unittest.main()

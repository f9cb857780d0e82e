"""A misspelt option is an error where it is written, and not a setting that never works."""

from __future__ import annotations

import unittest
from typing import Any, Callable, List

from verdict import AsyncVerdict, Verdict


class Options(unittest.TestCase):
    def test_misspelt_options_are_refused(self) -> None:
        with Verdict("k", "http://127.0.0.1:2/") as verdict:
            client: Any = verdict
            kinds: List[Any] = [Verdict, AsyncVerdict]
            calls: List[Callable[[], Any]] = [
                *(lambda kind=kind: kind("k", falback="allow") for kind in kinds),
                lambda: client.check("a@b.example", timout=3),
                lambda: client.check_batch([{"email": "a@b.example"}], batchsize=3),
                lambda: client.status(deadlin=3),
                lambda: client.jobs.wait("job_1", timeout_ms=3),
            ]
            for call in calls:
                self.assertRaises(TypeError, call)


if __name__ == "__main__":
    unittest.main()

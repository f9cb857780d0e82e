"""The key must not show where error reporters look: in the local variables of every frame."""

from __future__ import annotations

import socket
import threading
import unittest
from typing import List, Optional

from verdict import Verdict, VerdictError

KEY = "vrd_live_never_shown"


def frames(error: Optional[BaseException]) -> List[str]:
    shown: List[str] = []
    while error is not None:
        trace = error.__traceback__
        while trace is not None:
            names = trace.tb_frame.f_locals
            if not trace.tb_frame.f_code.co_filename == __file__:
                shown += [f"{trace.tb_frame.f_code.co_name}.{name} = {value!r}" for name, value in names.items()]
            trace = trace.tb_next
        shown.append(repr(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return shown


class Secrets(unittest.TestCase):
    def shown_after(self, base_url: str, deadline: float) -> None:
        with Verdict(KEY, base_url, retries=0, timeout=deadline, deadline=deadline) as verdict:
            with self.assertRaises(VerdictError) as caught:
                verdict.check("a@b.example")
            shown = frames(caught.exception) + [repr(vars(verdict))]
        self.assertGreater(len(shown), 5)
        self.assertEqual([line for line in shown if KEY in line], [])

    def test_after_a_refused_connection(self) -> None:
        with socket.socket() as bound:
            # It does not listen, and while it is bound no other program does.
            bound.bind(("127.0.0.1", 0))
            self.shown_after(f"http://127.0.0.1:{bound.getsockname()[1]}/", deadline=60)

    def test_after_a_timeout(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            self.shown_after(f"http://127.0.0.1:{silent.getsockname()[1]}/", deadline=0.3)

    def test_after_a_reset(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            thread = threading.Thread(target=lambda: server.accept()[0].close())
            thread.start()
            self.shown_after(f"http://127.0.0.1:{server.getsockname()[1]}/", deadline=60)
            thread.join()

    def test_after_a_wrong_option(self) -> None:
        with self.assertRaises(ValueError) as caught:
            Verdict(KEY, "ftp://x")
        self.assertEqual([line for line in frames(caught.exception) if KEY in line], [])


if __name__ == "__main__":
    unittest.main()

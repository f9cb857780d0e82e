"""Connections of a client that nobody closes, that forks, or that must go through a proxy."""

from __future__ import annotations

import gc
import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, List
from unittest import mock

from verdict import Verdict

# A busy machine is not the subject: no try and no kept connection ends before its test.
PATIENT: Any = {"timeout": 60, "deadline": 120}
ANSWER = json.dumps({"success": True, "decision": "allow", "email": "a@b.example"}).encode()


class Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    asked: List[str] = []
    peers: List[Any] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        Api.asked.append(self.path)
        Api.peers.append(self.client_address)
        self.send_response(200)
        self.send_header("content-length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, *_: Any) -> None:
        pass


class Processes(unittest.TestCase):
    def setUp(self) -> None:
        Api.asked, Api.peers = [], []
        server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.origin = f"http://127.0.0.1:{server.server_port}"

    def test_a_client_that_nobody_closes_warns_nobody(self) -> None:
        verdict = Verdict("k", self.origin, **PATIENT)
        self.assertEqual(verdict.check("a@b.example").decision, "allow")
        del verdict
        with mock.patch("sys.unraisablehook") as warned:
            gc.collect()
        warned.assert_not_called()

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_a_forked_child_has_a_connection_of_its_own(self) -> None:
        kept = mock.patch("verdict.transport._IDLE_SECONDS", 120)
        with kept, Verdict("k", self.origin, **PATIENT) as verdict:
            verdict.check("a@b.example")
            child = os.fork()
            if child == 0:
                decision = verdict.check("a@b.example").decision
                os._exit(0 if decision == "allow" else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            verdict.check("a@b.example")
        self.assertEqual(len(Api.peers), 3)
        self.assertEqual(Api.peers[0], Api.peers[2])
        self.assertNotEqual(Api.peers[0], Api.peers[1])

    def test_a_proxy_of_the_environment_is_used_unless_excepted(self) -> None:
        with mock.patch.dict(os.environ, {"http_proxy": self.origin, "no_proxy": "inside.example"}):
            with Verdict("k", "http://verdict.example/", **PATIENT) as verdict:
                self.assertEqual(verdict.check("a@b.example").decision, "allow")
            with Verdict("k", "http://inside.example/", fallback="review", deadline=0.5) as verdict:
                self.assertEqual(verdict.check("a@b.example").decision, "review")
        self.assertEqual(Api.asked, ["http://verdict.example/api/v1/check/"])


if __name__ == "__main__":
    unittest.main()

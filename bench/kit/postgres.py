"""A separate PostgreSQL on a free port, with default settings."""

import os
import shutil
import subprocess
import tempfile
from glob import glob
from pathlib import Path

from kit.results import Skip
from kit.tools import free_port, wait_for


class Postgres:
    """A cluster in a temporary folder, removed with it."""

    def __enter__(self) -> "Postgres":
        programs = sorted(glob("/usr/lib/postgresql/*/bin"))
        if not programs:
            raise Skip("PostgreSQL is not installed")
        self.programs = Path(programs[-1])
        # Not inside the project: its user may have no access there.
        self.folder = Path(tempfile.mkdtemp(prefix="larder-bench-pg-"))
        self.process = None
        self.as_user = []
        try:
            if os.getuid() == 0:  # it refuses to run as root
                shutil.chown(self.folder, "postgres")
                self.as_user = ["setpriv", "--reuid=postgres", "--clear-groups", "--inh-caps=-all"]
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self) -> None:
        data, port = self.folder / "data", free_port()
        words = ["-D", data, "-U", "larder", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"]
        made = subprocess.run(
            [*self.as_user, self.programs / "initdb", *words], cwd=self.folder, capture_output=True, text=True
        )
        if made.returncode != 0:
            raise Skip(f"initdb: {made.stderr.strip()[-300:]}")
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [
                    *self.as_user, self.programs / "postgres", "-D", data, "-k", self.folder, "-p", str(port),
                    "-c", "listen_addresses=127.0.0.1", "-c", "dynamic_shared_memory_type=mmap",
                ],
                cwd=self.folder, stdout=log, stderr=log,
            )
        wait_for("127.0.0.1", port, 30)
        self.url = f"postgres://larder@127.0.0.1:{port}/postgres"
        said = subprocess.run([self.programs / "postgres", "--version"], capture_output=True, text=True).stdout
        self.version = "PostgreSQL " + said.split()[2]

    def __exit__(self, *_) -> None:
        if self.process:
            self.process.send_signal(2)  # ends the sessions, then itself
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

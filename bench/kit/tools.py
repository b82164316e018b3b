"""The peers' packages, installed once into bench/.cache, and small helpers."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from kit.results import Skip
from kit.settings import BENCH, CACHE


def python_with(package: str, version: str, alone: bool = True) -> Path:
    """The `bin` folder of a virtual environment with this package, and its dependencies unless it has none."""
    folder = CACHE / f"{package}-{version}"
    if not (folder / "ready").exists():
        print(f"   installing {package} {version}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        _install([sys.executable, "-m", "venv", folder], "Python's venv module (Debian: python3-venv)")
        needs = ["--no-deps"] if alone else []
        _install([folder / "bin/pip", "install", "-q", *needs, f"{package}=={version}"], f"{package} from PyPI")
        (folder / "ready").touch()
    return folder / "bin"


def _install(command: list, what: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(f"cannot get {what}: {(done.stderr or done.stdout).strip()[-300:]}")


def npm_folder(name: str) -> Path:
    """A folder of bench with its locked npm packages installed."""
    folder = BENCH / name
    installed = folder / "node_modules/.package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (folder / "package-lock.json").stat().st_mtime:
        print(f"   npm ci in bench/{name}", flush=True)
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Skip(f"npm ci in bench/{name}: {done.stderr.strip()[-300:]}")
        installed.touch()
    return folder


def need(program: str) -> str:
    return shutil.which(program) or _missing(program)


def _missing(program: str) -> str:
    raise Skip(f"{program} is not installed")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(host: str, port: int, seconds: float) -> None:
    """Waits until a port accepts connections."""
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((host, port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def forget_pages(file: Path) -> None:
    """Drops a file from the page cache, so that the next read comes from disk."""
    with open(file, "rb") as open_file:
        os.fsync(open_file.fileno())
        os.posix_fadvise(open_file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

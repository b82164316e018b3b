"""The server with the demo group's data: from exec to the first 200 of /healthz (median of 10, migrated database),
resident memory after five idle seconds, and the binary's size."""

import http.client
import re
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

from kit.clock import environment
from kit.larder import larder
from kit.results import Section, median, spread
from kit.settings import BINARY, SMALL, size
from kit.tools import free_port

RUNS = size(10, 3)
IDLE_SECONDS = 5


def measure(section: Section, folder: Path) -> None:
    print("   loading the demo data", flush=True)
    larder("demo", *(["--small"] if SMALL else []), folder=folder)
    data = demo_size(folder)
    starts = [start(folder)[0] for _ in range(RUNS)]
    section.row("exec to first 200 of /healthz", median(starts), "ms", bar=300, extra=spread(starts))
    memory = start(folder, IDLE_SECONDS)[1]
    section.row(f"idle memory after {IDLE_SECONDS} s", memory, "MB", bar=80)
    section.row("binary", BINARY.stat().st_size / 1e6, "MB", bar=45)
    section.notes.append(f"The data: {data}.")


def demo_size(folder: Path) -> str:
    """The size of the demo's data; an empty database would start faster."""
    file = folder / "larder.db"
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        stores, days = (db.execute(f"select count(*) from {table}").fetchone()[0] for table in ("locations", "sales_days"))
    if not stores or not days:
        raise RuntimeError(f"the demo has {stores} stores and {days} store-days")
    return f"{stores} stores, {days:,} store-days, {file.stat().st_size / 1e6:,.0f} MB"


def start(folder: Path, then_wait: float = 0) -> tuple[float, float]:
    """Milliseconds to the first response, and resident megabytes after a while."""
    port = free_port()
    command = [BINARY, "serve", "--data-dir", folder, "--listen", f"127.0.0.1:{port}"]
    with open(folder / "serve.log", "ab") as log:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment())
    try:
        while not healthy(port):
            if process.poll() is not None:
                raise RuntimeError(f"larder serve: {(folder / 'serve.log').read_text()[-2000:]}")
            time.sleep(0.001)
        took = (time.perf_counter() - started) * 1000
        time.sleep(then_wait)
        status = Path(f"/proc/{process.pid}/status").read_text()
        return took, int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024 / 1e6
    finally:
        process.terminate()
        process.wait()


def healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()

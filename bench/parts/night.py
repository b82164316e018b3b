"""A scheduled night of forecasts: every root item of every store from a year of sales, by the advanced method with
intervals. Time and memory, and a check that a night killed twice halfway and resumed ends with the same figures."""

import hashlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from kit import book
from kit.larder import Server, make_admin
from kit.results import Section
from kit.settings import BINARY, size

STORES, ITEMS = size(200, 3), size(300, 6)
SERVICE = "advanced-forecast"


def measure(section: Section, folder: Path) -> None:
    data = folder / "data"
    data.mkdir()
    make_admin(data)
    with Server(data) as server:
        server.sign_in()
        server.fill("/api/stores/locations", [{"name": f"Store {s:03}", "code": f"S{s:03}"} for s in range(STORES)])
        roots = [{"name": f"Root {r:03}", "rootProductId": f"R{r:03}"} for r in range(ITEMS)]
        server.fill("/api/lists/root-items", roots)
        server.fill("/api/lists/pos-items", [
            {"posItemId": f"P{i:03}", "description": f"Dish {i:03}", "bom": [{"rootProductId": f"R{i:03}", "multiplier": 1}]}
            for i in range(ITEMS)
        ])
        lines = book.fill(server, STORES, ITEMS)
    killed = folder / "killed"
    shutil.copytree(data, killed)

    took, usage = run(data)
    series, figures = said(data)
    section.row(f"{series:,} series from {lines:,} store-item-days, forecast with intervals", took, "s",
                extra=f" ({series / took:,.0f} series/s, {usage.ru_utime + usage.ru_stime:,.0f} s of processor time)")
    section.row("peak memory", usage.ru_maxrss / 1024, "MB")

    # Killed after a third and two thirds, if it is running by then.
    times = 0
    for part in (3, 3):
        process = subprocess.Popen([BINARY, "plan", "run", SERVICE, "--data-dir", killed], cwd=killed,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(max(took / part, 0.3))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            times += 1
        process.wait()
    run(killed)
    again, same = said(killed)
    if (again, same) != (series, figures):
        raise RuntimeError(f"killed {times} times, {again} series came out, others than the {series} of an undisturbed night")
    if times < size(2, 0):
        raise RuntimeError("the night was over before it could be killed twice")
    section.row(f"series that differ after {times} kills", 0, "")


def run(data: Path):
    """Seconds until the service has ended, and the process's resource usage."""
    started = time.perf_counter()
    log = open(data / "night.log", "wb")
    process = subprocess.Popen([BINARY, "plan", "run", SERVICE, "--data-dir", data], cwd=data, stdout=log, stderr=log)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(re.sub(r"\s+", " ", (data / "night.log").read_text())[-2000:])
    return time.perf_counter() - started, usage


def said(data: Path) -> tuple[int, str]:
    """The number of series of the last finished run, and a digest of their figures."""
    with sqlite3.connect(f"file:{data / 'larder.db'}?mode=ro", uri=True) as db:
        rows = db.execute(
            """select l.name, r.name, s.method, s.history_days, s.wape, s.mase, s.coverage, s.packed
               from forecast_series s join locations l on l.id = s.store_id join root_items r on r.id = s.root_item_id
               where s.run_id = (select run_id from forecast_runs where service = ? and finished order by rowid desc limit 1)
               order by l.name, r.name""", (SERVICE,)).fetchall()
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode())
    if not rows:
        raise RuntimeError("no forecast came out")
    return len(rows), digest.hexdigest()

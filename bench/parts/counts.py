"""Counting over HTTP: a store of 400 items whose full count arrives in one batch, as from a phone that was offline,
for half a year of days; then that phone's warm-up, the store's inventory, and the days as a grid. Bars apply to the
99th percentile; medians in brackets."""

import datetime
import gzip
import json
import time
from pathlib import Path

from kit.clock import now_ms, today
from kit.larder import Server, make_admin
from kit.results import Section, number
from kit.settings import size
from parts.masters import row

ITEMS = size(400, 40)
DAYS = size(180, 6)
TIMES = size(100, 10)
ROOT = "/api/stores/count"


def measure(section: Section, folder: Path) -> None:
    make_admin(folder)
    with Server(folder).sign_in() as server:
        store, items = counted_store(server)
        times, wire = counts_of_days(server, store, items, DAYS)
        row(section, f"a batch of {ITEMS} counts, {DAYS} batches", times, 250)
        section.row(f"the same on the wire, compressed ({number(wire / ITEMS)} bytes per count)", wire / 1000, "kB", bar=30)
        for what, path, bar in (
            ("what a phone takes along", f"{ROOT}/warm-up?storeId={store}", 150),
            ("on hand of every item", f"/api/stores/inventory?storeId={store}&pageSize=5000", 150),
            ("a month as a grid", f"/api/stores/inventory/grid?storeId={store}&start={day(30)}&end={day(0)}", 150),
        ):
            times, size_of = [], 0
            for _ in range(TIMES):
                took, content = server.timed_get(path)
                times.append(took)
                size_of = len(gzip.compress(content, 1))
            row(section, f"{what}, {DAYS} days of {ITEMS} items", times, bar, f", {size_of / 1000:.0f} kB compressed")


def counted_store(server: Server) -> tuple[str, list[str]]:
    """A store that counts at any time, and its items."""
    store = server.post("/api/stores/locations", {"name": "Bench"})["id"]
    roots = server.fill("/api/lists/root-items", [{"name": f"Root {n:03}", "price": n % 90 + 1} for n in range(ITEMS)])
    items = server.fill("/api/lists/store-inventory-items", [
        {"name": f"Item {n:03}", "sortOrder": n, "storageArea": f"Area {n // 50}", "rootItemId": root, "rootQtyPerUnit": 1}
        for n, root in enumerate(roots)
    ])
    server.call("PUT", f"{ROOT}/settings/{store}", {
        "restrictDate": False, "enforceTimeWindow": False, "timeLockEnabled": False, "autoSessionByTime": False,
    })
    return store, items


def counts_of_days(server: Server, store: str, items: list[str], days: int) -> tuple[list[float], int]:
    """Counts every item on each of the last days; returns the milliseconds per batch, and the bytes of the last."""
    times, wire, seq = [], 0, 0
    for nth in range(days):
        entries = []
        for n, item in enumerate(items):
            seq += 1
            entries.append({
                "op": f"phone-of-the-bench:{seq}", "storeId": store, "date": day(days - nth), "session": "closing",
                "itemId": item, "qty": (n * 7 + nth * 13) % 50, "at": now_ms(), "seq": seq, "base": None,
                "prev": f"phone-of-the-bench:{seq - 1}" if seq > 1 else None,
            })
        body = {"sentAt": now_ms(), "deviceId": "phone-of-the-bench", "entries": entries}
        wire = len(gzip.compress(json.dumps(body, separators=(",", ":")).encode()))
        started = time.perf_counter()
        results = server.post(f"{ROOT}/batch", body)["results"]
        times.append((time.perf_counter() - started) * 1000)
        wrong = [one for one in results if one["outcome"] != "applied"]
        if wrong or len(results) != len(items):
            raise RuntimeError(f"of {len(items)} counts {len(wrong)} were not taken: {wrong[:2]}")
    return times, wire


def day(ago: int) -> str:
    return (today() - datetime.timedelta(days=ago)).isoformat()

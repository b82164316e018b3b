"""Counting over HTTP: a store of 400 items whose full count comes in one batch, as from a phone that was without a
signal, for half a year of days; then what that phone takes along, what lies in the store, and the days as a grid. Bars
hold for the slowest in a hundred; medians in brackets. Then the phone itself: Chromium at a quarter of this machine's
speed, from a key to the frame after it, where the bar holds for the slowest in twenty."""

import datetime
import gzip
import json
import time
from pathlib import Path

from kit.larder import Server, make_admin
from kit.results import Section, median, number
from kit.settings import size
from kit.tools import need, npm_folder
from parts.masters import row
from parts.web import DIST, node

ITEMS = size(400, 40)
DAYS = size(180, 6)
TIMES = size(100, 10)
ROOT = "/api/stores/count"


def measure(section: Section, folder: Path) -> None:
    make_admin(folder)
    with Server(folder).sign_in() as server:
        store = server.post("/api/stores/locations", {"name": "Bench"})["id"]
        roots = server.fill("/api/lists/root-items", [{"name": f"Root {n:03}", "price": n % 90 + 1} for n in range(ITEMS)])
        items = server.fill("/api/lists/store-inventory-items", [
            {"name": f"Item {n:03}", "sortOrder": n, "storageArea": f"Area {n // 50}", "rootItemId": root, "rootQtyPerUnit": 1}
            for n, root in enumerate(roots)
        ])
        server.call("PUT", f"{ROOT}/settings/{store}", {
            "restrictDate": False, "enforceTimeWindow": False, "timeLockEnabled": False, "autoSessionByTime": False,
        })
        batches(section, server, store, items)
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
            row(section, f"{what}, {DAYS} days of {ITEMS} items", times, bar, f", {size_of / 1000:.0f} kB packed")

        phone(section, server, store)


def phone(section: Section, server: Server, store: str) -> None:
    if not (DIST / "index.html").exists():
        section.skip("web/dist is not built", "on a phone")
        return
    need("npm")
    url = f"{server.url}/store-count?store={store}&date={day(0)}&session=opening"
    found = json.loads(node(npm_folder("lighthouse"), "count.js", url, server.cookie, str(ITEMS))[-1])
    if not found["counted"] or len(found["openings"]) < 3:
        raise RuntimeError(f"the phone did not count: {found}")
    for what, name in (("a key", "keys"), ("a step to the next item", "steps")):
        times = sorted(found[name])
        late = times[int(len(times) * 0.95)]
        section.row(f"{ITEMS} items on a phone, {what} to the frame after it (median {number(median(times))} ms): 95%", late, "ms", bar=100)
    opened = f"{ITEMS} items on a phone without a network, opening to the first row, median of {len(found['openings'])}"
    section.row(opened, median(found["openings"]) / 1000, "s", bar=1.5)


def batches(section: Section, server: Server, store: str, items: list[str]) -> None:
    times, wire, seq = [], 0, 0
    for nth in range(DAYS):
        entries = []
        for n, item in enumerate(items):
            seq += 1
            entries.append({
                "op": f"phone-of-the-bench:{seq}", "storeId": store, "date": day(DAYS - nth), "session": "closing",
                "itemId": item, "qty": (n * 7 + nth * 13) % 50, "at": now(), "seq": seq, "base": None,
                "prev": f"phone-of-the-bench:{seq - 1}" if seq > 1 else None,
            })
        body = {"sentAt": now(), "deviceId": "phone-of-the-bench", "entries": entries}
        wire = len(gzip.compress(json.dumps(body, separators=(",", ":")).encode()))
        started = time.perf_counter()
        results = server.post(f"{ROOT}/batch", body)["results"]
        times.append((time.perf_counter() - started) * 1000)
        wrong = [one for one in results if one["outcome"] != "applied"]
        if wrong or len(results) != len(items):
            raise RuntimeError(f"of {len(items)} counts {len(wrong)} were not taken: {wrong[:2]}")
    row(section, f"a batch of {ITEMS} counts, {DAYS} batches", times, 250)
    section.row(f"the same on the wire, packed ({number(wire / ITEMS)} bytes a count)", wire / 1000, "kB", bar=30)


def day(ago: int) -> str:
    house = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=8)
    return (house.date() - datetime.timedelta(days=ago)).isoformat()


def now() -> int:
    return int(time.time() * 1000)

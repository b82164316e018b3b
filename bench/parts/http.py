"""Create, read and list 50 over HTTP by wrk with 64 connections on 2 threads, over 10,000 records with two unique
text fields. Larder checks session and permission, keeps an audit row for every change and commits with
synchronous=FULL; PocketBase has its defaults (an auth rule, no audit, synchronous=NORMAL)."""

import json
import os
import secrets
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kit.larder import Server, make_admin
from kit.results import Section, median, spread
from kit.settings import BENCH, size
from kit.tools import need
from peers.pocketbase import VERSION, PocketBase

RECORDS = size(10_000, 300)
SECONDS = size(10, 1)
RUNS = size(3, 1)
NAMES = {"create": "create a record", "read": "read a record", "list": "list 50 of them, sorted by name"}


def measure(section: Section, folder: Path) -> None:
    need("wrk")
    section.peers.append(f"PocketBase {VERSION}")
    ours, theirs = folder / "larder", folder / "pocketbase"
    ours.mkdir()
    theirs.mkdir()
    make_admin(ours)
    with Server(ours).sign_in() as server:
        larder = rates(server, "/api/lists/uoms", "pageSize", ours)
    with PocketBase(theirs) as server:
        peer = rates(server, "/api/collections/uoms/records", "perPage", theirs)
    for kind, name in NAMES.items():
        (own, tail), (other, other_tail) = larder[kind], peer[kind]
        what = f"{name} (p99 {median(tail):.1f} ms; PocketBase {median(other_tail):.1f} ms)"
        section.row(
            what, median(own), "/s", peer=median(other), peer_name="PocketBase", more_is_better=True, ratio_bar=3,
            extra=spread(own),
        )


def rates(server, path: str, page_size: str, folder: Path) -> dict[str, tuple[list[float], list[float]]]:
    """Requests per second and p99 in ms, of each kind and run. Reads come before the creates that grow the list."""
    bodies = [{"name": f"Seed {n:06}", "code": f"S{n:06}"} for n in range(RECORDS)]
    with ThreadPoolExecutor(16) as pool:
        ids = [made["id"] for made in pool.map(lambda body: server.call("POST", path, body), bodies)]
    (folder / "ids").write_text("\n".join(ids))
    listing = f"{path}?page=1&{page_size}=50&sort=name"
    check(server, path, listing, ids[0])
    body = '{"name": "Unit {n}", "code": "U{n}"}'
    return {
        "read": load(server, "GET", path + "/{id}", ids=folder / "ids"),
        "list": load(server, "GET", listing),
        "create": load(server, "POST", path, body=body),
    }


def check(server, path: str, listing: str, one: str) -> None:
    """Both return the measured data: the requested record, fifty of them in order and their number."""
    assert server.call("GET", f"{path}/{one}")["code"] == "S000000"
    page = server.call("GET", listing)
    names = [item["name"] for item in page["items"]]
    assert len(names) == 50 and names == sorted(names), names
    assert page.get("total", page.get("totalItems")) == RECORDS


def load(server, method: str, path: str, body: str | None = None, ids: Path | None = None):
    """wrk, several times; any status but 2xx invalidates the figure."""
    headers = {"Content-Type": "application/json", **server.headers}
    given = {
        "METHOD": method, "PATH_TO": path, "HEADERS": "\n".join(f"{k}: {v}" for k, v in headers.items()),
        **({"BODY": body} if body else {}), **({"IDS": str(ids)} if ids else {}),
    }
    rate, tail = [], []
    command = ["wrk", "-t2", "-c64", f"-d{SECONDS}s", "--timeout=10s", "-s", BENCH / "peers/load.lua", server.url]
    for _ in range(RUNS):
        environment = os.environ | given | {"RUN": secrets.token_hex(3)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout.strip().splitlines()[-1])
        if found["refused"] or found["broken"]:
            raise RuntimeError(f"{method} {path} at {server.url}: {found}")
        rate.append(found["requests"] / found["microseconds"] * 1e6)
        tail.append(found["p99"] / 1000)
    return rate, tail

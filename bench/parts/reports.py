"""Report pages over a year of sales of 200 stores and 274 POS items a day, each made of two of 180 root items: 20
million store-item-days. Larder answers the page's request over HTTP, JSON and all; DuckDB answers in process from a
native table and only its bare sums are timed. Warm: median of 5; cold: the first question after a start with the
database's pages dropped from memory."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from kit import book
from kit.larder import Server, larder, make_admin
from kit.results import Section, median
from kit.settings import BENCH, CACHE, ROOT, size
from kit.tools import forget_pages, python_with
from peers.group import DAYS, QUESTIONS, day

STORES, ITEMS, RUNS = size(200, 40), size(274, 20), 5
DUCKDB = "2.0.0"
API = {
    "weekly": "/api/reports/weekly-root-item-sales",
    "products": "/api/reports/product-sales-by-store",
    "roots": "/api/reports/sales-by-root-items",
}


def measure(section: Section, _: Path) -> None:
    python = python_with("duckdb", DUCKDB) / "python"
    section.peers.append(f"DuckDB {DUCKDB}")
    folder = filled()
    file = folder / "duck.db"
    command = [python, BENCH / "peers/duck.py", file, str(STORES), str(ITEMS), str(RUNS)]
    duck = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    for name, question in QUESTIONS.items():
        peer = duck[name]
        cold, warm, answer = ask(folder, *question)
        compare(name, question[0], answer, peer["sum"])
        what = f"{name} (cold {cold:.0f} ms; DuckDB {peer['cold']:.0f} ms; answer {len(answer) / 1000:,.0f} kB)"
        section.row(what, median(warm), "ms", peer=median(peer["warm"]), peer_name="DuckDB", ratio_bar=1)
    cold, warm = home(folder)
    section.row(f"home (cold {cold:.0f} ms)", median(warm), "ms", bar=300)
    sizes = [f"{(folder / name).stat().st_size / 2**30:.2f} GiB" for name in ("larder.db", "duck.db")]
    section.notes.append(f"Databases: Larder {sizes[0]}, DuckDB {sizes[1]}. Both gave the same sums.")


def home(folder: Path) -> tuple[float, list[float]]:
    """Milliseconds of the first answer of Home and of the following ones: every tile must have been read."""
    forget_pages(folder / "larder.db")
    with Server(folder).sign_in() as server:
        cold, answer = server.timed_get("/api/dashboard/main")
        failed = [tile["name"] for tile in json.loads(answer)["tiles"] if tile.get("failed")]
        if failed:
            raise RuntimeError(f"tiles of Home could not be read: {', '.join(failed)}")
        return cold, [server.timed_get("/api/dashboard/main")[0] for _ in range(RUNS)]


def filled() -> Path:
    """A data folder with the group's year of sales, kept for the next run as long as the schema stays."""
    kept = [*sorted((ROOT / "crates/db/migrations").iterdir()), BENCH / "kit/book.py", BENCH / "peers/group.py"]
    words = hashlib.sha256(b"".join(file.read_bytes() for file in kept)).hexdigest()[:8]
    folder = CACHE / f"reports-{STORES}x{ITEMS}-{words}"
    if (folder / "ready").exists():
        return folder
    for old in CACHE.glob(f"reports-{STORES}x{ITEMS}-*"):
        shutil.rmtree(old)
    folder.mkdir()
    print(f"   filling {folder.relative_to(ROOT)}", flush=True)
    larder("migrate", folder=folder)
    make_admin(folder)
    with Server(folder).sign_in() as server:
        book.make_lists(server, STORES, ITEMS)
        rows = book.fill(server, STORES, ITEMS)
    if rows != STORES * ITEMS * DAYS:
        raise RuntimeError(f"{rows:,} store-item-days were written instead of {STORES * ITEMS * DAYS:,}")
    print(f"   {rows:,} store-item-days", flush=True)
    (folder / "ready").touch()
    return folder


def ask(folder: Path, kind: str, first: int, last: int, some: bool) -> tuple[float, list[float], bytes]:
    """Milliseconds of the first answer and of the following ones, and the answer."""
    forget_pages(folder / "larder.db")
    with Server(folder).sign_in() as server:
        path = f"{API[kind]}?from={day(first)}&to={day(last)}"
        if some:
            stores = server.get("/api/stores/locations?pageSize=all")["items"]
            chosen = [store["id"] for store in stores if int(store["code"][1:]) % (STORES // 20) == 0]
            path += "&storeIds=" + ",".join(chosen)
            forget_pages(folder / "larder.db")
        cold, answer = server.timed_get(path)
        return cold, [server.timed_get(path)[0] for _ in range(RUNS)], answer


def compare(name: str, kind: str, answer: bytes, theirs: float) -> None:
    """Larder's grand total must be what DuckDB counted (pieces, or thousandths of root items)."""
    found = json.loads(answer)
    if kind == "weekly":
        ours = found["grandTotal"] * 1000
    elif kind == "products":
        ours = found["totalQty"]
    else:
        ours = found["total"] * 1000
    if abs(ours - theirs) > 1e-6 * abs(theirs):
        raise RuntimeError(f"{name}: Larder's sum is {ours}, DuckDB's {theirs}")

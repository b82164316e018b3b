"""Report pages over a year of sales of 200 stores and 274 POS items a day, each made of two of 180 root items: 20
million store-item-days. Larder answers the page's request over HTTP, including JSON; DuckDB answers in process from
a native table and only its bare sums are timed. Warm: median of 5; cold: the first query after a start with the
database's pages dropped from memory. «Own» are queries of the report builder; those run as a job are timed until the
job has ended. Pages of one store are also requested in a group of a tenth of the stores."""

import hashlib
import json
import shutil
import subprocess
import time
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
    "weekly": "weekly-root-item-sales",
    "products": "product-sales-by-store",
    "roots": "sales-by-root-items",
    "mix": "smbcd",
    "before": "sales-comparison",
    "tills": "sales-terminal",
    "score": "store-scorecard",
    "food": "food-cost",
}
# Queries of the report builder: rows and columns.
OWN = {
    "categoryByWeekday": (["category"], ["weekday"]),
    "itemByMonth": (["item"], ["month"]),
    "storeByItem": (["store", "item"], []),
    "storeWeekdayByCategory": (["store", "weekday"], ["category"]),
}
# Queries of one store, in the group and in a tenth of it.
ONE_STORE = {
    "weekly root item sales, a year": "/api/reports/weekly-root-item-sales?from={first}&to={last}&storeIds={store}",
    "product sales, a year": "/api/reports/product-sales-by-store?from={first}&to={last}&storeIds={store}",
    "sales mix by category and day, a year": "/api/reports/smbcd?from={first}&to={last}&storeIds={store}",
    "every document of the store": "/api/stores/transactions?storeId={store}",
}
JOB_ENDS = {"done", "failed", "cancelled"}


def measure(section: Section, _: Path) -> None:
    python = python_with("duckdb", DUCKDB) / "python"
    section.peers.append(f"DuckDB {DUCKDB}")
    folder = filled(STORES)
    file = folder / "duck.db"
    command = [python, BENCH / "peers/duck.py", file, str(STORES), str(ITEMS), str(RUNS)]
    duck = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    for name, question in QUESTIONS.items():
        kind, peer = question[0], duck[name]
        cold, warm, answer, as_job = ask(folder, *question)
        compare(name, kind, answer, peer["sum"])
        bar = None if as_job else 2 if kind in OWN else 1
        what = f"{name}{', as a job' if as_job else ''} (answer {len(answer) / 1000:,.0f} kB)"
        section.row(what, median(warm), "ms", peer=median(peer["warm"]), peer_name="DuckDB", ratio_bar=bar)
        section.row(f"{name}, cold", cold, "ms", peer=peer["cold"], peer_name="DuckDB", ratio_bar=bar)
    cold, warm = home(folder)
    section.row(f"home (cold {cold:.0f} ms)", median(warm), "ms", bar=300)
    one_store(section, folder, filled(STORES // 10))
    sizes = [f"{(folder / name).stat().st_size / 2**30:.2f} GiB" for name in ("larder.db", "duck.db")]
    section.notes.append(f"Databases: Larder {sizes[0]}, DuckDB {sizes[1]}. Both gave the same sums.")


def one_store(section: Section, group: Path, tenth: Path) -> None:
    """Pages of one store, in the group and in a tenth of it."""
    took: list[dict[str, float]] = []
    for folder in (group, tenth):
        with Server(folder).sign_in() as server:
            stores = server.get("/api/stores/locations?pageSize=all")["items"]
            store = next(store["id"] for store in stores if store["code"] == "S003")
            paths = {name: path.format(first=day(0), last=day(364), store=store) for name, path in ONE_STORE.items()}
            took.append({
                name: median([server.timed_get(path)[0] for _ in range(4 * RUNS)]) for name, path in paths.items()
            })
    for name in ONE_STORE:
        section.row(f"one store: {name}", took[0][name], "ms", peer=took[1][name], peer_name="a tenth of the stores",
                    ratio_bar=1.5)


def home(folder: Path) -> tuple[float, list[float]]:
    """Milliseconds of the first response of Home and of the following ones: every tile must have been read."""
    forget_pages(folder / "larder.db")
    with Server(folder).sign_in() as server:
        cold, answer = server.timed_get("/api/dashboard/main")
        failed = [tile["name"] for tile in json.loads(answer)["tiles"] if tile.get("failed")]
        if failed:
            raise RuntimeError(f"tiles of Home could not be read: {', '.join(failed)}")
        return cold, [server.timed_get("/api/dashboard/main")[0] for _ in range(RUNS)]


def filled(stores: int) -> Path:
    """A data folder with the group's year of sales, kept for the next run while the schema is unchanged."""
    kept = [*sorted((ROOT / "crates/db/migrations").iterdir()), BENCH / "kit/book.py", BENCH / "peers/group.py"]
    words = hashlib.sha256(b"".join(file.read_bytes() for file in kept)).hexdigest()[:8]
    folder = CACHE / f"reports-{stores}x{ITEMS}-{words}"
    if (folder / "ready").exists():
        return folder
    for old in CACHE.glob(f"reports-{stores}x{ITEMS}-*"):
        shutil.rmtree(old)
    folder.mkdir()
    print(f"   filling {folder.relative_to(ROOT)}", flush=True)
    larder("migrate", folder=folder)
    make_admin(folder)
    with Server(folder).sign_in() as server:
        book.make_lists(server, stores, ITEMS)
        rows = book.fill(server, stores, ITEMS)
    if rows != stores * ITEMS * DAYS:
        raise RuntimeError(f"{rows:,} store-item-days were written instead of {stores * ITEMS * DAYS:,}")
    print(f"   {rows:,} store-item-days", flush=True)
    (folder / "ready").touch()
    return folder


def ask(folder: Path, kind: str, first: int, last: int, some: bool) -> tuple[float, list[float], bytes, bool]:
    """Milliseconds of the first response and of the following ones, the response, and whether a job computed it."""
    with Server(folder).sign_in() as server:
        chosen = []
        if some:
            stores = server.get("/api/stores/locations?pageSize=all")["items"]
            chosen = [store["id"] for store in stores if int(store["code"][1:]) % (STORES // 20) == 0]
        forget_pages(folder / "larder.db")
        turns = [asked(server, kind, day(first), day(last), chosen) for _ in range(1 + RUNS)]
        return turns[0][0], [turn[0] for turn in turns[1:]], *turns[0][1:]


def asked(server: Server, kind: str, first: str, last: str, stores: list[str]) -> tuple[float, bytes, bool]:
    """Milliseconds to the response, the response, and whether a job computed it."""
    if kind in API:
        path = f"/api/reports/{API[kind]}?from={first}&to={last}" + (f"&storeIds={','.join(stores)}" if stores else "")
        return *server.timed_get(path), False
    rows, columns = OWN[kind]
    question = {
        "dataset": "sales", "range": {"from": first, "to": last}, "rows": rows, "columns": columns,
        "measures": [{"field": "net"}, {"field": "qty"}],
        "filters": [{"field": "store", "values": stores}] if stores else [],
    }
    body, started = json.dumps(question).encode(), time.perf_counter()
    _, answer = server.request("POST", "/api/reports/custom/preview", body, "application/json")
    job = json.loads(answer)["jobId"]
    while job:
        _, answer = server.request("GET", f"/api/jobs/{job}", None, "")
        if json.loads(answer)["state"] in JOB_ENDS:
            break
        time.sleep(0.01)
    return (time.perf_counter() - started) * 1000, answer, job is not None


def compare(name: str, kind: str, answer: bytes, theirs: float) -> None:
    """Larder's grand total must equal DuckDB's: pieces, thousandths of root items, or centavos."""
    found = json.loads(answer)
    if kind == "weekly":
        ours = found["grandTotal"] * 1000
    elif kind == "products":
        ours = found["totalQty"]
    elif kind == "roots":
        ours = found["total"] * 1000
    elif kind in API:
        ours = found["total"]["net"] * 100
    else:
        table = found.get("answer") or found["result"]
        ours = table["totals"][0]["total"][0] * 100
    if abs(ours - theirs) > 1e-6 * abs(theirs):
        raise RuntimeError(f"{name}: Larder's sum is {ours}, DuckDB's {theirs}")

"""A year of sales of many stores, imported the normal way: files of lines, one per store, day and item. Stores,
items and bills of materials are created over HTTP; the report bench compares the answers with DuckDB's own sums."""

from datetime import timedelta
from pathlib import Path

from kit.importing import run
from kit.larder import Server
from peers.group import DAYS, FIRST, PIECES, PRICE, ROOTS, bom

COLUMNS = {"date": "date", "store": "store", "item": "item", "quantity": "qty", "unitPrice": "price"}
# An upload is at most 64 MiB; a line takes some 32 bytes.
LINES_A_FILE = 1_600_000


def make_lists(server: Server, stores: int, items: int) -> None:
    server.fill("/api/stores/locations", [{"name": f"Store {s:03}", "code": f"S{s:03}"} for s in range(stores)])
    server.fill("/api/lists/root-items", [{"name": f"Root {r:03}", "rootProductId": f"R{r:03}"} for r in range(ROOTS)])
    server.fill("/api/lists/pos-items", [
        {
            "posItemId": f"P{i:03}", "description": f"Dish {i:03}", "category": f"Category {i % 12:02}",
            "bom": [{"rootProductId": f"R{root:03}", "multiplier": thousandths / 1000} for root, thousandths in bom(i)],
        }
        for i in range(items)
    ])


def fill(server: Server, stores: int, items: int) -> int:
    """Imports the sales of all stores and items; returns the number of store-item-days."""
    pieces = eval(f"lambda s, d, i: {PIECES}")
    centavos = [eval(PRICE, {"i": i}) for i in range(items)]
    ends = [f"{price // 100}.{price % 100:02}\n" for price in centavos]
    names = [f"P{i:03}" for i in range(items)]
    per_file = max(1, LINES_A_FILE // (DAYS * items))
    file = Path(server.folder, "sales.csv")
    written, seconds = 0, 0.0
    for first in range(0, stores, per_file):
        some = range(first, min(first + per_file, stores))
        with open(file, "w", encoding="utf-8") as out:
            out.write("date,store,item,qty,price\n")
            for s in some:
                for d in range(DAYS):
                    head = f"{FIRST + timedelta(d)},S{s:03},"
                    out.write("".join([
                        f"{head}{names[i]},{pieces(s, d, i)},{ends[i]}" for i in range(items)
                    ]))
        took = run(server, file, COLUMNS, "ymd")
        written += took["lines"]
        seconds += took["validate"] + took["post"]
        print(f"   {some[-1] + 1} of {stores} stores, {written / seconds:,.0f} lines/s", flush=True)
    file.unlink()
    return written

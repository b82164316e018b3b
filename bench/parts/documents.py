"""Orders and deliveries of 200 stores with a history of 60 days of orders with 60 lines: their lists, the kitchen's
matrix of a day, dispatches of 200 lines; the same with ten times the history, which may take half as long again; and
keys typed into an order of 2,000 lines in Chromium at a quarter of the speed. Bars apply to the 99th percentile;
medians in brackets."""

import datetime
import json
import sqlite3
import time
from pathlib import Path

from kit.clock import today
from kit.larder import Server, make_admin
from kit.results import Section, Skip, median
from kit.settings import size
from kit.tools import need, npm_folder
from parts.masters import row
from parts.web import node

STORES = size(200, 6)
PRODUCTS = size(2_000, 40)
# The kitchen's products; every order of a day has some of them.
RANGE = size(250, 20)
LINES = size(60, 8)
SENT = size(200, 20)
DAYS = size(60, 3)
DISPATCHES = size(100, 3)
TIMES = size(100, 5)
MATRICES = size(20, 3)
ORDERS, DELIVERIES, MATRIX = "/api/stores/orders", "/api/commissary/deliveries", "/api/commissary/orders"
LIST_BAR, MATRIX_BAR, DISPATCH_BAR, KEY_BAR, GROWTH_BAR = 50, 300, 100, 50, 1.5


class House:
    """A kitchen, its products, the stores, and one day on which each of them has ordered."""

    def __init__(self, server: Server):
        self.server = server
        piece = server.post("/api/lists/uoms", {"name": "Piece", "code": "pc"})["id"]
        self.case = server.post("/api/lists/uoms", {"name": "Case", "code": "case"})["id"]
        level = server.post("/api/lists/price-levels", {"name": "Own stores"})["id"]
        self.kitchen = server.post("/api/lists/commissaries", {"name": "Pasig kitchen"})["id"]
        self.stores = server.fill("/api/stores/locations", [
            {"name": f"Store {n:03}", "code": f"S{n:03}", "priceLevelId": level} for n in range(STORES)
        ])
        self.products = server.fill("/api/products", [
            {
                "name": f"Product {n:04}", "sku": f"P{n:04}", "baseUom": piece, "defaultSellingUom": self.case,
                "conversions": [{"fromUomId": self.case, "toUomId": piece, "factor": 24}],
                "otherUoms": [{"uomId": self.case, "whole": True}],
                "priceLevelPrices": [{"priceLevelId": level, "price": 240}],
            }
            for n in range(PRODUCTS)
        ])
        for product in self.products[:RANGE]:
            place = {"quantity": 24 * 1_000_000, "placeKind": "commissary", "placeId": self.kitchen}
            server.post(f"/api/products/{product}/adjust", place)

    def order(self, store: str, day: datetime.date, products: list[str]) -> dict:
        lines = [{"productId": id, "uomId": self.case, "qty": at % 9 + 1} for at, id in enumerate(products)]
        return self.server.post(ORDERS, {
            "storeId": store, "sourceType": "commissary", "sourceId": self.kitchen, "neededDate": day.isoformat(), "lines": lines,
        })

    def submitted(self, day: datetime.date, lines: int) -> None:
        for at, store in enumerate(self.stores):
            made = self.order(store, day, [self.products[(at * 7 + n) % RANGE] for n in range(lines)])
            self.server.post(f"{ORDERS}/{made['id']}/submit", {"revision": made["revision"]})

    def matrix(self, day: datetime.date) -> str:
        return f"{MATRIX}?commissaryId={self.kitchen}&neededDate={day.isoformat()}"

    def packed(self, nth: int) -> dict:
        lines = [{"productId": id, "uomId": self.case, "qty": 3} for id in self.products[:SENT]]
        body = {"commissaryId": self.kitchen, "storeId": self.stores[nth % STORES], "lines": lines}
        delivery = self.server.post(DELIVERIES, body)
        for step in ("pick", "pack"):
            delivery = self.server.post(f"{DELIVERIES}/{delivery['id']}/{step}", {"revision": delivery["revision"]})
        return delivery


def measure(section: Section, folder: Path) -> None:
    make_admin(folder)
    near = today() + datetime.timedelta(days=3)
    full = near + datetime.timedelta(days=1)
    with Server(folder).sign_in() as server:
        print(f"   {PRODUCTS:,} products, {STORES} stores, their orders of a day", flush=True)
        house = House(server)
        house.submitted(near, LINES)
        house.submitted(full, RANGE)
        typed = house.order(house.stores[0], full + datetime.timedelta(days=1), house.products)["id"]
        keys(section, server, typed)
    found = []
    for times in (1, 10):
        print(f"   {DAYS * times} days behind them", flush=True)
        orders, lines = remember(folder / "larder.db", near, DAYS * (times // 10), DAYS * times)
        with Server(folder) as server:
            house.server = server.sign_in()
            found.append(ask(section, house, near, full, f"{DAYS * times} days, {orders:,} orders of {lines:,} lines"))
    for what, before in found[0].items():
        section.row(f"{what}: median with ten times the history", found[1][what], "ms", peer=before, peer_name="before", ratio_bar=GROWTH_BAR)


def remember(file: Path, near: datetime.date, done: int, days: int) -> tuple[int, int]:
    """Copies a day's orders to earlier days, received in full; returns the number of orders and lines."""
    base = sqlite3.connect(file)
    base.execute("pragma synchronous = off")
    # The copied rows were checked when written; an older library rejects an empty text as JSON.
    base.execute("pragma ignore_check_constraints = on")
    names = [name for (_, name, *_) in base.execute("pragma table_info(documents)")]
    lines = [name for (_, name, *_) in base.execute("pragma table_info(order_lines)")]
    near_day = (near - datetime.date(1970, 1, 1)).days
    day = 86_400_000
    other = {
        "id": "id || '-' || :d", "number": "number || '-' || :d", "state": "'received'", "on_date": "on_date - :d",
        "created_at": f"created_at - :d * {day}", "updated_at": f"updated_at - :d * {day}",
        "search_key": "replace(search_key, lower(number), lower(number) || '-' || :d)",
    }
    line = {"id": "id || '-' || :d", "document_id": "document_id || '-' || :d"}
    line |= {name: "qty_ordered" for name in ("qty_approved", "qty_dispatched", "qty_arrived", "qty_received")}
    which = f"kind = 'storeOrder' and state = 'submitted' and on_date = {near_day}"
    with base:
        for d in range(done + 1, days + 1):
            for table, columns, change, where in (
                ("documents", names, other, which),
                ("order_lines", lines, line, f"document_id in (select id from documents where {which})"),
            ):
                said = ", ".join(change.get(name, name) for name in columns)
                base.execute(f"insert into {table} ({', '.join(columns)}) select {said} from {table} where {where}", {"d": d})
    base.execute("analyze")
    counted = base.execute("select count(*), sum(line_count) from documents where kind = 'storeOrder'").fetchone()
    base.close()
    return counted


def ask(section: Section, house: House, near: datetime.date, full: datetime.date, behind: str) -> dict[str, float]:
    """Lists, matrix and dispatches with this history; returns the medians."""
    server, medians = house.server, {}
    total = server.get(f"{ORDERS}?pageSize=1")["total"]
    deep = max(1, total // 100)
    from_, to = near - datetime.timedelta(days=DAYS // 2), near - datetime.timedelta(days=DAYS // 4)
    number = server.get(f"{ORDERS}?pageSize=1&status=received")["items"][0]["orderNo"]
    for what, query in (
        ("first page", ""),
        (f"page {deep}", f"&page={deep}"),
        ("submitted", "&status=submitted"),
        ("received", "&status=received"),
        ("of one store", f"&storeId={house.stores[STORES // 2]}"),
        ("of some days", f"&from={from_}&to={to}"),
        ("one number", f"&q={number}"),
        ("a store's name", f"&q=store%20{STORES // 2:03}"),
    ):
        path = f"{ORDERS}?pageSize=100{query}"
        if not server.get(path)["items"]:
            raise RuntimeError(f"{path} finds nothing")
        times = [server.timed_get(path)[0] for _ in range(TIMES)]
        row(section, f"orders, {behind}: {what}", times, LIST_BAR)
        medians["orders: the last page" if what.startswith("page ") else f"orders: {what}"] = median(times)
    # Quantities not sent on an earlier day are still to be sent on the later one.
    for what, day, cells in (
        (f"{LINES} lines per order", near, STORES * LINES),
        ("everything in every order too", full, STORES * (LINES + RANGE)),
    ):
        answer = server.get(house.matrix(day))
        if len(answer["cells"]) != cells:
            raise RuntimeError(f"{cells} cells were ordered, {len(answer['cells'])} are shown")
        times = [server.timed_get(house.matrix(day))[0] for _ in range(MATRICES)]
        row(section, f"matrix of {STORES} stores and {RANGE} products, {what}, {behind.split(',')[0]}", times, MATRIX_BAR)
        medians[f"matrix, {what}"] = median(times)
    times = []
    for delivery in [house.packed(nth) for nth in range(DISPATCHES)]:
        started = time.perf_counter()
        sent = server.post(f"{DELIVERIES}/{delivery['id']}/dispatch", {"revision": delivery["revision"]})
        times.append((time.perf_counter() - started) * 1000)
        if sent["status"] != "dispatched":
            raise RuntimeError(f"{sent['deliveryNo']} is {sent['status']}")
    row(section, f"dispatch of {SENT} lines, {behind.split(',')[0]}", times, DISPATCH_BAR)
    medians["dispatch"] = median(times)
    return medians


def keys(section: Section, server: Server, order: str) -> None:
    """Keys typed into the quantities of a long order; the longest time to paint, of each in turn."""
    what = f"a key typed into an order of {PRODUCTS:,} lines, a quarter of the speed"
    try:
        need("npm")
        server.timed_get("/login")
        tools = npm_folder("lighthouse")
    except (RuntimeError, Skip) as error:
        return section.skip(str(error), what)
    found = json.loads(node(tools, "grid.js", f"{server.url}/stores/orders/{order}", server.cookie)[-1])
    row(section, what, found["keys"], KEY_BAR)

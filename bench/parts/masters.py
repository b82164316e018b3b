"""Master data over HTTP with the console's requests: 20,000 products from a file to committed records, a list of
10,000 products page by page, the uses of 1,000 units, and the top bar's search over 50,000 records on both engines.
Bars apply to the 99th percentile; medians in brackets."""

import math
import random
import time
from pathlib import Path

from kit import catalogue
from kit.importing import run_list
from kit.larder import Server, make_admin
from kit.postgres import Postgres
from kit.results import Section, Skip, median, number
from kit.settings import size

PRODUCTS = size(20_000, 300)
LISTED = size(10_000, 200)
RECORDS = size(50_000, 600)
UOMS = size(1_000, 40)
CATEGORIES = size(200, 20)
ASKED = size(200, 40)
TIMES = size(100, 10)
# The list must also be rendered within the 100 ms that feel instant.
LIST_BAR = 50
PATH = "/api/products"


def measure(section: Section, folder: Path) -> None:
    with serve(folder / "list") as server:
        units = catalogue.prepare(server, UOMS, CATEGORIES)
        run_list(server, "products", catalogue.products(folder / "listed.csv", LISTED, UOMS, CATEGORIES), "code")
        lists(section, server)
        uses(section, server, units)
    with serve(folder / "sqlite") as server:
        imports(section, server, folder)
        search(section, server, "SQLite", folder)
    try:
        with Postgres() as postgres, serve(folder / "postgres", postgres.url) as server:
            section.peers.append(postgres.version)
            catalogue.prepare(server, UOMS, CATEGORIES)
            run_list(server, "products", folder / "products.csv", "code")
            search(section, server, "PostgreSQL", folder)
    except Skip as why:
        section.skip(str(why), "search on PostgreSQL")


def serve(folder: Path, database: str = "") -> Server:
    folder.mkdir()
    make_admin(folder, database)
    return Server(folder, database).sign_in()


def imports(section: Section, server: Server, folder: Path) -> None:
    catalogue.prepare(server, UOMS, CATEGORIES)
    file = catalogue.products(folder / "products.csv", PRODUCTS, UOMS, CATEGORIES)
    took = run_list(server, "products", file, "code")
    total = server.get(f"{PATH}?pageSize=1&includeInactive=true")["total"]
    if total != PRODUCTS:
        raise RuntimeError(f"{PRODUCTS} products were imported, {total} are there")
    how = f" ({file.stat().st_size / 1e6:.1f} MB; upload {took['upload']:.2f} s)"
    section.row(f"import data, {PRODUCTS:,} products, dry run", took["check"], "s", bar=3, extra=how)
    section.row(f"import data, {PRODUCTS:,} products, commit", took["commit"], "s", bar=5)


def lists(section: Section, server: Server) -> None:
    active = LISTED - sum(1 for n in range(LISTED) if n % 50 == 7)
    middle = LISTED // 200
    category = server.get("/api/lists/categories?q=Category%20007")["items"][0]["id"]
    found = len([n for n in range(LISTED) if n * 13 % CATEGORIES == 7 and n % 50 != 7])
    word = catalogue.FOODS[3]
    named = len([n for n in range(LISTED) if word in catalogue.dish(n) and n % 50 != 7])
    for what, query, total in (
        ("a page of 100", "", active),
        (f"page {middle}", f"&page={middle}", active),
        ("sorted by reorder point", "&sort=-reorderPoint", active),
        ("sorted by category, page 3", "&sort=category&page=3" if LISTED > 300 else "&sort=category", active),
        ("of one category", f"&category={category}", found),
        (f"filtered by «{word}»", f"&q={word}", named),
    ):
        path = f"{PATH}?pageSize=100{query}"
        if server.get(path)["total"] != total:
            raise RuntimeError(f"{path}: {server.get(path)['total']} products instead of {total}")
        row(section, f"products, {LISTED:,}: {what}", [server.timed_get(path)[0] for _ in range(TIMES)], LIST_BAR)
    best = server.get(f"{PATH}?pageSize=100&sort=-reorderPoint")["items"]
    points = [item["reorderPoint"] for item in best]
    if points != sorted(points, reverse=True):
        raise RuntimeError(f"products are not sorted: {points}")


def uses(section: Section, server: Server, units: list[str]) -> None:
    path = f"/api/lists/uoms/uses?ids={','.join(units)}"
    counted = sum(unit["total"] for unit in server.get(path))
    if counted != LISTED:
        raise RuntimeError(f"{LISTED} products name a unit, {counted} were counted")
    row(section, f"uses of {UOMS:,} units of measure", [server.timed_get(path)[0] for _ in range(TIMES)], 100)


def search(section: Section, server: Server, engine: str, folder: Path) -> None:
    """Creates the remaining records, then searches."""
    roots = RECORDS // 5
    suppliers = RECORDS - PRODUCTS - roots - UOMS - CATEGORIES
    run_list(server, "suppliers", catalogue.suppliers(folder / "suppliers.csv", suppliers), "name")
    run_list(server, "root-items", catalogue.root_items(folder / "roots.csv", roots), "code")
    chance = random.Random(2)
    first = server.timed_get("/api/search?q=adobo")[0]  # reads all imported records
    times = []
    for nth in range(ASKED):
        n = chance.randrange(PRODUCTS)
        typed, wanted = question(nth, n, chance)
        started = time.perf_counter()
        found = server.get(f"/api/search?q={typed.replace(' ', '%20')}")["items"]
        times.append((time.perf_counter() - started) * 1000)
        if not any(wanted in (item["title"], item.get("code")) for item in found):
            raise RuntimeError(f"«{typed}» did not find «{wanted}» but {[item['title'] for item in found]}")
    what = f"search of {RECORDS:,} records, {engine}, {ASKED} questions, half of them mistyped"
    how = f", first after the import {number(first)} ms"
    row(section, what, times, 50, how)


def question(nth: int, n: int, chance: random.Random) -> tuple[str, str]:
    """A search as typed, and the intended record: by code, by whole name, or with a typing error."""
    name = catalogue.dish(n)
    cooked, food, digits = name.split()
    match nth % 4:
        case 0:
            return f"P-{PRODUCTS - n:05}", name
        case 1:
            return f"{cooked[:4].lower()} {digits}", name
        case 2:
            return f"{mistype(cooked.lower(), chance)} {digits}", name
        case _:
            return f"{digits} {mistype(food, chance)}", name


def mistype(word: str, chance: random.Random) -> str:
    """One letter omitted, doubled, replaced, or swapped with the next."""
    at = chance.randrange(1, len(word) - 1)
    return word[:at] + chance.choice([
        word[at + 1:], word[at] + word[at:], "x" + word[at + 1:], word[at + 1] + word[at] + word[at + 2:],
    ])


def row(section: Section, what: str, times: list[float], bar: float, extra: str = "") -> None:
    """A row whose bar applies to the 99th percentile."""
    slow = sorted(times)[math.ceil(len(times) * 0.99) - 1]
    section.row(f"{what} (median {number(median(times))} ms{extra}): p99", slow, "ms", bar=bar)

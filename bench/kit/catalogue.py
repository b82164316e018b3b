"""Master data to import and to search, the same in every run."""

import csv
from pathlib import Path

from kit.larder import Server

COOKED = ["Smoked", "Braised", "Pickled", "Roasted", "Marinated", "Candied", "Steamed", "Grilled", "Toasted", "Salted"]
FOODS = [
    "tilapia", "longganisa", "calamansi", "pandesal", "adobo", "kangkong", "bibingka", "sinigang", "lechon", "mango",
    "jackfruit", "milkfish", "eggplant", "vermicelli", "tamarind", "anchovies", "coconut", "ensaymada", "vinegar", "bagoong",
]
STREETS = ["Mabini", "Bonifacio", "Luna", "Rizal", "Aguinaldo", "Quezon", "Osmeña", "Magsaysay"]


def dish(n: int) -> str:
    """A name of two food words and a unique number."""
    return f"{COOKED[n % len(COOKED)]} {FOODS[n * 7 // 3 % len(FOODS)]} {n:05}"


def prepare(server: Server, uoms: int, categories: int) -> list[str]:
    """Creates the records that products refer to; returns the units' ids."""
    server.fill("/api/lists/categories", [{"name": f"Category {n:03}"} for n in range(categories)])
    return server.fill("/api/lists/uoms", [{"name": f"Unit {n:04}", "code": f"U{n:04}"} for n in range(uoms)])


def products(file: Path, count: int, uoms: int, categories: int) -> Path:
    """Products with references by code and name; no two columns have the same order."""
    rows = (
        [
            f"P-{count - n:05}", dish(n), "Inventory", f"Category {n * 13 % categories:03}", f"U{n * 17 % uoms:04}",
            n * 31 % count, n % 365 + 1, f"{n % 40 / 8 + 0.25:.3f}", f"As bought, lot {n}", "yes" if n % 50 == 7 else "no",
        ]
        for n in range(count)
    )
    head = [
        "SKU", "Name", "Type", "Category", "Base unit", "Reorder point", "Shelf life (days)", "Weight of a base unit (kg)",
        "Description", "Inactive",
    ]
    return write(file, head, rows)


def suppliers(file: Path, count: int) -> Path:
    rows = (
        [f"{dish(n)} Trading", f"contact{n}@supplier{n}.example", f"0917 {n % 1000:03} {n:04}", STREETS[n % len(STREETS)], "30 days"]
        for n in range(count)
    )
    return write(file, ["Name", "Email", "Phone", "Street address", "Payment terms"], rows)


def root_items(file: Path, count: int) -> Path:
    rows = ([f"R-{n:05}", f"{dish(n)} (kg)", "Meat", "1", f"{n % 900 + 5}.50"] for n in range(count))
    return write(file, ["Root product id", "Name", "Type", "Weight (kg)", "Price"], rows)


def write(file: Path, head: list[str], rows) -> Path:
    with open(file, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(head)
        writer.writerows(rows)
    return file

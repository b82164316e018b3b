"""The group of stores on both sides of the report bench, and the formula of its sales. Plain numbers, so that SQLite
and DuckDB generate the same rows from the same SQL; read by Larder's side and by DuckDB's process."""

from datetime import date, timedelta

FIRST = date(2024, 12, 30)  # a Monday
DAYS, ROOTS = 365, 180

# For store s, day d and item i, counted from 0: pieces sold, and centavos each.
PIECES = "1 + (s * 31 + d * 17 + i * 13 + (s * d * i) % 101) % 40"
PRICE = "4500 + (i * 7919) % 30000"


def bom(i: int) -> list[tuple[int, int]]:
    """The bill of materials of an item: root items and thousandths of them."""
    return [(i % ROOTS, 125 * (1 + i % 8)), ((i * 7 + 3) % ROOTS, 50 * (1 + i % 5))]


def day(number: int) -> str:
    return (FIRST + timedelta(number)).isoformat()


# Name: kind of query, first and last day, and whether for twenty stores only.
QUESTIONS = {
    "weekly root item sales, a year": ("weekly", 0, 364, False),
    "weekly root item sales, a year, 20 stores": ("weekly", 0, 364, True),
    "product sales by store, a year": ("products", 0, 364, False),
    "product sales by store, 90 odd days": ("products", 17, 106, False),
    "sales by root items, a quarter": ("roots", 92, 182, False),
    "sales mix by category and day, a quarter": ("mix", 92, 182, False),
    "sales mix by category and day, a year, 20 stores": ("mix", 7, 364, True),
    "sales against those before, a quarter": ("before", 274, 364, False),
    "sales by till and day, a quarter": ("tills", 274, 364, False),
    "store scorecard, a quarter": ("score", 274, 364, False),
    "food cost, a quarter": ("food", 274, 364, False),
    "own: category by weekday, a year": ("categoryByWeekday", 0, 364, False),
    "own: item by month, a year": ("itemByMonth", 0, 364, False),
    "own: store by item, a year, 20 stores": ("storeByItem", 0, 364, True),
    "own: store and weekday by category, a quarter, 20 stores": ("storeWeekdayByCategory", 92, 182, True),
    "own: store and weekday by category, a year": ("storeWeekdayByCategory", 0, 364, False),
}

"""A year of sales written straight into a migrated database: store-days, their items, and the rollups. Stores, items
and bills of materials are made over HTTP; the report bench compares the answers with DuckDB's own sums."""

import sqlite3
from datetime import date, timedelta
from pathlib import Path

from kit.larder import Server
from peers.group import DAYS, FIRST, PIECES, PRICE, ROOTS, bom

EPOCH = date(1970, 1, 1)
# How sums are kept: the code of a period's length and its column in `days`.
GRAINS = ((1, "day"), (7, "week"), (30, "month"))


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


def fill(file: Path) -> int:
    """Writes the sales of every store and item there is; how many store-item-days that are."""
    db = sqlite3.connect(file, isolation_level=None)
    for pragma in ("journal_mode = off", "synchronous = off", "cache_size = -500000"):
        db.execute(f"pragma {pragma}")
    db.execute("create temp table days (d integer primary key, day integer, week integer, month integer)")
    for d in range(DAYS):
        this = FIRST + timedelta(d)
        spans = (this, this - timedelta(this.weekday()), this.replace(day=1))
        db.execute("insert into days values (?, ?, ?, ?)", (d, *((span - EPOCH).days for span in spans)))
    db.execute("create temp table items (id text primary key, i integer, bom_id text) without rowid")
    db.execute(
        """insert into items select p.id, cast(substr(p.pos_item_id, 2) as integer), v.id
        from pos_items p join bom_versions v on v.pos_item_id = p.id"""
    )
    for table in ("store_root", "all_root"):
        db.execute(f"create temp table {table} (day integer, id text, qty integer, primary key (day, id)) without rowid")
    stores = db.execute("select id, cast(substr(code, 2) as integer) from locations order by id").fetchall()
    written = 0
    for at, (store, s) in enumerate(stores):
        db.execute("begin")
        written += fill_store(db, store, s)
        db.execute("commit")
        if at % 20 == 19:
            print(f"   {at + 1} of {len(stores)} stores", flush=True)
    db.execute("begin")
    fill_all_stores(db)
    db.execute("commit")
    db.execute("pragma journal_mode = wal")
    db.close()
    return written


def fill_store(db: sqlite3.Connection, store: str, s: int) -> int:
    """One store's year; quantities become millionths, multipliers are thousand-millionths."""
    rows = db.execute(
        f"""insert into sales_day_items (store_id, business_date, source, pos_item_id, bom_id, qty, gross, net, lines)
        select :store, day, 'file', id, bom_id, pieces * 1000000, pieces * price, pieces * price, 1 from (
          select day, id, bom_id, {PIECES} as pieces, {PRICE} as price
          from days cross join (select id, i, bom_id, :s as s from items))""",
        {"store": store, "s": s},
    ).rowcount
    db.execute(
        """insert into sales_days (store_id, business_date, source, lines, receipts, qty, gross, discount, net, digest,
          revision, posted_at)
        select store_id, business_date, source, sum(lines), 0, sum(qty), sum(gross), 0, sum(net), '', 1, 0
        from sales_day_items where store_id = ? group by business_date""",
        (store,),
    )
    db.execute("insert into sales_locks (store_id, turn) values (?, 1)", (store,))
    # All items of a period in one text, sorted by id: quantity, gross, net (the same: nothing) and lines of POS
    # items, quantity of root items.
    for grain, period in GRAINS:
        db.execute(
            f"""insert into sales_store_pos (store_id, grain, period, packed)
            select :store, {grain}, period, group_concat((qty / 1000000) || 'm ' || gross || '  ' || lines || ' ' || id || ';', '')
            from (
              select days.{period} as period, pos_item_id as id, sum(qty) as qty, sum(gross) as gross, sum(lines) as lines
              from sales_day_items join days on day = business_date where store_id = :store group by 1, 2 order by 1, 2
            ) group by period""",
            {"store": store},
        )
    db.execute("delete from store_root")
    db.execute(
        """insert into store_root select business_date, root_item_id, sum((qty * multiplier + 500000000) / 1000000000)
        from sales_day_items join bom_lines using (bom_id) where store_id = ? group by business_date, root_item_id""",
        (store,),
    )
    for grain, period in GRAINS:
        db.execute(
            f"""insert into sales_store_root (store_id, grain, period, packed)
            select :store, {grain}, period, group_concat(qty || ' ' || id || ';', '')
            from (
              select days.{period} as period, id, sum(qty) as qty
              from store_root join days using (day) group by 1, 2 order by 1, 2
            ) group by period""",
            {"store": store},
        )
    db.execute(
        """insert into all_root select day, id, qty from store_root where true
        on conflict (day, id) do update set qty = qty + excluded.qty"""
    )
    return rows


def fill_all_stores(db: sqlite3.Connection) -> None:
    """The sums of all stores together."""
    db.execute(
        """insert into sales_rollup_pos (grain, period, pos_item_id, qty, gross, net, lines)
        select 1, business_date, pos_item_id, sum(qty), sum(gross), sum(net), sum(lines)
        from sales_day_items group by business_date, pos_item_id"""
    )
    for grain, period in GRAINS[1:]:
        db.execute(
            f"""insert into sales_rollup_pos (grain, period, pos_item_id, qty, gross, net, lines)
            select {grain}, days.{period}, pos_item_id, sum(qty), sum(gross), sum(net), sum(lines)
            from sales_rollup_pos join days on day = period where grain = 1 group by days.{period}, pos_item_id"""
        )
    for grain, period in GRAINS:
        db.execute(
            f"""insert into sales_rollup_root (grain, period, root_item_id, qty)
            select {grain}, days.{period}, id, sum(qty) from all_root join days using (day) group by days.{period}, id"""
        )

"""DuckDB in a separate process: has the same rows in a native table and answers the same queries.

duck.py FILE STORES ITEMS RUNS prints {question: {"cold": ms, "warm": [ms, …], "sum": total}}. Only the query is
timed, to its complete result in memory: nothing is converted, named or sent. Numbers stand in for ids, and sums are
taken per item before joining the bill of materials, which is the fastest form of the query."""

import json
import os
import sys
import time

import duckdb
from group import DAYS, PIECES, PRICE, QUESTIONS, bom, day

file, stores, items, runs = sys.argv[1], *map(int, sys.argv[2:5])


def build() -> None:
    with duckdb.connect(file + ".new") as db:
        db.execute("set threads = 2")
        db.execute("create table sales (store integer, day date, item integer, qty integer, net bigint)")
        # In Larder's order: by store, then by day.
        for s in range(stores):
            db.execute(
                f"""insert into sales select s, date '{day(0)}' + d, i, pieces, pieces * ({PRICE})
                from (select {s} as s, d::integer as d, i::integer as i, ({PIECES})::integer as pieces
                      from range({DAYS}) days(d), range({items}) items(i) order by d, i)"""
            )
        db.execute("create table bom (item integer, root integer, thousandths integer)")
        db.executemany("insert into bom values (?, ?, ?)", [(i, *line) for i in range(items) for line in bom(i)])
    os.rename(file + ".new", file)


def usage(period: str, where: str) -> str:
    return f"""select period, root, sum(qty * thousandths) from
        (select {period} as period, item, sum(qty) as qty from sales where {where} group by all)
        join bom using (item) group by all"""


# Grouping columns of custom queries.
OWN = {
    "categoryByWeekday": "item % 12, dayofweek(day)",
    "itemByMonth": "item, month(day)",
    "storeByItem": "store, item",
    "storeWeekdayByCategory": "store, dayofweek(day) * 100 + item % 12",
}


def asked(kind: str, first: int, last: int, some: bool) -> list[str]:
    """The queries behind one page. Both sides must agree on the third column of the first one."""
    only = f" and store % {stores // 20} = 0" if some else ""

    def within(first: int, last: int) -> str:
        return f"day between date '{day(first)}' and date '{day(last)}'{only}"

    where, length = within(first, last), last - first + 1
    weeks = usage("date_trunc('week', day)", where)
    if kind == "weekly":
        return [weeks]
    if kind == "products":
        return [f"select store, item, sum(qty), sum(net) from sales where {where} group by all"]
    if kind == "roots":
        return [weeks, usage("0", within(first - length, first - 1))]
    if kind == "mix":  # the week before is what the first days are compared with
        spans = [where, within(first - 7, first - 1)]
        return [f"select item % 12, day, sum(net), sum(qty) from sales where {span} group by all" for span in spans]
    if kind == "before":
        spans = [where, within(first - length, first - 1)]
        traded = [f"select store, count(distinct day), sum(net) from sales where {span} group by all" for span in spans]
        return traded + [f"select day, sum(net) from sales where {span} group by all" for span in spans]
    if kind == "tills":
        return [f"select store, day, sum(net) from sales where {where} group by all"]
    if kind == "score":
        return [f"select store, 0, sum(net) from sales where {where} group by all"]
    if kind == "food":
        return [f"select store, 0, sum(net) from sales where {where} group by all", usage("store", where)]
    return [f"select {OWN[kind]}, sum(net), sum(qty) from sales where {where} group by all"]


def ask(db, queries: list[str]) -> tuple[float, float]:
    """Milliseconds, and the sum of the first query's measure."""
    started = time.perf_counter()
    results = [db.sql(query).materialize() for query in queries]
    took = (time.perf_counter() - started) * 1000
    return took, float(sum(row[2] for row in results[0].fetchall()))


def open_cold():
    with open(file, "rb") as pages:
        os.posix_fadvise(pages.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    db = duckdb.connect(file, read_only=True)
    db.execute("set threads = 2")
    return db


if not os.path.exists(file):
    build()
answers = {}
for name, question in QUESTIONS.items():
    with open_cold() as db:
        cold, total = ask(db, asked(*question))
        answers[name] = {"cold": cold, "warm": [ask(db, asked(*question))[0] for _ in range(runs)], "sum": total}
print(json.dumps(answers))

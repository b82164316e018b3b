"""DuckDB in a process of its own: holds the same rows in a native table and answers the same questions.

duck.py FILE STORES ITEMS RUNS prints {question: {"cold": ms, "warm": [ms, …], "sum": total}}. Only the query is
timed, to its finished result in memory: nothing is converted, named or sent. Numbers stand for ids, and sums are
taken per item before the bill of materials is joined, which is the fastest way to put the question."""

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


def asked(kind: str, first: int, last: int, some: bool) -> list[str]:
    """The queries behind one page."""
    where = f"day between date '{day(first)}' and date '{day(last)}'" + (f" and store % {stores // 20} = 0" if some else "")
    weeks = usage("date_trunc('week', day)", where)
    if kind == "weekly":
        return [weeks]
    if kind == "products":
        return [f"select store, item, sum(qty), sum(net) from sales where {where} group by all"]
    length = last - first + 1
    before = f"day between date '{day(first - length)}' and date '{day(first - 1)}'"
    return [weeks, usage("0", before)]


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

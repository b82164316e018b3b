"""Imports of sales files over HTTP: upload, mapping, validation, unknown stores and items created, posting. Lines
per second count the two jobs, from the file's bytes to committed lines and rollups; uploading and manual steps are
left out."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from kit import files
from kit.importing import run
from kit.larder import Server, make_admin
from kit.results import Section, Skip, median
from kit.settings import BENCH, CACHE, size

BAR = 300_000
RESTAURANT_COLUMNS = {
    "receipt": "invoice", "date": "Order Date", "item": "description", "quantity": "Quantity",
    "unitPrice": "Product Price", "store": "City",
}
OWN_COLUMNS = {
    "date": "date", "time": "time", "store": "store", "terminal": "terminal", "receipt": "receipt",
    "item": "item", "quantity": "qty", "unitPrice": "price",
}
SUMS = (
    "select count(*), sum(qty), sum(net), sum(lines) from sales_rollup_pos",
    "select count(*), sum(length(packed)) from sales_sums_pos",
    "select count(*), sum(length(packed)) from sales_sums_root",
    "select count(*), sum(length(packed)) from sales_day_items",
    "select count(*), sum(revision), sum(lines), sum(net) from sales_days",
    "select count(*), sum(length(packed)) from sales_lines",
    "select count(*), sum(receipts), sum(net) from sales_tills",
)


def measure(section: Section, folder: Path) -> None:
    twice(section, folder / "restaurant", files.real_sales(folder), RESTAURANT_COLUMNS, "dmy")
    count = size(1_000_000, 5_000)
    made = folder / f"generated-{count}.csv"
    files.write_csv(made, count)
    twice(section, folder / "generated", made, OWN_COLUMNS, "ymd")
    workbook(section, folder / "workbook")


def serve(folder: Path) -> Server:
    """A Larder without sales."""
    folder.mkdir()
    make_admin(folder)
    return Server(folder).sign_in()


def twice(section: Section, folder: Path, file: Path, columns: dict, dates: str) -> None:
    """A file's first import, and a second one, which must change nothing."""
    with serve(folder) as server:
        first = run(server, file, columns, dates)
        before = sums(server)
        again = run(server, file, columns, dates)
        if sums(server) != before:
            raise RuntimeError(f"importing {file.name} again changed {before} to {sums(server)}")
    for took, which in ((first, ""), (again, ", again")):
        rate = took["lines"] / (took["validate"] + took["post"])
        how = f" (validate {took['validate']:.2f} s, post {took['post']:.2f} s; upload {took['upload']:.2f} s)"
        name = f"{file.name}, {took['lines']:,} lines{which}"
        section.row(name, rate, "lines/s", more_is_better=True, bar=BAR, extra=how)


def workbook(section: Section, folder: Path) -> None:
    """An XLSX import, compared with calamine reading the same sheet and ignoring the cells."""
    count = size(100_000, 1_000)
    book = folder.with_name(f"generated-{count}.xlsx")
    files.write_xlsx(book, count)
    with serve(folder) as server:
        took = run(server, book, OWN_COLUMNS, "ymd")
    seconds = took["validate"] + took["post"]
    how = f" (validate {took['validate']:.2f} s, post {took['post']:.2f} s)"
    try:
        bare, name = calamine(book), "calamine's bare read"
        section.peers.append("calamine as in Cargo.lock")
    except Skip as why:
        section.skip(str(why), "calamine")
        bare, name = None, ""
    section.row(f"{book.name}, {took['lines']:,} lines", seconds, "s", peer=bare, peer_name=name, ratio_bar=2.5, extra=how)


def calamine(book: Path) -> float:
    """Seconds; the median of five processes, each timing only its own reading."""
    target = CACHE / "calamine-read"
    command = ["cargo", "build", "--release", "--locked", "--target-dir", target]
    built = subprocess.run(command, cwd=BENCH / "calamine-read", capture_output=True, text=True)
    if built.returncode != 0:
        raise Skip(f"calamine-read does not build: {built.stderr.strip()[-300:]}")
    program = target / "release/calamine-read"
    runs = [subprocess.run([program, book], capture_output=True, text=True, check=True) for _ in range(5)]
    return median([float(done.stdout.split()[-1]) for done in runs]) / 1000


def sums(server: Server) -> list:
    """The totals of the sales tables."""
    with closing(sqlite3.connect(f"file:{server.folder / 'larder.db'}?mode=ro", uri=True)) as db:
        return [db.execute(sql).fetchone() for sql in SUMS]

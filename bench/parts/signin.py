"""Whether response times reveal who works here: wrong passwords for known and unknown addresses, and requests for
reset emails, alternating, each from a different source address. The server is restarted every 25 tries, before it
takes them for an attack and asks for proof of work; the first try after each start is left out. Noise is the
difference between the medians of known addresses in the two halves of the run."""

import http.client
import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from kit.larder import EMAIL, Server, make_admin
from kit.results import Section, median
from kit.settings import size

TRIES = size(1000, 40)
PEOPLE = TRIES // 4  # an account is locked after five failures
RESETS = size(400, 20)
STARTED_ANEW = 25


def measure(section: Section, folder: Path) -> None:
    make_admin(folder)
    add_people(folder)
    os.environ["LARDER_PROXY_HOPS"] = "1"
    try:
        compare(section, folder, "wrong password", TRIES, sign_in, expect=400)
        compare(section, folder, "reset email", RESETS, reset, expect=200)
    finally:
        del os.environ["LARDER_PROXY_HOPS"]


def add_people(folder: Path) -> None:
    """Copies of the administrator's account with other addresses; the server is not running."""
    with closing(sqlite3.connect(folder / "larder.db")) as db, db:
        # Python's SQLite may be older than Larder's, which accepts null as valid JSON in checks.
        db.execute("pragma ignore_check_constraints = on")
        for table, key in [("accounts", "uid"), ("app_users", "id")]:
            columns = [row[1] for row in db.execute(f"pragma table_info({table})")]
            found = dict(zip(columns, db.execute(f"select * from {table} where email_key = ?", [EMAIL]).fetchone()))
            for n in range(PEOPLE):
                email = f"person{n}@larder.example"
                row = found | {"uid": f"person{n}", key: f"person{n}", "email": email, "email_key": email}
                marks = ", ".join("?" * len(columns))
                db.execute(f"insert into {table} ({', '.join(columns)}) values ({marks})", [row[c] for c in columns])


def compare(section: Section, folder: Path, what: str, tries: int, ask, expect: int) -> None:
    times: dict[str, list[float]] = {"known": [], "unknown": []}
    for first in range(0, tries, STARTED_ANEW):
        with Server(folder) as server:
            connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
            for n in range(first, min(first + STARTED_ANEW, tries)):
                for place, kind in enumerate(("known", "unknown")):
                    email = f"person{n % PEOPLE}@larder.example" if kind == "known" else f"nobody{n}@larder.example"
                    from_ = f"10.{n // 250}.{n % 250}.{place + 1}"
                    headers = {"Content-Type": "application/json", "X-Forwarded-For": from_}
                    path, body = ask(email)
                    started = time.perf_counter()
                    connection.request("POST", path, json.dumps(body), headers)
                    answer = connection.getresponse()
                    content = answer.read()
                    took = (time.perf_counter() - started) * 1000
                    if answer.status != expect or b"TOO_MANY" in content:
                        raise RuntimeError(f"{what} for {email}: {answer.status} {content[:200]}")
                    if n > first:
                        times[kind].append(took)
    known, unknown = times["known"], times["unknown"]
    half = len(known) // 2
    noise = abs(median(known[:half]) - median(known[half:]))
    section.row(f"{what}, known address, {tries} tries", median(known), "ms")
    section.row(f"{what}, unknown address, {tries} tries", median(unknown), "ms")
    section.row(
        f"{what}, difference of the medians", abs(median(known) - median(unknown)), "ms", bar=1 + noise,
        extra=f" (noise {noise:.2f})",
    )


def sign_in(email: str):
    return "/v1/accounts:signInWithPassword", {"email": email, "password": "not the right one"}


def reset(email: str):
    return "/v1/accounts:sendOobCode", {"requestType": "PASSWORD_RESET", "email": email}

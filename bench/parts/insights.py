"""Frequent itemsets of at most three items with a support of 0.002: Larder's matrix and bitsets compared with
mlxtend's fpgrowth on the same tickets; both must find the same sets and counts. Searches per second; mlxtend's table
of tickets is built before its clock runs. Then two million tickets end to end, from the file on."""

import json
import random
import subprocess
from itertools import accumulate
from pathlib import Path

from kit.results import Section, median, spread
from kit.settings import BENCH, ROOT, size
from kit.tools import python_with

MLXTEND = "0.25.0"
SUPPORT = "0.002"
TICKETS, MANY, ITEMS, TURNS = size(200_000, 5_000), size(2_000_000, 20_000), 300, size(5, 1)


def measure(section: Section, folder: Path) -> None:
    section.peers.append(f"mlxtend {MLXTEND}")
    python = python_with("mlxtend", MLXTEND, alone=False) / "python"
    program, file = built(), folder / "tickets.txt"
    write(file, TICKETS)
    rates, peers = [], []
    for _ in range(TURNS):
        _, took, *ours = said([program, file, SUPPORT, "5"])
        peer_took, *theirs = said([python, BENCH / "peers/mlxtend_itemsets.py", file, SUPPORT])
        if ours != theirs:
            raise RuntimeError(f"sets and the sum of their counts: Larder {ours}, mlxtend {theirs}")
        rates.append(1 / took)
        peers.append(1 / peer_took)
    section.row(f"{TICKETS} tickets, {int(ours[0])} sets, searches per second", median(rates), "/s", peer=median(peers),
                peer_name="mlxtend", more_is_better=True, ratio_bar=20, extra=spread(rates))
    many = folder / "many.txt"
    write(many, MANY)
    read, took, found, _ = said([program, many, SUPPORT, "1"])
    section.row(f"{MANY} tickets read and searched, {int(found)} sets", read + took, "s", bar=10)
    read, took, found, _ = said([program, many, str(30 / MANY), "1"])
    section.row(f"{MANY} tickets, every set on at least 30 of them ({int(found)})", read + took, "s", bar=10)


def said(command: list) -> list[float]:
    return [float(figure) for figure in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]


def write(file: Path, count: int) -> None:
    """Tickets from a menu with favourites and correlated items; the same in every run."""
    luck = random.Random("insights")
    weights = list(accumulate(1 / (rank + 3) for rank in range(ITEMS)))
    menu = range(ITEMS)
    with open(file, "w") as out:
        for _ in range(count):
            taken = luck.choices(menu, cum_weights=weights, k=1 + min(9, int(luck.expovariate(0.5))))
            for item in list(taken):
                if luck.random() < 0.25:
                    taken.append((item * 7 + 3) % ITEMS)
                    if luck.random() < 0.3:
                        taken.append((item * 11 + 5) % ITEMS)
            out.write(" ".join(map(str, sorted(set(taken)))) + "\n")


def built() -> str:
    """Builds the program that mines itemsets with Larder."""
    command = ["cargo", "build", "--release", "-p", "larder-planning", "--example", "basket_speed", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == "basket_speed" and message.get("executable"):
            return message["executable"]
    raise RuntimeError("cargo did not say where basket_speed is")

"""Past demand replayed under an order-up-to policy, day by day, with lost sales: series-days per second of processor
time on one core, compared with the package replenishment on the same cases; both must serve and order the same units.
Then a complete replay as requested by a user, with forecasts recomputed on every review day, on all cores.

`cd bench && python3 -m parts.replay` writes the recorded days that crates/planning/tests/replay.rs compares Larder
with."""

import csv
import json
import random
import subprocess
from pathlib import Path

from kit.results import Section, median, spread
from kit.settings import BENCH, ROOT, size
from kit.tools import python_with

PEER = "0.1.2"
RECORDED = ROOT / "crates/planning/tests/replay/replenishment.csv"
SERIES, DAYS, TURNS = size(1_000, 20), 182, size(5, 1)
WHOLE = size(200, 2), 180, 182
INPUTS = ["case", "lead", "review", "pack", "z", "sigma", "opening", "day", "demand", "forecast"]


def measure(section: Section, folder: Path) -> None:
    section.peers.append(f"replenishment {PEER}")
    if recorded(folder) != RECORDED.read_text():
        raise RuntimeError(f"{RECORDED.name} is not what the package says now")
    cases = folder / "cases.csv"
    write(cases, SERIES, DAYS, sigma="3")
    program, rates, peers = built(), [], []
    for _ in range(TURNS):
        took, *ours = said([program, "cases", cases, "20"])
        peer_took, *theirs = said([python(), BENCH / "peers/replenishment_days.py", cases, "1"])
        if ours != theirs:
            raise RuntimeError(f"served and ordered: Larder {ours}, the package {theirs}")
        rates.append(SERIES * DAYS / took)
        peers.append(SERIES * DAYS / peer_took)
    section.row(f"{SERIES} series of {DAYS} days, series-days per second", median(rates), "/s", peer=median(peers),
                peer_name="replenishment", more_is_better=True, ratio_bar=50, extra=spread(rates))
    stores, items, days = WHOLE
    out = subprocess.run([program, *map(str, WHOLE)], capture_output=True, text=True, check=True).stdout
    took = float(out.rpartition(" policies in ")[2].partition(" s ")[0])
    section.row(f"{stores} stores × {items} items × {days} days × 5 policies", took, "s", bar=120)


def said(command: list) -> list[float]:
    return [float(figure) for figure in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]


def python() -> Path:
    return python_with("replenishment", PEER) / "python"


def recorded(folder: Path) -> str:
    """Twelve short cases and the package's results."""
    cases = folder / "recorded.csv"
    write(cases, 12, 45)
    command = [python(), BENCH / "peers/replenishment_days.py", cases]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def write(file: Path, count: int, days: int, sigma: str | None = None) -> None:
    """Cases with integer units: every lead time from 1 to 5, review periods up to a week, several packs."""
    with open(file, "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(INPUTS)
        for case in range(count):
            luck = random.Random(f"replay {case}")
            lead, review, pack = 1 + case % 5, luck.randint(1, 7), luck.choice([1, 4, 6, 12])
            level = luck.randint(2, 30)
            terms = [case, lead, review, pack, "1.645", sigma or luck.choice(["0.7", "2.3", "5"]), luck.randint(0, level * 5)]
            for day in range(days + lead + review):
                demand = luck.randint(0, 2 * level) if day < days and luck.random() < 0.9 else 0
                rows.writerow([*terms, day, demand if day < days else "", luck.randint(level // 2, level * 3 // 2)])


def built() -> str:
    """Builds the program that replays with Larder."""
    command = ["cargo", "build", "--release", "-p", "larder-planning", "--example", "replay_speed", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == "replay_speed" and message.get("executable"):
            return message["executable"]
    raise RuntimeError("cargo did not say where replay_speed is")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as here:
        RECORDED.parent.mkdir(exist_ok=True)
        RECORDED.write_text(recorded(Path(here)))

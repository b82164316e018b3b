"""Fitted forecasting methods over 200 synthetic series of 365 days with a weekly pattern: fits per second of
processor time on one core, each ending with 14 forecasts. Larder and statsforecast take turns; statsforecast's
compilation and first fits are left out. Each method's objective (−2 log-likelihood, AICc, error) is summed on both
sides, and Larder's must not be higher."""

import json
import math
import os
import random
import subprocess
from pathlib import Path

from kit.results import Section, median, spread
from kit.settings import BENCH, ROOT, size
from kit.tools import python_with

SERIES, DAYS, WEEK, TURNS = size(200, 10), 365, 7, size(3, 1)
STATSFORECAST = "2.1.1"
BARS = {"ets_ANA": 3, "auto_ets": 2, "dotm": 10}
NAMES = {
    "ets_ANA": "ETS(A,N,A)", "ets_AAA": "ETS(A,A,A)", "auto_ets": "AutoETS", "dotm": "DOTM", "auto_theta": "AutoTheta",
    "mstl": "MSTL",
}
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}


def measure(section: Section, folder: Path) -> None:
    section.peers.append(f"statsforecast {STATSFORECAST}")
    python = python_with("statsforecast", STATSFORECAST, alone=False) / "python"
    file = folder / "series.csv"
    file.write_text("".join(",".join(map(str, made(n))) + "\n" for n in range(SERIES)))
    ours, theirs = [built(), file, str(WEEK)], [python, BENCH / "peers/statsforecast_fits.py", file, str(WEEK)]
    for method, name in NAMES.items():
        rates, peers, sums = [], [], []
        for _ in range(TURNS):
            larder, peer = fits([*ours, method]), fits([*theirs, method])
            rates.append(larder[0])
            peers.append(peer[0])
            sums = [larder[1], peer[1]]
        if sums[0] > sums[1] + 0.1 * SERIES:
            raise RuntimeError(f"{name}: Larder minimised to {sums[0]:,.1f}, statsforecast to {sums[1]:,.1f}")
        section.row(f"{name}, fits per second", median(rates), "/s", peer=median(peers), peer_name="statsforecast",
                    more_is_better=True, ratio_bar=BARS.get(method), extra=spread(rates))
        if sums[1]:
            mean = [f"{total / SERIES:,.2f}" for total in sums]
            section.notes.append(f"{name} minimised to a mean of {mean[0]}, statsforecast to {mean[1]}.")


def made(n: int) -> list[int]:
    """Integer daily sales around a drifting random walk, with a weekly pattern; every other series is never zero."""
    luck = random.Random(f"planning {n}")
    level = math.exp(luck.uniform(math.log(3), math.log(120)))
    strength, wander, drift = luck.uniform(0.05, 0.5), luck.uniform(0.002, 0.03), luck.gauss(0, 0.3)
    week = [1 + strength * part + luck.gauss(0, 0.05) for part in (-0.6, -0.7, -0.4, 0, 0.5, 1, 0.2)]
    sales = []
    for day in range(DAYS):
        level *= math.exp(luck.gauss(0, wander))
        mean = max(level * (1 + drift * day / DAYS) * max(week[day % WEEK], 0.05), 0.05)
        sales.append(poisson(luck, luck.gammavariate(20, mean / 20)) + n % 2)
    return sales


def poisson(luck: random.Random, mean: float) -> int:
    """A Poisson number with this mean."""
    count, reached = 0, luck.expovariate(1)
    while reached < mean:
        count += 1
        reached += luck.expovariate(1)
    return count


def built() -> str:
    """Builds the program that fits with Larder."""
    command = ["cargo", "build", "--release", "-p", "larder-planning", "--example", "fit_speed", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines():
        said = json.loads(line)
        if said.get("target", {}).get("name") == "fit_speed" and said.get("executable"):
            return said["executable"]
    raise RuntimeError("cargo did not say where fit_speed is")


def fits(command: list) -> tuple[float, float]:
    """Fits per second of processor time, and the sum of the objective."""
    core = min(os.sched_getaffinity(0))
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env=os.environ | ONE_THREAD,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    _, count, seconds, total = done.stdout.split()
    return int(count) / float(seconds), float(total)

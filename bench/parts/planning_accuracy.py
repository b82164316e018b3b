"""Forecasts of real sales: the 200 store × item series with the highest sales in restaurant_orders.csv, 26 cut-offs
a week apart, 365 days before each and 14 after. MASE by Larder's definition, the mean over the series that sell most
days (dense) and over the others (intermittent). Larder's advanced forecast compared with every method of
statsforecast, and each method with statsforecast's of the same name; their time is the median of a forecast on one
core. The defaults of Larder's advanced forecast were chosen on the same series and days, so its figures are not independent
of the choice."""

import json
import subprocess
from pathlib import Path

from kit import files
from kit.results import Section
from kit.settings import BENCH, ROOT, SMALL
from kit.tools import python_with

STATSFORECAST = "2.1.1"
SHARED = ["snaive", "hist_avg", "sma28", "swa_4", "ses_opt", "seas_es_0.1", "croston", "sba", "tsb_0.1_0.1", "adida", "imapa"]
FITTED = [] if SMALL else ["ets_ANA", "auto_ets", "dotm"]
OWN = ["dow_ma", "dow_ma_weighted", "dow_level_0.05", "weekly", "combined", "advanced"]


def measure(section: Section, folder: Path) -> None:
    section.peers.append(f"statsforecast {STATSFORECAST}")
    python = python_with("statsforecast", STATSFORECAST, alone=False) / "python"
    series, names = folder / "series.csv", SHARED + FITTED
    ours = larder([built(), files.real_sales(folder), "--dump", series, *OWN, *names])
    done = [python, BENCH / "peers/statsforecast_cuts.py", series, *names]
    lines = subprocess.run(done, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    theirs = {tuple(line.split("\t")[:2]): [float(it) for it in line.split("\t")[2:]] for line in lines}
    for group in ("dense", "intermittent"):
        peers = {name: theirs[group, name][0] for name in names if (group, name) in theirs}
        best = min(peers, key=peers.get)
        advanced = ours[group, "advanced"]
        bar = {"bar": 0.73} if group == "dense" else {}
        section.row(f"advanced, {group}: MASE", advanced["MASE14"], "", peer=peers[best], peer_name=best, **bar)
        held = advanced["in80"]
        section.row(f"advanced, {group}: days within the 80% interval", held, "%", extra=", 78 to 82 wanted")
        best_own = min((name for name in OWN + names if name != "advanced"), key=lambda name: ours[group, name]["MASE14"])
        section.notes.append(f"Best single method of Larder, {group}: {best_own}, {ours[group, best_own]['MASE14']:.4f}.")
        agree(group, ours, peers)
    for name in SHARED:
        millis = theirs["dense", name][1]
        section.row(f"{name}, ms per forecast", ours["intermittent", name]["ms"], "ms", peer=millis,
                    peer_name="statsforecast", ratio_bar=0.2)
    section.row("advanced with choice and interval, dense", ours["dense", "advanced"]["ms"], "ms")
    section.row("the same, intermittent", ours["intermittent", "advanced"]["ms"], "ms")


def agree(group: str, ours: dict, peers: dict[str, float]) -> None:
    """The same simple method on the same series must have the same error, or the two measure different things."""
    for name in set(peers) & set(SHARED):
        mine = ours[group, name]
        if mine["refused"] == 0 and abs(mine["MASE14"] - peers[name]) > 2e-4:
            raise RuntimeError(f"{name}, {group}: MASE {mine['MASE14']} at Larder, {peers[name]} at statsforecast")


def larder(command: list) -> dict[tuple[str, str], dict[str, float]]:
    """Figures by group and method, named as in the table's header."""
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows, head = {}, []
    for cells in map(str.split, text.splitlines()):
        if cells[:1] == ["group"]:
            head = cells[2:]
        elif len(cells) == len(head) + 2:
            rows[cells[0], cells[1]] = dict(zip(head, map(float, cells[2:])))
    return rows


def built() -> str:
    """Builds the program that measures Larder."""
    command = ["cargo", "build", "--release", "-p", "larder-planning", "--example", "accuracy", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for said in map(json.loads, done.stdout.splitlines()):
        if said.get("target", {}).get("name") == "accuracy" and said.get("executable"):
            return said["executable"]
    raise RuntimeError("cargo did not say where the example is")

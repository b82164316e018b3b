"""Forecasts of real sales, out of sample. Of restaurant_orders.csv the 60 store × item series with the highest sales in
the year before the first cut-off, in two halves by a hash of their names; 64 cut-offs two weeks apart, 32 older and 32
newer; 365 days before each and 14 after. Whatever is chosen (Larder's constants, the best single method, the best mean of
several) is chosen on the older cut-offs of one half of the series, «half of choice», and shown on the newer cut-offs of
the other, «half shown»; then the halves of the series change places, and the figures of both are joined. «As shipped»
has the constants of the product, which were once chosen on all days of this restaurant. Larder and statsforecast are
treated alike; its automatic models choose by the history before each cut-off, as Larder does. bakery_transactions.csv
is of another business; no choice was made on it. MASE by Larder's definition, the mean over series weighted by their
forecasts; a forecast is dense if its history sells most days, else intermittent. Times are the median of a forecast on
one core."""

import json
import subprocess
from collections import defaultdict
from dataclasses import dataclass, fields
from pathlib import Path

from kit import files
from kit.results import Section
from kit.settings import BENCH, ROOT, SMALL
from kit.tools import python_with

STATSFORECAST = "2.1.1"
SHARED = ["snaive", "hist_avg", "sma28", "swa_4", "ses_opt", "seas_es_0.1", "croston", "sba", "tsb_0.1_0.1", "adida", "imapa"]
OPTIMISED = ["ses_opt", "adida", "imapa"]
AUTOMATIC = ["auto_ets", "auto_arima", "auto_theta"]
CHOSEN = "advanced, constants by the half of choice"
# The older cut-offs of one half of the series, and the newer ones of the other.
FOLDS = [("older a", "newer b"), ("older b", "newer a")]
OLDER = [older for older, _ in FOLDS]
HALVES = {"half of choice": 0, "half shown": 1}


@dataclass
class Figures:
    """Sums of a method in one part, as the example prints them."""

    mase: float = 0
    forecasts: float = 0
    wrong: float = 0
    sold: float = 0
    inside: float = 0
    intervals: float = 0
    series: float = 0
    refused: float = 0
    ms: float = 0

    def __add__(self, other: "Figures") -> "Figures":
        both = Figures(*(getattr(self, it.name) + getattr(other, it.name) for it in fields(self)))
        both.ms = max(self.ms, other.ms)
        return both

    @property
    def MASE(self) -> float:
        return self.mase / self.forecasts

    @property
    def WAPE(self) -> float:
        return self.wrong / self.sold

    @property
    def held(self) -> float | None:
        return 100 * self.inside / self.intervals if self.intervals else None


Rows = dict[tuple[str, str], dict[tuple[str, str], Figures]]


def measure(section: Section, folder: Path) -> None:
    section.peers.append(f"statsforecast {STATSFORECAST}")
    python, series = python_with("statsforecast", STATSFORECAST, alone=False) / "python", folder / "series.jsonl"
    few = ["--series", "16"] if SMALL else []
    sales = [files.real_sales(folder), files.real_sales(folder, "bakery_transactions.csv")]
    ours = table([built(), *sales, "--dump", series, *few])
    theirs = table([python, BENCH / "peers/statsforecast_cuts.py", series, *(SHARED if SMALL else [])])
    for part, group in ours.keys() & theirs.keys():
        agree(part, group, ours[part, group], theirs[part, group])
    for group in ("dense", "intermittent"):
        contenders = larder_contenders(ours, group) | peer_contenders(theirs, group)
        advanced, best = contenders[f"Larder: {CHOSEN}"], contenders["statsforecast: best single model"]
        for half, at in HALVES.items():
            mine, peer = (joined(one, at) for one in (advanced, best))
            bar = {"bar": 0.73} if group == "dense" and half == "half shown" else {}
            section.row(f"chosen constants, {group}, {half}: MASE", mine.MASE, "", peer=peer.MASE, peer_name="best single model", **bar)
            section.row(f"chosen constants, {group}, {half}: WAPE", mine.WAPE, "", peer=peer.WAPE, peer_name="the same")
            wanted = ", 78 to 82 wanted" if half == "half shown" else ""
            section.row(f"chosen constants, {group}, {half}: days within the 80% interval", mine.held, "%", extra=wanted,
                        peer=peer.held, peer_name="the same")
        section.notes.append(compared(group, contenders))
    for name in SHARED:
        mine, peer = (rows["newer a", "intermittent"]["method", name].ms for rows in (ours, theirs))
        section.row(f"{name}, ms per forecast", mine, "ms", peer=peer, peer_name="statsforecast", ratio_bar=0.2)
    for group in ("dense", "intermittent"):
        took = ours["newer a", group]["product", "advanced"].ms
        section.row(f"advanced with choice and interval, {group}", took, "ms")


class Contender:
    """A forecast by what each fold chose, or by what needs no choice; `elsewhere` by the choice of all older cut-offs."""

    def __init__(self, rows: Rows, group: str, choose):
        self.names = [choose([rows[older, group]]) for older in OLDER]
        self.halves = [
            [rows[fold[at], group].get(name) for fold, name in zip(FOLDS, self.names)] for at in HALVES.values()
        ]
        name = choose([rows[older, group] for older in OLDER])
        self.elsewhere = rows.get(("bakery", group), {}).get(name)

    def whole(self) -> bool:
        return all(figures is not None and figures.forecasts for half in self.halves for figures in half)

    def chosen(self) -> str:
        return " and ".join(dict.fromkeys(name for _, name in self.names))


def joined(contender: Contender, half: int) -> Figures:
    first, second = contender.halves[half]
    return first + second


def best(kinds: set[str], allowed=lambda name: True):
    """Chooses the lowest MASE among methods that forecast at every cut-off."""

    def choose(parts: list[dict]) -> tuple[str, str]:
        sums = defaultdict(Figures)
        for part in parts:
            for key, figures in part.items():
                if key[0] in kinds and allowed(key[1]):
                    sums[key] += figures
        most = max(it.forecasts for it in sums.values())
        return min((key for key in sums if sums[key].forecasts == most), key=lambda key: sums[key].MASE)

    return choose


def constants(parts: list[dict]) -> tuple[str, str]:
    """A rule for Larder: default and threshold by MASE, then the days between origins by how near 80% they come."""
    kind, name = best({"rule"}, lambda name: name.endswith("/3"))(parts)
    spacings = [(kind, name), (kind, name.removesuffix("/3") + "/7")]
    return min(spacings, key=lambda key: abs(sum((part[key] for part in parts), Figures()).held - 80))


def larder_contenders(rows: Rows, group: str) -> dict[str, Contender]:
    given = {"dense": ["dow_ma+ets_ANA+dotm"], "intermittent": ["tsb_0.1_0.1", "sba"]}[group]
    made = {
        "advanced, as shipped": lambda _: ("product", "advanced"),
        CHOSEN: constants,
        "advanced, FORECAST's default": best({"rule"}, lambda name: name in [f"{it}/0.8/3" for it in given]),
        "best single method": best({"method"}, lambda name: "+" not in name),
        "best mean of methods": best({"method"}, lambda name: "+" in name),
    }
    return {f"Larder: {name}": Contender(rows, group, choose) for name, choose in made.items()}


def peer_contenders(rows: Rows, group: str) -> dict[str, Contender]:
    made = {"best single model": best({"method"})}
    if not SMALL:
        made["best mean of models"] = best({"mean"})
    for name in AUTOMATIC:
        made[name] = lambda _, name=name: ("method", name)
    found = {f"statsforecast: {name}": Contender(rows, group, choose) for name, choose in made.items()}
    return {name: one for name, one in found.items() if one.whole()}


def compared(group: str, contenders: dict[str, Contender]) -> str:
    """All contenders in a table: each figure in the half of choice, the half shown, and the bakery."""
    lines = [
        f"| {group} | chosen | MASE, choice | MASE, shown | WAPE, choice | WAPE, shown | in 80%, choice | in 80%, shown | ms |"
        " MASE, bakery | WAPE, bakery | in 80%, bakery |",
        "|" + " --- |" * 12,
    ]
    for title, one in contenders.items():
        choice, shown = (joined(one, half) for half in HALVES.values())
        away = one.elsewhere if one.elsewhere and one.elsewhere.forecasts else None
        cells = [title, "" if one.chosen() in title + "advanced" else one.chosen()]
        for name, digits in (("MASE", 3), ("WAPE", 3), ("held", 1)):
            cells += [shortly(getattr(half, name), digits) for half in (choice, shown)]
        cells.append("" if one.names[0][0] == "rule" else f"{shown.ms:.3g}")
        cells += [shortly(getattr(away, name), digits) if away else "" for name, digits in (("MASE", 3), ("WAPE", 3), ("held", 1))]
        lines.append("| " + " | ".join(cells) + " |")
    advanced = contenders["Larder: advanced, as shipped"]
    shown = joined(advanced, 1)
    away = f", {advanced.elsewhere.series:.0f} and {advanced.elsewhere.forecasts:.0f} of the bakery" if advanced.elsewhere else ""
    counted = f"Series and forecasts of the half shown, {group}: {shown.series:.0f} and {shown.forecasts:.0f}{away}."
    return "\n".join(lines) + f"\n\n{counted}"


def shortly(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def agree(part: str, group: str, ours: dict, theirs: dict) -> None:
    """The same simple method on the same series must have the same error, or the two measure different things."""
    for name in SHARED:
        mine, peer = ours["method", name], theirs["method", name]
        # Optimised ones may end at another parameter.
        near = 5e-3 if name in OPTIMISED else 2e-4
        if mine.refused == peer.refused == 0 and abs(mine.MASE - peer.MASE) > near:
            raise RuntimeError(f"{name}, {part}, {group}: MASE {mine.MASE} at Larder, {peer.MASE} at statsforecast")


def table(command: list) -> Rows:
    """Figures by part and class, then by kind and name."""
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows: Rows = defaultdict(dict)
    for line in text.splitlines()[1:]:
        part, group, kind, name, *figures = line.split("\t")
        rows[part, group][kind, name] = Figures(*map(float, figures))
    return rows


def built() -> str:
    """Builds the program that measures Larder."""
    command = ["cargo", "build", "--release", "-p", "larder-planning", "--example", "accuracy", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for said in map(json.loads, done.stdout.splitlines()):
        if said.get("target", {}).get("name") == "accuracy" and said.get("executable"):
            return said["executable"]
    raise RuntimeError("cargo did not say where the example is")

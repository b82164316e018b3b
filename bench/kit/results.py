"""Rows of figures, printed as tables and stored as sections of results.md."""

import os
import platform
import re
import subprocess
import sys
from statistics import median

from kit.clock import measured_at
from kit.settings import BENCH, BINARY, CACHE, PARTS, ROOT, SMALL

HEAD = (
    "# What `make bench` measured\n\n"
    "Written by bench/run. A figure is a median unless its row says otherwise (p99, the slowest); a ratio compares with "
    "the peer. The last line of each section says when it was measured, at which commit, on which machine and with which "
    "binary: sections are of different commits and machines. A section is replaced only by a run of a checkout without "
    "further changes; older ones marked «-dirty» cannot be repeated exactly, nor those of a binary named by `BENCH_BIN` "
    "that is not of their commit.\n"
)
COLUMNS = ["what", "Larder", "peer", "ratio", "bar", "met"]


class Skip(Exception):
    """A part cannot be measured here, or not all of it; gives the reason."""


def machine() -> str:
    memory = re.search(r"MemTotal:\s+(\d+)", open("/proc/meminfo").read())
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    used, all_of_them = len(os.sched_getaffinity(0)), os.cpu_count()
    cores = f"{used} cores" if used == all_of_them else f"{used} of {all_of_them} cores"
    return (
        f"{cores} ({model.group(1) if model else platform.machine()}), "
        f"{int(memory.group(1)) / 2**20:.0f} GiB, Linux {platform.release()}"
    )


def commit() -> str:
    args = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(args, capture_output=True, text=True).stdout.strip() or "no commit"


def changes() -> list[str]:
    """Files that differ from the commit; the results themselves may."""
    args = ["git", "-C", str(ROOT), "status", "--short", "--untracked-files=no"]
    return subprocess.run(args, capture_output=True, text=True).stdout.splitlines()


def processor() -> tuple[int, int]:
    """Ticks of processor demand since boot, and those the host gave to other guests."""
    user, nice, system, _idle, _wait, irq, soft, stolen = map(int, open("/proc/stat").readline().split()[1:9])
    return user + nice + system + irq + soft + stolen, stolen


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


class Section:
    """The results of one part."""

    def __init__(self, name: str, about: str):
        self.name, self.about = name, " ".join(about.split())
        self.rows: list[list[str]] = []
        self.notes: list[str] = []
        self.peers: list[str] = []
        self.began = processor()

    def row(self, what: str, larder: float, unit: str, *, peer: float | None = None, peer_name="",
            more_is_better=False, ratio_bar: float | None = None, bar: float | None = None, extra=""):
        """A figure, compared with a peer's (`ratio_bar`) or with a limit (`bar`)."""
        ratio = larder / peer if peer else None
        held, measured = (ratio_bar, ratio) if ratio_bar is not None else (bar, larder)
        met, limit = "", ""
        if held is not None and measured is not None:
            met = "yes" if (measured >= held if more_is_better else measured <= held) else "no"
            sign = "≥" if more_is_better else "≤"
            limit = f"{sign} {number(held)}" + ("×" if ratio_bar is not None else f" {unit}")
        self.rows.append([
            what,
            f"{number(larder)} {unit}{extra}",
            f"{number(peer)} {unit} ({peer_name})" if peer else "",
            f"{ratio:.2f}×" if ratio else "",
            limit,
            met,
        ])
        print("   " + " | ".join(self.rows[-1]), flush=True)

    def skip(self, why: str, what="not measured"):
        self.rows.append([what, why, "", "", "", "skipped"])
        print(f"   {what}: {why}", flush=True)

    def table(self) -> str:
        lines = [COLUMNS, ["---"] * len(COLUMNS), *self.rows]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)

    def text(self) -> str:
        set_ = "".join(f"{key}={os.environ[key]} " for key in ("BENCH_BIN", "BENCH_SMALL") if key in os.environ)
        facts = [
            f"{measured_at():%Y-%m-%d %H:%M} UTC",
            f"commit {commit()}",
            f"`{set_}bench/run {' '.join(sys.argv[1:])}".strip() + "`",
            machine(),
            self.stolen(),
            BINARY.parent.name + " binary",
            *self.peers,
        ]
        parts = [f"## {self.name}", self.about, self.table(), *self.notes, " · ".join(facts) + "."]
        return "\n\n".join(parts) + "\n"

    def stolen(self) -> str:
        wanted, stolen = (now - before for now, before in zip(processor(), self.began))
        return f"the host took {100 * stolen / max(wanted, 1):.0f} % of the processors away"

    def write(self):
        """Replaces this section and keeps the others: of results.md only from a checkout without further changes."""
        changed = [line for line in changes() if not line.endswith(("bench/results.md", "docs/tillread.md"))]
        if changed and not SMALL:
            print(f"   Not kept in results.md, since the checkout has changes: {', '.join(changed[:3])}", flush=True)
        file = CACHE / "results.md" if SMALL or changed else BENCH / "results.md"
        old = file.read_text() if file.exists() else ""
        sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", old, re.S | re.M))
        kept = {name: f"## {name}\n{body.rstrip()}\n" for name, body in sections.items()}
        kept[self.name] = self.text()
        file.write_text("\n".join([HEAD, *(kept[name] for name in PARTS if name in kept)]))
        return file.relative_to(ROOT)


def spread(values: list[float]) -> str:
    """The range of single runs around the median."""
    return f" ({number(min(values))}–{number(max(values))})" if len(values) > 1 else ""


__all__ = ["Section", "Skip", "median", "number", "spread"]

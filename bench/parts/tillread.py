"""Till readings from the pictures in ../shared/receipts with tesseract: correct fields by kind of picture, accepted
readings, and processor time, including the engine's. A wrong reading that is accepted fails the part. The table is
also written into docs/tillread.md."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from kit.results import Section, Skip
from kit.settings import ROOT, SMALL

RECEIPTS = ROOT.parent / "shared/receipts"
PAGE = ROOT / "docs/tillread.md"
BARS = {"clean": 99, "scan": 99, "lowcontrast": 96, "photo": 96.5, "photo12mp": 98.5}
NAMES = {"clean": "clean", "scan": "scan", "lowcontrast": "low contrast", "photo": "1 MP photo",
         "photo12mp": "6 MP photo", "hardphoto": "hard photo"}
HEAD = ["picture", "pictures", "fields right", "read, not derived", "accepted, terminal known", "all sums hold",
        "wrong and accepted", "refused with advice", "CPU s a picture"]
BEGIN, END = "<!-- figures: bench/run tillread -->", "<!-- end of figures -->"


def measure(section: Section, folder: Path) -> None:
    if not RECEIPTS.exists():
        raise Skip("../shared/receipts is missing")
    if not shutil.which("tesseract"):
        raise Skip("tesseract is not installed: install tesseract-ocr")
    version = subprocess.run(["tesseract", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    section.peers.append(version)
    names = ["00_", "05_"] if SMALL else []
    text = subprocess.run([built(), RECEIPTS, *names], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = figures(text)
    for kind, it in rows.items():
        if kind not in BARS:  # too little to read on them: half of it, or a refusal that says what to do
            section.row(f"{NAMES[kind]}: fields right", 100 * it["fields"], "%")
            refused = 100 * it["unreadable"] / it["pictures"]
            section.row(f"{NAMES[kind]}: refused with advice", refused, "%", bar=50 if it["fields"] < 0.5 else None,
                        more_is_better=True)
            continue
        section.row(f"{NAMES[kind]}: fields right", 100 * it["fields"], "%", bar=BARS[kind], more_is_better=True)
    pictures = sum(it["pictures"] for it in rows.values())
    seconds = sum(it["seconds"] * it["pictures"] for it in rows.values()) / pictures
    section.row("processor time per picture", seconds, "s", bar=1.5)
    wrong = sum(it["wrong"] for it in rows.values())
    section.row("wrong readings accepted", wrong, "", bar=0)
    if not SMALL:
        write(rows)
    if wrong:
        raise RuntimeError(f"{wrong:.0f} readings were accepted with a wrong field")


def figures(text: str) -> dict[str, dict[str, float]]:
    """The table at the end of the program's output: kind, then figures named in its header."""
    lines = [line.split("\t") for line in text.splitlines() if "\t" in line]
    head = lines[0][1:]
    return {line[0]: dict(zip(head, map(float, line[1:]))) for line in lines[1:]}


def write(rows: dict[str, dict[str, float]]) -> None:
    """Replaces the table between its markers."""
    lines = [HEAD, ["---"] * len(HEAD)]
    for kind in NAMES:
        if kind in rows:
            it = rows[kind]
            lines.append([
                NAMES[kind], f"{it['pictures']:.0f}", f"{100 * it['fields']:.1f}%", f"{100 * it['read']:.1f}%",
                f"{it['holds']:.0f}", f"{it['sums']:.0f}", f"{it['wrong']:.0f}", f"{it['unreadable']:.0f}",
                f"{it['seconds']:.2f}",
            ])
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    page = PAGE.read_text()
    PAGE.write_text(re.sub(f"{BEGIN}.*{END}", f"{BEGIN}\n{table}\n{END}", page, flags=re.S))


def built() -> str:
    """Builds the program that reads the pictures."""
    command = ["cargo", "build", "--release", "-p", "larder-tillread", "--example", "receipts", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for said in map(json.loads, done.stdout.splitlines()):
        if said.get("target", {}).get("name") == "receipts" and said.get("executable"):
            return said["executable"]
    raise RuntimeError("cargo did not say where the example is")

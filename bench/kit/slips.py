"""Clean till slips of made-up tills on consecutive days, each till in a font of its own. The same seed gives the same
slips."""

import json
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

WIDTH = 40
# The packages of @fontsource, the weight, and the size relative to the others. VT323 looks like a thermal printer's font;
# Doto and DotGothic16 like a dot-matrix printer's.
FONTS = {
    "dejavu-mono": (400, 1), "noto-sans-mono": (400, 1), "vt323": (400, 1.3), "share-tech-mono": (400, 1.05),
    "courier-prime": (400, 1), "ibm-plex-mono": (400, 1), "jetbrains-mono": (400, 1), "inconsolata": (400, 1.05),
    "source-code-pro": (400, 1), "space-mono": (400, 1), "ubuntu-mono": (400, 1.1), "doto": (900, 1.1),
    "cutive-mono": (400, 1), "fira-mono": (400, 1), "roboto-mono": (400, 1), "dotgothic16": (400, 1),
    "overpass-mono": (400, 1), "pt-mono": (400, 1), "b612-mono": (400, 1), "anonymous-pro": (400, 1.1),
}
# The fields of a sum that is exact.
SUMMED = ["beg", "end", "tx", "old", "new", "gross", "sc", "pwd", "other", "void", "refund", "vadj", "net", "vatable", "vat",
          "exempt", "zero", "cash", "card", "ewal"]
# The words of three makers of tills, the form of their dates, and the order of the blocks.
MAKERS = [
    {"title": "Z READING", "form": "%m/%d/%Y", "words": {
        "date": "REPORT DATE", "z": "Z-COUNTER", "beg": "BEG. SI NO", "end": "END. SI NO", "tx": "TRANS COUNT",
        "old": "OLD GRAND TOTAL", "new": "NEW GRAND TOTAL", "gross": "GROSS SALES", "sc": "SC DISCOUNT",
        "pwd": "PWD DISCOUNT", "other": "OTHER DISCOUNT", "void": "VOID", "refund": "RETURN", "vadj": "VAT ADJUSTMENT",
        "net": "NET SALES", "vatable": "VATABLE SALES", "vat": "VAT AMOUNT", "exempt": "VAT EXEMPT SALES",
        "zero": "ZERO RATED SALES", "cash": "CASH", "card": "CREDIT CARD", "ewal": "GCASH"}},
    {"title": "Z-READING REPORT", "form": "%Y-%m-%d", "words": {
        "date": "Date:", "z": "Z Count", "beg": "Beg. OR #", "end": "End. OR #", "tx": "No. of Trans",
        "old": "Prev. Accum. Sales", "new": "Present Accum. Sales", "gross": "Gross Amount", "sc": "Less SC Disc.",
        "pwd": "Less PWD Disc.", "other": "Less Reg. Disc.", "void": "Less Void", "refund": "Less Refund",
        "vadj": "Less VAT Adj.", "net": "Net Amount", "vatable": "VATable Sales", "vat": "12% VAT",
        "exempt": "VAT-Exempt Sales", "zero": "Zero-Rated Sales", "cash": "Cash Payment", "card": "Card Payment",
        "ewal": "E-Wallet"}},
    {"title": "END OF DAY - Z READ", "form": "%m-%d-%Y", "words": {
        "date": "Business Date", "z": "Z Reading No", "beg": "Beginning SI No", "end": "Ending SI No",
        "tx": "Transaction Count", "old": "Previous Grand Total", "new": "Present Grand Total",
        "gross": "Total Gross Sales", "sc": "Senior Citizen Discount", "pwd": "PWD Discount",
        "other": "Regular Discount", "void": "Total Void", "refund": "Total Refund", "vadj": "VAT Adjustment",
        "net": "Total Net Sales", "vatable": "VATable Sales", "vat": "VAT (12%)", "exempt": "VAT Exempt Sales",
        "zero": "Zero Rated Sales", "cash": "Cash Sales", "card": "Card Sales", "ewal": "E-Wallet Sales"}},
]
BLOCKS = [["old", "new"], ["gross", "sc", "pwd", "other", "void", "refund", "vadj", "net"],
          ["vatable", "vat", "exempt", "zero"]]
NAMES = ["GOLDEN LADLE FOODS CORP.", "MERIENDA HOUSE INC", "LUTONG BAHAY VENTURES", "SINAG CATERING CO."]


def money(cents: int) -> str:
    return f"{cents / 100:,.2f}"


@dataclass
class Slip:
    """A slip as printed: its fields, as in `truth.json` of the receipts, and its lines."""

    file: str
    fields: dict[str, str]
    lines: list[dict] = field(default_factory=list)
    # How much a spoilt figure is off: centavos, or invoices.
    off: int = 0


class Till:
    """A till, with what it prints the same each day."""

    def __init__(self, seed: int, number: int):
        self.random = Random(f"{seed}/{number}")
        pick = self.random
        fonts = list(FONTS)
        self.number = number
        self.font = fonts[number % len(fonts)]
        self.maker = MAKERS[(number + number // len(fonts) + seed) % len(MAKERS)]
        self.size = pick.randint(22, 28)
        self.tin = f"{pick.randint(100, 999)}-{pick.randint(0, 999):03}-{pick.randint(0, 999):03}-{pick.randint(0, 99):05}"
        self.min = str(pick.randint(10**16, 10**17 - 1))
        self.head = [pick.choice(NAMES), f"Unit {pick.randint(1, 99)} Riverside Mall, Pasig City"]
        self.serial = f"S/N: F{pick.randint(10, 99)}DC{pick.randint(1000, 9999)}G"
        self.terminal = f"{pick.randint(1, 9):03}"
        self.blocks = BLOCKS if pick.random() < 0.6 else [*BLOCKS[1:], BLOCKS[0]]
        self.day = date(2025, 1, 1) + timedelta(days=pick.randint(0, 560))
        self.counter = pick.randint(2, 2_000)
        self.invoice = pick.randint(1_000, 900_000)
        self.total = pick.randint(1_000_000_00, 90_000_000_00)
        self.known = False  # whether a reading of it was verified

    def next(self) -> Slip:
        """The slip of the next day."""
        pick = self.random
        sold = pick.randint(15_000_00, 90_000_00)
        cents = {"vatable": sold, "vat": round(sold * 0.12) + pick.randint(-3, 3), "exempt": pick.randint(100_00, 9_000_00),
                 "zero": pick.choice([0, 0, pick.randint(0, 600_00)])}
        net = sum(cents.values())
        less = {name: pick.randint(5_00, most) for name, most in
                [("sc", 1_300_00), ("pwd", 700_00), ("other", 1_400_00), ("void", 900_00), ("refund", 600_00), ("vadj", 900_00)]}
        cash = int(net * pick.uniform(0.4, 0.7))
        card = int((net - cash) * pick.uniform(0.3, 0.7))
        cents |= less | {"net": net, "gross": net + sum(less.values()), "old": self.total, "new": self.total + net,
                         "cash": cash, "card": card, "ewal": net - cash - card}
        count = pick.randint(80, 900)
        fields = {name: money(value) for name, value in cents.items()} | {
            "date": self.day.isoformat(), "tin": self.tin, "min": self.min, "z": str(self.counter),
            "beg": f"{self.invoice:08}", "end": f"{self.invoice + count - 1:08}", "tx": str(count),
        }
        slip = self.printed(fields, f"till{self.number:02}-{self.counter}.png")
        self.day += timedelta(days=1)
        self.counter += 1
        self.invoice += count
        self.total += net
        return slip

    def spoilt(self, slip: Slip, name: str) -> Slip:
        """The slip with a digit of a field changed, so that a sum fails."""
        pick = self.random
        text = slip.fields[name]
        at = pick.choice([at for at, glyph in enumerate(text) if glyph.isdigit()])
        digit = pick.choice([glyph for glyph in "123456789" if glyph != text[at]])
        fields = slip.fields | {name: text[:at] + digit + text[at + 1:]}
        spoilt = self.printed(fields, slip.file.replace(".png", f"-{name}.png"))
        before, after = (int("".join(filter(str.isdigit, one[name]))) for one in (slip.fields, fields))
        spoilt.off = abs(after - before)
        return spoilt

    def printed(self, fields: dict[str, str], file: str) -> Slip:
        words = self.maker["words"]
        day = date.fromisoformat(fields["date"]).strftime(self.maker["form"])

        def row(name: str) -> str:
            return two(words[name], day if name == "date" else fields[name])

        rule = "-" * WIDTH
        lines = [*self.head, f"VAT REG TIN: {fields['tin']}", f"MIN: {fields['min']}", self.serial, "", self.maker["title"], ""]
        lines = [line.center(WIDTH).rstrip() for line in lines]
        lines += [row("date"), two("Terminal", self.terminal), *map(row, ["z", "beg", "end", "tx"])]
        for block in self.blocks:
            lines += [rule, *map(row, block)]
        lines += [rule, "TENDER SUMMARY".center(WIDTH).rstrip(), *map(row, ["cash", "card", "ewal"]), "=" * WIDTH,
                  "END OF REPORT".center(WIDTH).rstrip()]
        ink = Random(file)  # a printer's lines differ in blackness
        return Slip(file, fields, [{"text": line, "ink": ink.randint(10, 45)} for line in lines])


def two(label: str, text: str) -> str:
    """A label and its figure at the edges of a line."""
    return label + text.rjust(WIDTH - len(label))


def plan(slips: list[tuple[Till, Slip]]) -> str:
    """What lighthouse/slips.js draws, as JSON."""
    drawn = []
    for till, slip in slips:
        weight, scale = FONTS[till.font]
        size = round(till.size * scale)
        drawn.append({"file": slip.file, "font": till.font, "weight": weight, "size": size, "lines": slip.lines})
    return json.dumps(drawn)

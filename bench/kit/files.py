"""Sales files to import, the same in every run."""

import gzip
import random
import zipfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from kit.settings import ROOT

HEADER = ["date", "time", "store", "terminal", "receipt", "item", "qty", "price"]
STORES, ITEMS, DAYS = 20, 250, 100
FIRST = date(2025, 3, 3)


def real_sales(folder: Path, name: str = "restaurant_orders.csv") -> Path:
    """A file of real sales of `testdata`, the restaurant's or `bakery_transactions.csv`, unpacked into a folder."""
    file = folder / name
    file.write_bytes(gzip.decompress((ROOT / f"testdata/sales/{name}.gz").read_bytes()))
    return file


def lines(count: int) -> Iterator[list]:
    """`count` lines of 20 stores, 250 items and 100 days, as tills would write them: day by day, store by store."""
    chance = random.Random(1)
    per_day = -(-count // (STORES * DAYS))
    written = 0
    for day in range(DAYS):
        for store in range(1, STORES + 1):
            receipt, left, second = 0, 0, 8 * 3600
            for _ in range(min(per_day, count - written)):
                if left == 0:
                    receipt, left, second = receipt + 1, chance.randint(1, 5), second + chance.randint(20, 150)
                    terminal = chance.randint(1, 3)
                left -= 1
                written += 1
                item = chance.randint(1, ITEMS)
                time = f"{second // 3600 % 24:02}:{second // 60 % 60:02}"
                yield [
                    (FIRST + timedelta(day)).isoformat(), time, f"Branch {store:02}", terminal, 1000 * day + receipt,
                    f"Dish {item:03}", chance.choice((1, 1, 1, 2, 2, 3)), f"{45 + item * 37 % 400}.{item % 4 * 25:02}",
                ]


def write_csv(file: Path, count: int) -> None:
    with open(file, "w", encoding="utf-8") as out:
        out.write(",".join(HEADER) + "\n")
        out.writelines(",".join(map(str, line)) + "\n" for line in lines(count))


def write_xlsx(file: Path, count: int) -> None:
    """A workbook with one sheet and shared strings, as Excel writes it."""
    shared: dict[str, int] = {}

    def cell(value, at: str) -> str:
        if isinstance(value, int):
            return f'<c r="{at}"><v>{value}</v></c>'
        try:
            return f'<c r="{at}"><v>{float(value):g}</v></c>'
        except ValueError:
            return f'<c r="{at}" t="s"><v>{shared.setdefault(value, len(shared))}</v></c>'

    def row(number: int, values: list) -> str:
        cells = "".join(cell(value, f"{'ABCDEFGH'[at]}{number}") for at, value in enumerate(values))
        return f'<row r="{number}">{cells}</row>'

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        with book.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(f'{head}<worksheet xmlns="{main}"><sheetData>{row(1, HEADER)}'.encode())
            for number, values in enumerate(lines(count), 2):
                sheet.write(row(number, values).encode())
            sheet.write(b"</sheetData></worksheet>")
        texts = "".join(f"<si><t>{text}</t></si>" for text in shared)
        book.writestr("xl/sharedStrings.xml", f'{head}<sst xmlns="{main}" uniqueCount="{len(shared)}">{texts}</sst>')
        book.writestr("xl/workbook.xml", f'{head}<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
                      '<sheet name="Sales" sheetId="1" r:id="rId1"/></sheets></workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", f'{head}<Relationships xmlns="{package}/relationships">'
                      f'<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
                      f'<Relationship Id="rId2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>')
        book.writestr("_rels/.rels", f'{head}<Relationships xmlns="{package}/relationships">'
                      f'<Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        book.writestr("[Content_Types].xml", f'{head}<Types xmlns="{package}/content-types">'
                      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                      f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
                      f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/>'
                      f'<Override PartName="/xl/sharedStrings.xml" ContentType="{types}.sharedStrings+xml"/></Types>')

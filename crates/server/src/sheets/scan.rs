//! Reads the rows of a sheet as spreadsheet programs write them, at a fraction of what reading any XML
//! costs. What it does not know for sure it leaves to the full reader, from the row it came to.

mod parts;
mod raw;

use std::fs::File;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use calamine::{ExcelDateTime, ExcelDateTimeType};
use larder_domain::sheet::{Cell, Row};

use parts::{Part, unpack};
use raw::{digits, formula, is_shown_as_written, number, place, prelude, whole};

use super::book::{Book, Shows, text_element};
use super::csv::too_many;
use super::xlsx::{write_float, write_moment};
use super::xml::{Attribute, Strange, Xml, plain};
use super::{MAX_COLUMNS, MAX_ROWS, Refusal, Visitor};

/// How far reading came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scanned {
    /// To the end, or to where the visitor had enough.
    Whole,
    /// This many rows were handed over, then came something strange.
    Until(u32),
}

/// Parts on the way.
const PARTS: usize = 4;

/// Hands the rows of a sheet to the visitor, one thread unpacking while this one reads.
pub fn read(
    file: &mut File,
    sheet: &str,
    wanted: Option<&[usize]>,
    visitor: &mut impl Visitor,
) -> Result<Scanned, Refusal> {
    let Ok(book) = Book::look(file, sheet) else { return Ok(Scanned::Until(0)) };
    let (full, parts) = sync_channel::<Part>(PARTS);
    let (empty, spare) = sync_channel::<Vec<u8>>(PARTS + 2);
    let entry = &book.sheet;
    std::thread::scope(|scope| {
        // Moved in here, so that a panic while reading ends the unpacking too.
        let (parts, empty) = (parts, empty);
        scope.spawn(move || unpack(file, entry, &full, &spare));
        let mut scan = Scan {
            book: &book,
            wanted: wanted.map(|wanted| (0..MAX_COLUMNS).map(|column| wanted.contains(&column)).collect()),
            row: 0,
            handed: 0,
            scratch: Vec::new(),
            cells: Vec::new(),
            held: Held::default(),
        };
        let outcome = scan.parts(&parts, &empty, visitor);
        let handed = scan.handed;
        match outcome {
            Ok(()) | Err(Stop::Enough) => Ok(Scanned::Whole),
            Err(Stop::Strange) => Ok(Scanned::Until(handed)),
            Err(Stop::TooMany) => Err(too_many()),
        }
    })
}

/// Why reading ended early.
enum Stop {
    Strange,
    Enough,
    TooMany,
}

impl From<Strange> for Stop {
    fn from(_: Strange) -> Self {
        Self::Strange
    }
}

/// Where a cell's text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Part,
    Texts,
    Scratch,
}

#[derive(Clone, Copy)]
struct Place {
    from: Origin,
    number: bool,
    start: u32,
    end: u32,
}

impl Place {
    const EMPTY: Self = Self { from: Origin::Part, number: false, start: 0, end: 0 };
}

struct Scan<'b> {
    book: &'b Book,
    /// Whether somebody looks at a column.
    wanted: Option<Vec<bool>>,
    /// The number of the last row, from 1.
    row: u32,
    handed: u32,
    /// Texts of one row that stand nowhere else.
    scratch: Vec<u8>,
    /// The cells of one row.
    cells: Vec<Place>,
    held: Held,
}

/// The last row with anything in it. It is handed over when the next one was understood: to the full reader a
/// cell that stands elsewhere and names this row belongs to it.
#[derive(Default)]
struct Held {
    /// None while there is no such row.
    number: Option<u32>,
    cells: Vec<Place>,
    scratch: Vec<u8>,
}

impl Held {
    /// Keeps what it says when its part goes.
    fn outlive(&mut self, part: &[u8]) -> Result<(), Strange> {
        for place in self.cells.iter_mut().filter(|place| place.from == Origin::Part) {
            let text = &part[place.start as usize..place.end as usize];
            let start = u32::try_from(self.scratch.len()).map_err(|_| Strange)?;
            self.scratch.extend_from_slice(text);
            let end = u32::try_from(self.scratch.len()).map_err(|_| Strange)?;
            *place = Place { from: Origin::Scratch, start, end, ..*place };
        }
        Ok(())
    }
}

struct Cells<'a> {
    part: &'a [u8],
    texts: &'a [u8],
    scratch: &'a [u8],
    cells: &'a [Place],
}

impl Row for Cells<'_> {
    fn width(&self) -> usize {
        self.cells.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(place) = self.cells.get(column) else { return Cell { text: b"", number: false } };
        let text = match place.from {
            Origin::Part => self.part,
            Origin::Texts => self.texts,
            Origin::Scratch => self.scratch,
        };
        Cell { text: &text[place.start as usize..place.end as usize], number: place.number }
    }
}

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Number,
    Shared,
    Truth,
    Fault,
    Text,
    Date,
    Inline,
}

impl Scan<'_> {
    fn parts(
        &mut self,
        parts: &Receiver<Part>,
        empty: &SyncSender<Vec<u8>>,
        visitor: &mut impl Visitor,
    ) -> Result<(), Stop> {
        let mut begun = false;
        loop {
            // Without a last part the sheet was cut off, or is no sheet.
            let Ok(Part { mut text, last }) = parts.recv() else { return Err(Stop::Strange) };
            let mut xml = Xml(&text);
            if !begun {
                begun = true;
                if prelude(&mut xml)? {
                    return Ok(());
                }
            }
            loop {
                xml.spaces();
                if xml.0.is_empty() {
                    break;
                }
                if xml.eat(b"</sheetData>") {
                    return self.hand(&text, visitor);
                }
                xml.expect(b"<row")?;
                let number = self.row(&text, &mut xml)?;
                // A row without anything in it is none.
                if self.cells.iter().any(|cell| cell.end > cell.start) {
                    self.hand(&text, visitor)?;
                    self.held.number = Some(number);
                    std::mem::swap(&mut self.held.cells, &mut self.cells);
                    std::mem::swap(&mut self.held.scratch, &mut self.scratch);
                }
            }
            if last {
                return Err(Stop::Strange);
            }
            self.held.outlive(&text)?;
            // Kept for the next rows, if it is needed.
            text.resize(text.capacity(), 0);
            let _ = empty.try_send(text);
        }
    }

    /// Hands over the row that is held, if there is one.
    fn hand(&mut self, part: &[u8], visitor: &mut impl Visitor) -> Result<(), Stop> {
        let Some(number) = self.held.number.take() else { return Ok(()) };
        self.handed += 1;
        if self.handed > MAX_ROWS {
            return Err(Stop::TooMany);
        }
        let (scratch, cells) = (&self.held.scratch, &self.held.cells);
        let row = Cells { part, texts: &self.book.texts.bytes, scratch, cells };
        if visitor.row(number, &row).is_break() { Err(Stop::Enough) } else { Ok(()) }
    }

    /// Takes a row behind `<row`; its number.
    fn row<'a>(&mut self, part: &'a [u8], xml: &mut Xml<'a>) -> Result<u32, Strange> {
        self.cells.clear();
        self.scratch.clear();
        let mut digits: &[u8] = b"";
        let closed = loop {
            match xml.attribute()? {
                Attribute::Is(b"r", value) => digits = value,
                Attribute::Is(..) => {}
                Attribute::End => break false,
                Attribute::Closed => break true,
            }
        };
        let number = if digits.is_empty() { self.row + 1 } else { whole(digits)? };
        if number <= self.row {
            return Err(Strange);
        }
        self.row = number;
        if closed {
            return Ok(number);
        }
        let mut column = 0;
        loop {
            xml.spaces();
            if xml.eat(b"<c") {
                column = self.cell(part, xml, digits, column)? + 1;
            } else {
                xml.expect(b"</row>")?;
                return Ok(number);
            }
        }
    }

    /// Takes a cell behind `<c`, in this column unless it says otherwise; its column.
    fn cell<'a>(
        &mut self,
        part: &'a [u8],
        xml: &mut Xml<'a>,
        row: &[u8],
        mut column: usize,
    ) -> Result<usize, Strange> {
        let (mut holds, mut style) = (Holds::Number, None);
        let closed = loop {
            match xml.attribute()? {
                Attribute::Is(b"r", value) => column = place(value, row)?,
                Attribute::Is(b"s", value) => style = Some(value),
                Attribute::Is(b"t", value) => {
                    holds = match value {
                        b"s" => Holds::Shared,
                        b"n" => Holds::Number,
                        b"str" => Holds::Text,
                        b"inlineStr" => Holds::Inline,
                        b"b" => Holds::Truth,
                        b"e" => Holds::Fault,
                        b"d" => Holds::Date,
                        _ => return Err(Strange),
                    }
                }
                Attribute::Is(..) => {}
                Attribute::End => break false,
                Attribute::Closed => break true,
            }
        };
        let seen = column >= self.cells.len() && column < MAX_COLUMNS;
        let looked_at = seen && self.wanted.as_ref().is_none_or(|wanted| wanted[column]);
        let mut found = Place::EMPTY;
        if !closed {
            xml.spaces();
            if xml.eat(b"<f") {
                formula(xml)?;
                xml.spaces();
            }
            if holds == Holds::Inline && xml.eat(b"<is>") {
                xml.spaces();
                let text = text_element(xml)?;
                xml.spaces();
                xml.expect(b"</is>")?;
                if looked_at {
                    found = self.keep(&text)?;
                }
                xml.spaces();
            } else if xml.eat(b"<v>") {
                let raw = xml.text()?;
                xml.expect(b"</v>")?;
                if holds == Holds::Inline {
                    return Err(Strange);
                }
                if looked_at && !raw.is_empty() {
                    // Where the text stands in its part, from how much is left behind it.
                    let end = part.len() - xml.0.len() - b"</v>".len();
                    found = self.value(raw, end, holds, style)?;
                }
                xml.spaces();
            } else if xml.eat(b"<v/>") {
                xml.spaces();
            }
            xml.expect(b"</c>")?;
        }
        if seen {
            while self.cells.len() < column {
                self.cells.push(Place::EMPTY);
            }
            self.cells.push(found);
        }
        Ok(column)
    }

    /// What a raw value that ends at `end` of its part stands for.
    fn value(
        &mut self,
        raw: &[u8],
        end: usize,
        holds: Holds,
        style: Option<&[u8]>,
    ) -> Result<Place, Strange> {
        let in_part = |number| {
            let place = |at| u32::try_from(at).map_err(|_| Strange);
            Ok(Place { from: Origin::Part, number, start: place(end - raw.len())?, end: place(end)? })
        };
        match holds {
            Holds::Shared => {
                let (start, end) = self.book.texts.place(digits(raw)? as usize).ok_or(Strange)?;
                Ok(Place { from: Origin::Texts, number: false, start, end })
            }
            Holds::Number => match self.shows(style)? {
                Shows::Number if is_shown_as_written(raw) => in_part(true),
                Shows::Number => {
                    let number = number(raw)?;
                    self.write(|out| write_float(out, number))
                }
                Shows::Moment => {
                    let moment = ExcelDateTime::new(number(raw)?, ExcelDateTimeType::DateTime, false);
                    self.write(|out| write_moment(out, &moment))
                }
                Shows::Unknown => Err(Strange),
            },
            Holds::Text => match plain(raw)? {
                std::borrow::Cow::Borrowed(_) => in_part(false),
                std::borrow::Cow::Owned(text) => self.keep(&text),
            },
            Holds::Date => {
                if raw.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-:.+".contains(byte)) {
                    in_part(false)
                } else {
                    Err(Strange)
                }
            }
            Holds::Truth => match raw {
                b"0" => self.keep(b"FALSE"),
                b"1" => self.keep(b"TRUE"),
                _ => Err(Strange),
            },
            Holds::Fault => match raw {
                b"#DIV/0!" | b"#N/A" | b"#NAME?" | b"#NULL!" | b"#NUM!" | b"#REF!" | b"#VALUE!" => {
                    in_part(false)
                }
                _ => Err(Strange),
            },
            Holds::Inline => Err(Strange),
        }
    }

    fn shows(&self, style: Option<&[u8]>) -> Result<Shows, Strange> {
        let Some(style) = style else { return Ok(Shows::Number) };
        Ok(self.book.styles.get(digits(style)? as usize).copied().unwrap_or(Shows::Number))
    }

    fn keep(&mut self, text: &[u8]) -> Result<Place, Strange> {
        let mut place = self.write(|out| out.extend_from_slice(text))?;
        place.number = false;
        Ok(place)
    }

    fn write(&mut self, text: impl FnOnce(&mut Vec<u8>)) -> Result<Place, Strange> {
        let start = u32::try_from(self.scratch.len()).map_err(|_| Strange)?;
        text(&mut self.scratch);
        let end = u32::try_from(self.scratch.len()).map_err(|_| Strange)?;
        Ok(Place { from: Origin::Scratch, number: true, start, end })
    }
}

#[cfg(test)]
mod tests;

//! What calamine does not say about a sheet: which rows are hidden, and which formulas have no kept value.
//!
//! Another thread decompresses the sheet once more and looks at its tags only, which takes a fraction of the time that
//! calamine takes. What it finds marks rows and cells; it never changes a value, so odd markup costs a mark at most.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use zip::ZipArchive;

use crate::sheets::MAX_LINE;

/// Rows and cells per batch.
const BATCH_ROWS: u32 = 2_048;
const BATCH_CELLS: usize = 4_096;
/// Batches in advance.
const BATCHES: usize = 8;
/// The list of sheets and of their paths.
const MAX_PART: u64 = 32 << 20;

/// Findings in the rows before `before`, in order.
#[derive(Default)]
pub struct Batch {
    before: u32,
    hidden: Vec<u32>,
    /// Row (from 1) and column (from 0) of each formula without a value.
    valueless: Vec<(u32, usize)>,
}

/// Findings in the order of rows.
pub struct Unsaid {
    batches: Receiver<Batch>,
    before: u32,
    hidden: VecDeque<u32>,
    valueless: VecDeque<(u32, usize)>,
}

/// Connects the thread that looks for them with the one that reads the cells.
pub fn channel() -> (SyncSender<Batch>, Unsaid) {
    let (sender, batches) = sync_channel(BATCHES);
    (sender, Unsaid { batches, before: 0, hidden: VecDeque::new(), valueless: VecDeque::new() })
}

impl Unsaid {
    /// Whether a row (from 1) is hidden; passes on its columns of formulas without a value. Rows are asked for in order.
    pub fn of_row(&mut self, row: u32, mut valueless: impl FnMut(usize)) -> bool {
        while self.before <= row {
            let batch = self.batches.recv();
            let Ok(Batch { before, hidden, valueless }) = batch else {
                self.before = u32::MAX;
                break;
            };
            self.before = before.max(self.before);
            self.hidden.extend(hidden);
            self.valueless.extend(valueless);
        }
        while self.valueless.front().is_some_and(|(at, _)| *at <= row) {
            if let Some((at, column)) = self.valueless.pop_front()
                && at == row
            {
                valueless(column);
            }
        }
        while self.hidden.front().is_some_and(|at| *at < row) {
            self.hidden.pop_front();
        }
        self.hidden.front() == Some(&row)
    }
}

/// Looks through the sheet `nth` of a workbook (from 0) until the receiver is gone.
pub fn find(file: &File, nth: usize, sender: &SyncSender<Batch>) {
    if let Err(error) = look(file, nth, sender) {
        tracing::debug!(%error, "the tags of a sheet cannot be read");
    }
}

fn look(file: &File, nth: usize, sender: &SyncSender<Batch>) -> io::Result<()> {
    let end = file.metadata()?.len();
    let mut archive = ZipArchive::new(BufReader::with_capacity(128 * 1024, Positioned { file, at: 0, end }))?;
    let Some(path) = path(&mut archive, nth)? else { return Ok(()) };
    let Some(mut part) = part(&mut archive, &path)? else { return Ok(()) };
    let mut tags = Tags::default();
    let mut search = Search { row: 1, ..Search::default() };
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let read = part.read(&mut buffer)?;
        if read == 0 {
            let _last = sender.send(Batch { before: u32::MAX, ..search.batch });
            return Ok(());
        }
        if !tags.feed(&buffer[..read], &mut |tag, filled| search.tag(tag, filled)) {
            return Ok(());
        }
        if search.is_full() && sender.send(search.take()).is_err() {
            return Ok(());
        }
    }
}

/// Reads a file from places of its own: another thread moves the file's position.
struct Positioned<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Positioned<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(out, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Positioned<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// A file of the archive, looked up as calamine does.
fn part<'a, R: Read + Seek>(
    archive: &'a mut ZipArchive<R>,
    path: &str,
) -> io::Result<Option<impl Read + use<'a, R>>> {
    let wanted = path.to_ascii_lowercase();
    let mut found = None;
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index)?;
        if entry.name()?.replace('\\', "/").to_ascii_lowercase() == wanted {
            found = Some(index);
        }
    }
    Ok(match found {
        Some(index) => Some(archive.by_index(index)?),
        None => None,
    })
}

/// The path of a sheet, by its place in the list of sheets.
fn path<R: Read + Seek>(archive: &mut ZipArchive<R>, nth: usize) -> io::Result<Option<String>> {
    let mut text = Vec::new();
    let mut read = |path: &str| -> io::Result<Vec<u8>> {
        text.clear();
        if let Some(part) = part(archive, path)? {
            part.take(MAX_PART).read_to_end(&mut text)?;
        }
        Ok(std::mem::take(&mut text))
    };
    let (mut seen, mut id) = (0, None);
    let workbook = read("xl/workbook.xml")?;
    Tags::default().feed(&workbook, &mut |tag, _| {
        if local_name(tag) == b"sheet" {
            if seen == nth {
                id = attribute(tag, b"id").map(<[u8]>::to_vec);
            }
            seen += 1;
        }
    });
    let Some(id) = id else { return Ok(None) };
    let mut target = None;
    let relations = read("xl/_rels/workbook.xml.rels")?;
    Tags::default().feed(&relations, &mut |tag, _| {
        if local_name(tag) == b"Relationship" && attribute(tag, b"Id") == Some(&id) {
            target = attribute(tag, b"Target").map(|path| String::from_utf8_lossy(path).into_owned());
        }
    });
    Ok(target.map(|target| match target.strip_prefix('/') {
        Some(whole) => whole.to_owned(),
        None => format!("xl/{target}"),
    }))
}

/// Splits markup that arrives in pieces into tags.
#[derive(Default)]
struct Tags {
    /// The beginning of a tag whose end has not arrived yet, with its `<`.
    begun: Vec<u8>,
}

impl Tags {
    /// Calls `seen` with every tag, without its brackets, and whether text follows it. `false` for a tag longer than a
    /// workbook's can be.
    fn feed(&mut self, bytes: &[u8], seen: &mut impl FnMut(&[u8], bool)) -> bool {
        let whole;
        let mut rest = if self.begun.is_empty() {
            bytes
        } else {
            self.begun.extend_from_slice(bytes);
            whole = std::mem::take(&mut self.begun);
            &whole
        };
        while let Some(start) = rest.iter().position(|byte| *byte == b'<') {
            rest = &rest[start..];
            let end = rest.iter().position(|byte| *byte == b'>');
            // The byte after the tag belongs to it: it says whether text follows.
            let Some((end, next)) = end.and_then(|end| Some((end, rest.get(end + 1)?))) else {
                // The last tag of a part is nothing to look at.
                self.begun.extend_from_slice(rest);
                return rest.len() <= MAX_LINE;
            };
            seen(&rest[1..end], *next != b'<');
            rest = &rest[end + 1..];
        }
        true
    }
}

/// Where in a sheet the last tag was, and what was found since the last batch.
#[derive(Default)]
struct Search {
    /// From 1.
    row: u32,
    /// From 0, for cells that do not name theirs.
    column: usize,
    /// The tag of the open cell.
    cell: Vec<u8>,
    formula: bool,
    value: bool,
    batch: Batch,
    /// The row the last batch ended at.
    sent: u32,
}

impl Search {
    fn tag(&mut self, tag: &[u8], filled: bool) {
        match tag {
            // Nearly all tags of a sheet are these: nothing is looked up in them.
            b"v" | b"/v" | b"is" | b"t" | b"/t" | b"/is" if !self.formula => {}
            b"/c" => self.end_cell(),
            [b'c', b' ', ..] => self.begin_cell(tag),
            _ => self.other_tag(tag, filled),
        }
    }

    fn other_tag(&mut self, tag: &[u8], filled: bool) {
        let (ends, closed) = (tag.first() == Some(&b'/'), tag.last() == Some(&b'/'));
        match local_name(tag) {
            b"row" if ends => self.end_row(),
            b"row" => {
                if let Some(row) = attribute(tag, b"r").and_then(number) {
                    self.row = row;
                }
                let hidden = matches!(attribute(tag, b"hidden"), Some(b"1" | b"true"));
                if hidden && self.batch.hidden.last() != Some(&self.row) {
                    self.batch.hidden.push(self.row);
                }
                if closed {
                    self.end_row();
                }
            }
            b"c" if ends => self.end_cell(),
            b"c" => self.begin_cell(tag),
            b"f" => self.formula = true,
            // A text may be empty.
            b"v" if !ends => {
                self.value |= (filled && !closed) || attribute(&self.cell, b"t") == Some(b"str");
            }
            b"is" => self.value = true,
            _ => {}
        }
    }

    fn begin_cell(&mut self, tag: &[u8]) {
        self.cell.clear();
        self.cell.extend_from_slice(tag);
        (self.formula, self.value) = (false, false);
        if tag.last() == Some(&b'/') {
            self.end_cell();
        }
    }

    fn end_row(&mut self) {
        self.row = self.row.saturating_add(1);
        self.column = 0;
    }

    fn end_cell(&mut self) {
        if self.formula && !self.value {
            let named = attribute(&self.cell, b"r").and_then(place);
            self.batch.valueless.push(named.unwrap_or((self.row, self.column)));
        }
        (self.formula, self.value) = (false, false);
        self.column += 1;
    }

    fn is_full(&self) -> bool {
        self.row.saturating_sub(self.sent) >= BATCH_ROWS || self.batch.valueless.len() >= BATCH_CELLS
    }

    /// The findings so far; those of the current row may not be complete.
    fn take(&mut self) -> Batch {
        self.sent = self.row;
        Batch { before: self.row, ..std::mem::take(&mut self.batch) }
    }
}

/// The name of a tag's element without its namespace and without the slash of an end.
fn local_name(tag: &[u8]) -> &[u8] {
    let tag = tag.strip_prefix(b"/").unwrap_or(tag);
    let end = tag.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'/').unwrap_or(tag.len());
    let name = &tag[..end];
    name.iter().position(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..])
}

/// The value of an attribute, whatever its namespace.
fn attribute<'a>(tag: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut rest = tag;
    while let Some(equals) = rest.iter().position(|byte| *byte == b'=') {
        let key = rest[..equals].trim_ascii_end();
        let begins =
            key.iter().rposition(|byte| byte.is_ascii_whitespace() || *byte == b':').map_or(0, |at| at + 1);
        let value = rest[equals + 1..].trim_ascii_start();
        let (quote, value) = value.split_first()?;
        let end = value.iter().position(|byte| byte == quote)?;
        if &key[begins..] == name {
            return Some(&value[..end]);
        }
        rest = &value[end + 1..];
    }
    None
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// `B12` as row 12 (from 1) and column 1 (from 0).
fn place(reference: &[u8]) -> Option<(u32, usize)> {
    let letters = reference.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let of_letter = |letter: &u8| usize::from(letter.to_ascii_uppercase() - b'A') + 1;
    let column = reference[..letters.min(4)].iter().fold(0, |sum, letter| sum * 26 + of_letter(letter));
    Some((number(&reference[letters..])?, column.checked_sub(1)?))
}

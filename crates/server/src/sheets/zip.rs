//! A workbook is a zip archive: what it claims to unpack to is checked before anybody unpacks it.
//!
//! The reader stops at the size an entry claims, so a claim is as good as a measurement.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use flate2::bufread::DeflateDecoder;

use super::{Refusal, inflate};

/// A sheet with a million rows of twenty columns is half of this.
const MAX_SHEET: u64 = 1 << 30;
/// Texts are held in memory.
const MAX_STRINGS: u64 = 256 << 20;
/// Repetitive sheets shrink to a hundredth; nothing honest shrinks to a four-hundredth.
const MAX_RATIO: u64 = 400;
/// Below this size the ratio says nothing.
const SMALL: u64 = 32 << 20;
/// More entries than any workbook has.
const MAX_ENTRIES: usize = 10_000;

/// A file of an archive, as the archive's directory tells.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its path.
    pub name: String,
    packed: u64,
    /// How many bytes it claims to unpack to.
    pub unpacked: u64,
    /// The checksum it claims.
    pub crc: u32,
    offset: u64,
    method: u16,
}

fn damaged() -> Refusal {
    Refusal::new("The workbook is damaged or was cut off. Save it again and upload it once more.")
}

/// Refuses archives that are no workbook, and workbooks that would unpack beyond reason.
pub fn check(file: &mut File) -> Result<(), Refusal> {
    let entries = entries(file).ok_or_else(damaged)?;
    let has = |name: &str| entries.iter().any(|entry| entry.name == name);
    if !has("xl/workbook.xml") {
        return Err(Refusal::new(if has("xl/workbook.bin") {
            "This is a binary workbook (.xlsb). Save it as .xlsx or CSV."
        } else if has("content.xml") {
            "This is an OpenDocument file (.ods). Save it as .xlsx or CSV."
        } else if has("word/document.xml") {
            "This is a Word document. Export the table as CSV or Excel (.xlsx) instead."
        } else {
            "This is a compressed file. Unpack it and upload the file inside."
        }));
    }
    for entry in &entries {
        let most = if entry.name.ends_with("sharedStrings.xml") { MAX_STRINGS } else { MAX_SHEET };
        let ratio = entry.unpacked / entry.packed.max(1);
        if entry.unpacked > most || (entry.unpacked > SMALL && ratio > MAX_RATIO) {
            return Err(Refusal::new(
                "The workbook unpacks to far more than a sheet of cells can be. Split it, or export CSV.",
            ));
        }
    }
    if entries.iter().map(|entry| entry.unpacked).sum::<u64>() > 2 * MAX_SHEET {
        return Err(Refusal::new("The workbook is too large unpacked. Split it, or export CSV."));
    }
    if let Some(strings) = entries.iter().find(|entry| entry.name == "xl/sharedStrings.xml") {
        check_count(file, strings).ok_or_else(damaged)?;
    }
    Ok(())
}

/// Room for as many texts as the table claims is reserved at once, so the claim must be possible:
/// an entry takes at least `<si/>`.
fn check_count(file: &mut File, entry: &Entry) -> Option<()> {
    skip_header(file, entry)?;
    let mut packed = Vec::new();
    file.take(entry.packed.min(64 * 1024)).read_to_end(&mut packed).ok()?;
    let head = match entry.method {
        0 => packed.get(..packed.len().min(4_096))?.to_vec(),
        8 => inflate::head(&packed, 4_096)?,
        _ => return None,
    };
    let head = String::from_utf8_lossy(&head);
    let Some((_, rest)) = head.split_once("uniqueCount") else { return Some(()) };
    let digits: String =
        rest.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    let claimed: u64 = digits.parse().ok()?;
    (claimed <= entry.unpacked / 5 + 1).then_some(())
}

/// Steps to where an entry's packed bytes begin.
fn skip_header(file: &mut File, entry: &Entry) -> Option<()> {
    let mut header = [0; 30];
    file.seek(SeekFrom::Start(entry.offset)).ok()?;
    file.read_exact(&mut header).ok()?;
    let skip = i64::from(u16_at(&header, 26)?) + i64::from(u16_at(&header, 28)?);
    file.seek(SeekFrom::Current(skip)).ok()?;
    Some(())
}

/// An entry's bytes, unpacked: no more than it claims.
pub fn open<'a>(file: &'a mut File, entry: &Entry) -> Option<Box<dyn Read + Send + 'a>> {
    skip_header(file, entry)?;
    let packed = file.take(entry.packed);
    match entry.method {
        0 => Some(Box::new(packed.take(entry.unpacked))),
        8 => {
            let packed = BufReader::with_capacity(128 * 1024, packed);
            Some(Box::new(DeflateDecoder::new(packed).take(entry.unpacked)))
        }
        _ => None,
    }
}

/// The archive's directory.
pub fn entries(file: &mut File) -> Option<Vec<Entry>> {
    let size = file.seek(SeekFrom::End(0)).ok()?;
    // The end record is 22 bytes and may be followed by a comment of at most 65,535.
    let tail_size = size.min(22 + 65_535 + 20);
    file.seek(SeekFrom::Start(size - tail_size)).ok()?;
    let mut tail = Vec::new();
    file.take(tail_size).read_to_end(&mut tail).ok()?;
    let end = (0..tail.len().saturating_sub(21)).rev().find(|at| tail[*at..].starts_with(b"PK\x05\x06"))?;
    let mut count = u64::from(u16_at(&tail, end + 10)?);
    let mut length = u64::from(u32_at(&tail, end + 12)?);
    let mut start = u64::from(u32_at(&tail, end + 16)?);
    if start == u64::from(u32::MAX) || count == u64::from(u16::MAX) {
        let locator = end.checked_sub(20)?;
        if !tail[locator..].starts_with(b"PK\x06\x07") {
            return None;
        }
        file.seek(SeekFrom::Start(u64_at(&tail, locator + 8)?)).ok()?;
        let mut record = [0; 56];
        file.read_exact(&mut record).ok()?;
        if !record.starts_with(b"PK\x06\x06") {
            return None;
        }
        (count, length, start) = (u64_at(&record, 32)?, u64_at(&record, 40)?, u64_at(&record, 48)?);
    }
    if usize::try_from(count).ok()? > MAX_ENTRIES || length > 16 << 20 || start.checked_add(length)? > size {
        return None;
    }
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut directory = Vec::new();
    file.take(length).read_to_end(&mut directory).ok()?;
    let mut entries = Vec::new();
    let mut at = 0;
    for _ in 0..count {
        let record = directory.get(at..)?;
        if !record.starts_with(b"PK\x01\x02") {
            return None;
        }
        let name_length = usize::from(u16_at(record, 28)?);
        let extra_length = usize::from(u16_at(record, 30)?);
        let comment_length = usize::from(u16_at(record, 32)?);
        let name = record.get(46..46 + name_length)?;
        let extra = record.get(46 + name_length..46 + name_length + extra_length)?;
        let mut entry = Entry {
            name: String::from_utf8_lossy(name).into_owned(),
            packed: u64::from(u32_at(record, 20)?),
            unpacked: u64::from(u32_at(record, 24)?),
            crc: u32_at(record, 16)?,
            offset: u64::from(u32_at(record, 42)?),
            method: u16_at(record, 10)?,
        };
        widen(&mut entry, extra)?;
        entries.push(entry);
        at += 46 + name_length + extra_length + comment_length;
    }
    Some(entries)
}

/// Sizes past 32 bits stand in an extra field, in this order.
fn widen(entry: &mut Entry, mut extra: &[u8]) -> Option<()> {
    while extra.len() >= 4 {
        let (kind, length) = (u16_at(extra, 0)?, usize::from(u16_at(extra, 2)?));
        let body = extra.get(4..4 + length)?;
        if kind == 1 {
            let mut at = 0;
            for value in [&mut entry.unpacked, &mut entry.packed, &mut entry.offset] {
                if *value == u64::from(u32::MAX) {
                    *value = u64_at(body, at)?;
                    at += 8;
                }
            }
        }
        extra = &extra[4 + length..];
    }
    Some(())
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
pub mod tests {
    use std::io::Write;

    use super::*;

    /// An archive of stored entries that claims what it is told to.
    pub fn archive(entries: &[(&str, &[u8], u32)]) -> File {
        let (mut body, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes, claimed) in entries {
            let offset = u32::try_from(body.len()).expect("small");
            let packed = u32::try_from(bytes.len()).expect("small");
            let length = u16::try_from(name.len()).expect("small");
            let mut crc = flate2::Crc::new();
            crc.update(bytes);
            body.extend(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0");
            body.extend(crc.sum().to_le_bytes());
            body.extend(packed.to_le_bytes());
            body.extend(claimed.to_le_bytes());
            body.extend(length.to_le_bytes());
            body.extend([0, 0]);
            body.extend(name.bytes());
            body.extend(*bytes);
            directory.extend(b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0");
            directory.extend(crc.sum().to_le_bytes());
            directory.extend(packed.to_le_bytes());
            directory.extend(claimed.to_le_bytes());
            directory.extend(length.to_le_bytes());
            directory.extend([0; 12]);
            directory.extend(offset.to_le_bytes());
            directory.extend(name.bytes());
        }
        let (start, count) = (body.len(), u16::try_from(entries.len()).expect("few"));
        body.extend(&directory);
        body.extend(b"PK\x05\x06\0\0\0\0");
        body.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        body.extend(u32::try_from(directory.len()).expect("small").to_le_bytes());
        body.extend(u32::try_from(start).expect("small").to_le_bytes());
        body.extend([0, 0]);
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&body).expect("room on the disk");
        file
    }

    fn words(entries: &[(&str, &[u8], u32)]) -> String {
        check(&mut archive(entries)).err().map_or_else(String::new, |refusal| refusal.0)
    }

    const BOOK: (&str, &[u8], u32) = ("xl/workbook.xml", b"<x/>", 4);

    #[test]
    fn what_unpacks_beyond_reason_is_refused() {
        assert_eq!(words(&[BOOK]), "");
        assert!(words(&[BOOK, ("xl/worksheets/sheet1.xml", b"<x/>", 3 << 30)]).contains("far more"));
        assert!(words(&[BOOK, ("xl/worksheets/sheet1.xml", b"<x/>", 64 << 20)]).contains("far more"));
        assert!(words(&[BOOK, ("xl/sharedStrings.xml", b"<x/>", 300 << 20)]).contains("far more"));
    }

    #[test]
    fn a_table_of_texts_that_claims_too_many_is_refused() {
        let claim = b"<sst count=\"1\" uniqueCount=\"99999999999\"><si/></sst>";
        let length = u32::try_from(claim.len()).expect("small");
        assert!(words(&[BOOK, ("xl/sharedStrings.xml", claim, length)]).contains("damaged"));
        let honest = b"<sst uniqueCount=\"1\"><si/></sst>";
        let length = u32::try_from(honest.len()).expect("small");
        assert_eq!(words(&[BOOK, ("xl/sharedStrings.xml", honest, length)]), "");
    }

    #[test]
    fn other_archives_are_named() {
        assert!(words(&[("word/document.xml", b"", 0)]).contains("Word"));
        assert!(words(&[("content.xml", b"", 0)]).contains("OpenDocument"));
        assert!(words(&[("a.csv", b"", 0)]).contains("compressed"));
    }
}

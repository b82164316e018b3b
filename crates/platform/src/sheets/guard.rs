//! Checks before calamine opens a workbook: its decompressed size, and what calamine would hold in memory.
//!
//! A workbook of 10 MB can decompress to 10 GB. The archive reader (`zip`, as calamine uses) stops at the
//! declared size of an entry, so the declaration can be trusted; parts held in memory (texts, styles, the
//! list of sheets, a cell) are inspected as well. With these limits a workbook takes at most about 600 MB and
//! half a minute of a processor, whatever its size.

mod markup;

use std::fs::File;
use std::io::{BufReader, Read, Seek};

use zip::ZipArchive;

use super::{Refusal, unreadable};
use markup::Markup;

/// A sheet with a million rows of twenty columns takes half of this.
const MAX_SHEET: u64 = 1 << 30;
/// Shared strings are held in memory.
const MAX_STRINGS: u64 = 256 << 20;
/// As many as four columns of distinct texts; each takes some 50 bytes beside its letters.
const MAX_TEXTS: u64 = if cfg!(test) { 1 << 16 } else { 4 << 20 };
/// Repetitive sheets compress to a hundredth; no genuine one to a four-hundredth.
const MAX_RATIO: u64 = 400;
/// Below this size the ratio is meaningless, and holding a whole part is cheap.
const SMALL: u64 = if cfg!(test) { 4 << 20 } else { 32 << 20 };
/// More entries than any workbook has.
const MAX_ENTRIES: usize = 10_000;
/// More styles, fonts and fills than Excel allows; each takes some 400 bytes.
const MAX_STYLES: u64 = 1 << 19;
/// Each style copies its font's name, each sheet its path: this many bytes in all.
const MAX_COPIED: u64 = 256 << 20;

fn damaged() -> Refusal {
    Refusal::new("The workbook is damaged or was cut off. Save it again and upload it once more.")
}

fn too_much() -> Refusal {
    Refusal::new("The workbook unpacks to far more than a sheet of cells can be. Split it, or export CSV.")
}

/// A file in the archive.
struct Entry {
    index: usize,
    /// In lower case, as calamine looks entries up.
    path: String,
    packed: u64,
    unpacked: u64,
}

/// Refuses archives that are not workbooks, and workbooks that would take too much memory or time.
pub fn check(file: &mut File) -> Result<(), Refusal> {
    file.rewind().map_err(|error| unreadable(&error))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| {
        tracing::debug!(%error, "an archive cannot be opened");
        damaged()
    })?;
    if archive.len() > MAX_ENTRIES {
        return Err(damaged());
    }
    kind(&archive)?;
    let entries = (0..archive.len()).map(|index| entry(&archive, index)).collect::<Result<Vec<_>, _>>()?;
    claims(&entries)?;
    // The longest path a sheet can have, and how many elements may name it.
    let (mut path, mut sheets) = (0, 0);
    for entry in &entries {
        match entry.path.as_str() {
            "_rels/.rels" => leads_to_workbook(&mut archive, entry)?,
            "xl/_rels/workbook.xml.rels" => path = look(&mut archive, entry, &mut |_| {})?.longest,
            "xl/workbook.xml" => sheets = look(&mut archive, entry, &mut |_| {})?.elements,
            "xl/styles.xml" => {
                let styles = look(&mut archive, entry, &mut |_| {})?;
                if styles.elements > MAX_STYLES || styles.elements * styles.longest as u64 > MAX_COPIED {
                    return Err(too_much());
                }
            }
            texts if texts.ends_with("sharedstrings.xml") => check_texts(&mut archive, entry)?,
            _ if entry.unpacked > SMALL => drop(look(&mut archive, entry, &mut |_| {})?),
            _ => {}
        }
    }
    if sheets * path as u64 > MAX_COPIED { Err(too_much()) } else { Ok(()) }
}

/// Names the type of an archive that is not a workbook.
fn kind<R: Read + Seek>(archive: &ZipArchive<R>) -> Result<(), Refusal> {
    let has = |name: &str| archive.index_for_name(name).is_some();
    if has("xl/workbook.xml") {
        return Ok(());
    }
    Err(Refusal::new(if has("xl/workbook.bin") {
        "This is a binary workbook (.xlsb). Save it as .xlsx or CSV."
    } else if has("content.xml") {
        "This is an OpenDocument file (.ods). Save it as .xlsx or CSV."
    } else if has("word/document.xml") {
        "This is a Word document. Export the table as CSV or Excel (.xlsx) instead."
    } else {
        "This is a compressed file. Unpack it and upload the file inside."
    }))
}

fn entry<R: Read + Seek>(archive: &ZipArchive<R>, index: usize) -> Result<Entry, Refusal> {
    let entry = archive.by_index_data(index).map_err(|_| damaged())?;
    let path = entry.name().map_err(|_| damaged())?.replace('\\', "/").to_ascii_lowercase();
    Ok(Entry { index, path, packed: entry.compressed_size(), unpacked: entry.size() })
}

/// Refuses archives whose declared sizes exceed the limits.
fn claims(entries: &[Entry]) -> Result<(), Refusal> {
    for entry in entries {
        let most = match entry.path.as_str() {
            path if path.ends_with("sharedstrings.xml") => MAX_STRINGS,
            "_rels/.rels" | "xl/_rels/workbook.xml.rels" | "xl/workbook.xml" | "xl/styles.xml" => SMALL,
            path if path.ends_with("/theme1.xml") => SMALL,
            _ => MAX_SHEET,
        };
        let ratio = entry.unpacked / entry.packed.max(1);
        if entry.unpacked > most || (entry.unpacked > SMALL && ratio > MAX_RATIO) {
            return Err(too_much());
        }
    }
    // Entries may share compressed bytes, so that many are each small.
    let total = entries.iter().fold(0u64, |total, entry| total.saturating_add(entry.unpacked));
    if total > 2 * MAX_SHEET {
        return Err(Refusal::new("The workbook is too large unpacked. Split it, or export CSV."));
    }
    Ok(())
}

/// Decompresses an entry and counts its contents.
fn look<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    entry: &Entry,
    seen: &mut impl FnMut(&[u8]),
) -> Result<Markup, Refusal> {
    let mut part = archive.by_index(entry.index).map_err(|_| damaged())?;
    let (mut markup, mut buffer) = (Markup::default(), vec![0; 64 * 1024]);
    loop {
        let read = part.read(&mut buffer).map_err(|error| {
            tracing::debug!(%error, path = entry.path, "a part of a workbook cannot be unpacked");
            damaged()
        })?;
        if read == 0 {
            return Ok(markup);
        }
        markup.feed(&buffer[..read], seen).map_err(|markup::Beyond| too_much())?;
    }
}

/// calamine follows this list of relations, so it must lead to the parts that were checked.
fn leads_to_workbook<R: Read + Seek>(archive: &mut ZipArchive<R>, entry: &Entry) -> Result<(), Refusal> {
    let mut elsewhere = false;
    look(archive, entry, &mut |tag| {
        let tag = String::from_utf8_lossy(tag);
        if tag.contains("/relationships/officeDocument") {
            let tag = tag.replace("TargetMode", "").replace('\'', "\"");
            let known = ["Target=\"xl/workbook.xml\"", "Target=\"/xl/workbook.xml\""];
            elsewhere |= tag.matches("Target").count() != 1 || !known.iter().any(|known| tag.contains(known));
        }
    })?;
    if elsewhere { Err(damaged()) } else { Ok(()) }
}

/// calamine reserves room for the declared number of strings, so the number must be possible: an entry takes
/// at least `<si/>`.
fn check_texts<R: Read + Seek>(archive: &mut ZipArchive<R>, entry: &Entry) -> Result<(), Refusal> {
    let mut impossible = false;
    let table = look(archive, entry, &mut |tag| {
        if !tag.windows(11).any(|name| name == b"uniqueCount") {
            return;
        }
        for claim in String::from_utf8_lossy(tag).split("uniqueCount").skip(1) {
            let digits = claim.trim_start_matches(|c: char| !c.is_ascii_digit());
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let possible = |claimed: u64| claimed <= entry.unpacked / 5 + 1 && claimed <= MAX_TEXTS;
            impossible |= end > 0 && !digits[..end].parse().is_ok_and(possible);
        }
    })?;
    if impossible {
        return Err(damaged());
    }
    if table.texts > MAX_TEXTS { Err(too_much()) } else { Ok(()) }
}

#[cfg(test)]
pub mod tests;

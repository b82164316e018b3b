use std::io::Write;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

/// An archive of stored entries with declared sizes as given.
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
fn decompression_bombs_are_refused() {
    assert_eq!(words(&[BOOK]), "");
    assert!(words(&[BOOK, ("xl/worksheets/sheet1.xml", b"<x/>", 3 << 30)]).contains("far more"));
    assert!(words(&[BOOK, ("xl/worksheets/sheet1.xml", b"<x/>", 64 << 20)]).contains("far more"));
    assert!(words(&[BOOK, ("xl/sharedStrings.xml", b"<x/>", 300 << 20)]).contains("far more"));
}

#[test]
fn a_shared_string_table_that_declares_too_many_is_refused() {
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

fn honest(entries: &[(&str, &str)]) -> String {
    let size = |text: &str| u32::try_from(text.len()).expect("small");
    let entries: Vec<_> = entries.iter().map(|(name, text)| (*name, text.as_bytes(), size(text))).collect();
    words(&[&[BOOK], entries.as_slice()].concat())
}

#[test]
fn a_shared_string_table_is_found_in_any_spelling() {
    let claim = "<sst uniqueCount='99999999999'><si/></sst>";
    for name in ["xl/sharedStrings.xml", "XL/SharedStrings.xml", "xl\\SHAREDSTRINGS.XML"] {
        assert!(honest(&[(name, claim)]).contains("damaged"), "{name}");
    }
    let late =
        format!("<!--{}--><sst a='{}' uniqueCount='99999999999'>", "x".repeat(9_000), "y".repeat(9_000));
    assert!(honest(&[("xl/sharedStrings.xml", &late)]).contains("damaged"));
    let many = format!("<sst>{}</sst>", "<si/>".repeat(usize::try_from(MAX_TEXTS).expect("small") + 1));
    assert!(honest(&[("xl/sharedStrings.xml", &many)]).contains("far more"));
}

#[test]
fn copies_per_style_and_sheet_are_limited() {
    let styles = |name: usize, styles: usize| {
        let font = format!("<fonts><font><name val='{}'/></font></fonts>", "n".repeat(name));
        format!("<styleSheet>{font}<cellXfs>{}</cellXfs></styleSheet>", "<xf fontId='0'/>".repeat(styles))
    };
    assert_eq!(honest(&[("xl/styles.xml", &styles(100, 60_000))]), "");
    assert!(honest(&[("xl/styles.xml", &styles(10_000, 60_000))]).contains("far more"));
    let path = format!("<Relationships><Relationship Target='{}'/></Relationships>", "p".repeat(10_000));
    let sheets = format!("<workbook>{}</workbook>", "<sheet/>".repeat(60_000));
    let size = u32::try_from(sheets.len()).expect("small");
    let path_size = u32::try_from(path.len()).expect("small");
    let parts = [
        ("xl/workbook.xml", sheets.as_bytes(), size),
        ("xl/_rels/workbook.xml.rels", path.as_bytes(), path_size),
    ];
    assert!(words(&parts).contains("far more"));
    assert_eq!(words(&parts[..1]), "");
}

#[test]
fn a_cell_of_a_large_sheet_is_limited() {
    let sheet = |cell: &str| {
        let cells = format!("<c><v>{cell}</v></c>");
        format!("<worksheet><sheetData>{}", cells.repeat((5 << 20) / cells.len()))
    };
    assert_eq!(honest(&[("xl/worksheets/sheet1.xml", &sheet("7"))]), "");
    let long = "7".repeat(2 << 20);
    assert!(honest(&[("xl/worksheets/sheet1.xml", &sheet(&long))]).contains("far more"));
    // Whatever its name: the list of relations tells which entry is a sheet.
    assert!(honest(&[("xl/media/image1.png", &sheet(&long))]).contains("far more"));
}

#[test]
fn relations_must_lead_to_the_checked_workbook() {
    let leads = |to: &str| {
        let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
        honest(&[(
            "_rels/.rels",
            &format!("<Relationships><Relationship Type='{kind}' {to}/></Relationships>"),
        )])
    };
    assert_eq!(leads("Target='xl/workbook.xml'"), "");
    assert_eq!(leads("TargetMode=\"Internal\" Target=\"/xl/workbook.xml\""), "");
    assert!(leads("Target='xl/other.xml'").contains("damaged"));
    assert!(leads("Target='xl/other.xml' x:Target='xl/workbook.xml'").contains("damaged"));
}

#[test]
fn entries_larger_than_declared_are_damaged() {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let deflated = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, text) in [("xl/workbook.xml", "<x/>"), ("xl/styles.xml", &"<styleSheet> ".repeat(300_000))] {
        archive.start_file(name, deflated).expect("an entry");
        archive.write_all(text.as_bytes()).expect("room");
    }
    let mut bytes = archive.finish().expect("an archive").into_inner();
    let directory = bytes.windows(4).rposition(|sign| sign == b"PK\x01\x02").expect("a directory");
    bytes[directory + 24..directory + 28].copy_from_slice(&13u32.to_le_bytes());
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&bytes).expect("room on the disk");
    assert!(check(&mut file).expect_err("a refusal").0.contains("damaged"));
}

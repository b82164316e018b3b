//! Recognises other file types by their first bytes.

use super::Refusal;

/// Refuses other file types by their first bytes.
pub fn refuse(head: &[u8]) -> Result<(), Refusal> {
    const SIGNS: [(&[u8], &str); 14] = [
        (b"%PDF", "This is a PDF document. Export the table as CSV or Excel (.xlsx) instead."),
        (b"\x89PNG", "This is a picture. Export the table as CSV or Excel (.xlsx) instead."),
        (b"\xff\xd8\xff", "This is a picture. Export the table as CSV or Excel (.xlsx) instead."),
        (b"GIF8", "This is a picture. Export the table as CSV or Excel (.xlsx) instead."),
        (
            b"\xd0\xcf\x11\xe0",
            "This is an old or password-protected Excel file. Open it and save it as .xlsx without a password, or as CSV.",
        ),
        (b"\x1f\x8b", "This is a compressed file. Unpack it and upload the file inside."),
        (b"Rar!", "This is a compressed file. Unpack it and upload the file inside."),
        (b"7z\xbc\xaf", "This is a compressed file. Unpack it and upload the file inside."),
        (b"{\\rtf", "This is a text document. Export the table as CSV or Excel (.xlsx) instead."),
        (b"SQLite format 3", "This is a database. Export the table as CSV or Excel (.xlsx) instead."),
        (b"\x7fELF", "This is a program, not a table. Export the table as CSV or Excel (.xlsx)."),
        (b"MZ\x90", "This is a program, not a table. Export the table as CSV or Excel (.xlsx)."),
        (b"RIFF", "This is a picture or sound. Export the table as CSV or Excel (.xlsx) instead."),
        (b"PAR1", "This is a Parquet file. Export the table as CSV or Excel (.xlsx) instead."),
    ];
    if let Some((_, words)) = SIGNS.iter().find(|(sign, _)| head.starts_with(sign)) {
        return Err(Refusal::new(*words));
    }
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let lower = start[..start.len().min(200)].to_ascii_lowercase();
    if [&b"<!doctype"[..], b"<html", b"<table", b"<head", b"<body"].iter().any(|sign| lower.starts_with(sign))
    {
        return Err(Refusal::new(
            "This is a web page, though its name may end in .xls. Open it in Excel and save it as .xlsx, or export CSV.",
        ));
    }
    if lower.starts_with(b"<?xml") {
        return Err(Refusal::new("This is an XML file. Export the table as CSV or Excel (.xlsx) instead."));
    }
    Ok(())
}

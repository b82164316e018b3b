//! Reads documents line by line from files of any length.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use larder_db::{MOST_NESTED, nesting};
use serde_json::{Map, Value};

/// The longest line in bytes; longer than any legacy document.
const LONGEST: u64 = 4 << 20;

/// A line of a file.
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// Its document, or the error.
    pub document: Result<Map<String, Value>, String>,
}

/// The documents of a file, read in batches.
pub struct Documents {
    reader: BufReader<File>,
    number: u64,
}

impl Documents {
    /// Opens an export file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { reader: BufReader::with_capacity(256 * 1024, File::open(path)?), number: 0 })
    }

    /// Up to `most` more lines; none at the end. Blank lines are skipped.
    pub fn next(&mut self, most: usize) -> io::Result<Vec<Line>> {
        let mut lines = Vec::new();
        while lines.len() < most {
            let mut text = Vec::new();
            let read = self.reader.by_ref().take(LONGEST).read_until(b'\n', &mut text)?;
            if read == 0 {
                break;
            }
            self.number += 1;
            let number = self.number;
            if read as u64 == LONGEST && text.last() != Some(&b'\n') {
                self.skip_line()?;
                let words = format!("The line is longer than {} MiB.", LONGEST >> 20);
                lines.push(Line { number, document: Err(words) });
                continue;
            }
            let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text).trim_ascii();
            if !text.is_empty() {
                lines.push(Line { number, document: document(text) });
            }
        }
        Ok(lines)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let (used, done) = (end.map_or(buffer.len(), |at| at + 1), end.is_some() || buffer.is_empty());
            self.reader.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}

fn document(text: &[u8]) -> Result<Map<String, Value>, String> {
    if nesting(text) > MOST_NESTED {
        return Err(format!("Lists and objects within each other go at most {MOST_NESTED} levels deep."));
    }
    match serde_json::from_slice(text) {
        Ok(Value::Object(document)) => Ok(document),
        Ok(_) => Err("A document is a JSON object.".to_owned()),
        Err(error) => Err(format!("This is no JSON: {error}.")),
    }
}

/// A document's id, as text.
pub fn id_of(document: &Map<String, Value>) -> Option<String> {
    let id = document.get("id").or_else(|| document.get("_id"));
    let id = match id? {
        Value::String(id) => id.trim().to_owned(),
        Value::Number(id) => id.to_string(),
        _ => return None,
    };
    (!id.is_empty()).then_some(id)
}

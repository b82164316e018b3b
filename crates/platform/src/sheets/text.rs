//! Detects the encoding and delimiter of a text file, and reads it as UTF-8 line by line, within bounds.

use std::fs::File;
use std::io::{self, Read, Seek};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use larder_domain::sheet::Quotes;

use super::{MAX_LINE, Refusal, unreadable};

/// Encoding and delimiter of a text file, and what its quotes mean.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub encoding: &'static Encoding,
    pub delimiter: u8,
    pub quotes: Quotes,
}

/// Delimiters, likelier ones first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Detects encoding and delimiter.
///
/// # Errors
/// If the file is not text, or not a table.
pub fn source(file: &mut File, head: &[u8]) -> Result<super::Source, Refusal> {
    let encoding = encoding(file, head)?;
    file.rewind().map_err(|error| unreadable(&error))?;
    let mut sample = vec![0; 256 * 1024];
    let mut filled = 0;
    let mut lines = Lines::new(&*file, encoding);
    while filled < sample.len() {
        match lines.read(&mut sample[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) => return Err(refuse(&error)),
        }
    }
    sample.truncate(filled);
    let odd = sample.iter().filter(|b| **b < 32 && !matches!(b, b'\t' | b'\r' | b'\n' | 0x0c)).count();
    if odd * 20 > sample.len() {
        return Err(Refusal::new("This file is not text. Export the table as CSV or Excel (.xlsx)."));
    }
    if sample.trim_ascii().is_empty() {
        return Err(Refusal::new("The file is empty. Choose another file."));
    }
    let found = delimiter(&sample);
    // Commas within amounts and names do not make a table if the columns are fixed-width.
    let weak = found.is_none_or(|(even, width, delimiter)| even < 80 || (delimiter == b',' && width < 4));
    if weak {
        let text = String::from_utf8_lossy(&sample);
        if let Some(cuts) = super::cuts::cuts(&text) {
            return Ok(super::Source::Fixed { encoding, cuts });
        }
    }
    // Without a delimiter the file has one column; the user may choose another.
    let delimiter = found.map_or(b',', |(.., delimiter)| delimiter);
    Ok(super::Source::Csv(Style { encoding, delimiter, quotes: Quotes::Cells }))
}

/// The encoding by byte order mark, by the zeros of UTF-16, by being valid UTF-8, or by its letters.
fn encoding(file: &mut File, head: &[u8]) -> Result<&'static Encoding, Refusal> {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return Ok(encoding);
    }
    let pairs = head.as_chunks::<2>().0;
    let (high, low) = pairs
        .iter()
        .fold((0, 0), |(high, low), [a, b]| (high + usize::from(*a == 0), low + usize::from(*b == 0)));
    if low * 10 > pairs.len() * 7 && high * 10 < pairs.len() {
        return Ok(UTF_16LE);
    }
    if high * 10 > pairs.len() * 7 && low * 10 < pairs.len() {
        return Ok(UTF_16BE);
    }
    // One odd letter in the last line decides as well as one in the first, so the whole file is read.
    file.rewind().map_err(|error| unreadable(&error))?;
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    let mut buffer = vec![0; 256 * 1024];
    let mut carried = 0;
    let mut valid = true;
    loop {
        let read = file.read(&mut buffer[carried..]).map_err(|error| unreadable(&error))?;
        let filled = carried + read;
        if read > 0 {
            detector.feed(&buffer[carried..filled], false);
        }
        let good = Encoding::utf8_valid_up_to(&buffer[..filled]);
        let rest = filled - good;
        // A character may be cut at the end of the buffer, not at the end of the file.
        valid &= rest == 0
            || (rest < 4
                && read > 0
                && std::str::from_utf8(&buffer[good..filled]).is_err_and(|e| e.error_len().is_none()));
        if read == 0 || !valid && filled == 0 {
            break;
        }
        if valid {
            buffer.copy_within(good..filled, 0);
            carried = rest;
        } else {
            carried = 0;
        }
    }
    if valid {
        return Ok(UTF_8);
    }
    detector.feed(&[], true);
    let guess = detector.guess(Some(b"ph"), chardetng::Utf8Detection::Deny);
    // Of single-byte guesses the western one is right wherever our tills are.
    Ok(if guess.is_single_byte() { WINDOWS_1252 } else { guess })
}

/// The delimiter that splits the sample most evenly: percentage of rows with the most frequent width, that
/// width, and the delimiter.
fn delimiter(sample: &[u8]) -> Option<(usize, usize, u8)> {
    let mut best = None;
    for delimiter in DELIMITERS {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(sample);
        let mut widths: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
        let mut record = csv::ByteRecord::new();
        let mut rows = 0;
        while rows < 500 && reader.read_byte_record(&mut record).unwrap_or(false) {
            *widths.entry(record.len()).or_default() += 1;
            rows += 1;
        }
        let Some((width, even)) = widths.into_iter().filter(|(width, _)| *width > 1).max_by_key(|(_, n)| *n)
        else {
            continue;
        };
        // Evenness first: a comma inside a few names makes a wider but uneven table.
        let score = (even * 100 / rows.max(1), width);
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, delimiter));
        }
    }
    best.map(|((even, width), delimiter)| (even, width, delimiter))
}

/// The message for an error while reading text.
pub fn refuse(error: &io::Error) -> Refusal {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<LongLine>()) {
        Some(long) => Refusal::new(format!(
            "Line {} is longer than 1 MiB. This is no table, or its line ends are missing.",
            long.0
        )),
        None => unreadable(error),
    }
}

/// A line beyond the limit.
#[derive(Debug)]
struct LongLine(u64);

impl std::fmt::Display for LongLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} is too long", self.0)
    }
}

impl std::error::Error for LongLine {}

/// A file as UTF-8 with bounded lines.
pub struct Lines<R> {
    inner: R,
    decoder: Decoder,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    finished: bool,
    /// The decoder is finished and must not be called again.
    done: bool,
    /// Bytes since the last line end, and lines so far.
    run: usize,
    lines: u64,
    /// Whether a carriage return preceded the first line feed.
    returns: Option<bool>,
    /// The last byte returned.
    last: u8,
}

impl<R: Read> Lines<R> {
    pub fn new(inner: R, encoding: &'static Encoding) -> Self {
        Self {
            inner,
            decoder: encoding.new_decoder_with_bom_removal(),
            buffer: vec![0; 128 * 1024],
            start: 0,
            end: 0,
            finished: false,
            done: false,
            run: 0,
            lines: 1,
            returns: None,
            last: 0,
        }
    }

    /// Whether lines end with a carriage return and a line feed.
    pub fn ends_with_return(&self) -> bool {
        self.returns == Some(true)
    }

    fn watch(&mut self, text: &[u8]) -> io::Result<()> {
        if self.returns.is_none()
            && let Some(at) = text.iter().position(|byte| *byte == b'\n')
        {
            let before = at.checked_sub(1).map_or(self.last, |before| text[before]);
            self.returns = Some(before == b'\r');
        }
        self.last = text.last().copied().unwrap_or(self.last);
        let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
        let first = text.iter().position(is_end);
        self.run += first.unwrap_or(text.len());
        if self.run > MAX_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, LongLine(self.lines)));
        }
        if let Some(last) = text.iter().rposition(is_end) {
            self.run = text.len() - last - 1;
            self.lines += text.iter().map(|b| u64::from(*b == b'\n')).sum::<u64>();
        }
        Ok(())
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // A character of three bytes must fit.
        if out.len() < 8 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the buffer is too small"));
        }
        while !self.done {
            if self.start == self.end && !self.finished {
                self.start = 0;
                self.end = self.inner.read(&mut self.buffer)?;
                self.finished = self.end == 0;
            }
            let (result, read, written, _) =
                self.decoder.decode_to_utf8(&self.buffer[self.start..self.end], out, self.finished);
            self.start += read;
            self.done = self.finished && result == CoderResult::InputEmpty;
            if written > 0 {
                self.watch(&out[..written])?;
                return Ok(written);
            }
        }
        Ok(0)
    }
}

//! Unpacks a sheet on a thread of its own, in parts of whole rows.

use std::fs::File;
use std::io::Read;
use std::sync::mpsc::{Receiver, SyncSender};

use flate2::Crc;

use crate::sheets::zip::{Entry, open};

/// Rows unpacked at once: a few hundred kilobytes stay in the processor's memory.
const AT_ONCE: usize = 256 * 1024;
/// A row longer than this is for others to judge.
const LONGEST: usize = 8 << 20;

/// Whole rows, and what stands before the first or behind the last.
pub struct Part {
    /// Rows as written.
    pub text: Vec<u8>,
    /// Whether the sheet ends with them.
    pub last: bool,
}

/// Unpacks an entry in parts that end with a row, until nobody takes them any more. Of one that is
/// damaged the end is never sent.
pub fn unpack(file: &mut File, entry: &Entry, full: &SyncSender<Part>, spare: &Receiver<Vec<u8>>) {
    let Some(mut stream) = open(file, entry) else { return };
    let mut text: Vec<u8> = Vec::new();
    let mut filled = 0;
    let mut read = 0u64;
    let mut crc = Crc::new();
    loop {
        let room = (filled + AT_ONCE).max(2 * AT_ONCE);
        if text.len() < room {
            text.resize(room, 0);
        }
        while filled < text.len() {
            match stream.read(&mut text[filled..]) {
                Ok(0) => {
                    text.truncate(filled);
                    if read == entry.unpacked && crc.sum() == entry.crc {
                        let _nobody_left = full.send(Part { text, last: true });
                    }
                    return;
                }
                Ok(more) => {
                    crc.update(&text[filled..filled + more]);
                    filled += more;
                    read += more as u64;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
        let Some(end) = last_row(&text) else {
            if filled > LONGEST {
                return;
            }
            continue;
        };
        let mut next = spare.try_recv().unwrap_or_default();
        next.resize(next.len().max(2 * AT_ONCE).max(filled - end), 0);
        next[..filled - end].copy_from_slice(&text[end..filled]);
        filled -= end;
        text.truncate(end);
        if full.send(Part { text, last: false }).is_err() {
            return;
        }
        text = next;
    }
}

/// Where the last whole row ends.
fn last_row(text: &[u8]) -> Option<usize> {
    const END: &[u8] = b"</row>";
    let mut end = text.len();
    loop {
        let at = text[..end].iter().rposition(|byte| *byte == b'<')?;
        if text[at..].starts_with(END) {
            return Some(at + END.len());
        }
        end = at;
    }
}

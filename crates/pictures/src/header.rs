//! Facts from a file's structure, without decoding: the decoder's memory besides its output, and the PNG chunks that
//! pixels need.

use std::borrow::Cow;

/// Maximum scans of a JPEG. Each one covers the whole picture, and cameras write at most ten: hundreds of scans keep a
/// processor busy for minutes.
const MOST_SCANS: usize = 64;

/// Memory in addition to the decoded pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beside {
    /// Half bytes per pixel.
    pub halves: u64,
}

/// Of a complete JPEG; `None` otherwise, since decoders fill missing parts with grey. Progressive files and files with
/// a scan per channel keep all coefficients, two bytes each.
pub fn of_jpeg(bytes: &[u8]) -> Option<Beside> {
    let mut at = 2;
    let mut scans = 0;
    let (mut progressive, mut samples) = (false, 0);
    while let Some(&[first, marker]) = bytes.get(at..at + 2) {
        match (first, marker) {
            (0xff, 0xd9) if scans > 0 => {
                let kept = progressive || scans > 1;
                return Some(Beside { halves: if kept { samples * 2 } else { 0 } });
            }
            (0xff, 0xd9) => return None,
            // Padding, an escaped byte, a restart, or scan data.
            (0xff, 0xff) => at += 1,
            (0xff, 0x00 | 0x01 | 0xd0..=0xd8) => at += 2,
            (0xff, _) => {
                let length = bytes.get(at + 2..at + 4)?;
                let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
                if matches!(marker, 0xc0..=0xc2) {
                    progressive = marker == 0xc2;
                    samples = samples_of(bytes.get(at + 4..at + 2 + length)?)?;
                }
                if marker == 0xda {
                    scans += 1;
                    if scans > MOST_SCANS {
                        return None;
                    }
                }
                at += 2 + length;
            }
            _ => at += 1,
        }
    }
    None
}

/// Twice the samples of all channels per pixel, from a frame header (ITU T.81, B.2.2).
fn samples_of(frame: &[u8]) -> Option<u64> {
    let channels = frame.get(6..)?.chunks_exact(3).take(usize::from(frame[5]));
    let sampled: Vec<u64> =
        channels.map(|channel| u64::from(channel[1] >> 4) * u64::from(channel[1] & 15)).collect();
    let (all, most) = (sampled.iter().sum::<u64>(), sampled.iter().max().copied()?.max(1));
    Some((2 * all).div_ceil(most))
}

/// A PNG reduced to the chunks its pixels need. Profiles and texts are compressed: a few kilobytes of them can
/// decompress to gigabytes, and the decoder decompresses them although they are unused.
pub fn pixels_of_png(bytes: &[u8]) -> Cow<'_, [u8]> {
    const LEFT_OUT: [&[u8]; 4] = [b"iCCP", b"zTXt", b"iTXt", b"tEXt"];
    let mut kept = Vec::new();
    // After the signature: length, name, data and checksum of each chunk (PNG, third edition, 5.3).
    let (mut at, mut copied) = (8, 0);
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let end = at.saturating_add(length).saturating_add(12).min(bytes.len());
        if LEFT_OUT.contains(&&head[4..]) {
            kept.extend_from_slice(&bytes[copied..at]);
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(bytes);
    }
    kept.extend_from_slice(&bytes[copied..]);
    Cow::Owned(kept)
}

/// Of a WebP: its own planes, and for animations, a frame and a canvas.
pub fn of_webp(bytes: &[u8]) -> Beside {
    let moves = bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & 2 != 0);
    Beside { halves: if moves { 24 } else { 8 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The markers of a JPEG with this many scans, without picture data.
    fn markers(frame: u8, scans: usize) -> Vec<u8> {
        let mut bytes = vec![0xff, 0xd8, 0xff, frame, 0, 17, 8, 0, 9, 0, 9, 3];
        bytes.extend([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]);
        (0..scans).for_each(|_| bytes.extend([0xff, 0xda, 0, 3, 1, 77, 0xff, 0]));
        bytes.extend([0xff, 0xd9]);
        bytes
    }

    #[test]
    fn a_png_is_read_without_its_profile_and_texts() {
        let chunk = |name: &[u8], data: &[u8]| {
            let length = u32::try_from(data.len()).expect("short").to_be_bytes();
            [&length, name, data, &[1, 2, 3, 4]].concat()
        };
        let begin = [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &[0; 13])].concat();
        let pixels = [chunk(b"eXIf", b"turned"), chunk(b"IDAT", b"pixels"), chunk(b"IEND", b"")].concat();
        let plain = [begin.clone(), pixels.clone()].concat();
        assert!(matches!(pixels_of_png(&plain), Cow::Borrowed(same) if same == plain));
        let packed = [chunk(b"iCCP", &[0; 999]), chunk(b"zTXt", b""), chunk(b"iTXt", b"words")].concat();
        let more = [begin.clone(), packed, pixels, chunk(b"tEXt", b"the end")].concat();
        assert_eq!(*pixels_of_png(&more), *plain);
        // A truncated chunk, or one that claims to be longer than the file, ends there.
        for end in 0..more.len() {
            assert!(pixels_of_png(&more[..end]).len() <= end);
        }
        let endless = [begin.clone(), vec![0xff; 4], b"iCCP".to_vec(), vec![7; 50]].concat();
        assert_eq!(*pixels_of_png(&endless), *begin);
    }

    #[test]
    fn what_a_jpeg_keeps_beside_its_pixels() {
        assert_eq!(of_jpeg(&markers(0xc0, 1)), Some(Beside { halves: 0 }));
        // One and a half samples per pixel, two bytes each.
        assert_eq!(of_jpeg(&markers(0xc2, 10)), Some(Beside { halves: 6 }));
        assert_eq!(of_jpeg(&markers(0xc0, 3)), Some(Beside { halves: 6 }));
        assert_eq!(of_jpeg(&markers(0xc2, MOST_SCANS + 1)), None, "more scans than any camera writes");
        let whole = markers(0xc0, 1);
        assert!((0..whole.len()).all(|end| of_jpeg(&whole[..end]).is_none()), "cut off anywhere");
    }
}

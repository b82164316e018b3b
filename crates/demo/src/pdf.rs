//! Files for the companies' documents.

/// A page of text as a PDF file: Latin 1 characters in a standard font.
pub fn pdf(title: &str, lines: &[String]) -> Vec<u8> {
    let shown = |text: &str| -> String {
        text.chars()
            .filter(|c| u32::from(*c) < 256)
            .flat_map(|c| match c {
                '(' | ')' | '\\' => vec!['\\', c],
                _ => vec![c],
            })
            .collect()
    };
    let mut page = format!("BT /F1 20 Tf 72 740 Td ({}) Tj /F1 12 Tf 0 -18 Td", shown(title));
    for line in lines {
        page.push_str(&format!(" 0 -22 Td ({}) Tj", shown(line)));
    }
    page.push_str(" ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{page}\nendstream", page.chars().count()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut text = "%PDF-1.4\n".to_owned();
    let mut index = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (nth, object) in objects.iter().enumerate() {
        index.push_str(&format!("{:010} 00000 n \n", text.chars().count()));
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", nth + 1));
    }
    let start = text.chars().count();
    let end = format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    // One byte per character: offsets are in bytes.
    format!("{text}{index}{end}").chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pdf_has_a_valid_index() {
        let bytes = pdf("Mayor's permit (Parañaque)", &["Number: 1".to_owned()]);
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let start: usize = text.lines().rev().nth(1).and_then(|line| line.parse().ok()).expect("a place");
        let index = &text[text.char_indices().nth(start).expect("inside").0..];
        assert!(index.starts_with("xref\n0 6\n"), "{index}");
        for (nth, line) in index.lines().skip(3).take(5).enumerate() {
            let at: usize = line[..10].parse().expect("a place");
            assert!(bytes[at..].starts_with(format!("{} 0 obj", nth + 1).as_bytes()), "{line}");
        }
        assert!(text.contains("(Mayor's permit \\(Parañaque\\))"));
    }
}

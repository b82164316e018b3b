//! Detects column positions in a text whose columns are separated by spaces only.

/// With fewer columns it is prose.
const LEAST_COLUMNS: usize = 4;
/// With fewer lines of figures no columns can be detected.
const LEAST_LINES: usize = 3;
/// With this many lines one space marks a column boundary, with fewer it takes two.
const SURE: usize = 25;

/// Start of each column, in characters; `None` without columns.
pub fn cuts(sample: &str) -> Option<Vec<usize>> {
    let lines: Vec<Vec<char>> =
        sample.lines().take(400).map(|line| line.trim_end().chars().collect()).collect();
    if lines.iter().any(|line| line.contains(&'\t')) {
        return None;
    }
    let gaps = |line: &[char]| line.windows(2).filter(|two| two[0] != ' ' && two[1] == ' ').count();
    let figures: Vec<&Vec<char>> =
        lines.iter().filter(|line| gaps(line) >= 2 && line.iter().any(char::is_ascii_digit)).collect();
    // Lines as long as most form the table; a header above it has its own layout.
    let mut lengths: Vec<usize> = figures.iter().map(|line| line.len()).collect();
    lengths.sort_unstable();
    let common = *lengths.get(lengths.len() / 2)?;
    let table: Vec<&Vec<char>> =
        figures.into_iter().filter(|line| line.len() + 4 >= common && line.len() <= common + 24).collect();
    if table.len() < LEAST_LINES {
        return None;
    }
    let words = |line: &&Vec<char>| gaps(line) >= 2 && !line.iter().any(char::is_ascii_digit);
    let long = |line: &&Vec<char>| line.len() * 2 > common;
    let names: Vec<&Vec<char>> = lines.iter().filter(words).filter(long).collect();
    let width = table.iter().map(|line| line.len()).max()?;
    let blank = |at: usize| table.iter().all(|line| line.get(at).is_none_or(|c| *c == ' '));
    let wide = if table.len() >= SURE { 1 } else { 2 };
    let mut cuts = vec![0];
    let mut run = 0;
    for at in 0..width {
        if blank(at) {
            run += 1;
            continue;
        }
        if run >= wide && at > run {
            // Names start further left than figures, and may be longer than the words below them.
            let apart = |cut: &usize| names.iter().all(|line| line.get(cut - 1).is_none_or(|c| *c == ' '));
            cuts.push((at - run + 1..=at).find(apart).unwrap_or(at));
        }
        run = 0;
    }
    (cuts.len() >= LEAST_COLUMNS).then_some(cuts)
}

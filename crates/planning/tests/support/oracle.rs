//! Reads the reference figures.

use std::collections::BTreeMap;
use std::path::PathBuf;

use larder_domain::BusinessDay;

/// One series of `series.csv`.
pub struct Series {
    pub season: usize,
    pub first_day: i32,
    pub raw: Vec<f64>,
    pub closed: Vec<bool>,
    /// The methods' input.
    pub y: Vec<f64>,
}

/// One line of a file, by column name.
pub struct Row(BTreeMap<String, String>);

impl Row {
    pub fn text(&self, column: &str) -> String {
        self.0[column].clone()
    }

    /// NaN for an empty cell.
    pub fn number(&self, column: &str) -> f64 {
        let cell = &self.0[column];
        if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() }
    }
}

/// Where the reference figures are.
pub fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/oracle").join(file)
}

/// The lines of a file.
pub fn rows(file: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path(file)).unwrap();
    let rows: Vec<Row> = reader.deserialize().map(|row| Row(row.unwrap())).collect();
    assert!(!rows.is_empty(), "{file} is empty");
    rows
}

/// The series by name.
pub fn series() -> BTreeMap<String, Series> {
    let mut all: BTreeMap<String, Series> = BTreeMap::new();
    for row in rows("series.csv") {
        let it = all.entry(row.text("unique_id")).or_insert_with(|| Series {
            season: row.number("m") as usize,
            first_day: row.text("ds").parse::<BusinessDay>().unwrap().0,
            raw: Vec::new(),
            closed: Vec::new(),
            y: Vec::new(),
        });
        it.raw.push(row.number("y"));
        it.closed.push(row.number("closed") == 1.0);
        it.y.push(row.number("y_model"));
    }
    all
}

/// Whether two figures are equal within a relative `tolerance`.
pub fn close(ours: f64, theirs: f64, tolerance: f64) -> bool {
    (ours - theirs).abs() <= tolerance * theirs.abs().max(1e-3)
}

/// The quantile with linear interpolation between two ranks.
pub fn quantile(mut values: Vec<f64>, q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = q * (values.len() - 1) as f64;
    let low = place.floor() as usize;
    let high = (low + 1).min(values.len() - 1);
    values[low] + (place - low as f64) * (values[high] - values[low])
}

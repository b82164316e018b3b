//! The cost of reading a sheet without processing its cells: `calamine-read file.xlsx` prints rows, a sum of the cells'
//! lengths (so that no cell can be optimised away) and milliseconds.

use std::time::Instant;

use calamine::{Data, Reader as _, Xlsx, open_workbook};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let started = Instant::now();
    let mut book: Xlsx<_> = open_workbook(&file)?;
    let name = book.sheet_names().first().cloned().ok_or("no sheet")?;
    let sheet = book.worksheet_range(&name)?;
    let seen: usize = sheet.used_cells().map(|(_, _, cell)| if let Data::String(text) = cell { text.len() } else { 1 }).sum();
    println!("{} {seen} {:.3}", sheet.height(), started.elapsed().as_secs_f64() * 1000.0);
    Ok(())
}

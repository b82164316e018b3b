//! Speed of itemset mining: `cargo run --release -p larder-planning --example basket_speed FILE SUPPORT TURNS`.
//!
//! The file has a ticket per line, with item numbers separated by spaces. Prints the seconds to read the file, the
//! seconds per turn of mining, the number of sets, and the sum of their counts.

use std::error::Error;
use std::time::Instant;

use larder_planning::basket::{Baskets, itemsets};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, support, turns] = arguments.as_slice() else {
        return Err("basket_speed FILE SUPPORT TURNS".into());
    };
    let (support, turns): (f64, u32) = (support.parse()?, turns.parse()?);
    let began = Instant::now();
    let text = std::fs::read_to_string(file)?;
    let (mut baskets, mut items) = (Baskets::default(), Vec::new());
    for line in text.lines() {
        items.clear();
        for item in line.split_ascii_whitespace() {
            items.push(item.parse()?);
        }
        baskets.push(&items);
    }
    let read = began.elapsed().as_secs_f64();
    let least = (support * baskets.len() as f64).ceil() as u32;
    let began = Instant::now();
    let mut sets = Vec::new();
    for _ in 0..turns {
        sets = itemsets(&baskets, least, 3);
    }
    let took = began.elapsed().as_secs_f64() / f64::from(turns);
    let sum: u64 = sets.iter().map(|set| u64::from(set.count)).sum();
    println!("{read} {took} {} {sum}", sets.len());
    Ok(())
}

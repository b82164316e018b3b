//! From the readings of passes to values, their evidence, and a verdict.

pub mod checks;
mod choose;
pub mod equations;
mod solve;
pub mod verdict;
pub mod votes;

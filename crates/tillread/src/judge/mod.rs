//! What passes read → which value each field has, what proves it, and whether the whole can be relied on.

pub mod checks;
mod choose;
pub mod equations;
mod solve;
pub mod verdict;
pub mod votes;

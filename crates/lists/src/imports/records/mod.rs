//! The records of a list as they stand and what everything that their fields name is called, loaded once: what comes
//! from a file is compared with them in memory.

mod body;
mod directory;
mod hooks;
mod snapshot;
mod unique;

pub use body::{FRAME, custom_of, difference, differences, settled, written_of};
#[cfg(test)]
pub use directory::tables;
pub use directory::{Directory, Found, fold_path, list_of};
pub use hooks::refused;
pub use snapshot::{Current, Snapshot};

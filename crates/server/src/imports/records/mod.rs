//! The records of a list as they stand and what everything that their fields name is called, loaded once: what comes
//! from a file is compared with them in memory.

mod body;
mod directory;
mod hooks;
mod snapshot;
mod unique;

pub(crate) use body::{FRAME, custom_of, difference, differences, settled, written_of};
#[cfg(test)]
pub(crate) use directory::tables;
pub(crate) use directory::{Directory, Found, fold_path, list_of};
pub(crate) use hooks::refused;
pub(crate) use snapshot::{Current, Snapshot};

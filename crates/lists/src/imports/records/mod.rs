//! A list's records and the names its fields refer to, loaded once: the rows of a file are compared with them
//! in memory.

mod body;
mod directory;
mod hooks;
mod snapshot;
mod unique;

pub use body::{FRAME, custom_of, difference, differences, settled, written_of};
pub use directory::tables;
pub use directory::{Directory, Found, fold_path, list_of};
pub use hooks::refused;
pub use snapshot::{Current, Snapshot};

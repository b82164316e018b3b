//! What a Z-reading holds and how tills print it.

pub mod extract;
pub mod field;
pub mod glyphs;
pub mod label;
pub mod likeness;
pub mod parse;
pub mod template;
pub mod usual;

//! The fields of a Z-reading and how tills print them.

pub mod extract;
pub mod field;
pub mod glyphs;
pub mod label;
pub mod likeness;
pub mod parse;
pub mod template;
pub mod usual;

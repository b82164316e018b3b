//! From a file to a page that can be read.

pub mod decode;
pub mod gray;
mod layout;
pub mod page;
mod paper;
pub mod transform;

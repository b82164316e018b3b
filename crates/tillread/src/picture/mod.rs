//! From a file to a readable page.

pub mod decode;
pub mod gray;
mod layout;
pub mod page;
mod paper;
pub mod transform;

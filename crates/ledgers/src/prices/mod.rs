//! Prices of root items, each from a day on.
//!
//! | file | what it does |
//! |---|---|
//! | `read` | reads the prices of root items, for figures of any day |

mod read;

pub use read::{all, of};

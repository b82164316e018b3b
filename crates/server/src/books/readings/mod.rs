//! The book of Z-readings: what tills said at their day's end. The only writer of `z_readings` and `z_terminals`.
//!
//! | file | what it does |
//! |---|---|
//! | `figures` | verified readings as figures, for whoever reckons from them |

mod figures;

pub use figures::{Tender, Verified, verified, waiting_days};

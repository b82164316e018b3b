//! The cash ledger: declarations, deposits and acquirer settlements. The only writer of `cash_*`.
//!
//! | file | what it does |
//! |---|---|
//! | `declarations` | cash counted in drawers |
//! | `deposits` | bank deposits, each for the cash of one or more days |
//! | `settlements` | acquirers' files line by line, and the stores of their terminals |
//! | `sums` | totals by store, day and payment kind |

pub mod declarations;
pub mod deposits;
pub mod settlements;
pub mod sums;

//! The book of cash: what stores declare, what they pay in and what acquirers pay out. The only writer of `cash_*`.
//!
//! | file | what it does |
//! |---|---|
//! | `declarations` | what somebody counted in a drawer |
//! | `deposits` | payments into a bank, each for the cash of one or several days |
//! | `settlements` | acquirers' files line by line, and whose their terminals are |
//! | `sums` | all of it by store, day and kind of paying |

pub mod declarations;
pub mod deposits;
pub mod settlements;
pub mod sums;

//! Requests that somebody's settings send out: only to public addresses, unless a setting names the host or network.
//!
//! A name is resolved once, every address it resolves to is judged, and the connection goes to those very addresses, so
//! that a name cannot mean something else a moment later. Redirects are followed by hand under the same rule. Answers are
//! limited in size, packed and unpacked, and in time.
//!
//! | file | what it does |
//! |---|---|
//! | `addresses` | which addresses are public, and what the setting allows besides |
//! | `call` | one request, its redirects, its answer |

mod addresses;
mod call;

pub use addresses::{Allowed, is_public};
pub use call::{Answer, Ask, Caller, MOST_BYTES, Trouble};

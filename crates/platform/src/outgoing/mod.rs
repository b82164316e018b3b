//! Outgoing requests to addresses from settings: only to public addresses, unless a setting allows the host
//! or network.
//!
//! A name is resolved once, every resolved address is checked, and the connection goes to exactly those
//! addresses, so that DNS rebinding has no effect. Redirects are followed by hand under the same rule.
//! Responses are limited in size, compressed and decompressed, and in time.
//!
//! | file | what it does |
//! |---|---|
//! | `addresses` | which addresses are public, and which a setting allows |
//! | `call` | one request, its redirects, its response |

mod addresses;
mod call;

pub use addresses::{Allowed, is_public};
pub use call::{Answer, Ask, Caller, MOST_BYTES, Trouble};

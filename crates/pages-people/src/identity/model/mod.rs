//! Requests and responses of sign-in.

mod account;
mod device;
mod me;
mod sign_in;

pub use account::*;
pub use device::*;
pub use me::*;
pub use sign_in::*;

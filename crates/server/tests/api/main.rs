//! The service through its front door, on both engines.

mod authorization;
mod identity;
mod platform;
mod support;

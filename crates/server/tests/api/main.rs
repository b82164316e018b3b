//! The service through its front door, on both engines.

mod authorization;
mod identity;
mod jobs;
mod live;
mod platform;
mod support;

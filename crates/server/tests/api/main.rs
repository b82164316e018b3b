//! The service through its front door, on both engines.

mod authorization;
mod identity;
mod jobs;
mod lists;
mod live;
mod platform;
mod stores;
mod support;

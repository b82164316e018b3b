//! What every page and engine of Larder uses: HTTP with guards and the contract, people and their rights, jobs and
//! scheduled calculations, live events, files, mail, audit, search, encryption of secrets at rest, calls to other
//! systems, readers of sheets, and the state that handlers share.

pub mod audit;
pub mod calculations;
pub mod config;
pub mod encryption;
pub mod entity_types;
pub mod example;
pub mod files;
pub mod http;
pub mod jobs;
pub mod live;
pub mod mail;
pub mod openid;
pub mod outgoing;
pub mod people;
pub mod search;
pub mod sheets;
pub mod state;

pub use config::Config;
pub use state::{AppState, Clock, Random, SystemClock, SystemRandom};

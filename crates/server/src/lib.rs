//! Larder's HTTP service. `app` puts the rooms together; `features` follow the URLs; `books` hold
//! the ledgers that several features post to; `lists` is the engine of the simple lists,
//! `reports` that of the reports, `services` that of long work that answers a question.

pub mod app;
pub mod audit;
pub mod books;
pub mod config;
pub mod connectors;
pub mod documents;
pub mod features;
pub mod files;
pub mod http;
pub mod import_documents;
mod imports;
pub mod jobs;
pub mod kinds;
pub mod lists;
pub mod live;
pub mod mail;
pub mod ocr;
pub mod openid;
pub mod outgoing;
pub mod people;
pub mod reports;
pub mod seal;
pub mod search;
pub mod services;
pub mod sheets;
mod state;
pub mod waiting;

pub use config::Config;
pub use state::{AppState, Clock, Random, SystemClock, SystemRandom};

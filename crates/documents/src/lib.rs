//! The engine of documents, and the documents there are. A type declares its life, its lines and what its steps do; the
//! engine reads, numbers, writes and lists it, takes its steps and says it in the contract.
//!
//! | file | what it does |
//! |---|---|
//! | `define` | what a type declares; a document as it is read and written |
//! | `routes`, `contract` | the same routes for every type, and what they say in the contract |
//! | `write` | making, changing and taking a step: each one transaction |
//! | `store` | the only writer of the documents' tables |
//! | `list` | pages, how many stand in each state, files |
//! | `history` | documents of a former system, written as they ended |
//! | `photos` | pictures that go with documents |
//! | `rules` | figures that people set: what waits for approval, how much may come beyond the expected |
//! | `products` | what a line needs to know of its product |
//! | `orders`, `shipments`, `receipts`, `productions`, `waste` | the types |
//!
//! What steps hold together: a step claims its document by state and revision in one update, then other documents are
//! held (receipt before shipment before order, each by id), then balances in the ledger's own order.

mod contract;
mod define;
pub mod history;
mod list;
pub mod orders;
pub mod photos;
pub mod productions;
pub mod products;
pub mod receipts;
mod routes;
pub mod rules;
pub mod shipments;
mod store;
pub mod waste;
mod write;

pub use define::{Ctx, Doc, Document, Head, Line, StepLine, TakeStep, Taken};
pub use routes::routes;
pub use store::read;
pub use write::{create, take, typed, update};

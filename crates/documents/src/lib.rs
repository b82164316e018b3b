//! The engine of documents, and the document types. A type declares its states, its lines and the effects of
//! its steps; the engine reads, numbers, writes and lists documents, takes steps and generates the contract.
//!
//! | file | what it does |
//! |---|---|
//! | `define` | the declaration of a type; a document in memory |
//! | `routes`, `contract` | the same routes for every type, and their contract |
//! | `write` | creating, changing and taking steps: one transaction each |
//! | `store` | the only writer of the documents' tables |
//! | `list` | pages, number per state, exports |
//! | `history` | legacy documents in their final state |
//! | `photos` | pictures attached to documents |
//! | `rules` | configurable limits: approval threshold, receiving tolerance |
//! | `products` | product data that lines need |
//! | `happened` | when goods came or left, and the counts close to that |
//! | `beyond` | taking more from a store than is expected there |
//! | `overrides` | checks of lines that were overridden, with the reason |
//! | `orders`, `shipments`, `receipts`, `productions`, `waste`, `supplier_returns`, `stock_takes` | the types |
//!
//! Lock order: a step claims its document by state and revision in one update, then locks other documents
//! (receipt before shipment before order, each by id), then balances in the ledger's order.

mod beyond;
mod contract;
mod define;
mod happened;
pub mod history;
mod list;
pub mod orders;
mod overrides;
pub mod photos;
pub mod productions;
pub mod products;
pub mod receipts;
mod routes;
pub mod rules;
pub mod shipments;
pub mod stock_takes;
mod store;
pub mod supplier_returns;
mod typed_lots;
pub mod waste;
mod write;

pub use define::{
    CloseTo, Ctx, Doc, Document, Head, Line, Nothing, Reversed, StepAnswer, StepLine, TakeStep, Taken,
};
pub use overrides::{LineCheck, LineOverride};
pub use routes::routes;
pub use store::read;
pub use write::{create, take, typed, update};

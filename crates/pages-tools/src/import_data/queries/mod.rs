//! What this page asks the database. Its other files hold no SQL.

pub mod rows;

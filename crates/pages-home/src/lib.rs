//! Home, notifications, search and history, and the tasks that they show.

pub mod dashboard;
pub mod history;
pub mod notifications;
pub mod search;
pub mod tasks;

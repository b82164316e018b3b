//! The service over HTTP, on both engines.

mod apply;
mod authorization;
mod branch_ops;
mod contract;
mod dashboard;
mod documents;
mod edge;
mod first_start;
mod history;
mod identity;
mod jobs;
mod lists;
mod live;
mod mail;
mod notifications;
mod platform;
mod products;
mod reports;
mod rights;
mod sales;
mod sales_property;
mod search;
mod stores;
mod support;
mod tools;
mod users;

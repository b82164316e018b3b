//! The few texts that differ between the engines; queries elsewhere know only one SQL.

use crate::Engine;

impl Engine {
    /// The engine a database URL asks for.
    pub fn of_url(url: &str) -> Option<Engine> {
        match url.split_once(':')?.0 {
            "sqlite" => Some(Engine::Sqlite),
            "postgres" | "postgresql" => Some(Engine::Postgres),
            _ => None,
        }
    }

    /// What stands around a parameter of JSON to make it a list of texts for `in`.
    pub(crate) fn each_text(self) -> (&'static str, &'static str) {
        match self {
            Engine::Sqlite => ("(select value from json_each(", "))"),
            Engine::Postgres => ("(select jsonb_array_elements_text(", "))"),
        }
    }
}

//! The few SQL fragments that differ between the engines; all other queries use common SQL.

use crate::{Engine, Kind};

impl Engine {
    /// The engine of a database URL.
    pub fn of_url(url: &str) -> Option<Engine> {
        match url.split_once(':')?.0 {
            "sqlite" => Some(Engine::Sqlite),
            "postgres" | "postgresql" => Some(Engine::Postgres),
            _ => None,
        }
    }

    /// The text around a JSON parameter that makes it a list of texts for `in`.
    pub(crate) fn each_text(self) -> (&'static str, &'static str) {
        match self {
            Engine::Sqlite => ("(select value from json_each(", "))"),
            Engine::Postgres => ("(select jsonb_array_elements_text(", "))"),
        }
    }
    /// The text around a JSON parameter that makes it rows with a `value`.
    pub(crate) fn each_row(self) -> (&'static str, &'static str) {
        match self {
            Engine::Sqlite => ("jsonb_each(", "))"),
            Engine::Postgres => ("jsonb_array_elements(cast(", " as jsonb)) as t (value))"),
        }
    }

    /// The n-th element of such a row, as a column of its type; bytes are sliced from parameter `bytes`.
    pub(crate) fn cell(self, n: usize, kind: Kind, bytes: usize) -> String {
        match (self, kind) {
            (Engine::Sqlite, Kind::Bytes) => format!("substr(${bytes}, value->{n}->>0, value->{n}->>1)"),
            (Engine::Postgres, Kind::Bytes) => {
                format!("substr(${bytes}, cast(value->{n}->>0 as integer), cast(value->{n}->>1 as integer))")
            }
            (Engine::Sqlite, Kind::Json) => format!("nullif(value->{n}, 'null')"),
            (Engine::Sqlite, _) | (_, Kind::Text) => format!("value->>{n}"),
            (Engine::Postgres, Kind::Json) => format!("nullif(value->{n}, 'null')"),
            (Engine::Postgres, Kind::Integer) => format!("cast(value->>{n} as bigint)"),
            (Engine::Postgres, Kind::Real) => format!("cast(value->>{n} as double precision)"),
            (Engine::Postgres, Kind::Boolean) => format!("cast(value->>{n} as boolean)"),
        }
    }
}

//! Exports a filtered list, with references by name.

use std::collections::HashMap;

use axum::response::Response;
use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde_json::{Map, Value};

use super::define::{Field, Kind, ListDef};
use super::filter::Filter;
use super::lines;
use super::names::names;
use super::queries;
use super::record::Record;
use super::write;
use larder_platform::http::error::{ApiError, ApiResult};
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};

type References = HashMap<&'static str, HashMap<String, String>>;

/// Responds with the filtered list as a file.
///
/// # Errors
/// If it has too many rows, or the database fails.
pub async fn export(
    db: &Db,
    def: &'static ListDef,
    mut filter: Filter,
    format: Format,
    day: BusinessDay,
) -> ApiResult<Response> {
    export::check_rows(queries::count(db, def, &filter).await?)?;
    filter.offset = 0;
    filter.limit = i64::try_from(export::MAX_ROWS).unwrap_or(i64::MAX);
    let references = references(db, def).await?;
    let (sender, rows) = export::channel();
    let db = db.clone();
    tokio::spawn(async move {
        let sent = send_rows(&db, def, &filter, &references, &sender).await;
        if let Err(error) = sent {
            // The receiver may be gone.
            sender.send(Err(error)).await.ok();
        }
    });
    let name = format!("{}-{day}", def.slug());
    export::respond(format, &name, columns(def), rows).await
}

async fn send_rows(
    db: &Db,
    def: &'static ListDef,
    filter: &Filter,
    references: &References,
    to: &export::Rows,
) -> ApiResult<()> {
    let mut records = std::pin::pin!(queries::rows(db, def, filter).stream_by(def.ops().row));
    while let Some(record) = records.try_next().await.map_err(ApiError::from)? {
        if to.send(Ok(cells(def, &*record, references))).await.is_err() {
            break;
        }
    }
    Ok(())
}

fn columns(def: &ListDef) -> Vec<Column> {
    let mut columns = vec![Column::new("Id", 18)];
    columns.extend(def.fields.iter().map(|field| Column::new(field.label, width(field))));
    columns.push(Column::new("Custom fields", 20));
    columns.push(Column::new("Created at (UTC+8)", 20));
    columns.push(Column::new("Updated at (UTC+8)", 20));
    if def.tells_editor {
        columns.push(Column::new("Updated by", 24));
    }
    columns
}

fn width(field: &Field) -> u16 {
    match field.kind {
        Kind::Text | Kind::Lines | Kind::Ref => 28,
        Kind::Items(_) => 40,
        Kind::Bool => 8,
        _ => 14,
    }
}

async fn references(db: &Db, def: &'static ListDef) -> Result<References, DbError> {
    let mut references = References::new();
    for table in def.fields.iter().flat_map(Field::tables) {
        let Some(list) = def.catalogue().lists.iter().find(|list| list.table == table) else { continue };
        if !references.contains_key(table) {
            let known = names(db, list).await?.into_iter().map(|name| (name.id, name.name)).collect();
            references.insert(table, known);
        }
    }
    Ok(references)
}

fn cells(def: &ListDef, record: &dyn Record, references: &References) -> Vec<Cell> {
    let Value::Object(mut body) = record.json() else { return Vec::new() };
    let mut cells = vec![text(body.remove("id"))];
    cells.extend(def.fields.iter().map(|field| cell(field, body.remove(field.name), references)));
    let stamp = record.frame();
    for name in write::FRAME {
        body.remove(name);
    }
    cells.push(custom(&body));
    cells.push(Cell::Time(stamp.created_at));
    cells.push(Cell::Time(stamp.updated_at));
    if def.tells_editor {
        cells.push(stamp.updated_by.as_ref().map_or(Cell::Empty, |editor| Cell::Text(editor.name.clone())));
    }
    cells
}

fn custom(body: &Map<String, Value>) -> Cell {
    if body.is_empty() { Cell::Empty } else { Cell::Text(Value::Object(body.clone()).to_string()) }
}

fn text(value: Option<Value>) -> Cell {
    match value {
        None | Some(Value::Null) => Cell::Empty,
        Some(Value::String(text)) => Cell::Text(text),
        Some(other) => Cell::Text(other.to_string()),
    }
}

fn cell(field: &Field, value: Option<Value>, references: &References) -> Cell {
    let Some(value) = value else { return Cell::Empty };
    let read = match field.kind {
        Kind::Qty => serde_json::from_value::<Qty>(value.clone()).ok().map(Cell::Qty),
        Kind::Money => serde_json::from_value::<Money>(value.clone()).ok().map(Cell::Money),
        Kind::Factor => serde_json::from_value::<Factor>(value.clone()).ok().map(Cell::Factor),
        Kind::Day => serde_json::from_value::<BusinessDay>(value.clone()).ok().map(Cell::Day),
        Kind::Int => value.as_i64().map(Cell::Int),
        Kind::Bool => value.as_bool().map(Cell::Bool),
        Kind::Ref => {
            let name = value.as_str().and_then(|id| references.get(field.to).and_then(|known| known.get(id)));
            name.map(|name| Cell::Text(name.clone()))
        }
        Kind::Items(items) => {
            let name = |table: &str, id: &str| references.get(table)?.get(id).map(String::as_str);
            let text = lines::written(items, &value, name);
            Some(if text.is_empty() { Cell::Empty } else { Cell::Text(text) })
        }
        Kind::Text | Kind::Lines => None,
    };
    read.unwrap_or_else(|| text(Some(value)))
}

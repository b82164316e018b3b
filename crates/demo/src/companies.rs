//! The companies of the group, and their documents.

use std::collections::HashMap;
use std::sync::LazyLock;

use larder_db::{Change, ChangeAction};
use larder_domain::{BusinessDay, Timestamp};
use larder_lists::catalog::Company;
use larder_platform::http::ApiError;
use serde::Deserialize;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::set_up;
use super::pdf::pdf;
use super::queries::{self, CompanyDocument};
use super::stores::Island;
use super::table::{records, table, text, texts};

/// Head office files the documents.
const CLERK: usize = 1;

/// The company of the default kitchen.
pub const COMMISSARY: &str = "Hapag Kanto Commissary";

/// The company that runs the stores of an island.
pub fn company_of(island: Island) -> &'static str {
    if island == Island::Luzon { "Hapag Kanto Foods" } else { "Islas Kitchens" }
}

/// A document without an id.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    company: &'static str,
    kind: &'static str,
    title: &'static str,
    number: &'static str,
    /// Days after the group was founded; documents issued each year use the other column.
    issued_after_founding: Option<i32>,
    /// Days after the last one of the demo: one expires soon, one has expired.
    expires_in: Option<i32>,
}

impl Row {
    /// Its days of issue and expiry.
    fn days(&self, world: &World) -> (BusinessDay, Option<BusinessDay>) {
        let founded = world.first.plus(-1900);
        let expires = self.expires_in.map(|days| world.last.plus(days));
        let issued = expires.map(|day| day.plus(-364));
        (issued.unwrap_or_else(|| founded.plus(self.issued_after_founding.unwrap_or(0))), expires)
    }
}

static DOCUMENTS: LazyLock<Vec<Row>> = table!("company-documents");

/// Creates the companies and returns their ids by name.
pub async fn load(demo: &mut DemoActor<'_>, world: &World) -> Result<HashMap<String, String>, ApiError> {
    let companies = records(text!("companies"));
    let (names, legal) = (texts(&companies, "name"), texts(&companies, "legalBusinessName"));
    let legal: HashMap<&String, String> = names.iter().zip(legal).collect();
    let ids = demo.add::<Company>(moment(set_up(world), 8, 20), companies).await?;
    let ids: HashMap<String, String> = names.iter().cloned().zip(ids).collect();
    for (row, nth) in DOCUMENTS.iter().zip(0..) {
        let (issued, expires) = row.days(world);
        let at = moment(set_up(world).plus(1).max(issued.plus(3)), 11, nth * 4);
        let company = row.company.to_owned();
        let document = CompanyDocument {
            id: demo.id(at),
            company_id: ids.get(&company).cloned().unwrap_or_default(),
            kind: row.kind,
            title: row.title,
            number: row.number,
            issued,
            expires,
        };
        file(demo, &document, legal.get(&company).map_or("", String::as_str), at).await?;
    }
    Ok(ids)
}

/// Stores a document's file and its metadata.
async fn file(
    demo: &DemoActor<'_>,
    document: &CompanyDocument,
    legal: &str,
    at: Timestamp,
) -> Result<(), ApiError> {
    let until = document.expires.map_or_else(|| "until revoked".to_owned(), |day| day.display());
    let bytes = pdf(
        document.title,
        &[
            format!("Issued to: {legal}"),
            format!("Number: {}", document.number),
            format!("Date of issue: {}", document.issued.display()),
            format!("Valid: {until}"),
            String::new(),
            "A specimen for demonstration, without any effect.".to_owned(),
        ],
    );
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    demo.state.files.put(&document.file_key(), bytes.into()).await?;
    let change = &Change {
        kind: "companyDocument",
        id: document.id.clone(),
        store_id: None,
        action: ChangeAction::Created,
        before: None,
        after: Some(document.recorded()),
    };
    let actor = demo.actor(CLERK, at);
    let written = demo.state.db.write(&actor, async |tx| {
        queries::add_document(tx, document, size).await?;
        tx.record(change.clone()).await
    });
    Ok(written.await?)
}
